#include "loop.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "check.hpp"

using weir::Fd;
using weir::kMillisecond;
using weir::Loop;
using weir::Time;
using weir::Timer;

namespace {

struct Pair {
  Fd ours, theirs;
  Pair() {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) != 0) std::abort();
    ours = Fd(fds[0]);
    theirs = Fd(fds[1]);
  }
  void poke() const { CHECK_EQ(send(theirs.get(), "x", 1, MSG_NOSIGNAL), 1); }
};

struct Ear final : weir::Watcher {
  std::function<void(uint32_t)> heard;
  explicit Ear(std::function<void(uint32_t)> action) : heard(std::move(action)) {}
  void ready(uint32_t events) override { heard(events); }
};

// Runs the loop for so many turns; a timer keeps it from sleeping.
void turns(Loop& loop, int count) {
  Timer waker(loop, [] {});
  waker.in(0);
  loop.run([&] {
    if (--count == 0) loop.stop();
    waker.in(0);
  });
}

}  // namespace

TEST("timers go off in the order of their times, whatever the order in which they were set") {
  Loop loop;
  std::string order;
  Timer c(loop, [&] { order += 'c'; });
  Timer a(loop, [&] { order += 'a'; });
  Timer b(loop, [&] { order += 'b'; });
  Timer last(loop, [&] { loop.stop(); });
  const Time now = loop.now();
  last.at(now + 4000);
  c.at(now + 3000);
  a.at(now + 1000);
  b.at(now + 2000);
  loop.run([] {});
  CHECK_EQ(order, "abc");
  CHECK(loop.now() >= now + 4000);
}

TEST("a hundred timers, half of them cancelled or set anew, go off once and in order") {
  Loop loop;
  const Time now = loop.now();
  std::vector<Time> fired;
  std::vector<std::unique_ptr<Timer>> timers;
  for (Time index = 0; index < 100; index++) {
    const Time when = now + 1 + index * 37 % 100 * 10;
    timers.push_back(std::make_unique<Timer>(loop, [&fired, when] { fired.push_back(when); }));
    timers.back()->at(when + 5000);
    if (index % 2 == 0) timers.back()->cancel();
    if (index % 2 == 1) timers.back()->at(when);
  }
  for (Time index = 0; index < 100; index += 4) timers[index].reset();
  Timer last(loop, [&] { loop.stop(); });
  last.at(now + 20000);
  loop.run([] {});
  CHECK_EQ(fired.size(), 50);
  CHECK(std::is_sorted(fired.begin(), fired.end()));
  for (const auto& timer : timers) CHECK(timer == nullptr || !timer->armed());
}

TEST("a timer for now or before goes off in the next turn, and one that sets itself again does not hold the turn") {
  Loop loop;
  int count = 0;
  Timer timer(loop, [&] {
    count++;
    timer.at(0);
  });
  timer.at(0);
  CHECK(timer.armed());
  turns(loop, 5);
  CHECK(count >= 4);
  CHECK(count <= 5);
}

TEST("a timer may cancel another that is due in the same turn") {
  Loop loop;
  bool fired = false;
  Timer second(loop, [&] { fired = true; });
  Timer first(loop, [&] { second.cancel(); });
  first.at(loop.now() + 1);
  second.at(loop.now() + 2);
  turns(loop, 3);
  CHECK(!fired);
}

TEST("a timer that goes away is not told") {
  Loop loop;
  bool fired = false;
  {
    Timer timer(loop, [&] { fired = true; });
    timer.in(0);
  }
  turns(loop, 3);
  CHECK(!fired);
}

TEST("a watcher hears of what it watches for and of nothing else") {
  Loop loop;
  const Pair pair;
  uint32_t heard = 0;
  Ear ear([&](uint32_t events) { heard = events; });
  CHECK(loop.watch(pair.ours.get(), 0, ear));
  pair.poke();
  turns(loop, 2);
  CHECK_EQ(heard, 0);
  loop.change(pair.ours.get(), EPOLLIN, ear);
  turns(loop, 2);
  CHECK_EQ(heard, uint32_t{EPOLLIN});
  loop.forget(pair.ours.get(), ear);
}

TEST("a watcher that watches for nothing hears of a hang-up") {
  Loop loop;
  Pair pair;
  uint32_t heard = 0;
  Ear ear([&](uint32_t events) { heard = events; });
  loop.watch(pair.ours.get(), 0, ear);
  pair.theirs.reset();
  turns(loop, 2);
  CHECK((heard & EPOLLHUP) != 0);
  loop.forget(pair.ours.get(), ear);
}

TEST("a descriptor that cannot be watched is refused") {
  Loop loop;
  Ear ear([](uint32_t) {});
  CHECK(!loop.watch(-1, EPOLLIN, ear));
}

TEST("a watcher forgotten in the turn in which it was to hear does not hear") {
  Loop loop;
  const Pair one;
  const Pair other;
  int heard = 0;
  std::unique_ptr<Ear> first;
  std::unique_ptr<Ear> second;
  first = std::make_unique<Ear>([&](uint32_t) {
    heard++;
    loop.forget(one.ours.get(), *first);
    loop.forget(other.ours.get(), *second);
    second.reset();
  });
  second = std::make_unique<Ear>([&](uint32_t) {
    heard++;
    loop.forget(one.ours.get(), *first);
    loop.forget(other.ours.get(), *second);
    first.reset();
  });
  loop.watch(one.ours.get(), EPOLLIN, *first);
  loop.watch(other.ours.get(), EPOLLIN, *second);
  one.poke();
  other.poke();
  turns(loop, 3);
  CHECK_EQ(heard, 1);
}

TEST("more descriptors than one turn takes are all heard") {
  Loop loop;
  std::vector<Pair> pairs(150);
  std::vector<std::unique_ptr<Ear>> ears;
  size_t heard = 0;
  for (const Pair& pair : pairs) {
    ears.push_back(std::make_unique<Ear>([&heard, &pair](uint32_t) {
      char byte = 0;
      if (recv(pair.ours.get(), &byte, 1, 0) == 1) heard++;
    }));
    loop.watch(pair.ours.get(), EPOLLIN, *ears.back());
    pair.poke();
  }
  turns(loop, 6);
  CHECK_EQ(heard, 150);
  for (size_t index = 0; index < pairs.size(); index++) loop.forget(pairs[index].ours.get(), *ears[index]);
}

TEST("a descriptor closed while another process could hold it is not heard once it was forgotten") {
  Loop loop;
  Pair pair;
  bool heard = false;
  Ear ear([&](uint32_t) { heard = true; });
  loop.watch(pair.ours.get(), EPOLLIN, ear);
  // The kernel keeps watching as long as the copy lives.
  const Fd copy(dup(pair.ours.get()));
  loop.forget(pair.ours.get(), ear);
  pair.ours.reset();
  pair.poke();
  turns(loop, 2);
  CHECK(!heard);
}
