// Sessions of RTSP as feeds of a stream, over real connections: what viewers get of them, how they take turns and end.
#include "session.hpp"

using media::Bytes;
using media::videos;
using rig::attach;
using rig::kMillisecond;
using rig::kSecond;
using rig::Rig;
using session::feed;
using session::kTables;
using session::plan;
using session::Server;

namespace {

const Bytes kAnswer = "RTSP/1.0 200 OK\r\nCSeq: 5\r\n\r\n";

// A stream that plays a session.
struct Playing {
  Rig rig{};
  Server server{"one"};
  explicit Playing(const weir::Stream::Plan& what = plan("s")) {
    CHECK(!rig.hub.open(what).refused());
    feed(rig, "s", server);
    CHECK_EQ(rig.event("taken"), "taken?stream=s&feed=one");
  }
};

}  // namespace

TEST("what is said goes out with its number, and the answer and media of one segment go their ways to eight viewers alike") {
  Playing one;
  std::vector<net::Client> clients;
  for (int index = 0; index < 8; index++) clients.push_back(attach(one.rig, "s", "v" + std::to_string(index)));
  CHECK_EQ(one.rig.hub.find("s")->feed_of("one")->say("PLAY rtsp://h/a RTSP/1.0\r\nRange: npt=0-\r\n", false), 5);
  CHECK(one.rig.until([&] { return one.server.got() == "PLAY rtsp://h/a RTSP/1.0\r\nRange: npt=0-\r\nCSeq: 5\r\n\r\n"; }));
  one.server.send(kAnswer + session::frame(0, media::rtp(1, 7, kTables + videos(0))) + session::frame(0, videos(7)));
  const Bytes wanted = "HEAD " + kTables + videos(0, 14);
  for (auto& client : clients) CHECK(one.rig.until([&] { return client.read() == wanted; }));
  CHECK_EQ(one.rig.event("said"), "said?stream=s&feed=one&text=RTSP%2F1.0%20200%20OK%0D%0ACSeq%3A%205%0D%0A");
  CHECK_EQ(one.rig.count("live"), 8);
  CHECK_EQ(one.rig.status("stream", "s", "feed"), "one");
  CHECK_EQ(one.rig.status("stream", "s", "transport"), "tcp");
  CHECK_EQ(one.rig.status("stream", "s", "url"), "rtsp://h/a");
  CHECK_EQ(one.rig.status("stream", "s", "packets"), "2");
}

TEST("packets that are left out on a connection are not waited for") {
  Playing one;
  net::Client client = attach(one.rig, "s", "v");
  one.server.play(kTables + videos(0));
  one.server.play(videos(7));
  one.server.send(session::frame(0, media::rtp(10, 0x1234, videos(100))));
  CHECK(one.rig.until([&] { return client.read() == "HEAD " + kTables + videos(0, 14) + videos(100); }));
  CHECK_EQ(one.rig.status("stream", "s", "lost"), "14");
}

TEST("a session in place of another one goes on for the same viewers, with no byte of the old one") {
  Playing one;
  net::Client client = attach(one.rig, "s", "v");
  one.server.play(kTables + videos(0));
  CHECK(one.rig.until([&] { return client.read().size() == 5 + kTables.size() + 7 * 188; }));
  // Half of a frame, which never becomes whole; then what comes too late.
  one.server.send(session::frame(0, media::rtp(1, 7, videos(50))).substr(0, 700));
  one.rig.turn(3);
  Server two("two");
  feed(one.rig, "s", two);
  one.server.send(session::frame(0, media::rtp(2, 7, videos(60))));
  two.play(videos(700), 0x99);
  two.play(videos(707), 0x99);
  CHECK(one.rig.until([&] { return client.read() == "HEAD " + kTables + videos(0) + videos(700, 14); }));
  CHECK_EQ(one.server.farewells(), 1);
  CHECK_EQ(two.farewells(), 0);
  CHECK(one.rig.until([&] { return one.rig.told("parted?stream=s&feed=one&written=1"); }));
}

TEST("a connection that ends is told once, and the stream goes on with the next") {
  Playing one;
  net::Client client = attach(one.rig, "s", "v");
  one.server.play(kTables + videos(0));
  one.server.close();
  CHECK(one.rig.until([&] { return one.rig.told("over?stream=s&feed=one&reason=eof"); }));
  // What came before the end was taken first.
  CHECK(one.rig.until([&] { return client.read() == "HEAD " + kTables + videos(0); }));
  CHECK_EQ(*one.rig.hub.find("s")->part("one"), false);
  CHECK(!one.rig.hub.find("s")->part("one").has_value());
  Server two("two");
  feed(one.rig, "s", two);
  two.play(videos(7));
  CHECK(one.rig.until([&] { return client.read() == "HEAD " + kTables + videos(0, 14); }));
  CHECK_EQ(one.rig.count("over"), 1);
}

TEST("the server is said goodbye when the last viewer's linger is over") {
  auto what = plan("s");
  what.linger = 50 * kMillisecond;
  Playing one(what);
  net::Client client = attach(one.rig, "s", "v");
  one.server.play(kTables + videos(0));
  CHECK(one.rig.until([&] { return !client.read().empty(); }));
  client.abort();
  CHECK(one.rig.until([&] { return one.rig.told("ended"); }));
  CHECK_EQ(one.rig.event("ended"), "ended?stream=s&reason=idle&parted=1");
  CHECK_EQ(one.server.farewells(), 1);
  CHECK(one.server.got().ends_with("TEARDOWN rtsp://h/one RTSP/1.0\r\nSession: one\r\nCSeq: 5\r\n\r\n"));
  // The connection waits for the answer, and is then closed without a reset.
  CHECK(one.rig.hub.parting());
  one.server.send(kAnswer);
  CHECK(one.rig.until([&] { return !one.rig.hub.parting(); }));
  CHECK(one.rig.told("parted?stream=s&feed=one&written=1"));
}

TEST("a stream that is closed says goodbye, and tells when there was nobody left to say it to") {
  Playing one;
  CHECK(one.rig.hub.close("s", "enough"));
  CHECK_EQ(one.rig.event("ended"), "ended?stream=s&reason=enough&parted=1");
  CHECK_EQ(one.server.farewells(), 1);
  Playing other;
  other.server.close();
  CHECK(other.rig.until([&] { return other.rig.told("over"); }));
  other.rig.hub.close("s", "enough");
  CHECK_EQ(other.rig.event("ended"), "ended?stream=s&reason=enough&parted=0");
}

TEST("what cannot be handed over is refused, and nothing is written to it") {
  Rig rig;
  const rig::Source source;
  rig.hub.open(source.plan("udp"));
  rig.hub.open(plan("s"));
  for (const char* stream : {"none", "udp"}) {
    Server server("one");
    feed(rig, stream, server);
    CHECK(rig.told("refused?stream=" + std::string(stream) + "&feed=one&reason=no-stream"));
    CHECK_EQ(server.got(), "");
  }
  Server server("one");
  auto card = server.card();
  card.udp = true;
  rig.hub.feed("s", server.connection(), card, "");
  CHECK(rig.told("refused?stream=s&feed=one&reason=no-pair"));
  CHECK_EQ(server.got(), "");
}

TEST("a stream that never gets a session ends when it has waited for long enough; asked to wait longer, later") {
  Rig rig;
  auto what = plan("s");
  what.await = 60 * kMillisecond;
  rig.hub.open(what);
  net::Client client = attach(rig, "s", "v");
  const weir::Time begun = weir::Loop::clock();
  rig.hub.find("s")->await(200 * kMillisecond);
  CHECK(rig.until([&] { return rig.told("ended"); }));
  CHECK(weir::Loop::clock() - begun >= 200 * kMillisecond);
  CHECK_EQ(rig.event("ended"), "ended?stream=s&reason=no-signal");
  CHECK(rig.event("closed").find("&reason=no-signal&sent=0&") != std::string::npos);
}

TEST("a session that brings nothing is told silent once, and told again when media flows or the next one brings nothing either") {
  auto what = plan("s");
  what.rejoin = what.silence = 150 * kMillisecond;
  Playing nothing(what);
  CHECK(nothing.rig.until([&] { return nothing.rig.told("ended"); }));
  CHECK_EQ(nothing.rig.event("ended"), "ended?stream=s&reason=no-signal&parted=1");
  what.silence = 20 * kSecond;
  Playing one(what);
  CHECK(one.rig.until([&] { return one.rig.told("silent?stream=s"); }));
  CHECK_EQ(one.rig.status("stream", "s", "rejoins"), "1");
  Server two("two");
  feed(one.rig, "s", two);
  CHECK(one.rig.until([&] { return one.rig.count("silent") == 2; }));
  two.play(kTables + videos(0));
  CHECK(one.rig.until([&] { return one.rig.told("resumed?stream=s"); }));
  CHECK_EQ(one.rig.count("silent"), 2);
}

TEST("whoever watches to the end gets what is there, and is then finished") {
  Playing one(plan("s", true));
  net::Client client = attach(one.rig, "s", "v");
  one.server.play(kTables + videos(0));
  CHECK(one.rig.until([&] { return one.rig.status("stream", "s", "packets") == "1"; }));
  one.rig.hub.find("s")->drain("upstream-gone");
  CHECK_EQ(one.server.farewells(), 1);
  CHECK(one.rig.until([&] { return one.rig.told("ended"); }));
  CHECK(client.read() == "HEAD " + kTables + videos(0));
  CHECK(one.rig.event("closed").starts_with("closed?viewer=v&stream=s&reason=finished&sent=1697&"));
  CHECK_EQ(one.rig.event("ended"), "ended?stream=s&reason=upstream-gone&parted=1");
}

TEST("after a thousand sessions no descriptor is left") {
  Playing one;
  one.server.play(kTables + videos(0));
  one.rig.turn(2);
  const size_t before = net::descriptors();
  for (int count = 0; count < 1000; count++) {
    Server next("n" + std::to_string(count));
    feed(one.rig, "s", next);
    next.play(videos(7));
    if (count % 3 == 0) one.rig.turn(1);
    if (count % 3 == 1) one.rig.hub.find("s")->part("n" + std::to_string(count));
  }
  CHECK(one.rig.until([&] { return !one.rig.hub.parting(); }));
  one.rig.hub.find("s")->part("n999");
  CHECK(one.rig.until([&] { return !one.rig.hub.parting(); }));
  // That of the first session is gone as well, and so is the server's end.
  CHECK_EQ(net::descriptors(), before - 1);
}
