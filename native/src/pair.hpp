// Two UDP sockets of one session: RTP on an even port and RTCP on the next (RFC 3550 §11).
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "fd.hpp"
#include "receiver.hpp"

namespace weir {

class Pair {
 public:
  // `interface` may be empty. Ports are tried from a random one between `least` and `most`.
  static std::variant<Pair, Refusal> open(const sockaddr_storage& local, const std::string& interface, uint16_t least,
                                          uint16_t most);

  // Of RTP; that of RTCP is the next.
  uint16_t port() const;
  // To the stream's Reception, which reads it from then on.
  Fd release_media();
  void send(bool media, const sockaddr_storage& to, const uint8_t* data, size_t size) const;
};

}  // namespace weir
