#include "hub.hpp"

#include <algorithm>

namespace weir {
namespace {

// What all rings together may hold.
constexpr size_t kRingBytes = size_t{512} << 20;
// A ring smaller than this could not take a turn's worth of media.
constexpr size_t kRingLeast = 1 << 20;
// For so long streams are sent in one turn.
constexpr Time kWork = 5 * kMillisecond;
// Bits per second.
constexpr uint64_t kWorthMoving = 10'000'000;
// Farewells that are waited for.
constexpr size_t kMaxPartings = 256;

}  // namespace

Hub::Hub(Loop& loop, std::function<void(const Frame&)> tell)
    : loop_(loop),
      tell_(std::move(tell)),
      links_(loop,
             [this] {
               for (const auto& [id, stream] : streams_) stream->network_changed();
             }),
      lull_(loop),
      tick_timer_(loop, [this] { tick(); }),
      work_timer_(loop, [this] { work(); }),
      placement_(loop, [this] { return busiest(); }) {}

Refusal Hub::open(Stream::Plan plan) {
  if (const auto found = streams_.find(plan.id); found != streams_.end()) {
    found->second->renew(plan);
    return {};
  }
  const std::string id = plan.id;
  auto stream = std::make_unique<Stream>(loop_, static_cast<Stream::Owner&>(*this), std::move(plan));
  Refusal refusal = stream->open();
  if (!refusal.refused()) streams_.emplace(id, std::move(stream));
  stamp();
  return refusal;
}

Stream* Hub::find(const std::string& stream) {
  const auto found = streams_.find(stream);
  return found != streams_.end() ? found->second.get() : nullptr;
}

bool Hub::close(const std::string& stream, const std::string& reason) {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return false;
  found->second->end(reason);
  return true;
}

bool Hub::dismiss(const std::string& viewer, const std::string& reason) {
  return std::any_of(streams_.begin(), streams_.end(),
                     [&](const auto& entry) { return entry.second->dismiss(viewer, reason); });
}

void Hub::attach(const std::string& stream, Fd socket, Viewer::Card card) {
  const auto found = streams_.find(stream);
  if (found != streams_.end() && socket) {
    found->second->attach(std::move(socket), std::move(card));
    return;
  }
  Frame event("closed");
  event.add("viewer", card.id).add("stream", stream).add("reason", socket ? "no-stream" : "descriptors");
  event.add("sent", uint64_t{0}).add("lost", uint64_t{0}).add("jumps", uint64_t{0}).add("uptime", uint64_t{0});
  tell_(event);
}

void Hub::feed(const std::string& stream, Fd socket, RtspFeed::Card card, const std::string& note) {
  Stream* one = find(stream);
  if (one != nullptr && socket) {
    one->feed(std::move(socket), std::move(card), note);
  } else {
    feed_refused(stream, card.id, socket ? "no-stream" : "descriptors");
  }
}

void Hub::feed_refused(const std::string& stream, const std::string& feed, const char* reason) {
  tell_(Frame("refused").add("stream", stream).add("feed", feed).add("reason", reason));
}

void Hub::feed_parted(std::unique_ptr<RtspFeed> feed, std::unique_ptr<Parting> rest, const Frame& event) {
  parted_feeds_.push_back(std::move(feed));
  if (!rest) {
    tell_(event);
    return;
  }
  partings_.push_back({std::move(rest), event});
  if (partings_.size() <= kMaxPartings) return;
  const Leaving oldest = std::move(partings_.front());
  partings_.pop_front();
  tell_(oldest.event);
}

void Hub::close_all(const std::string& reason) {
  while (!streams_.empty()) streams_.begin()->second->end(reason);
}

std::vector<Frame> Hub::report() const {
  std::vector<Frame> frames;
  for (const auto& [id, stream] : streams_) frames.push_back(stream->report());
  for (const auto& [id, stream] : streams_) {
    for (Frame& frame : stream->report_viewers()) frames.push_back(std::move(frame));
  }
  return frames;
}

std::vector<Frame> Hub::report(const std::string& stream) const {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return {};
  std::vector<Frame> frames{found->second->report()};
  for (Frame& frame : found->second->report_pids()) frames.push_back(std::move(frame));
  for (Frame& frame : found->second->report_viewers()) frames.push_back(std::move(frame));
  return frames;
}

size_t Hub::viewers() const {
  size_t count = 0;
  for (const auto& [id, stream] : streams_) count += stream->viewers();
  return count;
}

void Hub::tidy() {
  closed_viewers_.clear();
  ended_streams_.clear();
  parted_feeds_.clear();
  for (size_t index = 0; index < partings_.size();) {
    if (!partings_[index].parting->over()) {
      index++;
      continue;
    }
    const Leaving left = std::move(partings_[index]);
    partings_.erase(partings_.begin() + static_cast<std::ptrdiff_t>(index));
    tell_(left.event);
  }
}

void Hub::stream_ended(Stream& stream) {
  std::erase(due_, &stream);
  const auto found = streams_.find(stream.id());
  if (found == streams_.end() || found->second.get() != &stream) return;
  ended_streams_.push_back(std::move(found->second));
  streams_.erase(found);
  stamp();
}

void Hub::stamp() {
  if (streams_.empty()) stamping_ = Fd();
  if (streams_.empty() || stamping_) return;
  const int on = 1;
  stamping_ = Fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  setsockopt(stamping_.get(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
}

size_t Hub::ring_share() const { return std::max(kRingLeast, kRingBytes / std::max<size_t>(1, streams_.size())); }

void Hub::ticking(Stream& stream, bool on) {
  if (on) {
    ticking_.push_back(&stream);
    if (ticking_.size() > 1) return;
    next_tick_ = loop_.now() + stream.period();
    tick_timer_.at(next_tick_);
    placement_.follow();
  } else {
    std::erase(ticking_, &stream);
    if (!ticking_.empty()) return;
    tick_timer_.cancel();
    placement_.rest();
  }
}

// The address that brings most, if it is enough for its place to matter.
const Address* Hub::busiest() const {
  const Stream* most = nullptr;
  for (const Stream* stream : ticking_) {
    if (stream->address() == nullptr) continue;
    if (most == nullptr || stream->bitrate() > most->bitrate()) most = stream;
  }
  return most != nullptr && most->bitrate() >= kWorthMoving ? most->address() : nullptr;
}

// One wake-up serves every busy stream. A stream may stop ticking, or end, while it is served.
void Hub::tick() {
  const std::vector<Stream*> served = ticking_;
  Time period = Stream::kTick;
  for (Stream* stream : served) {
    stream->receive();
    period = std::min(period, stream->period());
  }
  for (Stream* stream : served) queue(*stream);
  work();
  if (ticking_.empty()) return;
  // When the machine was too busy to wake in time, the ticks that were missed are not made up for.
  next_tick_ = std::max(next_tick_ + period, loop_.now() + kMillisecond);
  tick_timer_.at(next_tick_);
}

void Hub::due(Stream& stream) {
  queue(stream);
  if (!work_timer_.armed()) work();
}

void Hub::queue(Stream& stream) {
  if (stream.due() || stream.ended()) return;
  stream.mark_due(true);
  due_.push_back(&stream);
}

// Sends for some milliseconds. What is left goes on in the next turn, behind whatever else the loop has to do by then.
void Hub::work() {
  if (due_.empty()) return;
  const Time deadline = Loop::clock() + kWork;
  do {
    Stream* stream = due_.front();
    due_.pop_front();
    stream->mark_due(false);
    // Others come first before it goes on.
    if (!stream->send(deadline)) queue(*stream);
  } while (!due_.empty() && Loop::clock() < deadline);
  if (!due_.empty()) work_timer_.in(0);
}

}  // namespace weir
