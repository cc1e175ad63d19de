// Bytes of a session's connection into a stream, in pieces: what a viewer receives of a transport stream is whole packets, each
// beginning with the sync byte. The input: flags, then pieces, each a length (two bytes) and so many bytes.
#include <string>

#include "hub.hpp"
#include "sockets.hpp"

namespace {

constexpr int kMost = 48;
constexpr uint8_t kHold = 0x01;
constexpr uint8_t kRead = 0x02;
constexpr uint8_t kAgain = 0x04;

struct House {
  weir::Loop loop{};
  weir::Hub hub{loop, [](const weir::Frame&) {}};
  fuzz::Tcp viewer{};
  fuzz::Tcp server{};

  explicit House(bool hold) {
    weir::Stream::Plan plan;
    plan.id = "s";
    plan.kind = "rtsp";
    plan.hold = hold;
    plan.look_back = {60 * weir::kSecond, 1 << 20};
    plan.linger = plan.silence = plan.rejoin = plan.await = 60 * weir::kSecond;
    fuzz::require(!hub.open(plan).refused());
    hub.attach("s", std::move(viewer.server), {"v", "", "H"});
  }

  void turn() {
    fuzz::turn(loop, [this] { hub.tidy(); });
  }
  void feed(std::string read) {
    weir::RtspFeed::Card card;
    card.id = "f";
    card.farewell = "TEARDOWN * RTSP/1.0\r\n";
    card.control = 1;
    card.read = std::move(read);
    hub.feed("s", std::move(server.server), std::move(card), "");
  }
  void send(std::span<const uint8_t> piece) const { ::send(server.client.get(), piece.data(), piece.size(), MSG_NOSIGNAL | MSG_DONTWAIT); }

  void check() const {
    std::string out;
    char data[65536];
    ssize_t size = 0;
    while ((size = recv(viewer.client.get(), data, sizeof data, MSG_DONTWAIT)) > 0) out.append(data, static_cast<size_t>(size));
    if (out.empty()) return;
    fuzz::require(out[0] == 'H');
    if (hub.report()[0].get("format") == "rtp") return;
    for (size_t at = 1; at < out.size(); at += weir::ts::kPacket) fuzz::require(out[at] == weir::ts::kSync);
  }
};

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int before = fuzz::descriptors();
  {
    fuzz::Input input(data, size);
    const uint8_t flags = input.byte();
    House house((flags & kHold) != 0);
    const auto read = input.bytes((flags & kRead) != 0 ? input.byte() : 0);
    house.feed(std::string(reinterpret_cast<const char*>(read.data()), read.size()));
    for (int count = 0; !input.empty() && count < kMost; count++) {
      house.send(input.bytes(input.word()));
      house.turn();
      if ((flags & kAgain) == 0 || count != kMost / 4) continue;
      house.server = fuzz::Tcp();
      house.feed("");
    }
    house.turn();
    house.check();
  }
  fuzz::require(fuzz::descriptors() == before);
  return 0;
}
