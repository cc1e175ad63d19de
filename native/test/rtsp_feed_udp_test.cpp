#include "rtsp.hpp"

using rtsp::bytes;
using rtsp::card;
using rtsp::endpoint;
using rtsp::Session;
using weir::kMillisecond;
using weir::Pair;
using weir::RtspFeed;

namespace {

const rtsp::Bytes kBye = bytes(0x81, 203, 0, 1, 0, 0, 0, 7);
const rtsp::Bytes kReportOf7 = bytes(0x80, 200, 0, 6, 0, 0, 0, 7) + rtsp::Bytes(20, '\0');
const rtsp::Bytes kStun = bytes(0x01, 0x01, 0, 0, 0x21, 0x12, 0xA4, 0x42) + rtsp::Bytes(12, 'i');

std::unique_ptr<Pair> pair() {
  auto made = Pair::open(endpoint("127.0.0.1", 0), "", 20000, 29999);
  net::must(std::holds_alternative<Pair>(made), "pair");
  return std::make_unique<Pair>(std::move(std::get<Pair>(made)));
}

RtspFeed::Card over_udp(const char* from = "127.0.0.1", uint16_t rtcp = 0) {
  RtspFeed::Card out = card();
  out.udp = true;
  out.from = {endpoint(from, 0)};
  out.rtcp = rtcp;
  return out;
}

// A session over UDP, and who sends to its pair.
struct Beside {
  explicit Beside(RtspFeed::Card card = over_udp(), std::unique_ptr<Pair> two = pair())
      : port(two->port()), session(std::move(card), std::move(two)) {}
  void control(const rtsp::Bytes& datagram) const { far.send(datagram); }

  uint16_t port;
  Session session;
  net::Sender far{"127.0.0.1", static_cast<uint16_t>(port + 1)};
};

}  // namespace

TEST("what the server says beside a pair is told, and its frames are not media") {
  Beside beside;
  beside.session.server.write(rtsp::answer(5) + rtsp::frame(0, "media") + rtsp::answer(6));
  CHECK(beside.session.has(2));
  CHECK_EQ(beside.session.all(), "[said RTSP/1.0 200 OK\r\nCSeq: 5\r\n][said RTSP/1.0 200 OK\r\nCSeq: 6\r\n]");
  CHECK_EQ(beside.session.ready, 0);
}

TEST("BYE of the sender ends it, that of a host that may not send does not") {
  Beside beside;
  beside.session.feed->heard(7, 1, 0);
  beside.control(kBye);
  CHECK(beside.session.has(1));
  CHECK_EQ(beside.session.all(), "[over bye]");
  CHECK(beside.session.feed->part() != nullptr);
  Beside foreign(over_udp("192.0.2.1"));
  foreign.session.feed->heard(7, 1, 0);
  foreign.control(kBye);
  foreign.control(kStun);
  CHECK(foreign.session.has(1));
  CHECK_EQ(foreign.session.all(), "[datagram " + kStun + "]");
}

TEST("the echo of a punch at the socket for RTCP is told to nobody") {
  Beside beside;
  beside.control("ZXV10STB" + rtsp::Bytes(76, '\0'));
  beside.control("junk");
  beside.control(kStun);
  CHECK(beside.session.has(1));
  CHECK_EQ(beside.session.all(), "[datagram " + kStun + "]");
}

TEST("a report goes to the server's port for RTCP") {
  const net::Fd far = net::bound(SOCK_DGRAM);
  Beside beside(over_udp("127.0.0.1", net::port_of(far)));
  beside.session.feed->heard(0, 0, 0);
  rtsp::Bytes got;
  CHECK(beside.session.until([&] { return !(got = rtsp::received(far.get())).empty(); }));
  CHECK_EQ(got.substr(0, 4), bytes(0x80, 201, 0, 1));
  CHECK_EQ(got.size(), 32);
}

TEST("a report goes to where the server's come from when it named no port") {
  const net::Fd far = net::bound(SOCK_DGRAM);
  Beside beside;
  beside.session.feed->heard(7, 9, 0);
  const sockaddr_storage to = endpoint("127.0.0.1", static_cast<uint16_t>(beside.port + 1));
  sendto(far.get(), kReportOf7.data(), kReportOf7.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof(sockaddr_in));
  rtsp::Bytes got;
  CHECK(beside.session.until([&] { return !(got = rtsp::received(far.get())).empty(); }));
  CHECK_EQ(got.substr(0, 4), bytes(0x81, 201, 0, 7));
  CHECK_EQ(got.substr(8, 4), bytes(0, 0, 0, 7));
}

TEST("a connection that ends while media flows beside it does not end it, and nothing can be said any more") {
  Beside beside;
  beside.session.feed->heard(7, 1, 0);
  beside.session.feed->keep("OPTIONS rtsp://h/a RTSP/1.0\r\n", kMillisecond);
  beside.session.server.close();
  beside.control(kStun);
  CHECK(beside.session.has(1));
  int turns = 0;
  beside.session.until([&] { return ++turns == 20; });
  beside.control(kStun);
  CHECK(beside.session.has(2));
  CHECK_EQ(beside.session.all(), "[datagram " + kStun + "][datagram " + kStun + "]");
  CHECK(beside.session.feed->part() == nullptr);
}

TEST("a connection that ends behind the answer to PLAY, before media came, does not end it") {
  Beside beside;
  beside.session.feed->say("PLAY rtsp://h/a RTSP/1.0\r\n", false);
  CHECK(beside.session.heard("CSeq: 5\r\n"));
  beside.session.server.write(rtsp::answer(5));
  beside.session.server.close();
  CHECK(beside.session.has(1));
  int turns = 0;
  beside.session.until([&] { return ++turns == 20; });
  beside.control(kStun);
  CHECK(beside.session.has(2));
  CHECK_EQ(beside.session.all(), "[said RTSP/1.0 200 OK\r\nCSeq: 5\r\n][datagram " + kStun + "]");
}

TEST("a connection that ends before media was promised is the end") {
  Beside beside;
  beside.session.feed->say("PLAY rtsp://h/a RTSP/1.0\r\n", false);
  CHECK(beside.session.heard("CSeq: 5\r\n"));
  beside.session.server.write(rtsp::answer(5, "404 Not Found"));
  beside.session.server.close();
  CHECK(beside.session.has(2));
  CHECK_EQ(beside.session.all(), "[said RTSP/1.0 404 Not Found\r\nCSeq: 5\r\n][over eof]");
}

TEST("a punch goes out from the pair, and stops with the farewell") {
  const net::Fd far = net::bound(SOCK_DGRAM);
  Beside beside;
  beside.session.feed->punch(true, endpoint("127.0.0.1", net::port_of(far)), "punch", 2, 5 * kMillisecond);
  size_t count = 0;
  CHECK(beside.session.until([&] {
    while (rtsp::received(far.get()) == "punch") count++;
    return count >= 6;
  }));
  const auto parting = beside.session.feed->part();
  beside.session.feed.reset();
  while (!rtsp::received(far.get()).empty()) count++;
  int turns = 0;
  rig::until(beside.session.loop, [] {}, [&] { return ++turns == 20; });
  CHECK_EQ(rtsp::received(far.get()), "");
}

TEST("a feed that goes leaves no descriptor") {
  const size_t before = net::descriptors();
  for (int index = 0; index < 100; index++) {
    Beside beside;
    beside.session.feed->keep("OPTIONS rtsp://h/a RTSP/1.0\r\n", kMillisecond);
    const auto parting = index % 2 == 0 ? beside.session.feed->part() : nullptr;
  }
  CHECK_EQ(net::descriptors(), before);
}
