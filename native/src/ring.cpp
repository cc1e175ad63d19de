#include "ring.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace weir {
namespace {

constexpr size_t kPage = 4096;
// What is needed now and then, within so many calls of trim(), is not given back in between.
constexpr int kTrims = 8;

}  // namespace

Ring::Ring(size_t capacity) : base_(nullptr), capacity_(capacity), limit_(capacity) {
  void* memory = mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  // Huge pages would make the first byte of a quiet stream cost 2 MB.
  madvise(memory, capacity, MADV_NOHUGEPAGE);
  base_ = static_cast<uint8_t*>(memory);
}

Ring::~Ring() {
  if (base_ != nullptr) munmap(base_, capacity_);
}

void Ring::limit(size_t bytes) { limit_ = std::min(bytes, capacity_); }

Position Ring::oldest() const {
  if (before_used_ <= reserved_) return lap_;
  return before_ + reserved_;
}

Position Ring::oldest_after(size_t bytes) const {
  if (used_ + bytes > limit_) return used_ <= bytes ? head() : lap_ + bytes;
  const size_t reach = std::max(reserved_, used_ + bytes);
  return before_used_ <= reach ? lap_ : before_ + reach;
}

size_t Ring::free_before(Position cursor) const {
  const size_t ahead = limit_ - std::min(limit_, used_);
  // The next lap writes over this one from its beginning.
  if (cursor >= lap_) return ahead + std::min(limit_, static_cast<size_t>(cursor - lap_));
  const size_t reach = std::max(reserved_, used_);
  const size_t offset = static_cast<size_t>(cursor - std::min(cursor, before_));
  return std::min(ahead, offset - std::min(offset, reach));
}

uint8_t* Ring::reserve(size_t bytes) {
  if (used_ + bytes > limit_) {
    before_ = lap_;
    before_used_ = used_;
    lap_ += used_;
    used_ = 0;
    reserved_ = 0;
  }
  reserved_ = std::max(reserved_, used_ + bytes);
  peak_ = std::max(peak_, reserved_);
  return base_ + used_;
}

int Ring::view(Position cursor, iovec pieces[2]) const {
  int count = 0;
  if (cursor < lap_) {
    const size_t offset = static_cast<size_t>(cursor - before_);
    pieces[count++] = {base_ + offset, before_used_ - offset};
    cursor = lap_;
  }
  const size_t offset = static_cast<size_t>(cursor - lap_);
  if (offset < used_) pieces[count++] = {base_ + offset, used_ - offset};
  return count;
}

void Ring::rewind() {
  lap_ = head();
  used_ = 0;
  before_used_ = 0;
  reserved_ = 0;
}

void Ring::trim() {
  const size_t reach = (peak_ + kPage - 1) / kPage * kPage;
  touched_ = std::max(touched_, reach);
  peak_ = reserved_;
  highest_ = std::max(highest_, reach);
  if (++trims_ < kTrims) return;
  if (touched_ > 2 * highest_ && before_used_ == 0) {
    madvise(base_ + highest_, std::min(touched_, capacity_) - highest_, MADV_DONTNEED);
    touched_ = highest_;
  }
  trims_ = 0;
  highest_ = 0;
}

}  // namespace weir
