// Membership reports of our own, without leaving a group first: they keep a group flowing where nobody asks for reports, or
// where the answers get lost (IGMPv2: RFC 2236, IGMPv3: RFC 3376 §4.2, MLDv2: RFC 3810 §5.2).
#pragma once

#include <cstdint>
#include <vector>

#include "fd.hpp"
#include "receiver.hpp"

namespace weir {

// The messages, as they follow the IP header. `address` is a group, with or without a source.
std::vector<uint8_t> igmp2_report(const Address& address);
std::vector<uint8_t> igmp3_report(const Address& address);
std::vector<uint8_t> mld2_report(const Address& address);

class Announcer {
 public:
  // Reports membership of a group on an interface, 0 for the kernel's choice. False when this process may not (CAP_NET_RAW).
  bool announce(const Address& address, unsigned interface);

 private:
  bool open(Fd& fd, int family);
  void send(const Fd& fd, const sockaddr_storage& target, socklen_t size, const std::vector<uint8_t>& message);

  Fd four_;
  Fd six_;
};

}  // namespace weir
