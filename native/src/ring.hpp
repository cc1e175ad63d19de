// Media on its way from one writer to many cursors. Every write is contiguous; memory is reserved, and touched only as
// far as the slowest cursor makes it grow.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

namespace weir {

// Bytes written since the stream opened: the place of a byte, whatever its address.
using Position = uint64_t;

// Writes go upwards from the base. A lap ends where the next write would pass the limit; the bytes of the lap before stay
// readable until they are written over.
class Ring {
 public:
  explicit Ring(size_t capacity);
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring();

  bool valid() const { return base_ != nullptr; }

  // How far laps reach: at most the capacity.
  void limit(size_t bytes);

  Position head() const { return lap_ + used_; }
  Position oldest() const;
  // What oldest() would be after reserve(bytes). Cursors before it must move first.
  Position oldest_after(size_t bytes) const;
  // How many bytes may be written, in small pieces, before what stands at a cursor would be written over.
  size_t free_before(Position cursor) const;

  // Room for `bytes` (at most the limit) at the head.
  uint8_t* reserve(size_t bytes);
  // Where the next byte goes, inside what was reserved.
  uint8_t* end() { return base_ + used_; }
  void commit(size_t bytes) { used_ += bytes; }

  // What stands between a cursor, not before oldest(), and the head: none, one or two pieces.
  int view(Position cursor, iovec pieces[2]) const;

  // Starts again from the base: for when every cursor is at the head. What was written before is gone.
  void rewind();
  // To be called about once a second: gives memory back that was not needed for some calls.
  void trim();

 private:
  uint8_t* base_;
  size_t capacity_;
  size_t limit_;
  Position lap_ = 0;        // Position of the byte at the base.
  size_t used_ = 0;         // Bytes of this lap.
  Position before_ = 0;     // Position at which the lap before began.
  size_t before_used_ = 0;  // Its bytes; 0 when it is gone.
  size_t reserved_ = 0;     // How far this lap may have written over the one before.
  size_t peak_ = 0;         // How far the laps since the last trim() reached.
  size_t touched_ = 0;      // How far memory was ever touched.
  size_t highest_ = 0;      // The highest peak since memory was last looked at,
  int trims_ = 0;           // so many calls ago.
};

}  // namespace weir
