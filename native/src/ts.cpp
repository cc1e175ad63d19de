#include "ts.hpp"

namespace weir::ts {

size_t payload_offset(const uint8_t* packet) {
  if (!has_payload(packet)) return kPacket;
  if (!has_adaptation(packet)) return 4;
  const size_t offset = size_t{5} + packet[4];
  return offset < kPacket ? offset : kPacket;
}

size_t whole(const uint8_t* data, size_t size) {
  size_t at = 0;
  while (at + kPacket <= size && data[at] == kSync) at += kPacket;
  return at;
}

bool Continuity::follows(const uint8_t* packet) {
  const uint16_t id = pid(packet);
  if (id == kNullPid) return true;
  uint8_t& seen = seen_[id];
  const uint8_t now = counter(packet);
  const uint8_t last = seen & 0x0F;
  const bool known = (seen & kKnown) != 0;
  if (!has_payload(packet)) {
    if (!known || discontinuity(packet)) seen = kKnown | now;
    return true;
  }
  const bool repeats = known && now == last && (seen & kRepeated) == 0;
  const bool good = !known || repeats || now == ((last + 1) & 0x0F) || discontinuity(packet);
  seen = static_cast<uint8_t>(kKnown | (repeats ? kRepeated : 0) | now);
  return good;
}

}  // namespace weir::ts
