// Sessions of RTSP over the wire, as Node hands them over.
#include "base64.hpp"
#include "media.hpp"
#include "session.hpp"
#include "wire.hpp"

using media::Bytes;
using media::videos;
using session::kTables;
using session::Server;
using weir::Fd;
using wire::Control;
using wire::hand_over;
using wire::Pump;

namespace {

const std::string kOpen =
    "open?id=o&stream=s&kind=rtsp&url=rtsp%3A%2F%2Fh%2Fa&linger=60000&silence=60000&rejoin=30000&await=60000&hold=1&look-back=0&look-back-bytes=0&note=n0";

std::string feed_message(const std::string& id, const std::string& more = "&way=tcp&media=0&control=1") {
  return "feed?stream=s&feed=" + id + "&kind=rtsp&cseq=5&farewell=TEARDOWN+rtsp%3A%2F%2Fh%2F" + id +
         "+RTSP%2F1.0%0D%0ASession%3A+1%0D%0A&note=n1" + more;
}

struct House {
  Pump pump{};
  Control control = pump.hello();
  Fd handoff = pump.handoff();
  Server server{"one"};
  House() {
    ask(kOpen);
    CHECK(hears("ok?id=o"));
  }
  void ask(const std::string& frame) { control.ask(frame); }
  bool hears(const std::string& beginning) {
    return pump.until([&] { return control.has(beginning); });
  }
  void feed() {
    CHECK(hand_over(handoff, feed_message("one"), {server.descriptor().get()}));
    CHECK(hears("taken?stream=s&feed=one"));
    server.connection();
  }
};

}  // namespace

TEST("a session is handed over, played, kept up, told of in hello, parted: replies and events as the wire says") {
  House one;
  one.feed();
  one.ask("say?id=1&stream=s&feed=one&text=PLAY+rtsp%3A%2F%2Fh%2Fa+RTSP%2F1.0%0D%0A");
  CHECK(one.hears("ok?id=1&cseq=5"));
  CHECK(one.pump.until([&] { return one.server.got() == "PLAY rtsp://h/a RTSP/1.0\r\nCSeq: 5\r\n\r\n"; }));
  one.server.send("RTSP/1.0 200 OK\r\nCSeq: 5\r\n\r\n");
  CHECK(one.hears("said?stream=s&feed=one&text=RTSP%2F1.0%20200%20OK"));
  one.ask("keep?id=2&stream=s&feed=one&every=20&text=OPTIONS+*+RTSP%2F1.0%0D%0A");
  CHECK(one.hears("ok?id=2"));
  CHECK(one.pump.until([&] { return one.server.got().find("OPTIONS * RTSP/1.0\r\nCSeq: 6\r\n\r\n") != Bytes::npos; }));
  one.ask("say?id=3&stream=s&feed=one&raw=1&text=RTSP%2F1.0+200+OK%0D%0ACSeq%3A+99%0D%0A%0D%0A");
  CHECK(one.hears("ok?id=3&cseq=0"));
  CHECK(one.pump.until([&] { return one.server.got().find("RTSP/1.0 200 OK\r\nCSeq: 99\r\n\r\n") != Bytes::npos; }));
  one.ask("note?id=4&stream=s&note=n2");
  one.ask("await?id=5&stream=s&within=5000");
  CHECK(one.hears("ok?id=4") && one.hears("ok?id=5"));
  one.control = one.pump.hello();
  Control next(one.pump.prefix);
  next.ask("hello?id=h2&version=3");
  CHECK(one.pump.until([&] { return next.has("ok?id=h2"); }));
  CHECK(next.frames()[0].starts_with("stream?stream=s&note=n2&kind=rtsp&url=rtsp%3A%2F%2Fh%2Fa&feed=one&hold=1&transport=tcp&junk=0&state=opening"));
  next.ask("part?id=6&stream=s&feed=one");
  CHECK(one.pump.until([&] { return next.has("ok?id=6&parted=1"); }));
  CHECK_EQ(one.server.farewells(), 1);
  next.ask("close?id=7&stream=s&reason=enough");
  CHECK(one.pump.until([&] { return next.has("ended?stream=s&reason=enough") && next.has("ok?id=7"); }));
}

TEST("a session in a message's read bytes is played from its first frame on") {
  House one;
  Fd client_socket;
  net::Client client(client_socket);
  CHECK(hand_over(one.handoff, "attach?viewer=v&stream=s&head=HEAD%20&note=n", {client_socket.get()}));
  const Bytes first = session::frame(0, media::rtp(1, 7, kTables + videos(0)));
  CHECK(hand_over(one.handoff, feed_message("one", "&way=tcp&media=0&read=" + weir::encode_bytes(media::raw(first), first.size())),
                  {one.server.descriptor().get()}));
  CHECK(one.pump.until([&] { return client.read() == "HEAD " + kTables + videos(0); }));
  one.ask("close?id=1&stream=s&reason=upstream-gone&drain=1");
  CHECK(one.hears("closed?viewer=v&stream=s&reason=finished"));
  CHECK(one.hears("ended?stream=s&reason=upstream-gone&parted=1"));
}

TEST("requests of sessions with a parameter missing or out of range, or of none that is there, are answered so") {
  House one;
  one.feed();
  const char* invalid[] = {
      "say?id=x&stream=s&feed=one",
      "keep?id=x&stream=s&feed=one&text=a",
      "keep?id=x&stream=s&feed=one&every=5",
      "await?id=x&stream=s&within=0",
      "pair?id=x&stream=s&feed=two&local=host&least=20000&most=30000",
      "pair?id=x&stream=s&feed=two&local=127.0.0.1&least=30000&most=20000",
      "punch?id=x&stream=s&feed=one&socket=both&address=127.0.0.1&port=9&data=YQ&times=1&every=0",
      "punch?id=x&stream=s&feed=one&socket=rtp&address=127.0.0.1&port=9&data=%21&times=1&every=0",
      "punch?id=x&stream=s&feed=one&socket=rtp&address=127.0.0.1&port=9&data=YQ&times=6&every=0",
      "open?id=x&stream=t&kind=rtsp&url=u&linger=1&silence=1&rejoin=1",
  };
  for (const char* request : invalid) {
    one.control.clear();
    one.ask(request);
    CHECK(one.hears("error?id=x&code=invalid"));
  }
  const char* missing[] = {
      "say?id=x&stream=s&feed=two&text=a",
      "say?id=x&stream=t&feed=one&text=a",
      "keep?id=x&stream=s&feed=two&text=a&every=0",
      "await?id=x&stream=t&within=1",
      "note?id=x&stream=t&note=n",
      "part?id=x&stream=s&feed=two",
      "pair?id=x&stream=t&feed=two&local=127.0.0.1&least=20000&most=30000",
      "punch?id=x&stream=s&feed=one&socket=rtp&address=127.0.0.1&port=9&data=YQ&times=1&every=0",
  };
  for (const char* request : missing) {
    one.control.clear();
    one.ask(request);
    CHECK(one.hears("error?id=x&code=not-found"));
  }
}

TEST("a message that is no feed ends its connection, and a socket that is no TCP is refused") {
  House one;
  const Fd udp = net::bound(SOCK_DGRAM);
  CHECK(hand_over(one.handoff, feed_message("one"), {udp.get()}));
  CHECK(one.hears("refused?stream=s&feed=one&reason=not-tcp"));
  for (const char* more : {"", "&way=tcp", "&way=tcp&media=256", "&way=udp&from=host", "&way=udp&from=1.1.1.1,2.2.2.2,3.3.3.3,4.4.4.4,5.5.5.5", "&way=tcp&media=0&read=%21"}) {
    const Fd handoff = one.pump.handoff();
    CHECK(hand_over(handoff, feed_message("one", more), {one.server.descriptor().get()}));
    CHECK(one.pump.until([&] { return wire::ended(handoff); }));
  }
  CHECK_EQ(one.server.got(), "");
}

TEST("a pump that is stopped says goodbye to its servers first, and waits a second for them at most") {
  House one;
  one.feed();
  one.ask("stop?id=s");
  const weir::Time begun = weir::Loop::clock();
  CHECK(one.pump.ends());
  CHECK_EQ(one.server.farewells(), 1);
  CHECK(weir::Loop::clock() - begun < 2 * weir::kSecond);
  CHECK(weir::Loop::clock() - begun >= weir::kSecond / 2);
}

TEST("a pump that nobody needs any more says goodbye before it ends") {
  Pump pump(100 * weir::kMillisecond);
  Server server("one");
  {
    Control control = pump.hello();
    control.ask(kOpen);
    CHECK(pump.until([&] { return control.has("ok?id=o"); }));
    const Fd handoff = pump.handoff();
    CHECK(hand_over(handoff, feed_message("one"), {server.descriptor().get()}));
    CHECK(pump.until([&] { return control.has("taken"); }));
    server.connection();
  }
  CHECK(pump.ends());
  CHECK_EQ(server.farewells(), 1);
}
