#include "loop.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
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

// From here on a system call fails with an error in this process.
bool forbid(uint32_t call, uint32_t error) {
  std::array<sock_filter, 4> code{{
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, call},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  }};
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Whether a loop hears, and sleeps until its timer.
bool loop_works() {
  Loop loop;
  const Pair pair;
  bool heard = false;
  Ear ear([&](uint32_t) {
    heard = true;
    loop.change(pair.ours.get(), 0, ear);
  });
  loop.watch(pair.ours.get(), EPOLLIN, ear);
  pair.poke();
  Timer end(loop, [&] { loop.stop(); });
  const Time begin = Loop::clock();
  end.in(20 * kMillisecond);
  int turns = 0;
  loop.run([&] { turns++; });
  loop.forget(pair.ours.get(), ear);
  return heard && turns < 10 && Loop::clock() >= begin + 20 * kMillisecond;
}

}  // namespace

TEST("where the kernel does not know epoll_pwait2, or is told to forbid it, the loop works all the same") {
  for (const uint32_t error : {ENOSYS, EPERM}) {
    const pid_t child = fork();
    if (child == 0) _exit(forbid(SYS_epoll_pwait2, error) && loop_works() ? 0 : 1);
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
  }
}

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
