// One connection of the bench's RTSP server and what it plays: live channels on one schedule, so that each session gets the same packets
// at the same instants.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "media.hpp"
#include "tool.hpp"

namespace bench {

inline constexpr int64_t kTick = 1'000'000;

struct RtspPlan {
  int64_t start, end, from, to;
  // Nanoseconds between two datagrams of one channel, and datagrams between two PAT and PMT.
  double period;
  int64_t tables_every;
  size_t channels;
  bool udp;
  sockaddr_in host;

  int64_t due(int64_t index, size_t channel) const {
    const double phase = static_cast<double>(channel) / static_cast<double>(channels);
    return start + static_cast<int64_t>((static_cast<double>(index) + phase) * period);
  }
  int64_t next(int64_t now, size_t channel) const {
    auto index = static_cast<int64_t>(static_cast<double>(now - start) / period);
    while (due(index, channel) < now) ++index;
    return index;
  }
  size_t tables(int64_t index) const { return index % tables_every == 0 ? 2 : 0; }
  // What a session that lasts through the window is due in it.
  int64_t marked(size_t channel) const {
    int64_t video = 0;
    for (int64_t index = next(from, channel); due(index, channel) < to; ++index) {
      video += static_cast<int64_t>(kPacketsPerDatagram - tables(index));
    }
    return video;
  }
};

struct RtspReport {
  int64_t first = 0, late = 0, datagrams = 0, sessions = 0;
};

inline int open_socket(const sockaddr_in& host, int type, uint16_t port) {
  const int fd = socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) give_up_errno("socket");
  const int yes = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in at = host;
  at.sin_port = htons(port);
  if (bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) give_up_errno("bind");
  return fd;
}

// One connection of a client, with the one session that it may have.
class RtspSession {
 public:
  RtspSession(int fd, const RtspPlan& plan, RtspReport& report) : fd_(fd), plan_(plan), report_(report) {
    const int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }
  RtspSession(const RtspSession&) = delete;
  RtspSession& operator=(const RtspSession&) = delete;
  ~RtspSession() {
    close(fd_);
    if (udp_ >= 0) close(udp_);
  }

  int fd() const { return fd_; }
  bool over() const { return over_; }

  // Takes requests; what is interleaved, reports, is thrown away.
  void read() {
    char bytes[4096];
    for (;;) {
      const ssize_t count = recv(fd_, bytes, sizeof bytes, 0);
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) over_ = true;
      if (count <= 0) break;
      in_.append(bytes, static_cast<size_t>(count));
    }
    while (take()) {
    }
  }

  // Sends what is due. After a late wake-up it catches up at twice the rate: a burst would test buffers, not relays.
  void send_due(int64_t now) {
    if (!playing_ || over_) return;
    const auto most = 2 * (static_cast<int64_t>(static_cast<double>(kTick) / plan_.period) + 1);
    for (int64_t count = 0; count < most && flush(); ++count) {
      const int64_t stamp = plan_.due(index_, channel_);
      if (stamp > now || stamp >= plan_.end) return;
      report_.late = std::max(report_.late, now - stamp);
      if (report_.first == 0) report_.first = now;
      ++report_.datagrams;
      fill(stamp);
      if (plan_.udp) {
        sendto(udp_, frame_ + 4, kDatagram, 0, reinterpret_cast<const sockaddr*>(&to_), sizeof to_);
      } else {
        out_.assign(reinterpret_cast<const char*>(frame_), kFrame);
      }
      ++index_;
    }
    flush();
  }

 private:
  static constexpr size_t kDatagram = kRtpHeader + kMediaBytes;
  static constexpr size_t kFrame = 4 + kDatagram;

  bool take() {
    if (in_.size() >= 4 && in_[0] == '$') {
      const size_t size = 4 + (static_cast<size_t>(static_cast<uint8_t>(in_[2])) << 8 | static_cast<uint8_t>(in_[3]));
      if (in_.size() < size) return false;
      in_.erase(0, size);
      return true;
    }
    const size_t end = in_.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    answer(in_.substr(0, end + 2));
    in_.erase(0, end + 4);
    return true;
  }

  static std::string field(const std::string& text, const std::string& name, char until) {
    const size_t at = text.find(name);
    if (at == std::string::npos) return "";
    const size_t begin = at + name.size();
    return text.substr(begin, text.find(until, begin) - begin);
  }

  void answer(const std::string& request) {
    const std::string method = request.substr(0, request.find(' '));
    const std::string url = request.substr(method.size() + 1, request.find(' ', method.size() + 1) - method.size() - 1);
    if (method == "OPTIONS") return say("200 OK", request, "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, GET_PARAMETER\r\n");
    if (method == "DESCRIBE") return describe(request, url);
    if (method == "SETUP") return setup(request);
    say("200 OK", request, "Session: 1\r\n");
    if (method == "PLAY" && !playing_) {
      playing_ = true;
      ++report_.sessions;
      index_ = plan_.next(now_ns(), channel_);
    }
    if (method == "TEARDOWN") playing_ = false;
  }

  void describe(const std::string& request, const std::string& url) {
    channel_ = static_cast<size_t>(std::max(0, std::atoi(field(url, "/s", '/').c_str()))) % plan_.channels;
    const std::string sdp = "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=bench\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=rtpmap:33 MP2T/90000\r\n"
                            "a=control:trackID=1\r\n";
    say("200 OK", request, "Content-Type: application/sdp\r\nContent-Length: " + std::to_string(sdp.size()) + "\r\n", sdp);
  }

  void setup(const std::string& request) {
    const std::string ports = field(request, "client_port=", '-');
    const bool tcp = request.find("interleaved=") != std::string::npos;
    if (plan_.udp ? ports.empty() : !tcp) return say("461 Unsupported Transport", request, "");
    if (!plan_.udp) return say("200 OK", request, "Session: 1\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n");
    socklen_t size = sizeof to_;
    getpeername(fd_, reinterpret_cast<sockaddr*>(&to_), &size);
    to_.sin_port = htons(static_cast<uint16_t>(std::atoi(ports.c_str())));
    if (udp_ < 0) udp_ = open_socket(plan_.host, SOCK_DGRAM, 0);
    sockaddr_in own{};
    size = sizeof own;
    getsockname(udp_, reinterpret_cast<sockaddr*>(&own), &size);
    const std::string from = std::to_string(ntohs(own.sin_port)) + "-" + std::to_string(ntohs(own.sin_port) + 1);
    const std::string mine = ports + "-" + std::to_string(std::atoi(ports.c_str()) + 1);
    say("200 OK", request, "Session: 1\r\nTransport: RTP/AVP;unicast;client_port=" + mine + ";server_port=" + from + "\r\n");
  }

  void say(const std::string& status, const std::string& request, const std::string& fields, const std::string& body = "") {
    const std::string number = field(request, "CSeq:", '\r');
    out_ += "RTSP/1.0 " + status + "\r\nCSeq:" + number + "\r\n" + fields + "\r\n" + body;
    flush();
  }

  // False while the client takes no more.
  bool flush() {
    while (!out_.empty()) {
      const ssize_t count = send(fd_, out_.data(), out_.size(), MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno != EAGAIN) over_ = true;
      if (count < 0) return false;
      out_.erase(0, static_cast<size_t>(count));
    }
    return true;
  }

  // RFC 2326 §10.12, RFC 3550 §5.1: payload type 33 (MP2T), a 90 kHz clock.
  void fill(int64_t stamp) {
    const uint16_t size = htons(kDatagram), sequence = htons(sequence_++);
    const uint32_t time = htonl(static_cast<uint32_t>(stamp / 100 * 9 / 1000));
    const uint32_t ssrc = htonl(0x57450000u + static_cast<uint32_t>(channel_));
    frame_[0] = '$';
    frame_[1] = 0;
    std::memcpy(frame_ + 2, &size, 2);
    frame_[4] = 0x80;
    frame_[5] = 33;
    std::memcpy(frame_ + 6, &sequence, 2);
    std::memcpy(frame_ + 8, &time, 4);
    std::memcpy(frame_ + 12, &ssrc, 4);
    uint8_t* packet = frame_ + 4 + kRtpHeader;
    const size_t tables = plan_.tables(index_);
    for (size_t at = 0; at < tables; ++at) programme_.table(packet + at * kPacket, at == 0);
    for (size_t at = tables; at < kPacketsPerDatagram; ++at) programme_.video(packet + at * kPacket, stamp);
  }

  int fd_;
  const RtspPlan& plan_;
  RtspReport& report_;
  int udp_ = -1;
  sockaddr_in to_{};
  std::string in_, out_;
  bool playing_ = false, over_ = false;
  size_t channel_ = 0;
  int64_t index_ = 0;
  uint16_t sequence_ = 0;
  Programme programme_;
  uint8_t frame_[kFrame]{};
};

}  // namespace bench
