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
  Position base = 0;  // Where the first chunk begins.

  // What stands from `cursor`, at or behind the beginning, to the end, in at most `most` pieces.
  int view(Position cursor, iovec* pieces, int most) const;
};

class History {
 public:
  // Begins anew, with nothing, at `begin`.
  void restart(Position begin);
  // Lets go what stands before `begin`, which is at or before its end. Memory that nobody else holds is used again.
  void advance(Position begin);
  // False when there is no memory.
  bool append(const uint8_t* data, size_t size);
  void clear();

  Position begin() const { return begin_; }
  Position end() const { return end_; }
  Backlog backlog() const;
  // How many are in use or free.
  size_t chunks() const { return chunks_.size(); }

 private:
  void release(size_t count);
  size_t used_chunks() const;
  Chunk* chunk(size_t index);

  Position base_ = 0;  // Where the first chunk begins.
  Position begin_ = 0;
  Position end_ = 0;
  std::vector<std::shared_ptr<Chunk>> chunks_{};  // Those in use, then free ones.
};

}  // namespace weir
