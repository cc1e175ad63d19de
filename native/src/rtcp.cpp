#include "rtcp.hpp"

#include <algorithm>
#include <cstring>

namespace weir::rtcp {
namespace {

constexpr uint8_t kSenderReport = 200;
constexpr uint8_t kReceiverReport = 201;
constexpr uint8_t kDescription = 202;
constexpr uint8_t kBye = 203;
constexpr uint8_t kLeast = 200;
constexpr uint8_t kMost = 211;
constexpr uint8_t kVersion = 0x80;
constexpr uint8_t kName = 1;

constexpr size_t kHeader = 4;
constexpr size_t kSenderInfo = 28;  // Header, SSRC and what the sender says of itself.
constexpr size_t kReport = 8;       // Header and SSRC.
constexpr size_t kBlock = 24;
constexpr uint32_t kMostLost = 0x7FFFFF;

uint32_t word(const uint8_t* data) {
  return static_cast<uint32_t>(data[0]) << 24 | static_cast<uint32_t>(data[1]) << 16 | static_cast<uint32_t>(data[2]) << 8 | data[3];
}

uint8_t* put(uint8_t* out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) *out++ = static_cast<uint8_t>(value >> shift);
  return out;
}

// `words` follow the header.
uint8_t* put_header(uint8_t* out, size_t count, uint8_t type, size_t words) {
  return put(out, static_cast<uint32_t>(kVersion | count) << 24 | static_cast<uint32_t>(type) << 16 | static_cast<uint32_t>(words));
}

uint8_t* put_block(uint8_t* out, const Reception& about) {
  out = put(out, about.ssrc);
  out = put(out, static_cast<uint32_t>(about.fraction) << 24 | std::min(about.lost, kMostLost));
  out = put(out, about.highest);
  out = put(out, about.jitter);
  out = put(out, about.last_report);
  return put(out, about.delay);
}

void read(const uint8_t* part, size_t size, Heard& heard) {
  if (part[1] == kSenderReport && size >= kSenderInfo) {
    // The middle of the NTP time at 8: lower half of its seconds, upper half of its fraction.
    heard.report = SenderReport{word(part + 4), word(part + 10)};
  }
  if (part[1] == kBye && (part[0] & 0x1F) > 0 && size >= kReport && !heard.bye) {
    heard.bye = true;
    heard.bye_ssrc = word(part + 4);
  }
}

}  // namespace

std::optional<Heard> parse(const uint8_t* data, size_t size) {
  if (size < kHeader) return std::nullopt;
  Heard heard;
  for (size_t at = 0; at < size;) {
    if (size - at < kHeader) return std::nullopt;
    const uint8_t* part = data + at;
    const size_t length = kHeader + size_t{4} * static_cast<size_t>(part[2] << 8 | part[3]);
    if (part[0] >> 6 != 2 || part[1] < kLeast || part[1] > kMost || length > size - at) return std::nullopt;
    read(part, length, heard);
    at += length;
  }
  return heard;
}

size_t receiver_report(uint32_t own, const Reception* about, std::string_view name, uint8_t* out, size_t room) {
  name = name.substr(0, 255);
  const size_t report = kReport + (about != nullptr ? kBlock : 0);
  // SSRC, kind and length of the name, then zeroes to the next word: at least one, which ends the items.
  const size_t chunk = (4 + 2 + name.size() + 1 + 3) / 4 * 4;
  const size_t size = report + kHeader + chunk;
  if (size > room) return 0;
  uint8_t* next = put_header(out, about != nullptr ? 1 : 0, kReceiverReport, report / 4 - 1);
  next = put(next, own);
  if (about != nullptr) next = put_block(next, *about);
  next = put_header(next, 1, kDescription, chunk / 4);
  next = put(next, own);
  *next++ = kName;
  *next++ = static_cast<uint8_t>(name.size());
  next = std::copy(name.begin(), name.end(), next);
  std::fill(next, out + size, uint8_t{0});
  return size;
}

}  // namespace weir::rtcp
