// Datagrams into a stream over the loopback interface: what a viewer receives of a transport stream is whole packets, each
// beginning with the sync byte, whether it came first or last. The input: flags, then datagrams, each a length (two bytes) and so many bytes.
#include <string>

#include "hub.hpp"
#include "sockets.hpp"

namespace {

// From ten on in a tenth of a second a stream waits for its tick, and the fuzzer with it.
constexpr int kFew = 9;
constexpr int kMany = 48;
constexpr uint8_t kTicking = 0x80;

using fuzz::Fd;

struct House {
  weir::Loop loop{};
  weir::Hub hub{loop, [](const weir::Frame&) {}};
  Fd sender{socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  fuzz::Tcp first{};
  fuzz::Tcp late{};
  sockaddr_in to = fuzz::loopback(fuzz::bind_loopback(Fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0))));
  size_t sent = 0;

  House() {
    weir::Stream::Plan plan;
    plan.id = "s";
    plan.look_back = {60 * weir::kSecond, 1 << 20};
    plan.linger = plan.silence = plan.rejoin = 60 * weir::kSecond;
    fuzz::require(weir::read_address("127.0.0.1", ntohs(to.sin_port), plan.address.group));
    fuzz::require(!hub.open(plan).refused());
    hub.attach("s", std::move(first.server), {"v", "", "H"});
  }

  std::string status(const char* key) const { return std::string(hub.report()[0].get(key).value_or("")); }

  void send(std::span<const uint8_t> datagram) {
    const auto* address = reinterpret_cast<const sockaddr*>(&to);
    if (sendto(sender.get(), datagram.data(), datagram.size(), 0, address, sizeof to) >= 0) sent++;
  }
  void settle() {
    while (status("packets") != std::to_string(sent)) fuzz::turn(loop, [this] { hub.tidy(); });
  }

  static std::string received(const fuzz::Tcp& tcp) {
    std::string out;
    char data[65536];
    ssize_t size = 0;
    while ((size = recv(tcp.client.get(), data, sizeof data, MSG_DONTWAIT)) > 0) out.append(data, static_cast<size_t>(size));
    return out;
  }
};

void check(const std::string& received, const std::string& format) {
  if (received.empty()) return;
  fuzz::require(received[0] == 'H');
  if (format == "rtp") return;
  fuzz::require(received.size() % weir::ts::kPacket == 1);
  for (size_t at = 1; at < received.size(); at += weir::ts::kPacket) fuzz::require(received[at] == weir::ts::kSync);
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int before = fuzz::descriptors();
  {
    fuzz::Input input(data, size);
    House house;
    const uint8_t flags = input.byte();
    const int most = (flags & kTicking) != 0 ? kMany : kFew;
    for (int count = 0; !input.empty() && count < most; count++) {
      house.send(input.bytes(input.word()));
      // All in one batch, one by one, or something between.
      if ((count & flags & ~kTicking) != 0) house.settle();
    }
    house.settle();
    house.hub.attach("s", std::move(house.late.server), {"w", "", "H"});
    check(house.received(house.first), house.status("format"));
    check(house.received(house.late), house.status("format"));
  }
  fuzz::require(fuzz::descriptors() == before);
  return 0;
}
