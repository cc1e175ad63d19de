// Bare datagrams of a transport stream → whole TS packets. Most senders put whole packets in a datagram; some cut the
// stream anywhere, so the end of one datagram may be completed by the next.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ts.hpp"

namespace weir {

// How many packets of a transport stream, cut anywhere, a datagram shows: the sync bytes at one distance of 188 that reach to
// its end.
size_t count_syncs(const uint8_t* data, size_t size);

class Framer {
 public:
  // What one datagram gave: a packet completed by its first bytes, then whole packets in place.
  struct Result {
    const uint8_t* joined = nullptr;   // One packet that began in an earlier datagram, or nothing. Valid until the next call.
    const uint8_t* packets = nullptr;  // Whole packets inside the datagram.
    size_t size = 0;                   // Their bytes.
    bool stray = false;                // Some bytes were no transport stream, or their other half never came.
  };

  Result feed(const uint8_t* data, size_t size);

  // Whether the next datagram may complete a packet.
  bool carrying() const { return carried_ > 0; }
  void reset() { carried_ = 0; }

 private:
  std::array<uint8_t, ts::kPacket> carry_{};  // The beginning of a packet.
  size_t carried_ = 0;                        // Its bytes.
  std::array<uint8_t, ts::kPacket> joined_{};
};

}  // namespace weir
