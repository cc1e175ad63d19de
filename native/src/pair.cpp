#include "pair.hpp"

#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace weir {
namespace {

constexpr unsigned kTries = 200;
// What is asked of the kernel for media; it doubles the figure for its own overhead.
constexpr int kReceiveBuffer = 4 << 20;

socklen_t size_of(const sockaddr_storage& address) {
  return address.ss_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
}

sockaddr_storage with_port(sockaddr_storage address, uint16_t port) {
  if (address.ss_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6&>(address).sin6_port = htons(port);
  } else {
    reinterpret_cast<sockaddr_in&>(address).sin_port = htons(port);
  }
  return address;
}

// A bound socket; on failure none, with errno.
Fd bound(const sockaddr_storage& address, const std::string& interface) {
  Fd fd(socket(address.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd) return fd;
  const int on = 1;
  if (address.ss_family == AF_INET6) setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (!interface.empty()) {
    setsockopt(fd.get(), SOL_SOCKET, SO_BINDTODEVICE, interface.data(), static_cast<socklen_t>(interface.size()));
  }
  if (bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), size_of(address)) != 0) return Fd();
  return fd;
}

Refusal explain(int error) {
  if (error == EMFILE || error == ENFILE) {
    return {"limit-reached", "The pump has no file descriptor left: raise its limit (ulimit -n, LimitNOFILE=)."};
  }
  return {"join-refused", std::string("Could not open UDP sockets for RTP and RTCP: ") + std::strerror(error) + "."};
}

unsigned random_number() {
  unsigned number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) < 0) number = static_cast<unsigned>(Loop::clock());
  return number;
}

}  // namespace

Pair::Punch::Punch(Loop& loop, int fd, const sockaddr_storage& to, std::string data, int times, Time every)
    : fd_(fd), to_(to), data_(std::move(data)), times_(times), every_(every), timer_(loop, [this] { send(); }) {}

void Pair::Punch::send() {
  for (int time = 0; time < times_; time++) {
    sendto(fd_, data_.data(), data_.size(), MSG_DONTWAIT | MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&to_), size_of(to_));
  }
  if (every_ > 0) timer_.in(every_);
}

std::variant<Pair, Refusal> Pair::open(const sockaddr_storage& local, const std::string& interface, uint16_t least, uint16_t most) {
  const unsigned first = (least + 1u) / 2 * 2;
  if (first + 1 > most) return Refusal{"join-refused", "There is no pair of ports from " + std::to_string(least) + " to " + std::to_string(most) + "."};
  const unsigned pairs = (most - first + 1u) / 2;
  const unsigned start = random_number() % pairs;
  sockaddr_storage here = local;
  if (here.ss_family == AF_INET6 && !interface.empty()) {
    reinterpret_cast<sockaddr_in6&>(here).sin6_scope_id = if_nametoindex(interface.c_str());
  }
  Pair pair;
  int error = 0;
  for (unsigned index = 0; index < std::min(pairs, kTries); index++) {
    pair.port_ = static_cast<uint16_t>(first + (start + index) % pairs * 2);
    pair.media_ = bound(with_port(here, pair.port_), interface);
    if (pair.media_) pair.control_ = bound(with_port(here, static_cast<uint16_t>(pair.port_ + 1)), interface);
    error = errno;
    if (pair.media_ && pair.control_) break;
    if (error != EADDRINUSE && error != EACCES) return explain(error);
  }
  if (!pair.media_ || !pair.control_) return explain(error);
  const int fd = pair.media_.get();
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &kReceiveBuffer, sizeof kReceiveBuffer) != 0) {
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &kReceiveBuffer, sizeof kReceiveBuffer);
  }
  return pair;
}

Fd Pair::release_media() { return Fd(fcntl(media_.get(), F_DUPFD_CLOEXEC, 0)); }

// A datagram that gets lost here is like one that gets lost on the way.
void Pair::send(bool media, const sockaddr_storage& to, const uint8_t* data, size_t size) const {
  sendto(fd(media), data, size, MSG_DONTWAIT | MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&to), size_of(to));
}

void Pair::punch(Loop& loop, bool media, const sockaddr_storage& to, std::string data, int times, Time every) {
  auto& place = punches_[media ? 1 : 0];
  place = std::make_unique<Punch>(loop, fd(media), to, std::move(data), times, every);
  place->send();
}

}  // namespace weir
