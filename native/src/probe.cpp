#include "probe.hpp"


#include <cstring>

namespace weir {

void Probe::start(const Address& address) {
  if (!address.multicast() || fd_) return;
  address_ = address;
  const int family = address.group.ss_family;
  const int level = family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP;
  fd_ = Fd(socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd_) return;
  const int on = 1;
  setsockopt(fd_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  setsockopt(fd_.get(), level, family == AF_INET6 ? IPV6_RECVPKTINFO : IP_PKTINFO, &on, sizeof on);
  if (bind(fd_.get(), reinterpret_cast<const sockaddr*>(&address.group), address.size()) != 0) {
    fd_.reset();
    return;
  }
  struct if_nameindex* all = if_nameindex();
  for (struct if_nameindex* one = all; one != nullptr && one->if_index != 0; one++) {
    if (address.interface == one->if_name) continue;
    group_req request{};
    request.gr_interface = one->if_index;
    request.gr_group = address.group;
    // Interfaces without multicast refuse, and are of no interest.
    setsockopt(fd_.get(), level, MCAST_JOIN_GROUP, &request, sizeof request);
  }
  if (all != nullptr) if_freenameindex(all);
}

std::string Probe::found() const {
  if (!fd_) return {};
  uint8_t data[1];
  alignas(cmsghdr) uint8_t control[256];
  iovec piece{data, sizeof data};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(fd_.get(), &message, MSG_DONTWAIT) < 0) return {};
  unsigned index = 0;
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_PKTINFO) {
      in_pktinfo info{};
      std::memcpy(&info, CMSG_DATA(part), sizeof info);
      index = static_cast<unsigned>(info.ipi_ifindex);
    }
    if (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_PKTINFO) {
      in6_pktinfo info{};
      std::memcpy(&info, CMSG_DATA(part), sizeof info);
      index = info.ipi6_ifindex;
    }
  }
  char name[IF_NAMESIZE] = "";
  return if_indextoname(index, name) != nullptr ? name : std::string();
}

}  // namespace weir
