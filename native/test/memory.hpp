// What this process holds, as tests compare it before and after.
#pragma once

#include <cstdio>

#include "net.hpp"

// Of the address sanitizer, with which all tests are built. Not every compiler brings its headers.
extern "C" size_t __sanitizer_get_current_allocated_bytes();

namespace memory {

struct Held {
  size_t descriptors = 0;
  size_t heap = 0;    // Bytes allocated.
  size_t mapped = 0;  // Bytes of address space.
};

inline size_t mapped() {
  FILE* file = std::fopen("/proc/self/statm", "r");
  net::must(file != nullptr, "/proc/self/statm");
  size_t pages = 0;
  net::must(std::fscanf(file, "%zu", &pages) == 1, "/proc/self/statm");
  std::fclose(file);
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

inline Held held() { return {net::descriptors(), __sanitizer_get_current_allocated_bytes(), mapped()}; }

}  // namespace memory
