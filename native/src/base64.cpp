#include "base64.hpp"

namespace weir {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string encode_bytes(const uint8_t* data, size_t size) {
  std::string out;
  out.reserve((size * 4 + 2) / 3);
  uint32_t bits = 0;
  unsigned count = 0;
  for (size_t index = 0; index < size; index++) {
    bits = bits << 8 | data[index];
    count += 8;
    while (count >= 6) out.push_back(kDigits[bits >> (count -= 6) & 63]);
  }
  if (count > 0) out.push_back(kDigits[bits << (6 - count) & 63]);
  return out;
}

std::optional<std::string> decode_bytes(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.size() % 4 == 1) return {};
  std::string out;
  out.reserve(text.size() * 3 / 4);
  uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return {};
    bits = bits << 6 | static_cast<uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out.push_back(static_cast<char>(bits >> count & 0xFF));
  }
  return out;
}

}  // namespace weir
