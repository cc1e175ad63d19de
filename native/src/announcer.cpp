#include "announcer.hpp"

#include <arpa/inet.h>
#include <netinet/icmp6.h>
#include <netinet/ip.h>

#include <array>
#include <cstring>

namespace weir {
namespace {

constexpr uint8_t kIgmp2Report = 0x16;
constexpr uint8_t kIgmp3Report = 0x22;
constexpr uint8_t kMld2Report = 143;
// What a group record says: only these sources, or all but these.
constexpr uint8_t kIsInclude = 1;
constexpr uint8_t kIsExclude = 2;
// Where IGMPv3 and MLDv2 reports go.
constexpr char kAllIgmp3Routers[] = "224.0.0.22";
constexpr char kAllMld2Routers[] = "ff02::16";

const uint8_t* bytes_of(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET6) return reinterpret_cast<const sockaddr_in6&>(address).sin6_addr.s6_addr;
  return reinterpret_cast<const uint8_t*>(&reinterpret_cast<const sockaddr_in&>(address).sin_addr);
}

void append(std::vector<uint8_t>& out, const sockaddr_storage& address) {
  const uint8_t* bytes = bytes_of(address);
  out.insert(out.end(), bytes, bytes + (address.ss_family == AF_INET6 ? 16 : 4));
}

// The Internet checksum (RFC 1071), put at offset 2.
void seal(std::vector<uint8_t>& message) {
  uint32_t sum = 0;
  for (size_t at = 0; at + 1 < message.size(); at += 2) sum += static_cast<uint32_t>(message[at] << 8 | message[at + 1]);
  while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
  message[2] = static_cast<uint8_t>(~sum >> 8);
  message[3] = static_cast<uint8_t>(~sum);
}

// One group record, the same in both protocols but for the addresses' length.
void append_record(std::vector<uint8_t>& out, const Address& address) {
  const bool sourced = address.source.ss_family != 0;
  out.insert(out.end(), {sourced ? kIsInclude : kIsExclude, 0, 0, static_cast<uint8_t>(sourced ? 1 : 0)});
  append(out, address.group);
  if (sourced) append(out, address.source);
}

}  // namespace

std::vector<uint8_t> igmp2_report(const Address& address) {
  std::vector<uint8_t> out{kIgmp2Report, 0, 0, 0};
  append(out, address.group);
  seal(out);
  return out;
}

std::vector<uint8_t> igmp3_report(const Address& address) {
  std::vector<uint8_t> out{kIgmp3Report, 0, 0, 0, 0, 0, 0, 1};
  append_record(out, address);
  seal(out);
  return out;
}

// The kernel puts the checksum in, which covers the addresses too.
std::vector<uint8_t> mld2_report(const Address& address) {
  std::vector<uint8_t> out{kMld2Report, 0, 0, 0, 0, 0, 0, 1};
  append_record(out, address);
  return out;
}

bool Announcer::open(Fd& fd, int family) {
  if (fd) return true;
  const bool six = family == AF_INET6;
  fd = Fd(socket(family, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, six ? int{IPPROTO_ICMPV6} : int{IPPROTO_IGMP}));
  if (!fd) return false;
  // Both must carry the router alert (RFC 2113, RFC 2711) and go no further than this link.
  const std::array<uint8_t, 4> alert{0x94, 0x04, 0, 0};
  const std::array<uint8_t, 8> hop{0, 0, 5, 2, 0, 0, 1, 0};
  const int one = 1;
  const int off = 0;
  if (six) {
    setsockopt(fd.get(), IPPROTO_IPV6, IPV6_HOPOPTS, hop.data(), hop.size());
    setsockopt(fd.get(), IPPROTO_IPV6, IPV6_MULTICAST_HOPS, &one, sizeof one);
    setsockopt(fd.get(), IPPROTO_IPV6, IPV6_MULTICAST_LOOP, &off, sizeof off);
    icmp6_filter nothing;
    ICMP6_FILTER_SETBLOCKALL(&nothing);
    setsockopt(fd.get(), IPPROTO_ICMPV6, ICMP6_FILTER, &nothing, sizeof nothing);
  } else {
    setsockopt(fd.get(), IPPROTO_IP, IP_OPTIONS, alert.data(), alert.size());
    setsockopt(fd.get(), IPPROTO_IP, IP_MULTICAST_TTL, &one, sizeof one);
    setsockopt(fd.get(), IPPROTO_IP, IP_MULTICAST_LOOP, &off, sizeof off);
  }
  // Nothing is to be received here.
  shutdown(fd.get(), SHUT_RD);
  return true;
}

bool Announcer::announce(const Address& address, unsigned interface) {
  if (!address.multicast()) return true;
  const int family = address.group.ss_family;
  Fd& fd = family == AF_INET6 ? six_ : four_;
  if (!open(fd, family)) return false;
  sockaddr_storage routers{};
  if (family == AF_INET6) {
    setsockopt(fd.get(), IPPROTO_IPV6, IPV6_MULTICAST_IF, &interface, sizeof interface);
    read_address(kAllMld2Routers, 0, routers);
    send(fd, routers, sizeof(sockaddr_in6), mld2_report(address));
    return true;
  }
  ip_mreqn way{};
  way.imr_ifindex = static_cast<int>(interface);
  setsockopt(fd.get(), IPPROTO_IP, IP_MULTICAST_IF, &way, sizeof way);
  read_address(kAllIgmp3Routers, 0, routers);
  send(fd, routers, sizeof(sockaddr_in), igmp3_report(address));
  // IGMPv2 knows no sources.
  sockaddr_storage group = address.group;
  reinterpret_cast<sockaddr_in&>(group).sin_port = 0;
  if (address.source.ss_family == 0) send(fd, group, sizeof(sockaddr_in), igmp2_report(address));
  return true;
}

// A report that gets lost is sent again with the next refresh.
void Announcer::send(const Fd& fd, const sockaddr_storage& target, socklen_t size, const std::vector<uint8_t>& message) {
  sendto(fd.get(), message.data(), message.size(), MSG_DONTWAIT | MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&target), size);
}

}  // namespace weir
