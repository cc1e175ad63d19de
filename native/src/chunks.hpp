// Memory for histories: chunks cut from huge pages. What is written once and seldom read costs most in page-table walks,
// which huge pages spare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

namespace weir {

struct Chunk {
  static constexpr size_t kSize = 64 * 1024;
  alignas(64) uint8_t bytes[kSize];
};

class Chunks {
 public:
  static constexpr size_t kChunks = 32;                    // So many are cut from
  static constexpr size_t kPage = kChunks * Chunk::kSize;  // 2 MB, a huge page.

  explicit Chunks(size_t limit) : limit_(limit) {}
  Chunks(const Chunks&) = delete;
  Chunks& operator=(const Chunks&) = delete;

  // The pool that all streams share, a quarter of the machine's memory; there is one thread.
  static Chunks& shared();

  // A chunk that goes back when nobody holds it any more, or nothing when there is no memory left for it.
  std::shared_ptr<Chunk> take();

 private:
  using Mask = uint32_t;
  static constexpr Mask kAllFree = ~Mask{0};

  bool grow();
  void give(Chunk* chunk);

  size_t limit_;
  std::map<uintptr_t, Mask> pages_{};  // Keyed by address: which of a page's chunks are free.
};

}  // namespace weir
