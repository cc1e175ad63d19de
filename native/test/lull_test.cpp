#include "lull.hpp"

#include <sys/timerfd.h>
#include <unistd.h>

#include <memory>

#include "check.hpp"
#include "rig.hpp"

using weir::Fd;
using weir::kMillisecond;
using weir::kSecond;
using weir::Time;

namespace {

// A socket on which something arrives at a steady pace.
class Ticker final : public weir::Watcher {
 public:
  Ticker(weir::Loop& sockets, Time period) : sockets_(sockets) {
    const auto nanoseconds = static_cast<long>(period * 1000);
    const itimerspec pace{{0, nanoseconds}, {0, nanoseconds}};
    timerfd_settime(fd_.get(), 0, &pace, nullptr);
    sockets_.watch(fd_.get(), EPOLLIN, *this);
  }
  ~Ticker() { sockets_.forget(fd_.get(), *this); }

  void ready(uint32_t) override {
    uint64_t count = 0;
    if (read(fd_.get(), &count, sizeof count) == sizeof count) arrived += count;
    times++;
  }

  uint64_t arrived = 0;
  int times = 0;

 private:
  weir::Loop& sockets_;
  Fd fd_{timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)};
};

// Turns of the loop within a second.
int turns(weir::Loop& loop) {
  int count = 0;
  weir::Timer end(loop, [&] { loop.stop(); });
  end.in(kSecond);
  loop.run([&] { count++; });
  return count;
}

}  // namespace

TEST("one socket is seen to each time that something arrives, and the loop turns no oftener") {
  weir::Loop loop;
  weir::Lull lull(loop);
  Ticker ticker(lull.sockets(), 20 * kMillisecond);
  const int count = turns(loop);
  CHECK(ticker.times >= 30);
  CHECK(count <= ticker.times + 2);
}

TEST("a hundred sockets are seen to together, ten milliseconds late at most, and the loop turns no oftener than that") {
  weir::Loop loop;
  weir::Lull lull(loop);
  std::vector<std::unique_ptr<Ticker>> tickers;
  for (int index = 0; index < 100; index++) {
    tickers.push_back(std::make_unique<Ticker>(lull.sockets(), 50 * kMillisecond));
    usleep(500);
  }
  const int count = turns(loop);
  uint64_t arrived = 0;
  for (const auto& ticker : tickers) arrived += ticker->arrived;
  CHECK(arrived >= 1500);
  CHECK(count <= 150);
}

TEST("a socket may go while it is being seen to, and the lull while it holds") {
  weir::Loop loop;
  auto lull = std::make_unique<weir::Lull>(loop);
  auto ticker = std::make_unique<Ticker>(lull->sockets(), kMillisecond);
  turns(loop);
  CHECK(ticker->times >= 50);
  ticker.reset();
  lull.reset();
  CHECK(turns(loop) <= 2);
}
