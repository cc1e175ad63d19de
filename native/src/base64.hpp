// Bytes in frames: base64url (RFC 4648 §5), without padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir {

std::string encode_bytes(const uint8_t* data, size_t size);
// Nothing when it is not base64url. Padding is not asked for, and let pass.
std::optional<std::string> decode_bytes(std::string_view text);

}  // namespace weir
