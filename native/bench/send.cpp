// Sends test channels by multicast on an absolute schedule and reports, as one line of JSON, what it sent and whether it kept up.
//
//   send --groups 8 --mbps 40 --interface 10.0.0.1 --start NS --end NS [--from NS --to NS] [--first 239.81.0.1] [--port 4056]
//
// It ends at `end`, or earlier when asked to by SIGTERM. Instants are CLOCK_MONOTONIC nanoseconds. The groups take turns within the time of one
// datagram, as sources that know nothing of each other do. `marked` has, for each group, the video packets due in [from, to).
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>

#include <algorithm>
#include <csignal>

#include "media.hpp"
#include "tool.hpp"

namespace {

constexpr int64_t kTick = 1'000'000;
constexpr int64_t kTables = 100'000'000;
constexpr size_t kBatch = 64;
constexpr size_t kDatagram = bench::kRtpHeader + bench::kMediaBytes;

volatile std::sig_atomic_t asked_to_end = 0;

struct Plan {
  int64_t start, end, from, to;
  // Nanoseconds between two datagrams of one group.
  double period;

  // When a group's datagram is due; `phase` is the group's place among the others, from 0 to 1.
  int64_t due(int64_t index, double phase) const {
    return start + static_cast<int64_t>((static_cast<double>(index) + phase) * period);
  }
};

struct Report {
  int64_t first = 0, late = 0, datagrams = 0;
};

// One group: its address, its programme, its RTP numbers and how far it has come.
class Channel {
 public:
  Channel(uint32_t address, uint16_t port, uint32_t ssrc, double at) : phase(at), ssrc_(ssrc) {
    to_.sin_family = AF_INET;
    to_.sin_addr.s_addr = htonl(address);
    to_.sin_port = htons(port);
  }

  sockaddr_in& address() { return to_; }

  // Fills one datagram that is due at `stamp` and says how many video packets it holds.
  int64_t fill(uint8_t* datagram, int64_t stamp) {
    rtp(datagram, stamp);
    uint8_t* packet = datagram + bench::kRtpHeader;
    size_t tables = 0;
    if (stamp >= next_tables_) {
      programme_.table(packet, true);
      programme_.table(packet + bench::kPacket, false);
      next_tables_ = stamp + kTables;
      tables = 2;
    }
    for (size_t index = tables; index < bench::kPacketsPerDatagram; ++index) {
      programme_.video(packet + index * bench::kPacket, stamp);
    }
    return static_cast<int64_t>(bench::kPacketsPerDatagram - tables);
  }

  double phase;
  int64_t sent = 0, marked = 0;

 private:
  // RFC 3550 §5.1, payload type 33 (MP2T), a 90 kHz clock.
  void rtp(uint8_t* header, int64_t stamp) {
    const uint16_t sequence = htons(sequence_++);
    const uint32_t time = htonl(static_cast<uint32_t>(stamp / 100 * 9 / 1000));
    const uint32_t ssrc = htonl(ssrc_);
    header[0] = 0x80;
    header[1] = 33;
    std::memcpy(header + 2, &sequence, 2);
    std::memcpy(header + 4, &time, 4);
    std::memcpy(header + 8, &ssrc, 4);
  }

  sockaddr_in to_{};
  bench::Programme programme_;
  int64_t next_tables_ = 0;
  uint32_t ssrc_;
  uint16_t sequence_ = 0;
};

int open_socket(const std::string& interface, int ttl) {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) bench::give_up_errno("socket");
  const int buffer = 8 << 20;
  setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &buffer, sizeof buffer);
  setsockopt(fd, IPPROTO_IP, IP_MULTICAST_TTL, &ttl, sizeof ttl);
  in_addr address{};
  if (inet_pton(AF_INET, interface.c_str(), &address) != 1) bench::give_up("--interface must be an IPv4 address.");
  if (setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &address, sizeof address) != 0) bench::give_up_errno(interface);
  return fd;
}

class Sender {
 public:
  Sender(int fd, const Plan& plan) : fd_(fd), plan_(plan) {
    for (size_t index = 0; index < kBatch; ++index) {
      parts_[index] = {.iov_base = buffers_[index], .iov_len = kDatagram};
      messages_[index].msg_hdr.msg_iov = &parts_[index];
      messages_[index].msg_hdr.msg_iovlen = 1;
    }
  }

  Report run(std::vector<Channel>& channels) {
    bench::sleep_until(plan_.start);
    int64_t next = plan_.start;
    while (asked_to_end == 0 && next < plan_.end) {
      const int64_t now = bench::now_ns();
      next = INT64_MAX;
      for (Channel& channel : channels) {
        send(channel, now);
        next = std::min(next, plan_.due(channel.sent, channel.phase));
      }
      flush();
      if (next < plan_.end) bench::sleep_until(std::max(now + kTick, next + 1000));
    }
    return report_;
  }

 private:
  // Queues what is due. After a late wake-up it catches up at twice the rate: a burst would test buffers, not relays.
  void send(Channel& channel, int64_t now) {
    const auto most = 2 * (static_cast<int64_t>(static_cast<double>(kTick) / plan_.period) + 1);
    for (int64_t count = 0; count < most; ++count) {
      const int64_t stamp = plan_.due(channel.sent, channel.phase);
      if (stamp > now || stamp >= plan_.end) return;
      if (count == 0) report_.late = std::max(report_.late, now - stamp);
      ++channel.sent;
      const int64_t video = channel.fill(buffers_[queued_], stamp);
      if (stamp >= plan_.from && stamp < plan_.to) channel.marked += video;
      messages_[queued_].msg_hdr.msg_name = &channel.address();
      messages_[queued_].msg_hdr.msg_namelen = sizeof(sockaddr_in);
      if (++queued_ == kBatch) flush();
    }
  }

  void flush() {
    if (report_.first == 0 && queued_ > 0) report_.first = bench::now_ns();
    for (size_t done = 0; done < queued_;) {
      const int sent = sendmmsg(fd_, &messages_[done], static_cast<unsigned>(queued_ - done), 0);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) bench::give_up_errno("sendmmsg");
      done += static_cast<size_t>(sent);
    }
    report_.datagrams += static_cast<int64_t>(queued_);
    queued_ = 0;
  }

  int fd_;
  Plan plan_;
  Report report_;
  size_t queued_ = 0;
  uint8_t buffers_[kBatch][kDatagram]{};
  iovec parts_[kBatch]{};
  mmsghdr messages_[kBatch]{};
};

Plan read_plan(const bench::Arguments& arguments) {
  Plan plan{};
  plan.start = arguments.instant("start", bench::now_ns());
  plan.end = arguments.instant("end", plan.start + 10'000'000'000);
  plan.from = arguments.instant("from", plan.start);
  plan.to = arguments.instant("to", plan.end);
  const double mbps = arguments.number("mbps", 40);
  if (mbps <= 0) bench::give_up("--mbps must be above 0.");
  plan.period = static_cast<double>(bench::kMediaBytes) * 8e3 / mbps;
  return plan;
}

std::vector<Channel> read_channels(const bench::Arguments& arguments) {
  in_addr first{};
  if (inet_pton(AF_INET, arguments.text("first", "239.81.0.1").c_str(), &first) != 1) {
    bench::give_up("--first must be an IPv4 group.");
  }
  const auto port = static_cast<uint16_t>(arguments.integer("port", 4056));
  const auto groups = static_cast<uint32_t>(arguments.integer("groups", 1));
  std::vector<Channel> channels;
  for (uint32_t group = 0; group < groups; ++group) {
    channels.emplace_back(ntohl(first.s_addr) + group, port, 0x57450000u + group, static_cast<double>(group) / groups);
  }
  return channels;
}

}  // namespace

int main(int count, char** values) {
  const bench::Arguments arguments(count, values);
  // A source in the network is not held up by this machine's load; where that is not allowed, lateMs tells.
  const sched_param priority{.sched_priority = 1};
  sched_setscheduler(0, SCHED_FIFO, &priority);
  std::signal(SIGTERM, [](int) { asked_to_end = 1; });
  const Plan plan = read_plan(arguments);
  std::vector<Channel> channels = read_channels(arguments);
  const int fd = open_socket(arguments.text("interface", "127.0.0.1"), static_cast<int>(arguments.integer("ttl", 1)));
  Sender sender(fd, plan);
  const Report report = sender.run(channels);
  std::printf("{\"first\":%lld,\"datagrams\":%lld,\"lateMs\":%.3f,\"marked\":[", static_cast<long long>(report.first),
              static_cast<long long>(report.datagrams), static_cast<double>(report.late) / 1e6);
  for (const Channel& channel : channels) {
    std::printf("%s%lld", &channel == channels.data() ? "" : ",", static_cast<long long>(channel.marked));
  }
  std::printf("]}\n");
  return 0;
}
