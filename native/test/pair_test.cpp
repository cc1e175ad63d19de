#include "pair.hpp"

#include <optional>

#include "rtsp.hpp"

using rtsp::endpoint;
using weir::kMillisecond;
using weir::Pair;
using weir::Refusal;

namespace {

Pair opened(const char* local, uint16_t least = 20000, uint16_t most = 29999) {
  auto made = Pair::open(endpoint(local, 0), "", least, most);
  net::must(std::holds_alternative<Pair>(made), "pair");
  return std::move(std::get<Pair>(made));
}

// A socket on a port of its own, and where it is.
struct Far {
  net::Fd fd = net::bound(SOCK_DGRAM);
  sockaddr_storage at = endpoint("127.0.0.1", net::port_of(fd));
};

template <class Fact>
bool until(weir::Loop& loop, Fact fact) {
  return rig::until(loop, [] {}, fact);
}

}  // namespace

TEST("a pair has RTP on an even port and RTCP on the next, on the address asked for") {
  const Pair pair = opened("127.0.0.1");
  CHECK_EQ(pair.port() % 2, 0);
  CHECK(pair.port() >= 20000 && pair.port() <= 29998);
  sockaddr_in here{};
  socklen_t size = sizeof here;
  getsockname(pair.fd(false), reinterpret_cast<sockaddr*>(&here), &size);
  CHECK_EQ(ntohs(here.sin_port), pair.port() + 1);
  CHECK_EQ(ntohl(here.sin_addr.s_addr), INADDR_LOOPBACK);
}

TEST("a pair of which one port is taken is passed over, and none is left when all are") {
  const Pair first = opened("127.0.0.1", 30100, 30103);
  const Pair second = opened("127.0.0.1", 30100, 30103);
  CHECK(first.port() != second.port());
  const size_t before = net::descriptors();
  auto third = Pair::open(endpoint("127.0.0.1", 0), "", 30100, 30103);
  CHECK(std::holds_alternative<Refusal>(third));
  CHECK_EQ(std::get<Refusal>(third).code, "join-refused");
  CHECK_EQ(net::descriptors(), before);
}

TEST("only the second port taken leaves the pair whole or not there") {
  auto whole = std::optional(opened("127.0.0.1", 30200, 30201));
  whole.reset();
  net::Fd squatter(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const sockaddr_storage odd = endpoint("127.0.0.1", 30201);
  net::must(bind(squatter.get(), reinterpret_cast<const sockaddr*>(&odd), sizeof(sockaddr_in)) == 0, "bind");
  CHECK(std::holds_alternative<Refusal>(Pair::open(endpoint("127.0.0.1", 0), "", 30200, 30201)));
}

TEST("ports without an even one and its next have no pair") {
  CHECK(std::holds_alternative<Refusal>(Pair::open(endpoint("127.0.0.1", 0), "", 30301, 30302)));
  CHECK(std::holds_alternative<Refusal>(Pair::open(endpoint("127.0.0.1", 0), "", 65535, 65535)));
  CHECK(std::holds_alternative<Refusal>(Pair::open(endpoint("127.0.0.1", 0), "", 30302, 30300)));
}

TEST("an address that is not this machine's is refused at once") {
  auto made = Pair::open(endpoint("192.0.2.1", 0), "", 20000, 29999);
  CHECK(std::holds_alternative<Refusal>(made));
  CHECK_EQ(std::get<Refusal>(made).code, "join-refused");
}

TEST("a pair on IPv6 leaves the same ports of IPv4 free") {
  const Pair six = opened("::1", 30400, 30401);
  const Pair four = opened("127.0.0.1", 30400, 30401);
  CHECK_EQ(six.port(), four.port());
}

TEST("media goes to whoever took its socket, and is still sent from its port") {
  Pair pair = opened("127.0.0.1");
  const net::Fd media = pair.release_media();
  Far far;
  net::Sender("127.0.0.1", pair.port()).send("media");
  CHECK_EQ(rtsp::received(media.get()), "media");
  pair.send(true, far.at, media::raw("punch"), 5);
  sockaddr_in from{};
  socklen_t size = sizeof from;
  char data[16];
  CHECK_EQ(recvfrom(far.fd.get(), data, sizeof data, 0, reinterpret_cast<sockaddr*>(&from), &size), 5);
  CHECK_EQ(ntohs(from.sin_port), pair.port());
}

TEST("a punch is sent so many times at once, and again until another takes its place") {
  weir::Loop loop;
  Pair pair = opened("127.0.0.1");
  Far far;
  size_t first = 0;
  size_t second = 0;
  const auto take = [&] {
    for (auto one = rtsp::received(far.fd.get()); !one.empty(); one = rtsp::received(far.fd.get())) (one == "one" ? first : second)++;
  };
  pair.punch(loop, true, far.at, "one", 3, 5 * kMillisecond);
  take();
  CHECK_EQ(first, 3);
  CHECK(until(loop, [&] {
    take();
    return first == 9;
  }));
  pair.punch(loop, true, far.at, "two", 1, 5 * kMillisecond);
  take();
  const size_t before = first;
  CHECK(until(loop, [&] {
    take();
    return second == 4;
  }));
  CHECK_EQ(first, before);
  // Of the other socket, and once.
  pair.punch(loop, false, far.at, "one", 1, 0);
  CHECK(until(loop, [&] {
    take();
    return second == 8;
  }));
  CHECK_EQ(first, before + 1);
}

TEST("a pair that goes stops punching and leaves no descriptor") {
  weir::Loop loop;
  const size_t before = net::descriptors();
  {
    Pair pair = opened("127.0.0.1");
    pair.punch(loop, true, endpoint("127.0.0.1", 9), "one", 1, kMillisecond);
    const Pair moved = std::move(pair);
  }
  int turns = 0;
  CHECK(until(loop, [&] { return ++turns == 5; }));
  CHECK_EQ(net::descriptors(), before);
}
