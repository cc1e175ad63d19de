// The sessions of RTSP that a stream takes its media from, one after the other: what is said on them, and how they end.
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

#include "base64.hpp"
#include "datagrams.hpp"
#include "stream.hpp"

namespace weir {
namespace {

// A server may think for so long before it sends.
constexpr Time kLeastRejoin = 3 * kSecond;
// A head is told up to here: whatever its bytes are, it fits into a frame.
constexpr size_t kMaxHead = 4096;
// Answers of STUN that are told in a second.
constexpr uint16_t kMaxStun = 16;
// A held stream whose ring has less room than this is stopped, and goes on when it has that much.
constexpr size_t kStop = 64 << 10;
constexpr size_t kResume = 256 << 10;
// What is taken of a stream that is never stopped, in one turn.
constexpr size_t kTurnBytes = 4 << 20;

uint16_t port_of(const sockaddr_storage& address) {
  const bool six = address.ss_family == AF_INET6;
  return ntohs(six ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

}  // namespace

Frame Stream::tell_of_feed(const char* event, const std::string& id) const {
  Frame frame(event);
  frame.add("stream", plan_.id).add("feed", id);
  return frame;
}

void Stream::feed(Fd socket, RtspFeed::Card card, const std::string& note) {
  const std::string id = card.id;
  const bool paired = pair_ && pair_->feed() == id;
  const bool possible = plan_.rtsp() && !draining_ && card.udp <= paired;
  if (!possible) {
    owner_.tell(tell_of_feed("refused", id).add("reason", plan_.rtsp() && !draining_ ? "no-pair" : "no-stream"));
    return;
  }
  if (feed_) part_feed();
  std::unique_ptr<Pair> pair = card.udp ? pair_->take() : nullptr;
  if (paired) pair_.reset();
  feed_id_ = id;
  feed_udp_ = card.udp;
  Fd media = pair ? pair->release_media() : Fd();
  bool good = !card.udp || media;
  if (good && card.udp) good = reception_.adopt(std::move(media), card.from);
  feed_ = std::make_unique<RtspFeed>(loop_, owner_.arrivals(), static_cast<Feed::Owner&>(*this), std::move(socket), std::move(pair), std::move(card));
  if (!good || !feed_->open()) {
    reception_.close();
    feed_.reset();
    unfed_ = loop_.now();
    owner_.tell(tell_of_feed("refused", id).add("reason", "descriptors"));
    return;
  }
  if (!note.empty()) plan_.note = note;
  follow_feed();
  owner_.tell(tell_of_feed("taken", id));
}

// What comes now follows on nothing that came before.
void Stream::follow_feed() {
  if (format_ != Format::kRtp) format_ = Format::kUnknown;
  candidate_.reset();
  framer_.reset();
  // On one connection nothing overtakes.
  reorder_.begin(feed_udp_ ? Reorder::kHold : 0);
  if (packets_ > 0) anew();
  media_clock_.restart();
  brings_ = true;
  stopped_ = false;
  told_silent_ = false;
  heard_ = loop_.now();
  awaited_ = 0;
  if (feed_udp_) {
    reception_.pause(ticking_);
  } else if (ticking_) {
    feed_->pause(true);
  }
  listen_timer_.in(std::min(std::max(plan_.rejoin, kLeastRejoin), plan_.silence));
}

// What it brought before is let in. Returns whether its farewell was written.
bool Stream::part_feed() {
  brings_ = false;
  unfed_ = loop_.now();
  reception_.close();
  std::unique_ptr<Parting> rest = feed_->part();
  const bool written = rest && rest->written();
  owner_.feed_parted(std::move(feed_), std::move(rest), tell_of_feed("parted", feed_id_).add("written", uint64_t{written}));
  feed_id_.clear();
  if (!reorder_.holding()) return written;
  reorder_.expire(loop_.now() + Reorder::kHold);
  if (!ended_) owner_.due(*this);
  return written;
}

std::optional<bool> Stream::part(const std::string& feed) {
  if (pair_ && pair_->feed() == feed) {
    pair_.reset();
    if (feed_of(feed) == nullptr) return false;
  }
  if (feed_of(feed) == nullptr) return {};
  const bool written = part_feed();
  listen_timer_.in(plan_.await);
  return written;
}

void Stream::drain(const std::string& reason) {
  if (draining_ || ended_) return;
  draining_ = true;
  drain_reason_ = reason;
  if (feed_) parted_ = part_feed();
  pair_.reset();
  listen_timer_.cancel();
  if (!start_) {
    end(reason);
  } else {
    owner_.due(*this);
  }
}

void Stream::await(Time within) {
  awaited_ = loop_.now() + within;
  listen_timer_.at(awaited_);
}

std::variant<uint16_t, Refusal> Stream::open_pair(const std::string& feed, const sockaddr_storage& local, const std::string& interface,
                                                  uint16_t least, uint16_t most) {
  pair_.reset();
  auto opened = Pair::open(local, interface, least, most);
  if (Refusal* refusal = std::get_if<Refusal>(&opened)) return std::move(*refusal);
  pair_ = std::make_unique<PairWait>(loop_, feed, std::make_unique<Pair>(std::move(std::get<Pair>(opened))),
                                     [this](bool media, const sockaddr_storage& from, const uint8_t* data, size_t size) {
                                       tell_datagram(media ? "rtp" : "rtcp", from, data, size);
                                     });
  if (!pair_->watch()) {
    pair_.reset();
    return Refusal{"limit-reached", "The kernel watches no more descriptors: raise fs.epoll.max_user_watches."};
  }
  return pair_->pair().port();
}

bool Stream::punch(const std::string& feed, const Punch& punch) {
  if (pair_ && pair_->feed() == feed) {
    pair_->pair().punch(loop_, punch.media, punch.to, punch.data, punch.times, punch.every);
    return true;
  }
  RtspFeed* one = feed_of(feed);
  if (one == nullptr || !feed_udp_) return false;
  one->punch(punch.media, punch.to, punch.data, punch.times, punch.every);
  return true;
}

void Stream::feed_said(std::string_view head, bool cut) {
  if (ended_ || !feed_) return;
  Frame event = tell_of_feed("said", feed_id_);
  event.add("text", head.substr(0, kMaxHead));
  if (cut || head.size() > kMaxHead) event.add("cut", uint64_t{1});
  owner_.tell(event);
}

void Stream::feed_over(std::string_view reason) {
  if (ended_ || !feed_ || !brings_) return;
  brings_ = false;
  unfed_ = loop_.now();
  listen_timer_.in(plan_.await);
  owner_.tell(tell_of_feed("over", feed_id_).add("reason", reason));
}

void Stream::feed_media(const uint8_t* data, size_t size) {
  if (ended_ || !brings_ || size == 0) return;
  arrival_ = 0;
  if (!take_plain(data, size)) datagram(data, size);
}

// The usual case: the next packet of RTP, full of whole packets.
bool Stream::take_plain(const uint8_t* data, size_t size) {
  if (format_ != Format::kRtpTs || size <= rtp::kHeader || framer_.carrying() || !rtp::plain(data)) return false;
  if (!reorder_.expects(rtp::sequence(data), rtp::ssrc(data))) return false;
  const uint8_t* payload = data + rtp::kHeader;
  const size_t length = size - rtp::kHeader;
  if (length % ts::kPacket != 0 || ts::whole(payload, length) != length) return false;
  reorder_.advance();
  widest_ = std::max(widest_, length);
  append(payload, length);
  return true;
}

void Stream::take_frames() {
  const size_t most = allowance();
  if (most > 0) arrived_ = feed_->receive(most);
}

// How much may come now. A full ring stops the server of a held stream: what it sends waits on the connection.
size_t Stream::allowance() {
  if (!hold_ || !feed_ || feed_udp_) return kTurnBytes;
  const bool watched = std::any_of(viewers_.begin(), viewers_.end(), [](const auto& viewer) { return viewer->started(); });
  const size_t free = hold_->allowance(ring_, watched, slowest_, loop_.now());
  const bool stop = free < (stopped_ ? kResume : kStop);
  if (stop != stopped_) {
    stopped_ = stop;
    heard_ = loop_.now();
    feed_->pause(stopped_ || ticking_);
  }
  return stop ? 0 : free;
}

// Whether a datagram at the media's socket is none of the media.
bool Stream::beside(const sockaddr_storage& from, const uint8_t* data, size_t size) {
  const Datagram kind = tell(data, size);
  if (kind == Datagram::kStun) tell_datagram("rtp", from, data, size);
  return kind != Datagram::kMedia;
}

// What the reports to the server say.
void Stream::tell_feed_what_came() {
  if (!is_rtp()) return;
  highest_ += static_cast<uint16_t>(reorder_.highest() - highest_);
  feed_->heard(reorder_.ssrc(), highest_, reorder_.counts().lost);
}

void Stream::tell_datagram(const char* socket, const sockaddr_storage& from, const uint8_t* data, size_t size) {
  if (stun_since_ + kSecond <= loop_.now()) {
    stun_since_ = loop_.now();
    stun_count_ = 0;
  }
  if (stun_count_++ >= kMaxStun) return;
  Frame event = tell_of_feed("datagram", pair_ ? pair_->feed() : feed_id_);
  event.add("socket", socket).add("address", address_text(from)).add("port", uint64_t{port_of(from)});
  owner_.tell(event.add("data", encode_bytes(data, std::min(size, kMaxHead))));
}

// Looks whether a session still brings media. Node makes a new one; the stream ends when there is none in time.
void Stream::listen_to_feed() {
  const Time now = loop_.now();
  if (stopped_) heard_ = now;
  const Time rejoin = std::min(std::max(plan_.rejoin, kLeastRejoin), plan_.silence);
  const Time since = brings_ ? std::max({last_media_, heard_, awaited_}) : unfed_;
  const Time limit = brings_ ? since + plan_.silence : std::max(unfed_ + plan_.await, awaited_);
  if (now >= limit) {
    end("no-signal");
    return;
  }
  if (!brings_ || told_silent_ || now < since + rejoin) {
    listen_timer_.at(brings_ && !told_silent_ ? since + rejoin : limit);
    return;
  }
  silent_ = true;
  told_silent_ = true;
  rejoins_++;
  listen_timer_.at(limit);
  owner_.tell(Frame("silent").add("stream", plan_.id));
}

// The tables, their counters leading up to what stands at a place of the ring.
std::string Stream::tables_at(Position position) const {
  if (format_ == Format::kRtp) return {};
  Pids pids = pids_;
  std::vector<uint16_t> wanted = tables_.pmt_pids();
  wanted.push_back(0);
  iovec pieces[2];
  const int count = ring_.view(position, pieces);
  for (int index = 0; index < count && !wanted.empty(); index++) {
    const auto* packet = static_cast<const uint8_t*>(pieces[index].iov_base);
    const uint8_t* end = packet + pieces[index].iov_len;
    for (; packet + ts::kPacket <= end && !wanted.empty(); packet += ts::kPacket) {
      if (!ts::has_payload(packet) || std::erase(wanted, ts::pid(packet)) == 0) continue;
      pids.of(ts::pid(packet)).counter.lead_to(ts::counter(packet));
    }
  }
  return tables_.packets(pids);
}

}  // namespace weir
