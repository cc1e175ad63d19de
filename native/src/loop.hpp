// One epoll loop with timers. It knows descriptors and times, nothing else.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "fd.hpp"

namespace weir {

// Microseconds of CLOCK_MONOTONIC.
using Time = uint64_t;
constexpr Time kMillisecond = 1000;
constexpr Time kSecond = 1000 * kMillisecond;

// Told when a descriptor is ready.
class Watcher {
 public:
  virtual void ready(uint32_t events) = 0;

 protected:
  ~Watcher() = default;
};

class Loop;

// A moment at which something is done. Owned by whoever waits; cancels itself when it goes.
class Timer {
 public:
  Timer(Loop& loop, std::function<void()> action) : loop_(loop), action_(std::move(action)) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() { cancel(); }

  void at(Time when);
  void in(Time delay);
  void cancel();
  bool armed() const { return place_ != kNowhere; }

 private:
  friend class Loop;
  static constexpr size_t kNowhere = SIZE_MAX;

  Loop& loop_;
  std::function<void()> action_;
  Time when_ = 0;
  size_t place_ = kNowhere;  // Index in the loop's heap.
};

class Loop {
 public:
  // So many are told in one turn.
  static constexpr size_t kEvents = 64;

  Loop();

  // Watches a descriptor; `events` may be 0: errors and hang-ups are told all the same. False when the kernel refuses.
  bool watch(int fd, uint32_t events, Watcher& watcher);
  void change(int fd, uint32_t events, Watcher& watcher);
  // Must be called before the descriptor is closed: the socket may live on in another process.
  void forget(int fd, const Watcher& watcher);

  // The time at which this turn began.
  Time now() const { return now_; }
  static Time clock();

  // A loop of descriptors alone may be watched by another one: readable when one of its own is ready,
  int fd() const { return epoll_.get(); }
  // and then told to see to them, at most kEvents. Returns how many there were; it does not wait.
  size_t poll();

  // Turns until stop(), and may be run again. `after_turn` runs at the end of each turn, when nothing of the loop is on the
  // stack.
  void run(const std::function<void()>& after_turn);
  void stop() { running_ = false; }

 private:
  friend class Timer;
  void turn();
  void wait();
  void tell();
  void fire();
  void insert(Timer& timer);
  void remove(Timer& timer);
  void put(size_t place, Timer* timer);
  void rise(size_t place);
  void sink(size_t place);

  Fd epoll_;
  bool running_ = true;
  Time now_ = 0;
  std::array<epoll_event, kEvents> events_{};
  int ready_ = 0;               // Events of this turn.
  int next_ = 0;                // The first one not yet told.
  std::vector<Timer*> heap_{};  // The soonest first.
};

}  // namespace weir
