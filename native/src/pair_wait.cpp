#include "pair_wait.hpp"

#include <array>

#include "datagrams.hpp"

namespace weir {
namespace {

// What is taken in one turn; whatever floods it waits for the next.
constexpr int kMost = 16;
constexpr size_t kMaxDatagram = 2048;

}  // namespace

PairWait::PairWait(Loop& loop, std::string feed, std::unique_ptr<Pair> pair, Heard heard)
    : loop_(loop), feed_(std::move(feed)), pair_(std::move(pair)), heard_(std::move(heard)) {}

bool PairWait::watch() {
  watched_ = true;
  return loop_.watch(pair_->fd(true), EPOLLIN, rtp_) && loop_.watch(pair_->fd(false), EPOLLIN, rtcp_);
}

void PairWait::leave() {
  if (!watched_) return;
  watched_ = false;
  loop_.forget(pair_->fd(true), rtp_);
  loop_.forget(pair_->fd(false), rtcp_);
}

std::unique_ptr<Pair> PairWait::take() {
  leave();
  return std::move(pair_);
}

// Media that comes before its session was handed over is of none.
void PairWait::read(bool media) {
  std::array<uint8_t, kMaxDatagram> data;
  for (int count = 0; watched_ && count < kMost; count++) {
    sockaddr_storage from{};
    socklen_t length = sizeof from;
    const ssize_t size = recvfrom(pair_->fd(media), data.data(), data.size(), MSG_DONTWAIT,
                                  reinterpret_cast<sockaddr*>(&from), &length);
    if (size < 0) return;
    if (tell(data.data(), static_cast<size_t>(size)) == Datagram::kStun) heard_(media, from, data.data(), static_cast<size_t>(size));
  }
}

}  // namespace weir
