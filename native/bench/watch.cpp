// HTTP viewers that read everything and check it: TS sync, continuity of every PID, which marked packets arrived, first byte,
// first picture. Prints one line of JSON.
//
//   watch --port 5140 --end NS [--host 127.0.0.1] [--from NS --to NS] [--pace-us N] [--until end|media|picture]
//         [--stall-at NS --stall-ms N] PATH...
//
// One viewer a path; they connect one after another, `pace-us` microseconds apart. Packets stamped in [from, to) are marked, and errors
// count among them; `cpu` is what this process itself used then, in per cent: near 100 it, not the relay, was too slow.
// It ends at `end`, or when asked to by SIGTERM, or as soon as every viewer was closed; a viewer closes by itself when it has received
// media or a whole random-access picture, if `until` says so. A stall is the first viewer's: it reads nothing for that long.
#include <arpa/inet.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include <csignal>
#include <memory>

#include "viewer.hpp"

namespace {

using bench::Viewer;
using Viewers = std::vector<std::unique_ptr<Viewer>>;

// A full backlog drops a request to connect, and the kernel's own patience doubles each time.
constexpr int64_t kRetry = 250'000'000;

volatile std::sig_atomic_t asked_to_end = 0;

enum class Until { kEnd, kMedia, kPicture };

struct Plan {
  bench::Window window;
  int64_t end, pace, stall_at, stall_until;
  Until until;
  sockaddr_in address;
  std::string host;

  bool stalls(int64_t now) const { return now >= stall_at && now < stall_until; }
  bool satisfied(const Viewer& viewer) const {
    return (until == Until::kMedia && viewer.has_media()) || (until == Until::kPicture && viewer.has_picture());
  }
};

// The CPU of this process between two instants.
class Meter {
 public:
  explicit Meter(bench::Window window) : window_(window) {}

  void look(int64_t now) {
    if (now < window_.from || at_to_ > 0) return;
    if (now_from_ == 0) {
      now_from_ = now;
      at_from_ = used();
    } else if (now >= window_.to) {
      now_to_ = now;
      at_to_ = used();
    }
  }

  double percent() const {
    const auto elapsed = static_cast<double>(now_to_ - now_from_);
    return at_to_ == 0 || elapsed <= 0 ? 0 : static_cast<double>(at_to_ - at_from_) / elapsed * 100;
  }

 private:
  static int64_t used() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  }

  bench::Window window_;
  int64_t now_from_ = 0, now_to_ = 0, at_from_ = 0, at_to_ = 0;
};

class Watch {
 public:
  Watch(const Plan& plan, Viewers& viewers) : plan_(plan), viewers_(viewers), meter_(plan.window) {}

  void run() {
    const int64_t begun = bench::now_ns();
    for (int64_t now = begun; now < plan_.end && asked_to_end == 0; now = bench::now_ns()) {
      meter_.look(now);
      while (opened_ < viewers_.size() && now >= begun + static_cast<int64_t>(opened_) * plan_.pace) {
        ++left_;
        open(*viewers_[opened_++]);
      }
      retry(now);
      if (opened_ == viewers_.size() && left_ == 0) break;
      stall(plan_.stalls(now));
      turn();
    }
    close(poll_);
  }

  double cpu() const { return meter_.percent(); }

 private:
  void open(Viewer& viewer) {
    viewer.open(plan_.address);
    if (viewer.fd() < 0) {
      --left_;
    } else {
      listen_to(viewer, EPOLL_CTL_ADD, EPOLLOUT);
    }
  }

  void retry(int64_t now) {
    if (now < retry_at_) return;
    retry_at_ = now + kRetry;
    for (size_t index = 0; index < opened_; ++index) {
      if (viewers_[index]->connecting()) open(*viewers_[index]);
    }
  }

  void stall(bool wanted) {
    Viewer& first = *viewers_.front();
    if (wanted == stalled_ || first.fd() < 0) return;
    stalled_ = wanted;
    listen_to(first, wanted ? EPOLL_CTL_DEL : EPOLL_CTL_ADD, EPOLLIN);
  }

  void turn() {
    const int ready = epoll_wait(poll_, events_.data(), static_cast<int>(events_.size()), 5);
    for (int index = 0; index < ready; ++index) {
      Viewer& viewer = *static_cast<Viewer*>(events_[static_cast<size_t>(index)].data.ptr);
      if (viewer.asked()) {
        viewer.read(buffer_.get());
      } else {
        viewer.ask(plan_.host);
        if (viewer.fd() >= 0) listen_to(viewer, EPOLL_CTL_MOD, EPOLLIN);
      }
      if (plan_.satisfied(viewer)) viewer.close();
      if (viewer.fd() < 0) --left_;
    }
  }

  void listen_to(Viewer& viewer, int operation, uint32_t what) {
    epoll_event event{};
    event.events = what;
    event.data.ptr = &viewer;
    epoll_ctl(poll_, operation, viewer.fd(), &event);
  }

  const Plan& plan_;
  Viewers& viewers_;
  Meter meter_;
  size_t opened_ = 0;
  size_t left_ = 0;  // Opened and not closed.
  int64_t retry_at_ = 0;
  bool stalled_ = false;
  int poll_ = epoll_create1(EPOLL_CLOEXEC);
  std::unique_ptr<uint8_t[]> buffer_{new uint8_t[Viewer::kBuffer]};
  std::array<epoll_event, 1024> events_{};
};

Until read_until(const std::string& text) {
  if (text == "end") return Until::kEnd;
  if (text == "media") return Until::kMedia;
  if (text == "picture") return Until::kPicture;
  bench::give_up("--until must be end, media or picture.");
}

Plan read_plan(const bench::Arguments& arguments) {
  Plan plan{};
  plan.window = {.from = arguments.instant("from", INT64_MAX), .to = arguments.instant("to", INT64_MAX)};
  plan.end = arguments.instant("end", bench::now_ns() + 10'000'000'000);
  plan.pace = arguments.integer("pace-us", 0) * 1000;
  plan.stall_at = arguments.instant("stall-at", 0);
  plan.stall_until = plan.stall_at + arguments.integer("stall-ms", 0) * 1'000'000;
  plan.until = read_until(arguments.text("until", "end"));
  const std::string host = arguments.text("host", "127.0.0.1");
  const auto port = static_cast<uint16_t>(arguments.integer("port", 5140));
  plan.address.sin_family = AF_INET;
  plan.address.sin_port = htons(port);
  if (inet_pton(AF_INET, host.c_str(), &plan.address.sin_addr) != 1) bench::give_up("--host must be an IPv4 address.");
  plan.host = host + ":" + std::to_string(port);
  return plan;
}

// As many descriptors as there are viewers; beyond the hard limit only root may go.
void allow_descriptors(size_t viewers) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t wanted = viewers + 64;
  if (limit.rlim_cur >= wanted) return;
  limit.rlim_cur = wanted;
  limit.rlim_max = std::max(limit.rlim_max, wanted);
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) bench::give_up_errno(std::to_string(wanted) + " descriptors");
}

}  // namespace

int main(int count, char** values) {
  const bench::Arguments arguments(count, values);
  if (arguments.rest().empty()) bench::give_up("Name at least one path to watch.");
  const Plan plan = read_plan(arguments);
  allow_descriptors(arguments.rest().size());
  std::signal(SIGTERM, [](int) { asked_to_end = 1; });

  Viewers viewers;
  for (const std::string& path : arguments.rest()) viewers.push_back(std::make_unique<Viewer>(path, plan.window));
  Watch watch(plan, viewers);
  watch.run();

  std::printf("{\"cpu\":%.2f,\"viewers\":[", watch.cpu());
  for (const auto& viewer : viewers) {
    if (viewer != viewers.front()) std::printf(",");
    viewer->print();
  }
  std::printf("]}\n");
  return 0;
}
