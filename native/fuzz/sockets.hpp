// What the fuzzers of whole connections share.
#pragma once

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <span>

#include "fd.hpp"
#include "input.hpp"
#include "loop.hpp"

namespace fuzz {

using weir::Fd;

// How many of the first descriptors are open: the same before and after when none is left.
inline int descriptors() {
  int count = 0;
  for (int fd = 0; fd < 128; fd++) count += fcntl(fd, F_GETFD) >= 0 ? 1 : 0;
  return count;
}

inline void turn(weir::Loop& loop, const std::function<void()>& tidy) {
  weir::Timer waker(loop, [] {});
  waker.in(0);
  loop.run([&] {
    tidy();
    loop.stop();
  });
}

inline sockaddr_in loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

inline uint16_t bind_loopback(const Fd& socket) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  require(bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size) == 0);
  require(getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
  return ntohs(address.sin_port);
}

// Two ends of a TCP connection.
struct Tcp {
  Fd server, client;
  Tcp() {
    const Fd listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in address = loopback(bind_loopback(listener));
    require(listen(listener.get(), 1) == 0);
    client = Fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    require(connect(client.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    server = Fd(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    // A port is not kept from the next connection.
    const linger now{1, 0};
    setsockopt(client.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
  }
};

}  // namespace fuzz
