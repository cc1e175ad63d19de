// A kernel that watches no more descriptors, as one does at fs.epoll.max_user_watches, for as long as a test wants it.
#pragma once

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace refusals {

// How many of the next descriptors are not watched.
inline int watches = 0;

}  // namespace refusals

// Stands in front of the C library's.
extern "C" int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) noexcept {
  if (operation == EPOLL_CTL_ADD && refusals::watches > 0) {
    refusals::watches--;
    errno = ENOSPC;
    return -1;
  }
  return static_cast<int>(syscall(SYS_epoll_ctl, epoll, operation, fd, event));
}
