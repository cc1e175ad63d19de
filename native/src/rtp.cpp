#include "rtp.hpp"

namespace weir::rtp {

std::optional<Packet> parse(const uint8_t* data, size_t size) {
  if (size < kHeader || data[0] >> 6 != 2 || (data[1] >= 200 && data[1] <= 211)) return std::nullopt;
  Packet packet;
  packet.sequence = sequence(data);
  packet.ssrc = ssrc(data);
  packet.type = data[1] & 0x7F;
  packet.offset = kHeader + size_t{4} * (data[0] & 0x0F);
  if ((data[0] & 0x10) != 0) {
    if (packet.offset + 4 > size) return std::nullopt;
    packet.offset += 4 + size_t{4} * static_cast<size_t>(data[packet.offset + 2] << 8 | data[packet.offset + 3]);
  }
  const size_t padding = (data[0] & 0x20) != 0 ? data[size - 1] : 0;
  if (packet.offset + padding > size) return std::nullopt;
  packet.size = size - packet.offset - padding;
  return packet;
}

}  // namespace weir::rtp
