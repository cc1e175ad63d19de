#include "loop.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace weir {
namespace {

// The longest that epoll_wait() is asked to wait: its milliseconds are an int.
constexpr Time kHour = 3600 * kSecond;

}  // namespace

void Timer::at(Time when) {
  cancel();
  when_ = when;
  loop_.insert(*this);
}

void Timer::in(Time delay) { at(loop_.now() + delay); }

void Timer::cancel() {
  if (armed()) loop_.remove(*this);
}

Loop::Loop() : epoll_(epoll_create1(EPOLL_CLOEXEC)), now_(clock()) {
  if (!epoll_) {
    std::perror("weir-pump: epoll_create1");
    std::exit(40);
  }
}

Time Loop::clock() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<Time>(time.tv_sec) * kSecond + static_cast<Time>(time.tv_nsec) / 1000;
}

bool Loop::watch(int fd, uint32_t events, Watcher& watcher) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &watcher;
  return epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

void Loop::change(int fd, uint32_t events, Watcher& watcher) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &watcher;
  epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event);
}

void Loop::forget(int fd, const Watcher& watcher) {
  epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
  for (int index = next_; index < ready_; index++) {
    epoll_event& event = events_[static_cast<size_t>(index)];
    if (event.data.ptr == &watcher) event.data.ptr = nullptr;
  }
}

void Loop::run(const std::function<void()>& after_turn) {
  while (running_) {
    turn();
    after_turn();
  }
  running_ = true;
}

void Loop::turn() {
  wait();
  now_ = clock();
  tell();
  fire();
}

size_t Loop::poll() {
  ready_ = std::max(0, epoll_wait(epoll_.get(), events_.data(), static_cast<int>(events_.size()), 0));
  const auto count = static_cast<size_t>(ready_);
  tell();
  return count;
}

void Loop::tell() {
  for (next_ = 0; next_ < ready_;) {
    const epoll_event event = events_[static_cast<size_t>(next_++)];
    if (event.data.ptr != nullptr) static_cast<Watcher*>(event.data.ptr)->ready(event.events);
  }
}

void Loop::wait() {
  const int most = static_cast<int>(events_.size());
  if (heap_.empty()) {
    ready_ = epoll_wait(epoll_.get(), events_.data(), most, -1);
  } else {
    const Time time = clock();
    const Time left = heap_.front()->when_ > time ? heap_.front()->when_ - time : 0;
    timespec limit{};
    limit.tv_sec = static_cast<time_t>(left / kSecond);
    limit.tv_nsec = static_cast<long>(left % kSecond * 1000);
    ready_ = epoll_pwait2(epoll_.get(), events_.data(), most, &limit, nullptr);
    // Kernels before 5.11 know no epoll_pwait2, and what confines this process may forbid what it does not know.
    if (ready_ < 0 && errno != EINTR) {
      ready_ = epoll_wait(epoll_.get(), events_.data(), most, static_cast<int>((std::min(left, kHour) + 999) / 1000));
    }
  }
  if (ready_ < 0) ready_ = 0;
}

// Only what was due when it began is fired, so a timer that sets itself again cannot hold the turn.
void Loop::fire() {
  const Time limit = now_;
  while (!heap_.empty() && heap_.front()->when_ <= limit) {
    Timer& timer = *heap_.front();
    remove(timer);
    timer.action_();
  }
}

void Loop::insert(Timer& timer) {
  // A timer for now or before goes off in the next turn.
  if (timer.when_ <= now_) timer.when_ = now_ + 1;
  heap_.push_back(&timer);
  timer.place_ = heap_.size() - 1;
  rise(timer.place_);
}

void Loop::remove(Timer& timer) {
  const size_t place = timer.place_;
  timer.place_ = Timer::kNowhere;
  Timer* last = heap_.back();
  heap_.pop_back();
  if (place == heap_.size()) return;
  put(place, last);
  rise(place);
  sink(last->place_);
}

void Loop::put(size_t place, Timer* timer) {
  heap_[place] = timer;
  timer->place_ = place;
}

void Loop::rise(size_t place) {
  Timer* timer = heap_[place];
  while (place > 0 && timer->when_ < heap_[(place - 1) / 2]->when_) {
    put(place, heap_[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  put(place, timer);
}

void Loop::sink(size_t place) {
  Timer* timer = heap_[place];
  for (size_t child = 2 * place + 1; child < heap_.size(); child = 2 * place + 1) {
    if (child + 1 < heap_.size() && heap_[child + 1]->when_ < heap_[child]->when_) child++;
    if (timer->when_ <= heap_[child]->when_) break;
    put(place, heap_[child]);
    place = child;
  }
  put(place, timer);
}

}  // namespace weir
