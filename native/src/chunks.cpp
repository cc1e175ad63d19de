#include "chunks.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>

namespace weir {

Chunks& Chunks::shared() {
  static Chunks pool(static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE)) / 4);
  return pool;
}

std::shared_ptr<Chunk> Chunks::take() {
  const auto has_room = [](const auto& page) { return page.second != 0; };
  auto page = std::find_if(pages_.begin(), pages_.end(), has_room);
  if (page == pages_.end()) {
    if (!grow()) return nullptr;
    page = std::find_if(pages_.begin(), pages_.end(), has_room);
  }
  const int index = std::countr_zero(page->second);
  page->second &= ~(Mask{1} << index);
  auto* chunk = reinterpret_cast<Chunk*>(page->first) + index;
  return {chunk, [this](Chunk* used) { give(used); }};
}

// The kernel places a mapping anywhere: what lies before and behind a whole huge page goes back.
bool Chunks::grow() {
  if ((pages_.size() + 1) * kPage > limit_) return false;
  void* memory = mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t page = (begin + kPage - 1) / kPage * kPage;
  if (page > begin) munmap(memory, page - begin);
  munmap(reinterpret_cast<void*>(page + kPage), begin + kPage - page);
  madvise(reinterpret_cast<void*>(page), kPage, MADV_HUGEPAGE);
  pages_.emplace(page, kAllFree);
  return true;
}

// One free page is kept at hand, the others go back to the kernel.
void Chunks::give(Chunk* chunk) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(chunk);
  const auto page = pages_.find(address / kPage * kPage);
  page->second |= Mask{1} << (address - page->first) / Chunk::kSize;
  if (page->second != kAllFree) return;
  const auto is_free = [](const auto& other) { return other.second == kAllFree; };
  if (std::count_if(pages_.begin(), pages_.end(), is_free) < 2) return;
  munmap(reinterpret_cast<void*>(page->first), kPage);
  pages_.erase(page);
}

}  // namespace weir
