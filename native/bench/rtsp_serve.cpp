// Serves test channels by RTSP on an absolute schedule, as live streams: /s0, /s1 … Each session gets the same packets at the same
// instants. Reports, as one line of JSON, what a session of each channel was due and whether it kept up.
//
//   rtsp_serve --channels 8 --mbps 40 --host 10.0.0.1 --start NS --end NS [--from NS --to NS] [--port 8554] [--way tcp|udp]
//
// It ends at `end`, or earlier when asked to by SIGTERM. Instants are CLOCK_MONOTONIC nanoseconds. `marked` has, for each channel, the
// video packets due in [from, to) to one session; `sessions` how many were played. One packet of RTP a call, as live servers send.
#include <sched.h>
#include <sys/epoll.h>

#include <csignal>
#include <memory>

#include "rtsp_session.hpp"

namespace {

using bench::RtspPlan;
using bench::RtspReport;
using bench::RtspSession;

volatile std::sig_atomic_t asked_to_end = 0;

// One loop for all: requests as they come, media every tick.
void run(int listener, const RtspPlan& plan, RtspReport& report) {
  std::vector<std::unique_ptr<RtspSession>> sessions;
  const int poll = epoll_create1(EPOLL_CLOEXEC);
  const auto watch = [poll](int fd, void* owner) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = owner;
    epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
  };
  watch(listener, nullptr);
  epoll_event events[64];
  for (int64_t now = bench::now_ns(); asked_to_end == 0 && now < plan.end; now = bench::now_ns()) {
    const int ready = epoll_wait(poll, events, 64, 0);
    for (int index = 0; index < ready; ++index) {
      if (auto* session = static_cast<RtspSession*>(events[index].data.ptr)) {
        session->read();
        continue;
      }
      const int fd = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (fd < 0) continue;
      sessions.push_back(std::make_unique<RtspSession>(fd, plan, report));
      watch(fd, sessions.back().get());
    }
    now = bench::now_ns();
    for (const auto& session : sessions) session->send_due(now);
    std::erase_if(sessions, [](const auto& session) { return session->over(); });
    bench::sleep_until(now + bench::kTick);
  }
  close(poll);
}

RtspPlan read_plan(const bench::Arguments& arguments) {
  RtspPlan plan{};
  plan.start = arguments.instant("start", bench::now_ns());
  plan.end = arguments.instant("end", plan.start + 10'000'000'000);
  plan.from = arguments.instant("from", plan.start);
  plan.to = arguments.instant("to", plan.end);
  plan.channels = static_cast<size_t>(std::max<int64_t>(1, arguments.integer("channels", 1)));
  plan.udp = arguments.text("way", "tcp") == "udp";
  const double mbps = arguments.number("mbps", 40);
  if (mbps <= 0) bench::give_up("--mbps must be above 0.");
  plan.period = static_cast<double>(bench::kMediaBytes) * 8e3 / mbps;
  plan.tables_every = std::max<int64_t>(1, static_cast<int64_t>(1e8 / plan.period));
  plan.host.sin_family = AF_INET;
  const std::string host = arguments.text("host", "127.0.0.1");
  if (inet_pton(AF_INET, host.c_str(), &plan.host.sin_addr) != 1) bench::give_up("--host must be an IPv4 address.");
  return plan;
}

}  // namespace

int main(int count, char** values) {
  const bench::Arguments arguments(count, values);
  // A source in the network is not held up by this machine's load; where that is not allowed, lateMs tells.
  const sched_param priority{.sched_priority = 1};
  sched_setscheduler(0, SCHED_FIFO, &priority);
  std::signal(SIGTERM, [](int) { asked_to_end = 1; });
  const RtspPlan plan = read_plan(arguments);
  const int listener = bench::open_socket(plan.host, SOCK_STREAM, static_cast<uint16_t>(arguments.integer("port", 8554)));
  if (listen(listener, 64) != 0) bench::give_up_errno("listen");
  RtspReport report;
  run(listener, plan, report);
  std::printf("{\"first\":%lld,\"datagrams\":%lld,\"lateMs\":%.3f,\"sessions\":%lld,\"marked\":[", static_cast<long long>(report.first),
              static_cast<long long>(report.datagrams), static_cast<double>(report.late) / 1e6,
              static_cast<long long>(report.sessions));
  for (size_t channel = 0; channel < plan.channels; ++channel) {
    std::printf("%s%lld", channel == 0 ? "" : ",", static_cast<long long>(plan.marked(channel)));
  }
  std::printf("]}\n");
  return 0;
}
