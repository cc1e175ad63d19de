// RTP packets (RFC 3550 §5.1). Pure functions over bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace weir::rtp {

constexpr size_t kHeader = 12;

struct Packet {
  uint16_t sequence = 0;
  uint32_t ssrc = 0;
  uint8_t type = 0;    // Payload type.
  size_t offset = 0;   // Where the payload begins.
  size_t size = 0;     // Its bytes, padding taken off.
};

// A first byte and second byte that begin a plain RTP packet: version 2 without padding, extension and CSRC, and no RTCP.
inline bool plain(const uint8_t* data) { return data[0] == 0x80 && (data[1] < 200 || data[1] > 211); }

inline uint16_t sequence(const uint8_t* data) { return static_cast<uint16_t>(data[2] << 8 | data[3]); }
inline uint32_t ssrc(const uint8_t* data) {
  return static_cast<uint32_t>(data[8]) << 24 | static_cast<uint32_t>(data[9]) << 16 |
         static_cast<uint32_t>(data[10]) << 8 | data[11];
}

// Reads a packet with CSRC, extension and padding. Nothing when the bytes are none, or are RTCP (second byte 200…211,
// RFC 5761 §4).
std::optional<Packet> parse(const uint8_t* data, size_t size);

}  // namespace weir::rtp
