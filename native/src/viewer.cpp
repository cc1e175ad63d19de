#include "viewer.hpp"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>

namespace weir {
namespace {

// Pieces of a backlog in one send, and one turn: a megabyte. Beside it goes what is ahead.
constexpr int kBacklogPieces = 16;

// Bytes of a connection that the other side has acknowledged; after its end too, until it is closed.
uint64_t acknowledged_of(const Fd& socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  return getsockopt(socket.get(), IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_bytes_acked : 0;
}

// Bytes that wait to be sent or acknowledged.
uint64_t waiting_of(const Fd& socket) {
  int count = 0;
  return ioctl(socket.get(), SIOCOUTQ, &count) == 0 && count > 0 ? static_cast<uint64_t>(count) : 0;
}

}  // namespace

Viewer::Viewer(Loop& loop, Keeper& keeper, Fd socket, Card card)
    : loop_(loop),
      keeper_(keeper),
      socket_(std::move(socket)),
      card_(std::move(card)),
      since_(loop.now()),
      patience_(loop, [this] {
        leave("stalled");
        keeper_.viewer_stirred(*this);
      }) {
  // One send a tick is one burst: nothing is gained by waiting for more.
  const int on = 1;
  setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  // What the kernel refuses of these it goes without.
  if (const std::string& name = card_.congestion; !name.empty()) {
    setsockopt(socket_.get(), IPPROTO_TCP, TCP_CONGESTION, name.data(), static_cast<socklen_t>(name.size()));
  }
  before_ = acknowledged_of(socket_) + waiting_of(socket_);
  if (card_.unsent > 0) setsockopt(socket_.get(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &card_.unsent, sizeof card_.unsent);
}

Viewer::~Viewer() { loop_.forget(socket_.get(), *this); }

bool Viewer::watch() { return loop_.watch(socket_.get(), 0, *this); }

void Viewer::start(Backlog backlog, const std::string& tables) {
  ahead_ = std::move(card_.head) + tables;
  backlog_ = std::move(backlog);
  cursor_ = backlog_.begin;
  first_ = cursor_;
  started_ = true;
}

// What is to be sent next; the backlog may take several turns.
int Viewer::gather(const Ring& ring, iovec* pieces) const {
  int count = 0;
  if (ahead_sent_ < ahead_.size()) {
    pieces[count++] = {const_cast<char*>(ahead_.data()) + ahead_sent_, ahead_.size() - ahead_sent_};
  }
  if (cursor_ < backlog_.end) return count + backlog_.view(cursor_, pieces + count, kBacklogPieces);
  return count + ring.view(cursor_, pieces + count);
}

void Viewer::flush(const Ring& ring) {
  // The head waits for the first media.
  if (!started_ || blocked_ || !leaving_.empty() || (!live_ && cursor_ == ring.head())) return;
  iovec pieces[1 + kBacklogPieces];
  msghdr message{};
  message.msg_iov = pieces;
  message.msg_iovlen = static_cast<size_t>(gather(ring, pieces));
  if (message.msg_iovlen == 0) return;
  size_t wanted = 0;
  for (size_t index = 0; index < message.msg_iovlen; index++) wanted += pieces[index].iov_len;
  const ssize_t result = sendmsg(socket_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (result < 0) {
    if (errno == EAGAIN || errno == ENOBUFS || errno == EINTR) {
      block();
    } else {
      leave("gone");
    }
    return;
  }
  took(static_cast<size_t>(result));
  // The rest of a backlog waits for the next turn: others come first.
  if (static_cast<size_t>(result) < wanted || !backlog_.chunks.empty()) block();
}

Position Viewer::acknowledged() const {
  const uint64_t all = acknowledged_of(socket_);
  const uint64_t own = all - std::min(all, before_);
  const uint64_t on_its_way = sent_ - std::min(sent_, own);
  return cursor_ - std::min(cursor_ - first_, on_its_way);
}

void Viewer::took(size_t bytes) {
  sent_ += bytes;
  const size_t from_ahead = std::min(bytes, ahead_.size() - ahead_sent_);
  ahead_sent_ += from_ahead;
  cursor_ += bytes - from_ahead;
  if (cursor_ >= backlog_.end && !backlog_.chunks.empty()) backlog_.chunks = {};
  if (ahead_sent_ == ahead_.size() && !ahead_.empty()) {
    ahead_ = std::string();
    ahead_sent_ = 0;
  }
  if (!live_ && bytes > 0) {
    live_ = true;
    keeper_.viewer_live(*this);
  }
}

void Viewer::block() {
  if (!patience_.armed()) patience_.in(card_.patience);
  if (blocked_) return;
  blocked_ = true;
  loop_.change(socket_.get(), EPOLLOUT, *this);
}

void Viewer::ready(uint32_t events) {
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) leave("gone");
  if (blocked_ && leaving_.empty()) {
    blocked_ = false;
    patience_.cancel();
    loop_.change(socket_.get(), 0, *this);
  }
  keeper_.viewer_stirred(*this);
}

void Viewer::jump(const Ring& ring, Backlog backlog, size_t unit) {
  const size_t begun = unit > 0 ? static_cast<size_t>(cursor_ % unit) : 0;
  if (begun > 0 && ahead_sent_ == ahead_.size()) {
    std::string rest;
    iovec pieces[2];
    const int count = cursor_ < backlog_.end ? backlog_.view(cursor_, pieces, 2) : ring.view(cursor_, pieces);
    for (int index = 0; index < count; index++) {
      const size_t size = std::min(pieces[index].iov_len, unit - begun - rest.size());
      rest.append(static_cast<const char*>(pieces[index].iov_base), size);
    }
    cursor_ += rest.size();
    ahead_ = std::move(rest);
    ahead_sent_ = 0;
  }
  lost_ += backlog.begin - cursor_;
  jumps_++;
  cursor_ = backlog.begin;
  backlog_ = std::move(backlog);
}

}  // namespace weir
