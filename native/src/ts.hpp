// MPEG-2 transport stream packets (ISO/IEC 13818-1 §2.4.3). Pure functions over bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weir::ts {

constexpr size_t kPacket = 188;
constexpr uint8_t kSync = 0x47;
constexpr uint16_t kNullPid = 0x1FFF;

inline uint16_t pid(const uint8_t* packet) { return static_cast<uint16_t>((packet[1] & 0x1F) << 8 | packet[2]); }
inline uint8_t counter(const uint8_t* packet) { return packet[3] & 0x0F; }
inline bool unit_start(const uint8_t* packet) { return (packet[1] & 0x40) != 0; }
inline bool has_adaptation(const uint8_t* packet) { return (packet[3] & 0x20) != 0; }
inline bool transport_error(const uint8_t* packet) { return (packet[1] & 0x80) != 0; }
inline bool scrambled(const uint8_t* packet) { return (packet[3] & 0xC0) != 0; }
// Whether a packet begins a unit or has an adaptation field.
inline bool marked(const uint8_t* packet) { return unit_start(packet) || has_adaptation(packet); }
inline bool has_payload(const uint8_t* packet) { return (packet[3] & 0x10) != 0; }
// The discontinuity_indicator of the adaptation field.
inline bool discontinuity(const uint8_t* packet) {
  return has_adaptation(packet) && packet[4] > 0 && (packet[5] & 0x80) != 0;
}

// Offset of the payload; 188 when the packet has none.
size_t payload_offset(const uint8_t* packet);

// How many of the first bytes are whole packets: each begins with the sync byte.
size_t whole(const uint8_t* data, size_t size);

// The continuity counter of one PID (§2.4.3.3): one packet may be repeated once, packets without payload do not count.
class Counter {
 public:
  // True when the packet follows on what was seen of its PID.
  bool follows(const uint8_t* packet);
  // As though the one before `next` had been seen.
  void lead_to(uint8_t next) { seen_ = static_cast<uint8_t>(kKnown | ((next + 15) & 0x0F)); }
  // The last one seen, 0 before the first.
  uint8_t last() const { return static_cast<uint8_t>(seen_ & 0x0F); }

 private:
  static constexpr uint8_t kKnown = 0x80;
  static constexpr uint8_t kRepeated = 0x40;

  uint8_t seen_ = 0;  // Known, repeated once, last counter.
};

// A programme clock reference (§2.4.3.5) in units of 27 MHz, which wraps at kPcrSpan.
constexpr uint64_t kPcrSpan = (uint64_t{1} << 33) * 300;
constexpr uint64_t kPcrRate = 27'000'000;
inline bool has_pcr(const uint8_t* packet) { return has_adaptation(packet) && packet[4] >= 7 && (packet[5] & 0x10) != 0; }
uint64_t pcr(const uint8_t* packet);

}  // namespace weir::ts
