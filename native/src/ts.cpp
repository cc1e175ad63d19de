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

bool Counter::follows(const uint8_t* packet) {
  const uint8_t now = counter(packet);
  const uint8_t last = seen_ & 0x0F;
  const bool known = (seen_ & kKnown) != 0;
  if (!has_payload(packet)) {
    if (!known || discontinuity(packet)) seen_ = kKnown | now;
    return true;
  }
  const bool repeats = known && now == last && (seen_ & kRepeated) == 0;
  const bool good = !known || repeats || now == ((last + 1) & 0x0F) || discontinuity(packet);
  seen_ = static_cast<uint8_t>(kKnown | (repeats ? kRepeated : 0) | now);
  return good;
}

uint64_t pcr(const uint8_t* packet) {
  const uint8_t* field = packet + 6;
  const uint64_t base = uint64_t{field[0]} << 25 | uint64_t{field[1]} << 17 | uint64_t{field[2]} << 9 |
                        uint64_t{field[3]} << 1 | field[4] >> 7;
  const uint64_t extension = static_cast<uint64_t>((field[4] & 1) << 8 | field[5]);
  return (base * 300 + extension) % kPcrSpan;
}

}  // namespace weir::ts
