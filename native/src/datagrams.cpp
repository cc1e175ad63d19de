#include "datagrams.hpp"

#include <cstring>
#include <string_view>

namespace weir {
namespace {

constexpr size_t kStunHeader = 20;
constexpr uint8_t kCookie[] = {0x21, 0x12, 0xA4, 0x42};
constexpr std::string_view kPunchMark = "ZXV10STB";
constexpr size_t kRtcpHeader = 4;

}  // namespace

Datagram tell(const uint8_t* data, size_t size) {
  if (size >= kStunHeader && data[0] >> 6 == 0 && std::memcmp(data + 4, kCookie, sizeof kCookie) == 0) return Datagram::kStun;
  if (size >= kPunchMark.size() && std::memcmp(data, kPunchMark.data(), kPunchMark.size()) == 0) return Datagram::kPunch;
  // RFC 5761 §4.
  if (size >= kRtcpHeader && data[0] >> 6 == 2 && data[1] >= 200 && data[1] <= 211) return Datagram::kRtcp;
  return Datagram::kMedia;
}

}  // namespace weir
