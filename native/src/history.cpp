#include "history.hpp"

#include <algorithm>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace weir {
namespace {

// Copies without bringing the target into the caches, where the machine can.
void copy_past_caches(uint8_t* to, const uint8_t* from, size_t size) {
#ifdef __SSE2__
  constexpr size_t kUnit = sizeof(__m128i);
  const size_t unaligned = std::min(size, (kUnit - reinterpret_cast<uintptr_t>(to) % kUnit) % kUnit);
  std::memcpy(to, from, unaligned);
  to += unaligned;
  from += unaligned;
  size -= unaligned;
  for (; size >= kUnit; size -= kUnit, to += kUnit, from += kUnit) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  }
  _mm_sfence();
#endif
  std::memcpy(to, from, size);
}

}  // namespace

int Backlog::view(Position cursor, iovec* pieces, int most) const {
  int count = 0;
  while (cursor < end && count < most) {
    const size_t offset = static_cast<size_t>(cursor - base);
    const size_t inside = offset % Chunk::kSize;
    const size_t size = std::min(Chunk::kSize - inside, static_cast<size_t>(end - cursor));
    // sendmsg() takes no pointers to const, and writes nothing.
    pieces[count++] = {const_cast<uint8_t*>(chunks[offset / Chunk::kSize]->bytes) + inside, size};
    cursor += size;
  }
  return count;
}

void History::restart(Position begin) {
  begin_ = begin;
  end_ = begin;
  release(chunks_.size());
  base_ = begin;
}

void History::advance(Position begin) {
  begin_ = begin;
  const size_t count = static_cast<size_t>(begin - base_) / Chunk::kSize;
  // As many are kept as it took until now, and half as many again.
  const size_t used = used_chunks();
  chunks_.resize(std::min(chunks_.size(), used + used / 2 + 1));
  release(std::min(count, chunks_.size()));
  base_ += count * Chunk::kSize;
}

// The first chunks become the last ones. What a viewer still holds is his.
void History::release(size_t count) {
  const auto middle = chunks_.begin() + static_cast<ptrdiff_t>(count);
  for (auto chunk = chunks_.begin(); chunk != middle; chunk++) {
    if (chunk->use_count() > 1) chunk->reset();
  }
  std::rotate(chunks_.begin(), middle, chunks_.end());
}

bool History::append(const uint8_t* data, size_t size) {
  while (size > 0) {
    const size_t offset = static_cast<size_t>(end_ - base_);
    const size_t inside = offset % Chunk::kSize;
    const size_t part = std::min(size, Chunk::kSize - inside);
    Chunk* target = chunk(offset / Chunk::kSize);
    if (target == nullptr) return false;
    copy_past_caches(target->bytes + inside, data, part);
    end_ += part;
    data += part;
    size -= part;
  }
  return true;
}

void History::clear() {
  chunks_.clear();
  chunks_.shrink_to_fit();
  begin_ = base_ = end_;
}

Backlog History::backlog() const {
  return {begin_, end_, {chunks_.begin(), chunks_.begin() + static_cast<ptrdiff_t>(used_chunks())}, base_};
}

size_t History::used_chunks() const { return (static_cast<size_t>(end_ - base_) + Chunk::kSize - 1) / Chunk::kSize; }

Chunk* History::chunk(size_t index) {
  if (index >= chunks_.size()) chunks_.resize(index + 1);
  if (!chunks_[index]) chunks_[index] = Chunks::shared().take();
  return chunks_[index].get();
}

}  // namespace weir
