#include "framer.hpp"

#include <cstring>

namespace weir {
namespace {

// Sync bytes from `at` on, 188 apart; 0 when one of them is missing before the end.
size_t chain(const uint8_t* data, size_t size, size_t at) {
  size_t count = 0;
  for (; at < size; at += ts::kPacket) {
    if (data[at] != ts::kSync) return 0;
    count++;
  }
  return count;
}

// Where the first packet begins: at a sync byte that every packet after it confirms.
size_t find_sync(const uint8_t* data, size_t size) {
  for (size_t at = 0; at < size && at < ts::kPacket; at++) {
    if (chain(data, size, at) >= 2 || (data[at] == ts::kSync && at + ts::kPacket == size)) return at;
  }
  return size;
}

}  // namespace

size_t count_syncs(const uint8_t* data, size_t size) {
  const size_t at = find_sync(data, size);
  return at < size ? chain(data, size, at) : 0;
}

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
    const bool at_once = size > 0 && data[0] == ts::kSync && (size <= ts::kPacket || data[ts::kPacket] == ts::kSync);
    at = at_once ? 0 : find_sync(data, size);
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
