// A tiny server of RTSP for tests: the far end of a session's connection, and the owner of a feed that keeps what it brings.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "media.hpp"
#include "net.hpp"
#include "rig.hpp"
#include "rtsp_feed.hpp"

namespace rtsp {

using media::Bytes;
using media::bytes;

inline Bytes frame(int channel, const Bytes& payload) { return bytes('$', channel, payload.size() >> 8, payload.size()) + payload; }

inline Bytes answer(uint32_t cseq, const std::string& status = "200 OK") {
  return "RTSP/1.0 " + status + "\r\nCSeq: " + std::to_string(cseq) + "\r\n\r\n";
}

inline size_t count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) found++;
  return found;
}

inline sockaddr_storage endpoint(const char* address, uint16_t port) {
  sockaddr_storage out{};
  net::must(weir::read_address(address, port, out), address);
  return out;
}

// A datagram that waits; "" when there is none.
inline Bytes received(int fd) {
  char data[2048];
  const ssize_t size = recv(fd, data, sizeof data, MSG_DONTWAIT);
  return Bytes(data, static_cast<size_t>(std::max<ssize_t>(size, 0)));
}

// A feed whose server is a test. What it brings is taken at once unless the test says otherwise.
struct Session final : weir::Feed::Owner {
  weir::Loop loop{};
  weir::Fd socket{};
  net::Client server{socket};
  std::vector<std::string> got{};  // "media …", "said …", "over …", "datagram …"
  size_t most = 1 << 20;
  size_t largest = 0;  // Media of one receive().
  size_t ready = 0;    // How often it was told that something waits.
  std::unique_ptr<weir::RtspFeed> feed{};

  Session() : Session(weir::RtspFeed::Card{}) {}
  explicit Session(weir::RtspFeed::Card card, std::unique_ptr<weir::Pair> pair = nullptr) {
    card.farewell = "TEARDOWN rtsp://h/a RTSP/1.0\r\n";
    feed = std::make_unique<weir::RtspFeed>(loop, loop, *this, std::move(socket), std::move(pair), std::move(card));
    net::must(feed->open(), "open");
  }

  void feed_media(const uint8_t* data, size_t size) override {
    taken_ += size;
    got.push_back("media " + std::string(reinterpret_cast<const char*>(data), size));
  }
  void feed_said(std::string_view head, bool cut) override {
    got.push_back((cut ? "said cut " : "said ") + std::string(head));
  }
  void feed_over(std::string_view reason) override { got.push_back("over " + std::string(reason)); }
  void feed_ready() override {
    ready++;
    taken_ = 0;
    feed->receive(most);
    largest = std::max(largest, taken_);
  }
  void feed_datagram(const sockaddr_storage&, const uint8_t* data, size_t size) override {
    got.push_back("datagram " + std::string(reinterpret_cast<const char*>(data), size));
  }

  template <class Fact>
  bool until(Fact fact) {
    return rig::until(loop, [] {}, fact);
  }
  bool has(size_t things) {
    return until([&] { return got.size() >= things; });
  }
  // Whether the server hears it so often.
  bool heard(const std::string& what, size_t times = 1) {
    return until([&] { return count(server.read(), what) >= times; });
  }
  std::string all() const {
    std::string out;
    for (const auto& one : got) out += "[" + one + "]";
    return out;
  }

 private:
  size_t taken_ = 0;
};

inline weir::RtspFeed::Card card(const std::string& read = {}, std::optional<uint8_t> control = 1) {
  weir::RtspFeed::Card out;
  out.id = "1";
  out.cseq = 5;
  out.read = read;
  out.control = control;
  return out;
}

}  // namespace rtsp
