// The socket on which one upstream's datagrams arrive: bound to the group, joined on one interface, drained in batches.
#pragma once

#include <linux/filter.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "fd.hpp"
#include "loop.hpp"

namespace weir {

struct Address {
  sockaddr_storage group{};       // Group or unicast address with port.
  sockaddr_storage source{};      // The only sender accepted; family 0 for any.
  std::string interface{};        // Empty: the kernel's choice by route.

  bool multicast() const;
  socklen_t size() const { return group.ss_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in); }
};

// Reads an IPv4 or IPv6 literal and a port. False when it is none.
bool read_address(std::string_view text, uint16_t port, sockaddr_storage& out);
// The literal of an address, without its port.
std::string address_text(const sockaddr_storage& address);

// Why a socket could not be opened: `code` is part of the wire, `message` is for people.
struct Refusal {
  std::string code{};
  std::string message{};
  bool refused() const { return !code.empty(); }
};

// Where the datagrams of one batch go. Each is scattered: its first `head` bytes to a header, the next `slot` bytes to its
// place at `target`, what is longer to a spill.
struct Batch {
  static constexpr size_t kMost = 64;
  static constexpr size_t kHead = 12;
  static constexpr size_t kSpill = 2048;

  std::array<mmsghdr, kMost> messages{};
  std::array<std::array<iovec, 3>, kMost> pieces{};
  std::array<std::array<uint8_t, kHead>, kMost> heads{};
  std::array<std::array<uint8_t, kSpill>, kMost> spills{};
  std::array<sockaddr_storage, kMost> senders{};
  alignas(cmsghdr) std::array<std::array<uint8_t, CMSG_SPACE(sizeof(timespec))>, kMost> stamps{};
  size_t head = 0;
  size_t slot = 0;
  uint8_t* target = nullptr;
  bool stamped = false;  // Whether to ask the kernel when each arrived.
  Time now = 0;          // The instant of the receive,
  Time clock = 0;        // and the same on the clock of the stamps.
  size_t count = 0;

  size_t length(size_t index) const { return messages[index].msg_len; }
  bool cut(size_t index) const { return (messages[index].msg_hdr.msg_flags & MSG_TRUNC) != 0; }
  uint8_t* place(size_t index) const { return target + index * slot; }
  // When it arrived, if stamped and the kernel said so; else 0.
  Time arrival(size_t index) const;
  // Puts a datagram together at `out`, which has room for the whole of it. Returns its bytes.
  size_t gather(size_t index, uint8_t* out) const;
};

class Receiver {
 public:
  // Binds and joins. A filter sees each datagram first (socket(7)).
  Refusal open(const Address& address, const sock_fprog* filter = nullptr);
  Fd release() { return std::move(fd_); }
  // Takes a bound socket. Datagrams of others than these hosts are dropped; of nobody when there are none.
  void adopt(Fd socket, std::vector<sockaddr_storage> senders);
  // Who sent last of those whose datagrams are dropped; family 0 when nobody did.
  const sockaddr_storage& other_sender() const { return other_sender_; }

  // Receives up to `most` datagrams as batch.head, batch.slot and batch.target say; batch.count tells how many came.
  void receive(Batch& batch, size_t most);
  // Leaves the group and joins it again.
  void rejoin();
  // Datagrams that the kernel dropped for want of room.
  uint64_t drops() const;
  // Bytes that the kernel keeps for this socket at most.
  size_t room() const { return room_; }
  int fd() const { return fd_.get(); }
  // Index of the interface it was opened on; 0 for the kernel's choice.
  unsigned interface() const { return index_; }

 private:
  bool expected(const sockaddr_storage& sender) const;
  Refusal join();
  Refusal explain(int error, std::string_view what) const;
  void leave();
  void measure_room();
  void stamp(bool on) const;

  Fd fd_;
  Address address_{};
  unsigned index_ = 0;  // Interface index; 0 for the kernel's choice.
  size_t room_ = 0;
  bool adopted_ = false;
  std::vector<sockaddr_storage> senders_{};  // Of an adopted socket.
  sockaddr_storage other_sender_{};
};

}  // namespace weir
