// What a stream has sent lately, in chunks that viewers share: it is written past the caches, because most of it is never read.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "chunks.hpp"
#include "ring.hpp"

namespace weir {

// A part of a history, which stays as it is while somebody holds it.
struct Backlog {
  Position begin = 0;
  Position end = 0;
  std::vector<std::shared_ptr<const Chunk>> chunks{};

  // What stands from `cursor`, at or behind the beginning, to the end, in at most `most` pieces.
  int view(Position cursor, iovec* pieces, int most) const;
};

class History {
 public:
  // Begins anew; memory that nobody holds is used again.
  void restart(Position begin);
  // False when there is no memory.
  bool append(const uint8_t* data, size_t size);
  void clear();

  Position begin() const { return begin_; }
  Position end() const { return end_; }
  Backlog backlog() const;

 private:
  Chunk* chunk(size_t index);

  Position begin_ = 0;
  Position end_ = 0;
  std::vector<std::shared_ptr<Chunk>> chunks_{};
};

}  // namespace weir
