// HTTP viewers that read everything and check it: TS sync, continuity of every PID, which marked packets arrived, first byte.
//
//   watch --port 5140 --end NS [--host 127.0.0.1] [--from NS --to NS] [--stall-at NS --stall-ms N] PATH...
//
// One viewer a path. Packets stamped in [from, to) are marked, and errors count among them. It ends at `end` or, where
// no window is given, as soon as every viewer has received a video packet or was closed. A stall is the first viewer's: it reads nothing for that long.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>

#include "media.hpp"
#include "tool.hpp"

namespace {

constexpr size_t kBuffer = 256 * 1024;
constexpr size_t kLongestHead = 16 * 1024;

struct Window {
  int64_t from, to;
};

// The checks on one body, fed in pieces of any size.
class Checker {
 public:
  explicit Checker(Window window) : window_(window) { counters_.fill(-1); }

  // Reads whole packets and says how many bytes it used; the rest is the start of a packet not yet complete.
  size_t read(const uint8_t* bytes, size_t size) {
    size_t at = 0;
    while (size - at >= bench::kPacket) {
      if (bytes[at] == 0x47) {
        packet(bytes + at);
        at += bench::kPacket;
        synced_ = true;
        continue;
      }
      if (synced_ && in_window()) ++sync_errors;
      synced_ = false;
      ++at;
    }
    return at;
  }

  int64_t marked = 0, continuity_errors = 0, sync_errors = 0, latest = -1;

 private:
  // By the newest stamp seen: what other PIDs carry was due about then.
  bool in_window() const { return latest >= window_.from && latest < window_.to; }

  void packet(const uint8_t* bytes) {
    const auto pid = static_cast<uint16_t>((bytes[1] & 0x1f) << 8 | bytes[2]);
    if (pid == bench::kVideoPid) latest = bench::stamp_of(bytes);
    if (pid == bench::kVideoPid && in_window()) ++marked;
    const bool payload = (bytes[3] & 0x10) != 0;
    const bool discontinuity = (bytes[3] & 0x20) != 0 && bytes[4] > 0 && (bytes[5] & 0x80) != 0;
    const auto counter = static_cast<int8_t>(bytes[3] & 15);
    if (pid != 0x1fff && payload) {
      const int8_t last = counters_[pid];
      if (in_window() && last >= 0 && !discontinuity && counter != ((last + 1) & 15)) ++continuity_errors;
      counters_[pid] = counter;
    }
  }

  Window window_;
  std::array<int8_t, 8192> counters_{};
  bool synced_ = true;
};

class Viewer {
 public:
  Viewer(std::string path, Window window) : path_(std::move(path)), window_(window), checker_(window) {}

  void connect(const sockaddr_in& address, const std::string& host) {
    fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd_ < 0) bench::give_up_errno("socket");
    connected_ = bench::now_ns();
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) bench::give_up_errno("connect");
    const std::string request = "GET " + path_ + " HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: weir-bench\r\nAccept: */*\r\n\r\n";
    if (send(fd_, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size())) {
      bench::give_up_errno("send");
    }
    fcntl(fd_, F_SETFL, O_NONBLOCK);
  }

  // Reads what is there, once; `buffer` is lent by the loop and holds nothing between two calls.
  void read(uint8_t* buffer) {
    std::copy(rest_.begin(), rest_.end(), buffer);
    const ssize_t got = recv(fd_, buffer + rest_.size(), kBuffer - rest_.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) return close();
    const int64_t now = bench::now_ns();
    const size_t size = rest_.size() + static_cast<size_t>(got);
    const size_t start = status_ == 0 ? head(buffer, size) : 0;
    size_t used = start;
    if (status_ != 0 && size > start) {
      if (first_ == 0) first_ = now;
      bytes_ += static_cast<int64_t>(start > 0 ? size - start : static_cast<size_t>(got));
      used += checker_.read(buffer + start, size - start);
    }
    rest_.assign(buffer + used, buffer + size);
  }

  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

  int fd() const { return fd_; }
  bool started_or_closed() const { return fd_ < 0 || checker_.latest > 0; }

  void print() const {
    std::printf("{\"path\":\"%s\",\"status\":%d,\"connected\":%lld,\"first\":%lld,\"bytes\":%lld,\"marked\":%lld,"
                "\"continuityErrors\":%lld,\"syncErrors\":%lld,\"closed\":%s}",
                path_.c_str(), status_, wide(connected_), wide(first_), wide(bytes_), wide(checker_.marked),
                wide(checker_.continuity_errors), wide(checker_.sync_errors), fd_ < 0 ? "true" : "false");
  }

 private:
  static long long wide(int64_t value) { return value; }

  // The bytes of a complete response head, or 0 while it is incomplete.
  size_t head(const uint8_t* bytes, size_t size) {
    const std::string text(reinterpret_cast<const char*>(bytes), std::min(size, kLongestHead));
    const size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos) {
      if (size >= kLongestHead) close();
      return 0;
    }
    const size_t space = text.find(' ');
    status_ = space < end ? std::max(std::atoi(text.c_str() + space), 1) : 1;
    return end + 4;
  }

  std::string path_;
  Window window_;
  Checker checker_;
  // Bytes of a head or of a packet that is not complete yet.
  std::vector<uint8_t> rest_;
  int fd_ = -1;
  int status_ = 0;
  int64_t connected_ = 0, first_ = 0, bytes_ = 0;
};

struct Stall {
  int64_t at, until;
  bool holds(int64_t now) const { return now >= at && now < until; }
};

void listen_to(int poll, Viewer& viewer, int operation) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = &viewer;
  epoll_ctl(poll, operation, viewer.fd(), &event);
}

bool all_started(const std::vector<std::unique_ptr<Viewer>>& viewers) {
  return std::all_of(viewers.begin(), viewers.end(), [](const auto& viewer) { return viewer->started_or_closed(); });
}

void watch(std::vector<std::unique_ptr<Viewer>>& viewers, Window window, int64_t end, Stall stall) {
  const int poll = epoll_create1(EPOLL_CLOEXEC);
  for (auto& viewer : viewers) listen_to(poll, *viewer, EPOLL_CTL_ADD);
  const std::unique_ptr<uint8_t[]> buffer(new uint8_t[kBuffer]);
  std::array<epoll_event, 64> events{};
  bool stalled = false;
  for (int64_t now = bench::now_ns(); now < end; now = bench::now_ns()) {
    if (window.to == 0 && all_started(viewers)) break;
    Viewer& first = *viewers.front();
    if (stall.holds(now) != stalled && first.fd() >= 0) {
      stalled = !stalled;
      listen_to(poll, first, stalled ? EPOLL_CTL_DEL : EPOLL_CTL_ADD);
    }
    const int ready = epoll_wait(poll, events.data(), static_cast<int>(events.size()), 5);
    for (int index = 0; index < ready; ++index) {
      static_cast<Viewer*>(events[static_cast<size_t>(index)].data.ptr)->read(buffer.get());
    }
  }
  close(poll);
}

}  // namespace

int main(int count, char** values) {
  const bench::Arguments arguments(count, values);
  const Window window{.from = arguments.instant("from", 0), .to = arguments.instant("to", 0)};
  const std::string host = arguments.text("host", "127.0.0.1");
  const auto port = static_cast<uint16_t>(arguments.integer("port", 5140));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) bench::give_up("--host must be an IPv4 address.");
  if (arguments.rest().empty()) bench::give_up("Name at least one path to watch.");

  std::vector<std::unique_ptr<Viewer>> viewers;
  for (const std::string& path : arguments.rest()) viewers.push_back(std::make_unique<Viewer>(path, window));
  for (auto& viewer : viewers) viewer->connect(address, host + ":" + std::to_string(port));
  const int64_t stall_at = arguments.instant("stall-at", 0);
  const Stall stall{.at = stall_at, .until = stall_at + arguments.integer("stall-ms", 0) * 1'000'000};
  watch(viewers, window, arguments.instant("end", bench::now_ns() + 10'000'000'000), stall);

  std::printf("[");
  for (size_t index = 0; index < viewers.size(); ++index) {
    if (index > 0) std::printf(",");
    viewers[index]->print();
  }
  std::printf("]\n");
  return 0;
}
