#include "rtsp_feed.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "datagrams.hpp"
#include "rtcp.hpp"

namespace weir {
namespace {

// One read, and how many of them in one turn.
constexpr size_t kRead = 256 * 1024;
constexpr int kReads = 16;
// A carry that was longer gives its memory back.
constexpr size_t kCarry = 4 * 1024;
// A window that holds what comes between two ticks. The kernel doubles the figure for its own overhead.
constexpr int kReceiveBuffer = 4 << 20;
constexpr Time kFirstReport = kSecond;
constexpr Time kReport = 5 * kSecond;
constexpr size_t kMaxReport = 512;
constexpr size_t kDatagram = 2048;
constexpr int kDatagrams = 16;

// One thread, one turn at a time: all feeds share it. What was carried stands in front of what is read.
std::array<uint8_t, Interleaved::kMaxRest + kRead> side;

uint32_t random_number() {
  uint32_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) < 0) number = static_cast<uint32_t>(Loop::clock());
  return number;
}

bool same_address(const sockaddr_storage& one, const sockaddr_storage& other) {
  if (one.ss_family != other.ss_family) return false;
  if (one.ss_family == AF_INET6) {
    return std::memcmp(&reinterpret_cast<const sockaddr_in6&>(one).sin6_addr,
                       &reinterpret_cast<const sockaddr_in6&>(other).sin6_addr, sizeof(in6_addr)) == 0;
  }
  return reinterpret_cast<const sockaddr_in&>(one).sin_addr.s_addr == reinterpret_cast<const sockaddr_in&>(other).sin_addr.s_addr;
}

sockaddr_storage with_port(sockaddr_storage address, uint16_t port) {
  if (address.ss_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6&>(address).sin6_port = htons(port);
  } else {
    reinterpret_cast<sockaddr_in&>(address).sin_port = htons(port);
  }
  return address;
}

}  // namespace

RtspFeed::RtspFeed(Loop& loop, Loop& arrivals, Feed::Owner& owner, Fd socket, std::unique_ptr<Pair> pair, Card card)
    : loop_(loop),
      arrivals_(arrivals),
      owner_(owner),
      socket_(std::move(socket)),
      pair_(std::move(pair)),
      card_(std::move(card)),
      reporter_(random_number()),
      begin_timer_(loop, [this] { begin(); }),
      keep_timer_(loop, [this] { keep_up(); }),
      report_timer_(loop, [this] { report(); }),
      patience_(loop, [this] { over("blocked", true); }) {}

RtspFeed::~RtspFeed() { cut(); }

bool RtspFeed::open() {
  const int on = 1;
  setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (!card_.udp) {
    frames_.channels(card_.media, card_.control);
    // What may not be forced is left to the kernel, which lets the window grow as it is read.
    setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUFFORCE, &kReceiveBuffer, sizeof kReceiveBuffer);
    int room = 0;
    socklen_t size = sizeof room;
    getsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &room, &size);
    // A full buffer of TCP loses nothing, so it counts for more than one of datagrams.
    room_ = std::max(2 * static_cast<size_t>(room), size_t{kReceiveBuffer});
  }
  if (card_.rtcp != 0 && !card_.from.empty()) reports_to_ = with_port(card_.from.front(), card_.rtcp);
  carry_ = std::exchange(card_.read, {});
  fresh_ = !carry_.empty();
  if (fresh_) begin_timer_.in(0);
  rewatch();
  return watched_ && (!pair_ || loop_.watch(pair_->fd(false), EPOLLIN, beside_));
}

// What Node had read is looked at in a turn of its own: nobody expects media from open().
void RtspFeed::begin() {
  if (card_.udp) {
    read(kRead);
  } else if (!paused_) {
    owner_.feed_ready();
  }
}

size_t RtspFeed::room() const { return room_; }

void RtspFeed::pause(bool on) {
  if (card_.udp || over_) return;
  paused_ = on;
  rewatch();
  if (!on && fresh_) begin_timer_.in(0);
}

void RtspFeed::ready(uint32_t events) {
  if (over_) return;
  if ((events & EPOLLOUT) != 0) write();
  if ((events & ~uint32_t{EPOLLOUT}) == 0) return;
  if (card_.udp) {
    read(kRead);
  } else if (!paused_) {
    owner_.feed_ready();
  } else if ((events & (EPOLLERR | EPOLLHUP)) != 0) {
    // That would be told again and again until somebody reads.
    unwatch();
  }
}

size_t RtspFeed::receive(size_t most) {
  packets_ = 0;
  if (!card_.udp) read(most);
  return packets_;
}

void RtspFeed::read(size_t most) {
  for (int count = 0; count < kReads && !over_ && !gone_; count++) {
    const size_t held = carry_.size();
    const size_t wanted = std::min(kRead, most - std::min(most, held));
    if (wanted == 0 && !fresh_) return;
    std::memcpy(side.data(), carry_.data(), held);
    const ssize_t size = wanted == 0 ? 0 : recv(socket_.get(), side.data() + held, wanted, MSG_DONTWAIT);
    const bool none = wanted == 0 || (size < 0 && (errno == EAGAIN || errno == EINTR));
    const bool reset = size < 0;
    if (size > 0 || fresh_) parse(held + static_cast<size_t>(std::max<ssize_t>(size, 0)));
    if (none || over_) return;
    if (size <= 0) return ended(reset);
    most -= std::min(most, static_cast<size_t>(size));
    if (static_cast<size_t>(size) < wanted) return;
  }
}

void RtspFeed::parse(size_t size) {
  fresh_ = false;
  const auto taken = frames_.take(side.data(), size, *this);
  // What was taken may have made the owner say goodbye.
  if (over_) return;
  const std::string_view rest(reinterpret_cast<const char*>(side.data()) + taken.bytes, size - taken.bytes);
  if (carry_.capacity() > kCarry && rest.size() <= kCarry) {
    carry_ = std::string(rest);
  } else {
    carry_.assign(rest);
  }
  if (taken.fault == Interleaved::Fault::kGarbage) return over("garbage", false);
  if (taken.fault == Interleaved::Fault::kLong) return over("long", false);
  if (!ending_.empty()) over(ending_, false);
}

// Some servers close the connection once they have promised media beside it: whether that flows is seen there.
void RtspFeed::ended(bool reset) {
  if (!card_.udp || !(granted_ || heard_)) return over(reset ? "reset" : "eof", true);
  gone_ = true;
  unwatch();
  keep_timer_.cancel();
  patience_.cancel();
}

void RtspFeed::frame(uint8_t channel, const uint8_t* data, size_t size) {
  if (over_ || !ending_.empty()) return;
  if (channel != card_.media || tell(data, size) == Datagram::kRtcp) return control(data, size);
  flows();
  packets_++;
  owner_.feed_media(data, size);
}

// Media came.
void RtspFeed::flows() {
  if (heard_ || over_) return;
  heard_ = true;
  report_timer_.in(kFirstReport);
}

void RtspFeed::heard(uint32_t ssrc, uint32_t highest, uint64_t lost) {
  reporter_.heard(ssrc, highest, lost);
  flows();
}

void RtspFeed::control(const uint8_t* data, size_t size) {
  const auto heard = rtcp::parse(data, size);
  if (!heard) return;
  if (heard->report) reporter_.sender(*heard->report, loop_.now());
  if (heard->bye && reporter_.is_sender(heard->bye_ssrc)) ending_ = "bye";
}

void RtspFeed::punch(bool media, const sockaddr_storage& to, std::string data, int times, Time every) {
  if (pair_ && !over_) pair_->punch(loop_, media, to, std::move(data), times, every);
}

void RtspFeed::report() {
  report_timer_.in(kReport);
  std::array<uint8_t, 4 + kMaxReport> bytes;
  const size_t size = reporter_.write(loop_.now(), bytes.data() + 4, kMaxReport);
  if (pair_) {
    if (reports_to_.ss_family != 0) pair_->send(false, reports_to_, bytes.data() + 4, size);
  } else if (card_.control && out_.empty()) {
    bytes[0] = '$';
    bytes[1] = *card_.control;
    bytes[2] = static_cast<uint8_t>(size >> 8);
    bytes[3] = static_cast<uint8_t>(size);
    queue({reinterpret_cast<const char*>(bytes.data()), 4 + size});
  }
}

void RtspFeed::read_beside() {
  std::array<uint8_t, kDatagram> data;
  for (int count = 0; count < kDatagrams && !over_; count++) {
    sockaddr_storage from{};
    socklen_t length = sizeof from;
    const ssize_t size = recvfrom(pair_->fd(false), data.data(), data.size(), MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&from), &length);
    if (size < 0) return;
    const Datagram kind = tell(data.data(), static_cast<size_t>(size));
    if (kind == Datagram::kStun) owner_.feed_datagram(from, data.data(), static_cast<size_t>(size));
    if (kind != Datagram::kRtcp || !from_server(from)) continue;
    if (card_.rtcp == 0) reports_to_ = from;
    control(data.data(), static_cast<size_t>(size));
    if (!ending_.empty()) over(ending_, false);
  }
}

bool RtspFeed::from_server(const sockaddr_storage& from) const {
  return std::any_of(card_.from.begin(), card_.from.end(), [&](const sockaddr_storage& one) { return same_address(one, from); });
}

void RtspFeed::rewatch() {
  if (over_ || !socket_) return;
  const uint32_t events = (paused_ ? 0u : uint32_t{EPOLLIN}) | (out_.empty() ? 0u : uint32_t{EPOLLOUT});
  if (!watched_) {
    watched_ = waits_on().watch(socket_.get(), events, *this);
  } else if (events != events_) {
    waits_on().change(socket_.get(), events, *this);
  }
  events_ = events;
}

void RtspFeed::unwatch() {
  if (watched_) waits_on().forget(socket_.get(), *this);
  watched_ = false;
}

// Nothing comes, and nothing is done any more.
void RtspFeed::cut() {
  over_ = true;
  unwatch();
  if (pair_) loop_.forget(pair_->fd(false), beside_);
  begin_timer_.cancel();
  keep_timer_.cancel();
  report_timer_.cancel();
  patience_.cancel();
}

void RtspFeed::over(std::string_view reason, bool gone) {
  gone_ = gone_ || gone;
  cut();
  owner_.feed_over(reason);
}

}  // namespace weir
