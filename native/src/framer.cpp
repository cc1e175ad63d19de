#include "framer.hpp"

#include <cstring>

namespace weir {
namespace {

// Where the first packet begins: at a sync byte that the next packet, or the end of the datagram, confirms.
size_t find_sync(const uint8_t* data, size_t size) {
  for (size_t at = 0; at < size && at < ts::kPacket; at++) {
    const size_t next = at + ts::kPacket;
    if (data[at] == ts::kSync && (next == size || (next < size && data[next] == ts::kSync))) return at;
  }
  return size;
}

}  // namespace

Framer::Result Framer::feed(const uint8_t* data, size_t size) {
  Result result;
  size_t at = 0;
  const size_t missing = carried_ > 0 ? ts::kPacket - carried_ : 0;
  const bool aligned = size % ts::kPacket == 0 && ts::whole(data, size) == size;
  if (carried_ > 0 && !aligned && size >= missing && (size == missing || data[missing] == ts::kSync)) {
    std::memcpy(joined_.data(), carry_.data(), carried_);
    std::memcpy(joined_.data() + carried_, data, missing);
    result.joined = joined_.data();
    at = missing;
  } else {
    result.stray = carried_ > 0;
    at = size >= ts::kPacket ? find_sync(data, size) : (size > 0 && data[0] == ts::kSync ? 0 : size);
    result.stray = result.stray || at > 0;
  }
  carried_ = 0;
  result.packets = data + at;
  result.size = ts::whole(data + at, size - at);
  at += result.size;
  const size_t left = size - at;
  if (left > 0 && left < ts::kPacket && data[at] == ts::kSync) {
    std::memcpy(carry_.data(), data + at, left);
    carried_ = left;
  } else if (left > 0) {
    result.stray = true;
  }
  return result;
}

}  // namespace weir
