#include "receiver.hpp"

#include <arpa/inet.h>
#include <linux/sock_diag.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#ifndef IPV6_MULTICAST_ALL
#define IPV6_MULTICAST_ALL 29
#endif

namespace weir {
namespace {

// What is asked of the kernel; it doubles the figure for its own overhead.
constexpr int kReceiveBuffer = 4 << 20;

std::string interfaces() {
  std::string out;
  struct if_nameindex* all = if_nameindex();
  for (struct if_nameindex* one = all; one != nullptr && one->if_index != 0; one++) {
    out += (out.empty() ? "" : ", ") + std::string(one->if_name);
  }
  if (all != nullptr) if_freenameindex(all);
  return out;
}

bool same_host(const sockaddr_storage& one, const sockaddr_storage& other) {
  if (one.ss_family != other.ss_family) return false;
  if (one.ss_family == AF_INET6) {
    return std::memcmp(&reinterpret_cast<const sockaddr_in6&>(one).sin6_addr,
                       &reinterpret_cast<const sockaddr_in6&>(other).sin6_addr, sizeof(in6_addr)) == 0;
  }
  return reinterpret_cast<const sockaddr_in&>(one).sin_addr.s_addr ==
         reinterpret_cast<const sockaddr_in&>(other).sin_addr.s_addr;
}

Time microseconds(const timespec& time) {
  return static_cast<Time>(time.tv_sec) * kSecond + static_cast<Time>(time.tv_nsec) / 1000;
}

}  // namespace

std::string address_text(const sockaddr_storage& address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address.ss_family == AF_INET6) {
    inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, text, sizeof text);
  } else {
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, text, sizeof text);
  }
  return text;
}

bool read_address(std::string_view text, uint16_t port, sockaddr_storage& out) {
  const std::string literal(text);
  out = {};
  auto& four = reinterpret_cast<sockaddr_in&>(out);
  auto& six = reinterpret_cast<sockaddr_in6&>(out);
  if (inet_pton(AF_INET, literal.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    return true;
  }
  if (inet_pton(AF_INET6, literal.c_str(), &six.sin6_addr) == 1) {
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    return true;
  }
  out = {};
  return false;
}

bool Address::multicast() const {
  if (group.ss_family == AF_INET6) {
    return IN6_IS_ADDR_MULTICAST(&reinterpret_cast<const sockaddr_in6&>(group).sin6_addr);
  }
  return IN_MULTICAST(ntohl(reinterpret_cast<const sockaddr_in&>(group).sin_addr.s_addr));
}

size_t Batch::gather(size_t index, uint8_t* out) const {
  const size_t size = std::min(length(index), head + slot + kSpill);
  const size_t first = std::min(size, head);
  const size_t second = std::min(size - first, slot);
  std::memcpy(out, heads[index].data(), first);
  std::memcpy(out + first, place(index), second);
  std::memcpy(out + first + second, spills[index].data(), size - first - second);
  return size;
}

Time Batch::arrival(size_t index) const {
  const cmsghdr* note = CMSG_FIRSTHDR(&messages[index].msg_hdr);
  if (note == nullptr || note->cmsg_level != SOL_SOCKET || note->cmsg_type != SCM_TIMESTAMPNS) return 0;
  timespec stamp{};
  std::memcpy(&stamp, CMSG_DATA(note), sizeof stamp);
  const Time arrived = microseconds(stamp);
  return arrived < clock ? now - std::min(now, clock - arrived) : now;
}

Refusal Receiver::open(const Address& address, const sock_fprog* filter) {
  address_ = address;
  if (!address.interface.empty()) {
    index_ = if_nametoindex(address.interface.c_str());
    if (index_ == 0) {
      return {"join-refused", "There is no interface \"" + address.interface + "\" on this machine; it has " + interfaces() + "."};
    }
  }
  const int family = address.group.ss_family;
  fd_ = Fd(socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd_) return explain(errno, "open a socket");
  const int on = 1;
  const int off = 0;
  setsockopt(fd_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  // Without this a socket gets every group that anybody on the machine joined on its port, from every interface.
  if (family == AF_INET6) {
    setsockopt(fd_.get(), IPPROTO_IPV6, IPV6_MULTICAST_ALL, &off, sizeof off);
    setsockopt(fd_.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  } else {
    setsockopt(fd_.get(), IPPROTO_IP, IP_MULTICAST_ALL, &off, sizeof off);
  }
  if (filter != nullptr && setsockopt(fd_.get(), SOL_SOCKET, SO_ATTACH_FILTER, filter, sizeof *filter) != 0) {
    return explain(errno, "filter");
  }
  if (setsockopt(fd_.get(), SOL_SOCKET, SO_RCVBUFFORCE, &kReceiveBuffer, sizeof kReceiveBuffer) != 0) {
    setsockopt(fd_.get(), SOL_SOCKET, SO_RCVBUF, &kReceiveBuffer, sizeof kReceiveBuffer);
  }
  measure_room();
  sockaddr_storage bound = address.group;
  if (family == AF_INET6) reinterpret_cast<sockaddr_in6&>(bound).sin6_scope_id = index_;
  if (bind(fd_.get(), reinterpret_cast<sockaddr*>(&bound), address.size()) != 0) return explain(errno, "receive on");
  return join();
}

void Receiver::adopt(Fd socket, std::vector<sockaddr_storage> senders) {
  fd_ = std::move(socket);
  senders_ = std::move(senders);
  adopted_ = true;
  measure_room();
}

void Receiver::measure_room() {
  int room = 0;
  socklen_t size = sizeof room;
  getsockopt(fd_.get(), SOL_SOCKET, SO_RCVBUF, &room, &size);
  room_ = static_cast<size_t>(room);
}

Refusal Receiver::join() {
  if (!address_.multicast()) return {};
  const int level = address_.group.ss_family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP;
  int result = 0;
  if (address_.source.ss_family != 0) {
    group_source_req request{};
    request.gsr_interface = index_;
    request.gsr_group = address_.group;
    request.gsr_source = address_.source;
    result = setsockopt(fd_.get(), level, MCAST_JOIN_SOURCE_GROUP, &request, sizeof request);
  } else {
    group_req request{};
    request.gr_interface = index_;
    request.gr_group = address_.group;
    result = setsockopt(fd_.get(), level, MCAST_JOIN_GROUP, &request, sizeof request);
  }
  return result == 0 ? Refusal{} : explain(errno, "join");
}

void Receiver::leave() {
  const int level = address_.group.ss_family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP;
  group_req request{};
  request.gr_interface = index_;
  request.gr_group = address_.group;
  setsockopt(fd_.get(), level, MCAST_LEAVE_GROUP, &request, sizeof request);
}

void Receiver::rejoin() {
  if (!address_.multicast()) return;
  leave();
  join();
}

Refusal Receiver::explain(int error, std::string_view what) const {
  const std::string group = address_text(address_.group);
  if (error == EMFILE || error == ENFILE) {
    return {"limit-reached", "The pump has no file descriptor left: raise its limit (ulimit -n, LimitNOFILE=)."};
  }
  if (error == ENODEV && address_.interface.empty()) {
    return {"join-refused", "No interface has a route to " + group + ": name one with --interface; there are " + interfaces() + "."};
  }
  if (error == EADDRNOTAVAIL && !address_.multicast()) {
    return {"join-refused", group + " is neither a group nor an address of this machine."};
  }
  if (error == ENOBUFS) {
    return {"join-refused", "The kernel allows no more groups: raise net.ipv4.igmp_max_memberships."};
  }
  const std::string on = address_.interface.empty() ? "" : " on interface \"" + address_.interface + "\"";
  return {"join-refused", "Could not " + std::string(what) + " " + group + on + ": " + std::strerror(error) + "."};
}

void Receiver::receive(Batch& batch, size_t most) {
  const bool filtered = adopted_ || (!address_.multicast() && address_.source.ss_family != 0);
  for (size_t index = 0; index < most; index++) {
    auto& pieces = batch.pieces[index];
    pieces[0] = {batch.heads[index].data(), batch.head};
    pieces[1] = {batch.place(index), batch.slot};
    pieces[2] = {batch.spills[index].data(), Batch::kSpill};
    msghdr& header = batch.messages[index].msg_hdr;
    header = {};
    header.msg_iov = pieces.data();
    header.msg_iovlen = pieces.size();
    if (batch.stamped) {
      header.msg_control = batch.stamps[index].data();
      header.msg_controllen = batch.stamps[index].size();
    }
    if (filtered) {
      header.msg_name = &batch.senders[index];
      header.msg_namelen = sizeof(sockaddr_storage);
    }
  }
  if (batch.stamped) stamp(true);
  const int count = recvmmsg(fd_.get(), batch.messages.data(), static_cast<unsigned>(most), MSG_DONTWAIT | MSG_TRUNC, nullptr);
  batch.count = count > 0 ? static_cast<size_t>(count) : 0;
  if (batch.stamped) {
    stamp(false);
    timespec clock{};
    clock_gettime(CLOCK_REALTIME, &clock);
    batch.clock = microseconds(clock);
    batch.now = Loop::clock();
  }
  if (!filtered) return;
  // The kernel filters senders of groups; those of a unicast address are told apart here.
  for (size_t index = 0; index < batch.count; index++) {
    if (expected(batch.senders[index])) continue;
    batch.messages[index].msg_len = 0;
    other_sender_ = batch.senders[index];
  }
}

bool Receiver::expected(const sockaddr_storage& sender) const {
  if (!adopted_) return same_host(sender, address_.source);
  return senders_.empty() || std::any_of(senders_.begin(), senders_.end(), [&](const auto& one) { return same_host(sender, one); });
}

void Receiver::stamp(bool on) const {
  const int value = on ? 1 : 0;
  setsockopt(fd_.get(), SOL_SOCKET, SO_TIMESTAMPNS, &value, sizeof value);
}

uint64_t Receiver::drops() const {
  std::array<uint32_t, SK_MEMINFO_VARS> info{};
  socklen_t size = sizeof info;
  if (!fd_ || getsockopt(fd_.get(), SOL_SOCKET, SO_MEMINFO, info.data(), &size) != 0) return 0;
  return info[SK_MEMINFO_DROPS];
}

}  // namespace weir
