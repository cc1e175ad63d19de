#include "chunks.hpp"

#include <vector>

#include "check.hpp"

using weir::Chunk;
using weir::Chunks;

TEST("a pool gives as many chunks as its limit has room for, and again what came back") {
  Chunks pool(2 * Chunks::kPage + 1);
  std::vector<std::shared_ptr<Chunk>> held;
  for (size_t index = 0; index < 2 * Chunks::kChunks; index++) {
    held.push_back(pool.take());
    CHECK(held.back() != nullptr);
    held.back()->bytes[Chunk::kSize - 1] = 1;
  }
  CHECK(pool.take() == nullptr);
  held.erase(held.begin() + 5);
  held.push_back(pool.take());
  CHECK(held.back() != nullptr);
  CHECK(pool.take() == nullptr);
  held.clear();
  for (size_t index = 0; index < 2 * Chunks::kChunks; index++) {
    held.push_back(pool.take());
    CHECK(held.back() != nullptr);
  }
  CHECK(pool.take() == nullptr);
}
