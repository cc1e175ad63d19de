// The sockets of the wire; what the frames mean is in controller.cpp.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "controller.hpp"

namespace weir {
namespace {

// A controller that lets more events than this pile up reads no more.
constexpr size_t kMaxBacklog = 8 << 20;
// How long those who want to connect wait when no descriptor is left for them.
constexpr Time kPause = 100 * kMillisecond;

}  // namespace

Listener::Listener(Loop& loop, std::function<void(Fd)> accepted)
    : loop_(loop), accepted_(std::move(accepted)), pause_(loop, [this] { loop_.change(fd_.get(), EPOLLIN, *this); }) {}

Listener::~Listener() {
  if (fd_) loop_.forget(fd_.get(), *this);
}

bool Listener::open(const std::string& path, int type) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.data(), path.size());
  fd_ = Fd(socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd_) return false;
  // The lock is held: nobody listens there any more.
  unlink(path.c_str());
  return bind(fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
         listen(fd_.get(), 16) == 0 && loop_.watch(fd_.get(), EPOLLIN, *this);
}

void Listener::ready(uint32_t) {
  Fd connection(accept4(fd_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (connection) {
    accepted_(std::move(connection));
  } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
    // It would be ready again at once, and for as long as that lasts.
    loop_.change(fd_.get(), 0, *this);
    pause_.in(kPause);
  }
}

Connection::~Connection() { loop_.forget(fd_.get(), *this); }

void ControlConnection::ready(uint32_t events) {
  if (closed_) return;
  if ((events & EPOLLOUT) != 0) {
    write();
    act();
  }
  if (!closed_ && (events & EPOLLIN) != 0) read();
  if (!closed_ && (events & (EPOLLERR | EPOLLHUP)) != 0 && (events & EPOLLIN) == 0) close();
}

void ControlConnection::read() {
  std::array<char, kMaxFrame> data;
  const ssize_t size = recv(fd_.get(), data.data(), data.size(), 0);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (size <= 0) {
    close();
    return;
  }
  in_.append(data.data(), static_cast<size_t>(size));
  act();
}

// Does what is asked, one thing after the other, while the answers are read.
void ControlConnection::act() {
  size_t begin = 0;
  while (!closed_ && !waiting_) {
    const size_t end = in_.find('\n', begin);
    const bool whole = end != std::string::npos;
    if ((whole ? end : in_.size()) - begin >= kMaxFrame) close();
    if (!whole || closed_) break;
    const auto frame = Frame::parse(std::string_view(in_).substr(begin, end - begin));
    if (!frame || !controller_.request(*this, *frame)) close();
    begin = end + 1;
  }
  in_.erase(0, begin);
}

void ControlConnection::send(const Frame& frame) {
  if (closed_) return;
  const size_t before = out_.size();
  out_ += frame.text();
  out_.push_back('\n');
  // What was asked for may be long.
  if (frame.get("id")) asked_ += out_.size() - before;
  if (out_.size() - written_ > kMaxBacklog + asked_) {
    close();
  } else if (!waiting_) {
    write();
  }
}

void ControlConnection::write() {
  while (written_ < out_.size()) {
    const ssize_t size = ::send(fd_.get(), out_.data() + written_, out_.size() - written_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno != EAGAIN) {
      close();
      return;
    }
    if (size < 0) break;
    written_ += static_cast<size_t>(size);
  }
  const bool waiting = written_ < out_.size();
  if (!waiting) asked_ = 0;
  // Not with every send: what is left is moved.
  if (written_ > out_.size() / 2) {
    out_.erase(0, written_);
    written_ = 0;
  }
  if (waiting == waiting_) return;
  waiting_ = waiting;
  loop_.change(fd_.get(), waiting ? EPOLLOUT : EPOLLIN, *this);
}

void ControlConnection::close() {
  if (closed_) return;
  closed_ = true;
  controller_.left(*this);
}

void HandoffConnection::ready(uint32_t) {
  if (closed_) return;
  std::array<char, kMaxFrame> data;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(4 * sizeof(int))> control{};
  iovec piece{data.data(), data.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t size = recvmsg(fd_.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
  std::vector<Fd> sockets;
  for (cmsghdr* part = size < 0 ? nullptr : CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    for (size_t at = 0; CMSG_LEN(at + sizeof(int)) <= part->cmsg_len; at += sizeof(int)) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(part) + at, sizeof fd);
      sockets.emplace_back(fd);
    }
  }
  const bool cut = (message.msg_flags & MSG_CTRUNC) != 0;
  // One that is there and cut had company, for which no descriptor was left.
  if (size <= 0 || (message.msg_flags & MSG_TRUNC) != 0 || sockets.size() > 1 || (cut && !sockets.empty())) {
    closed_ = true;
    return;
  }
  const auto frame = Frame::parse(std::string_view(data.data(), static_cast<size_t>(size)));
  // Without a descriptor left the kernel delivers the message alone, marked as cut.
  if (!frame || (sockets.empty() && !cut) ||
      !controller_.handed(*frame, sockets.empty() ? Fd() : std::move(sockets.front()))) {
    closed_ = true;
  }
}

}  // namespace weir
