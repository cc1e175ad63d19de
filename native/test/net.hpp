// Real sockets for tests, all on the loopback interface: senders of datagrams, TCP connections, descriptors counted.
#pragma once

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "fd.hpp"

namespace net {

using weir::Fd;

// What a test cannot go on without.
inline void must(bool done, const char* what) {
  if (done) return;
  std::perror(what);
  std::exit(1);
}

inline sockaddr_in loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

inline uint16_t port_of(const Fd& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  must(getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0, "getsockname");
  return ntohs(address.sin_port);
}

inline Fd bound(int type) {
  Fd fd(socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const sockaddr_in address = loopback(0);
  must(fd && bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0, "bind");
  return fd;
}

// A UDP port on which nobody receives.
inline uint16_t free_port() { return port_of(bound(SOCK_DGRAM)); }

// Sends datagrams from 127.0.0.1 to one address; groups over the loopback interface.
class Sender {
 public:
  Sender(const char* address, uint16_t port) : fd_(bound(SOCK_DGRAM)) {
    // The port was free a moment ago, and may have been given to this very socket.
    while (port_of(fd_) == port) fd_ = bound(SOCK_DGRAM);
    const in_addr through{htonl(INADDR_LOOPBACK)};
    setsockopt(fd_.get(), IPPROTO_IP, IP_MULTICAST_IF, &through, sizeof through);
    to_ = loopback(port);
    must(inet_pton(AF_INET, address, &to_.sin_addr) == 1, address);
  }

  void send(const std::string& datagram) const {
    const ssize_t size = sendto(fd_.get(), datagram.data(), datagram.size(), 0, reinterpret_cast<const sockaddr*>(&to_), sizeof to_);
    must(size == static_cast<ssize_t>(datagram.size()), "sendto");
  }

 private:
  Fd fd_;
  sockaddr_in to_{};
};

// Where clients connect.
struct Door {
  Fd listener = bound(SOCK_STREAM);
  Door() { must(listen(listener.get(), 1) == 0, "listen"); }
};

// The client's end of a TCP connection, and what it received.
class Client {
 public:
  explicit Client(Fd& server, int buffer = 0) : Client(Door(), server, buffer) {}
  // Connects, and gives the other end to `server`. Small buffers make a slow client soon felt.
  Client(const Door& door, Fd& server, int buffer = 0) {
    const Fd& listener = door.listener;
    fd_ = Fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (buffer > 0) setsockopt(fd_.get(), SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    const sockaddr_in address = loopback(port_of(listener));
    must(connect(fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0, "connect");
    fcntl(fd_.get(), F_SETFL, O_NONBLOCK);
    server = Fd(accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    must(static_cast<bool>(server), "accept");
    if (buffer > 0) setsockopt(server.get(), SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
  }

  // Takes what has come.
  const std::string& read() {
    char data[65536];
    ssize_t size = 0;
    while (fd_ && (size = recv(fd_.get(), data, sizeof data, 0)) > 0) got_.append(data, static_cast<size_t>(size));
    ended_ = ended_ || size == 0 || (size < 0 && errno != EAGAIN);
    return got_;
  }
  bool ended() {
    read();
    return ended_;
  }
  void close() { fd_.reset(); }
  Fd release() { return std::move(fd_); }
  // Goes away with a reset.
  void abort() {
    const linger now{1, 0};
    setsockopt(fd_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
  }
  // Goes away without a word, where this process may (CAP_NET_ADMIN); else with a reset.
  void vanish() {
    const int on = 1;
    if (setsockopt(fd_.get(), IPPROTO_TCP, TCP_REPAIR, &on, sizeof on) != 0) return abort();
    close();
  }
  void half_close() const { shutdown(fd_.get(), SHUT_WR); }
  void stop_reading() const { shutdown(fd_.get(), SHUT_RD); }
  // What the other end never reads.
  void write(const std::string& bytes) const { send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  bool open() const { return static_cast<bool>(fd_); }
  // Whether the other end went away, with what came before it still unread.
  bool over() const {
    pollfd one{fd_.get(), POLLRDHUP, 0};
    return poll(&one, 1, 0) == 1;
  }

 private:
  Fd fd_;
  std::string got_{};
  bool ended_ = false;
};

// How many descriptors this process has open.
inline size_t descriptors() {
  DIR* directory = opendir("/proc/self/fd");
  must(directory != nullptr, "/proc/self/fd");
  size_t count = 0;
  while (readdir(directory) != nullptr) count++;
  closedir(directory);
  return count;
}

// Whether this machine's kernel knows a member of the group, and how many.
inline int members(const char* group) {
  in_addr address{};
  inet_pton(AF_INET, group, &address);
  char wanted[16];
  std::snprintf(wanted, sizeof wanted, "%08X", address.s_addr);
  FILE* file = std::fopen("/proc/net/igmp", "r");
  must(file != nullptr, "/proc/net/igmp");
  char line[256];
  int count = 0;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    char found[16] = "";
    int users = 0;
    if (std::sscanf(line, " %8s %d", found, &users) == 2 && std::string(found) == wanted) count += users;
  }
  std::fclose(file);
  return count;
}

}  // namespace net
