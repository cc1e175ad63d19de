// Sessions of RTSP whose media comes to a pair of UDP sockets.
#include "base64.hpp"
#include "session.hpp"

using media::Bytes;
using media::videos;
using rig::attach;
using rig::Rig;
using session::kTables;
using session::plan;
using session::Server;
using weir::Fd;

namespace {

// An answer of STUN (RFC 5389 §6) without attributes.
const Bytes kStun = media::bytes(0x01, 0x01, 0, 0, 0x21, 0x12, 0xA4, 0x42) + Bytes(12, 'i');

sockaddr_storage local(const char* text = "127.0.0.1") {
  sockaddr_storage address{};
  weir::read_address(text, 0, address);
  return address;
}

// A stream with a session over UDP, before it is handed over.
struct Paired {
  Rig rig{};
  Server server{"one"};
  uint16_t port = 0;
  explicit Paired(const weir::Stream::Plan& what = plan("s")) {
    rig.hub.open(what);
    const auto opened = rig.hub.find("s")->open_pair("one", local(), "", 20000, 40000);
    CHECK(std::holds_alternative<uint16_t>(opened));
    port = std::get<uint16_t>(opened);
  }
  void feed(const char* from = "127.0.0.1") {
    auto card = server.card();
    card.udp = true;
    card.from = {local(from)};
    rig.hub.feed("s", server.connection(), card, "");
    CHECK_EQ(rig.event("taken"), "taken?stream=s&feed=one");
  }
};

}  // namespace

TEST("a pair has an even port and the next, and media of the server at it reaches viewers, in order") {
  Paired one;
  CHECK_EQ(one.port % 2, 0);
  one.feed();
  net::Client client = attach(one.rig, "s", "v");
  const net::Sender sender("127.0.0.1", one.port);
  sender.send(media::rtp(1, 7, kTables));
  sender.send(media::rtp(3, 7, videos(7)));
  sender.send(media::rtp(2, 7, videos(0)));
  CHECK(one.rig.until([&] { return client.read() == "HEAD " + kTables + videos(0, 14); }));
  CHECK_EQ(one.rig.status("stream", "s", "transport"), "udp");
  CHECK_EQ(one.rig.status("stream", "s", "reordered"), "1");
  one.server.send("RTSP/1.0 200 OK\r\nCSeq: 5\r\n\r\n");
  CHECK(one.rig.until([&] { return one.rig.told("said?stream=s&feed=one"); }));
}

TEST("datagrams of another sender are dropped, and named when nothing else came") {
  auto what = plan("s");
  what.rejoin = what.silence = 150 * weir::kMillisecond;
  Paired one(what);
  one.feed("127.0.0.9");
  net::Client client = attach(one.rig, "s", "v");
  net::Sender("127.0.0.1", one.port).send(media::rtp(1, 7, kTables + videos(0)));
  CHECK(one.rig.until([&] { return one.rig.told("ended"); }));
  CHECK(one.rig.event("closed").ends_with("&saw=other-sender&sender=127.0.0.1"));
}

TEST("answers of STUN are told, before the session is handed over and after, and no viewer gets them or a punch's echo") {
  Paired one;
  const net::Sender sender("127.0.0.1", one.port);
  const net::Sender beside("127.0.0.1", static_cast<uint16_t>(one.port + 1));
  sender.send(kStun);
  const std::string told = "&data=" + weir::encode_bytes(media::raw(kStun), kStun.size());
  CHECK(one.rig.until([&] { return one.rig.event("datagram?stream=s&feed=one&socket=rtp&address=127.0.0.1&port=").ends_with(told); }));
  one.feed();
  net::Client client = attach(one.rig, "s", "v");
  one.rig.events.clear();
  sender.send(media::rtp(1, 7, kTables));
  sender.send(kStun);
  beside.send(kStun);
  sender.send("ZXV10STB" + Bytes(76, '\0'));
  sender.send(media::rtp(2, 7, videos(0)));
  CHECK(one.rig.until([&] { return client.read() == "HEAD " + kTables + videos(0); }));
  CHECK(one.rig.until([&] { return one.rig.told("datagram?stream=s&feed=one&socket=rtp&") && one.rig.told("datagram?stream=s&feed=one&socket=rtcp&"); }));
  for (int count = 0; count < 100; count++) sender.send(kStun);
  one.rig.turn(20);
  CHECK(one.rig.count("datagram") <= 16);
  CHECK_EQ(one.rig.status("stream", "s", "strays"), "0");
}

TEST("a punch goes out from the pair, as often as asked, before the session is handed over and after") {
  Paired one;
  const Fd receiver = net::bound(SOCK_DGRAM);
  weir::Stream::Punch punch;
  punch.media = true;
  punch.to = local();
  reinterpret_cast<sockaddr_in&>(punch.to).sin_port = htons(net::port_of(receiver));
  punch.data = "punch";
  punch.times = 2;
  const auto came = [&](size_t count) {
    size_t found = 0;
    return one.rig.until([&] {
      char data[16];
      sockaddr_in from{};
      socklen_t size = sizeof from;
      while (recvfrom(receiver.get(), data, sizeof data, MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&from), &size) == 5) {
        CHECK_EQ(ntohs(from.sin_port), one.port);
        found++;
      }
      return found >= count;
    });
  };
  CHECK(one.rig.hub.find("s")->punch("one", punch));
  CHECK(came(2));
  one.feed();
  punch.every = 20 * weir::kMillisecond;
  CHECK(one.rig.hub.find("s")->punch("one", punch));
  CHECK(came(5));
  CHECK(!one.rig.hub.find("s")->punch("two", punch));
}

TEST("a pair that is not wanted any more, or whose stream ends, leaves no descriptor") {
  Rig rig;
  rig.hub.open(plan("s"));
  const size_t before = net::descriptors();
  for (const char* feed : {"one", "two"}) CHECK(std::holds_alternative<uint16_t>(rig.hub.find("s")->open_pair(feed, local(), "", 20000, 40000)));
  CHECK_EQ(net::descriptors(), before + 2);
  CHECK(!rig.hub.find("s")->part("one").has_value());
  CHECK_EQ(*rig.hub.find("s")->part("two"), false);
  CHECK_EQ(net::descriptors(), before);
  CHECK(std::holds_alternative<weir::Refusal>(rig.hub.find("s")->open_pair("x", local("192.0.2.1"), "", 20000, 40000)));
  CHECK_EQ(net::descriptors(), before);
  for (int count = 0; count < 50; count++) {
    Paired one;
    one.feed();
  }
  CHECK_EQ(net::descriptors(), before);
}
