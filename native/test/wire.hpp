// A controller behind its real Unix sockets, and what speaks to it: control connections and hand-over connections.
#pragma once

#include <sys/resource.h>
#include <sys/un.h>

#include <initializer_list>
#include <vector>

#include "controller.hpp"
#include "rig.hpp"

namespace wire {

using weir::Fd;

inline Fd connect_to(const std::string& path, int type) {
  Fd fd(socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  net::must(connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0, path.c_str());
  return fd;
}

// Frames out, frames in.
class Control {
 public:
  explicit Control(const std::string& prefix) : fd_(connect_to(prefix + ".sock", SOCK_STREAM)) {}

  void write(const std::string& bytes) const {
    if (send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) net::must(errno == EPIPE || errno == ECONNRESET || errno == EAGAIN, "send");
  }
  void ask(const std::string& frame) const { write(frame + "\n"); }

  // Every frame that has come.
  const std::vector<std::string>& frames() {
    char data[65536];
    ssize_t size = 0;
    while ((size = recv(fd_.get(), data, sizeof data, 0)) > 0) unread_.append(data, static_cast<size_t>(size));
    ended_ = ended_ || size == 0 || (size < 0 && errno != EAGAIN);
    size_t begin = 0;
    for (size_t end = 0; (end = unread_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      frames_.push_back(unread_.substr(begin, end - begin));
    }
    unread_.erase(0, begin);
    return frames_;
  }
  bool ended() {
    frames();
    return ended_;
  }
  bool has(const std::string& beginning) {
    const auto& all = frames();
    return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.starts_with(beginning); });
  }
  void clear() { frames_.clear(); }
  void close() { fd_.reset(); }

 private:
  Fd fd_;
  std::string unread_{};
  std::vector<std::string> frames_{};
  bool ended_ = false;
};

// Sends one message with descriptors, which stay the caller's. False when the other side does not take it.
inline bool hand_over(const Fd& socket, const std::string& text, std::initializer_list<int> descriptors) {
  alignas(cmsghdr) char control[CMSG_SPACE(8 * sizeof(int))] = {};
  iovec piece{const_cast<char*>(text.data()), text.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  if (descriptors.size() > 0) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
    cmsghdr* part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
    std::memcpy(CMSG_DATA(part), std::data(descriptors), descriptors.size() * sizeof(int));
  }
  return sendmsg(socket.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

// Whether the other side has closed its end.
inline bool ended(const Fd& socket) {
  char byte = 0;
  const ssize_t size = recv(socket.get(), &byte, 1, MSG_DONTWAIT);
  return size == 0 || (size < 0 && errno != EAGAIN);
}

struct Pump {
  std::string directory = [] {
    char name[] = "/tmp/weir-test-XXXXXX";
    net::must(mkdtemp(name) != nullptr, "mkdtemp");
    return std::string(name);
  }();
  std::string prefix = directory + "/pump-1";
  weir::Loop loop{};
  weir::Controller controller;

  explicit Pump(weir::Time alone = 60 * weir::kSecond) : controller(loop, alone) {
    net::must(controller.open(prefix), "controller");
  }
  ~Pump() {
    unlink((prefix + ".sock").c_str());
    unlink((prefix + ".fds").c_str());
    rmdir(directory.c_str());
  }

  template <class Fact>
  bool until(Fact fact) {
    return rig::until(loop, [this] { controller.tidy(); }, fact);
  }
  void turn(int times) {
    until([&] { return times-- == 0; });
  }
  // Runs as main does. False when it did not end by itself within ten seconds.
  bool ends() {
    bool in_time = true;
    weir::Timer limit(loop, [&] {
      in_time = false;
      loop.stop();
    });
    limit.in(10 * weir::kSecond);
    loop.run([this] { controller.tidy(); });
    return in_time;
  }

  // A control connection that has said hello.
  Control hello() {
    Control control(prefix);
    control.ask("hello?id=h&version=" + std::to_string(WEIR_PROTOCOL));
    CHECK(until([&] { return control.has("ok?id=h&version=" + std::to_string(WEIR_PROTOCOL) + "&pid=" + std::to_string(getpid())); }));
    control.clear();
    return control;
  }
  Fd handoff() const { return connect_to(prefix + ".fds", SOCK_SEQPACKET); }
};

// Lets this process have no more descriptors than it has now, and so many more.
class Limit {
 public:
  explicit Limit(size_t more) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const Fd next(dup(0));
    const rlimit now{static_cast<rlim_t>(next.get()) + more, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &now);
  }
  ~Limit() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

}  // namespace wire
