// The data path of a stream, turn by turn: datagrams in, media out, and how often to look. What a datagram holds is told in
// stream_packets.cpp.
#include <algorithm>
#include <array>
#include <cstring>

#include "stream.hpp"

namespace weir {
namespace {

// Datagrams are first received with room for the largest that Ethernet's jumbo frames carry.
constexpr size_t kUnknownSlot = 9216;
constexpr size_t kMaxDatagram = 65536;
constexpr size_t kBatchBytes = 256 * 1024;
constexpr int kBatchesPerTurn = 16;
constexpr size_t kSpare = 8;
// The time is looked at after so many viewers.
constexpr size_t kViewersPerLook = 16;
// What the kernel charges a receive buffer for a datagram, at most, beside its bytes.
constexpr size_t kKernelCharge = 2816;
// The kernel's word on when each datagram arrived costs a tenth of receiving it: it is asked for in one busy turn of so many.
constexpr unsigned kStampTurns = 8;
constexpr Time kPaceWindow = 100 * kMillisecond;
constexpr size_t kPaceTicks = kPaceWindow / Stream::kTick;
constexpr uint64_t kRingSeconds = 4;
constexpr size_t kRingLeast = 2 << 20;

// One thread, one turn at a time: all streams share these.
Batch batch;
std::array<uint8_t, kBatchBytes> side;
std::array<uint8_t, kMaxDatagram> whole_datagram;

}  // namespace

void Stream::ready(uint32_t) { serve(); }

void Stream::serve() {
  receive();
  owner_.due(*this);
}

// Takes what has arrived, within a budget.
void Stream::receive() {
  if (ended_) return;
  learned_ = 0;
  if (news_) learn(ring_.head());
  if (feed_ && !feed_udp_) {
    arrived_ = 0;
    take_frames();
  } else {
    take_batches();
  }
  packets_ += arrived_;
  if (reorder_.holding()) {
    reorder_.expire(loop_.now());
    const Time deadline = reorder_.deadline();
    if (deadline > 0) hold_timer_.at(deadline);
  }
  if (feed_ && arrived_ > 0) tell_feed_what_came();
  look_back_.keep(ring_, loop_.now());
  // Without a clock of its own it goes by ours.
  if (hold_ && !media_clock_.seen()) hold_->came(ring_.head(), loop_.now() - opened_);
  pace(arrived_);
}

void Stream::take_batches() {
  // About as many come as the last time: what is laid out for more is laid out in vain.
  size_t expected = 2 * arrived_ + kSpare;
  arrived_ = 0;
  if (!reception_.opened()) return;
  batch.stamped = !ticking_ || turns_++ % kStampTurns == 0;
  for (int turn = 0; turn < kBatchesPerTurn; turn++) {
    const size_t most = prepare(expected);
    expected = Batch::kMost;
    reception_.receive(batch, most);
    arrived_ += batch.count;
    take();
    if (batch.count < most) break;
  }
}

bool Stream::send(Time deadline) { return ended_ || flush(deadline); }

// Lays out the next batch: straight into the ring when what comes is likely to be simply the next packets.
size_t Stream::prepare(size_t expected) {
  batch.head = format_ == Format::kTs ? 0 : Batch::kHead;
  batch.slot = slot_ > 0 ? slot_ : kUnknownSlot;
  const size_t most = std::min({expected, Batch::kMost, kBatchBytes / batch.slot});
  direct_ = format_ != Format::kUnknown && slot_ > 0 && !reorder_.holding() && !framer_.carrying();
  if (direct_) {
    make_room(most * batch.slot);
    batch.target = ring_.reserve(most * batch.slot);
  } else {
    batch.target = side.data();
  }
  return most;
}

void Stream::take() {
  if (direct_ && !fits()) {
    std::memcpy(side.data(), batch.target, batch.count * batch.slot);
    batch.target = side.data();
    direct_ = false;
  }
  for (size_t index = 0; index < batch.count; index++) {
    arrival_ = batch.stamped ? batch.arrival(index) : 0;
    if (direct_ && take_in_place(index)) continue;
    if (batch.cut(index)) {
      strays_++;
      widen(std::min(batch.length(index), kMaxDatagram));
    }
    const size_t size = batch.gather(index, whole_datagram.data());
    if (size == 0 || (feed_ && beside(batch.senders[index], whole_datagram.data(), size))) continue;
    datagram(whole_datagram.data(), size);
  }
  direct_ = false;
}

// What is in the ring now is placed one slot a datagram: one that gives more media would be written over its neighbour.
bool Stream::fits() const {
  for (size_t index = 0; index < batch.count; index++) {
    const bool headed = is_rtp() && batch.heads[index][0] >> 6 == 2;
    if (batch.length(index) > batch.slot + (headed ? Batch::kHead : 0)) return false;
  }
  return true;
}

// Remembers how much room a datagram's media needs.
void Stream::widen(size_t size) {
  widest_ = std::max(widest_, size);
  slot_ = std::max(slot_, size);
}

// The usual case: the next packet, whole, already where it belongs.
bool Stream::take_in_place(size_t index) {
  if (batch.length(index) != batch.head + batch.slot || framer_.carrying()) return false;
  uint8_t* payload = batch.place(index);
  const bool headed = batch.head > 0;
  if (headed) {
    const uint8_t* head = batch.heads[index].data();
    if (!rtp::plain(head) || !reorder_.expects(rtp::sequence(head), rtp::ssrc(head))) return false;
  }
  if (batch.slot % ts::kPacket != 0 || ts::whole(payload, batch.slot) != batch.slot) return false;
  if (payload != ring_.end()) std::memmove(ring_.end(), payload, batch.slot);
  if (headed) reorder_.advance();
  widest_ = std::max(widest_, batch.slot);
  accept(ring_.end(), batch.slot);
  return true;
}

// Moves the viewers whose place is about to be written over.
void Stream::make_room(size_t bytes) {
  const Position oldest = ring_.oldest_after(bytes);
  if (oldest <= slowest_) return;
  const size_t unit = format_ == Format::kRtp ? 0 : ts::kPacket;
  slowest_ = ring_.head();
  for (const auto& viewer : viewers_) {
    if (!viewer->started()) continue;
    if (viewer->cursor() < oldest) {
      viewer->jump(ring_, place_to_jump(viewer->cursor(), oldest), unit);
      jumps_++;
    }
    slowest_ = std::min(slowest_, viewer->cursor());
  }
}

// Where a viewer that is too slow goes on: a random-access point ahead of it, else the live edge.
Backlog Stream::place_to_jump(Position cursor, Position oldest) const {
  const LookBack::Point* point = look_back_.newest(loop_.now());
  if (point != nullptr && point->position > cursor && look_back_.end() >= oldest) return look_back_.backlog();
  return {ring_.head(), ring_.head(), {}};
}

bool Stream::flush(Time deadline) {
  if (!started_ && start_) begin();
  flushing_ = true;
  for (size_t count = 1; next_ < viewers_.size(); count++) {
    Viewer& viewer = *viewers_[next_++];
    viewer.flush(ring_);
    leaving_ = leaving_ || !viewer.leaving().empty();
    if (count % kViewersPerLook == 0 && Loop::clock() >= deadline) break;
  }
  flushing_ = false;
  const bool done = next_ >= viewers_.size();
  if (done) settle();
  if (leaving_) sweep();
  return done;
}

// Every viewer had its turn.
void Stream::settle() {
  next_ = 0;
  find_slowest();
  if (draining_) {
    for (const auto& viewer : viewers_) finish(*viewer);
  }
  // A held stream keeps what was just seen.
  if (!hold_ && slowest_ == ring_.head()) ring_.rewind();
  if (stopped_) allowance();
}

void Stream::find_slowest() {
  slowest_ = ring_.head();
  for (const auto& viewer : viewers_) {
    if (viewer->started()) slowest_ = std::min(slowest_, viewer->cursor());
  }
}

// Nothing more comes: whoever has all is to go.
void Stream::finish(Viewer& viewer) {
  if (!draining_ || !viewer.drained(ring_)) return;
  viewer.leave("finished");
  leaving_ = true;
}

void Stream::begin() {
  started_ = true;
  tables_timer_.cancel();
  // A first turn that was longer than the ring leaves no whole packets behind its head.
  const Position first = start_->position >= ring_.oldest() ? start_->position : ring_.head();
  for (const auto& viewer : viewers_) viewer->start({first, first, {}}, start_->tables);
  if (hold_) hold_->opened(first);
  if (hold_ && !viewers_.empty()) hold_->began(first, loop_.now());
  start_->tables = std::string();
}

// Few datagrams wake the loop one by one; from one a tick on, the loop's tick looks for them.
void Stream::pace(size_t datagrams) {
  if (ended_) return;
  const size_t charge = datagrams * (slot_ + kKernelCharge);
  const size_t quarter = (feed_ && !feed_udp_ ? 2 * feed_->room() : reception_.room()) / 4;
  if (charge > quarter) {
    period_ = std::max<Time>(kMillisecond, period_ * quarter / charge);
  } else if (charge < quarter / 2) {
    period_ = std::min<Time>(kTick, period_ * 2);
  }
  pace_count_ += datagrams;
  const Time elapsed = loop_.now() - pace_since_;
  const bool busy = pace_count_ >= kPaceTicks && elapsed <= kPaceWindow;
  if (elapsed < kPaceWindow && !busy) return;
  const bool ticking = ticking_ ? pace_count_ * 2 * kPaceWindow >= kPaceTicks * elapsed : busy;
  pace_count_ = 0;
  pace_since_ = loop_.now();
  if (ticking != ticking_) {
    ticking_ = ticking;
    if (feed_ && !feed_udp_) {
      feed_->pause(ticking || stopped_);
    } else {
      reception_.pause(ticking);
    }
    owner_.ticking(*this, ticking);
  }
  measure();
}

void Stream::measure() {
  const Time elapsed = loop_.now() - rate_since_;
  if (elapsed < kSecond) return;
  slot_ = widest_;
  widest_ = 0;
  bitrate_ = rate_bytes_ * 8 * kSecond / elapsed;
  rate_bytes_ = 0;
  rate_since_ = loop_.now();
  pids_.measure(elapsed);
  // What is no TS has no tables to miss.
  if (format_ == Format::kTs || format_ == Format::kRtpTs) health_.measure(pids_.all(), rate_since_);
  const size_t wanted = static_cast<size_t>(bitrate_ / 8 * kRingSeconds);
  ring_.limit(std::min(hold_ ? Hold::kRing : std::max(wanted, kRingLeast), owner_.ring_share()));
  ring_.trim();
}

}  // namespace weir
