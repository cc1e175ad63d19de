// Media for tests: packets of a transport stream and RTP packets, as bytes. Sections are written out, CRC included.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace media {

using Bytes = std::string;

inline const uint8_t* raw(const Bytes& bytes) { return reinterpret_cast<const uint8_t*>(bytes.data()); }

template <class... Values>
Bytes bytes(Values... values) {
  return Bytes{static_cast<char>(values)...};
}

// Programme 1 has its PMT on 0x1000.
inline const Bytes kPat = bytes(0x00, 0xB0, 0x0D, 0x00, 0x01, 0xC1, 0x00, 0x00, 0x00, 0x01, 0xF0, 0x00, 0x2A, 0xB1, 0x04, 0xB2);
// Version 1: programme 1 has its PMT on 0x500.
inline const Bytes kPatMoved = bytes(0x00, 0xB0, 0x0D, 0x00, 0x01, 0xC3, 0x00, 0x00, 0x00, 0x01, 0xE5, 0x00, 0x33, 0x73, 0xAF, 0xF6);
// Programmes 1 and 2, both with their PMTs on 0x1000.
inline const Bytes kPatTwo = bytes(0x00, 0xB0, 0x11, 0x00, 0x01, 0xC1, 0x00, 0x00, 0x00, 0x01, 0xF0, 0x00, 0x00, 0x02, 0xF0, 0x00,
                                   0x24, 0x43, 0x67, 0xFA);
// Programme 1 on 0x1000 in section 0 of two, programme 2 on 0x1001 in section 1.
inline const Bytes kPatFirst = bytes(0x00, 0xB0, 0x0D, 0x00, 0x01, 0xC1, 0x00, 0x01, 0x00, 0x01, 0xF0, 0x00, 0x63, 0xBC, 0x63, 0x3F);
inline const Bytes kPatSecond = bytes(0x00, 0xB0, 0x0D, 0x00, 0x01, 0xC1, 0x01, 0x01, 0x00, 0x02, 0xF0, 0x01, 0x7E, 0x3C, 0x86, 0x79);
// Programme 1: H.264 on 0x100.
inline const Bytes kPmt = bytes(0x02, 0xB0, 0x12, 0x00, 0x01, 0xC1, 0x00, 0x00, 0xE1, 0x00, 0xF0, 0x00, 0x1B, 0xE1, 0x00, 0xF0, 0x00,
                                0x15, 0xBD, 0x4D, 0x56);
// Programme 1, version 1: HEVC on 0x100.
inline const Bytes kPmtChanged = bytes(0x02, 0xB0, 0x12, 0x00, 0x01, 0xC3, 0x00, 0x00, 0xE1, 0x00, 0xF0, 0x00, 0x24, 0xE1, 0x00, 0xF0,
                                       0x00, 0x20, 0xED, 0xA8, 0xEB);
// Programme 2: H.264 on 0x200.
inline const Bytes kPmtSecond = bytes(0x02, 0xB0, 0x12, 0x00, 0x02, 0xC1, 0x00, 0x00, 0xE2, 0x00, 0xF0, 0x00, 0x1B, 0xE2, 0x00, 0xF0,
                                      0x00, 0x5A, 0x27, 0xFB, 0x9D);

constexpr uint16_t kPmtPid = 0x1000;
constexpr uint16_t kVideoPid = 0x100;

// A packet with payload only, the rest of which is filled up with 0xFF.
inline Bytes packet(uint16_t pid, int counter, const Bytes& payload, bool start = false) {
  Bytes out = bytes(0x47, (start ? 0x40 : 0x00) | pid >> 8, pid & 0xFF, 0x10 | (counter & 0x0F));
  out += payload;
  out.resize(188, '\xFF');
  return out;
}

// A packet that begins and holds a section.
inline Bytes table(uint16_t pid, int counter, const Bytes& section) { return packet(pid, counter, bytes(0) + section, true); }

// A video packet that holds its number, so that it can be told from every other.
inline Bytes video(uint32_t number) {
  return packet(kVideoPid, static_cast<int>(number % 16), bytes(number >> 24, number >> 16, number >> 8, number));
}

// Seven video packets from `number` on: what one datagram usually holds.
inline Bytes videos(uint32_t number, uint32_t count = 7) {
  Bytes out;
  for (uint32_t index = 0; index < count; index++) out += video(number + index);
  return out;
}

// RTP, version 2, payload type 33.
inline Bytes rtp(uint16_t sequence, uint32_t ssrc, const Bytes& payload) {
  return bytes(0x80, 33, sequence >> 8, sequence, 0, 0, 0, 0, ssrc >> 24, ssrc >> 16, ssrc >> 8, ssrc) + payload;
}

}  // namespace media
