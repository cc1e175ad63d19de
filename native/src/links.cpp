#include "links.hpp"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <array>

namespace weir {
namespace {

// An interface that comes up tells of itself several times.
constexpr Time kSettle = 20 * kMillisecond;
// Messages that are taken in one turn.
constexpr int kMost = 64;

}  // namespace

Links::Links(Loop& loop, std::function<void()> changed)
    : loop_(loop),
      fd_(socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE)),
      settled_(loop, std::move(changed)) {
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE;
  // Where the kernel tells nothing, streams are joined again by their own silence alone.
  if (fd_ && bind(fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    loop_.watch(fd_.get(), EPOLLIN, *this);
  }
}

Links::~Links() {
  if (fd_) loop_.forget(fd_.get(), *this);
}

// What changed is not read: every stream looks at its own interface.
void Links::ready(uint32_t) {
  std::array<char, 8192> news;
  for (int count = 0; count < kMost && recv(fd_.get(), news.data(), news.size(), 0) > 0; count++) {
  }
  if (!settled_.armed()) settled_.in(kSettle);
}

}  // namespace weir
