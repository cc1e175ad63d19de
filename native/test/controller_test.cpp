#include "controller.hpp"

#include <netinet/tcp.h>

#include "media.hpp"
#include "wire.hpp"

using media::Bytes;
using media::kPmtPid;
using media::table;
using media::videos;
using weir::Fd;
using wire::Control;
using wire::hand_over;
using wire::Pump;

namespace {

const Bytes kTables = table(0, 3, media::kPat) + table(kPmtPid, 7, media::kPmt);

std::string open_request(const std::string& stream, uint16_t port, const std::string& rest = "") {
  return "open?id=o&stream=" + stream + "&kind=udp&address=127.0.0.1&port=" + std::to_string(port) +
         "&linger=60000&silence=60000&rejoin=30000" + rest;
}

std::string attach_message(const std::string& viewer, const std::string& stream) {
  return "attach?viewer=" + viewer + "&stream=" + stream + "&head=HEAD%20&note=n+1";
}

// Opens a stream and gives it a viewer's socket, as Node does.
net::Client watch(Pump& pump, Control& control, const Fd& handoff, const rig::Source& source, const std::string& viewer) {
  control.ask(open_request("s", source.port, "&note=a%26b"));
  CHECK(pump.until([&] { return control.has("ok?id=o"); }));
  Fd server;
  net::Client client(server);
  CHECK(hand_over(handoff, attach_message(viewer, "s"), {server.get()}));
  return client;
}

}  // namespace

TEST("a stream is opened, watched, told of, closed: replies and events in the order of what happened") {
  Pump pump;
  const rig::Source source;
  Control control = pump.hello();
  const Fd handoff = pump.handoff();
  net::Client client = watch(pump, control, handoff, source, "v");
  pump.turn(2);
  source.send(kTables + videos(0));
  CHECK(pump.until([&] { return client.read() == "HEAD " + kTables + videos(0) && control.has("live?viewer=v"); }));
  control.clear();
  control.ask("stats?id=1");
  CHECK(pump.until([&] { return control.has("ok?id=1"); }));
  CHECK_EQ(control.frames().size(), 3);
  CHECK(control.frames()[0].starts_with("stream?stream=s&note=a%26b&kind=udp&address=127.0.0.1&port="));
  CHECK(control.frames()[0].ends_with("&id=1"));
  CHECK(control.frames()[1].starts_with("viewer?viewer=v&stream=s&note=n%201&uptime=0&bytes=1697&lag=0&jumps=0&lostBytes=0"));
  control.clear();
  control.ask("close?id=2&stream=s&reason=enough");
  CHECK(pump.until([&] { return control.has("ok?id=2"); }));
  CHECK_EQ(control.frames().size(), 3);
  CHECK(control.frames()[0].starts_with("closed?viewer=v&stream=s&reason=enough&sent=1697&"));
  CHECK_EQ(control.frames()[1], "ended?stream=s&reason=enough");
  CHECK(pump.until([&] { return client.ended(); }));
}

TEST("one stream is told of with its PIDs, and of none there is nothing to tell") {
  Pump pump;
  const rig::Source source;
  Control control = pump.hello();
  const Fd handoff = pump.handoff();
  net::Client client = watch(pump, control, handoff, source, "v");
  source.send(kTables + videos(0, 4) + media::packet(0x1FFF, 0, ""));
  CHECK(pump.until([&] { return control.has("live?viewer=v"); }));
  control.clear();
  control.ask("stats?id=1&stream=s");
  CHECK(pump.until([&] { return control.has("ok?id=1"); }));
  CHECK_EQ(control.frames().size(), 7);
  CHECK(control.frames()[0].find("&scrambled=0&syncLosses=0&") != std::string::npos);
  const std::string wanted[] = {"pid=0&role=pat&pcr=0&packets=1&", "pid=4096&role=pmt&pcr=0&packets=1&",
                                "pid=256&role=component&type=27&pcr=1&packets=4&", "pid=8191&role=null&pcr=0&packets=1&"};
  for (size_t index = 0; index < 4; index++) CHECK(control.frames()[index + 1].starts_with("pid?stream=s&" + wanted[index]));
  CHECK(control.frames()[5].starts_with("viewer?viewer=v&"));
  control.ask("stats?id=2&stream=t");
  CHECK(pump.until([&] { return control.has("error?id=2&code=not-found"); }));
}

TEST("a viewer's connection gets the TCP settings that come with it, as far as the kernel has them") {
  Pump pump;
  const rig::Source source;
  Control control = pump.hello();
  const Fd handoff = pump.handoff();
  net::Client client = watch(pump, control, handoff, source, "v");
  const auto settings = [&](const std::string& viewer, const std::string& asked) {
    Fd server;
    net::Client other(server);
    CHECK(hand_over(handoff, attach_message(viewer, "s") + asked, {server.get()}));
    CHECK(pump.until([&] {
      control.ask("stats?id=" + viewer);
      return control.has("viewer?viewer=" + viewer);
    }));
    char name[16] = "";
    uint32_t unsent = 0;
    socklen_t size = sizeof name;
    getsockopt(server.get(), IPPROTO_TCP, TCP_CONGESTION, name, &size);
    size = sizeof unsent;
    getsockopt(server.get(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, &size);
    return std::string(name) + " " + std::to_string(unsent);
  };
  CHECK_EQ(settings("a", "&congestion=reno&unsent=131072"), "reno 131072");
  CHECK(!settings("b", "&congestion=nonsense").starts_with("nonsense"));
}

TEST("a viewer is dismissed by its id, once") {
  Pump pump;
  const rig::Source source;
  Control control = pump.hello();
  const Fd handoff = pump.handoff();
  net::Client client = watch(pump, control, handoff, source, "v");
  pump.turn(2);
  control.clear();
  control.ask("dismiss?id=1&viewer=v&reason=moved");
  control.ask("dismiss?id=2&viewer=v&reason=moved");
  CHECK(pump.until([&] { return control.has("error?id=2&code=not-found&"); }));
  CHECK_EQ(control.frames().size(), 3);
  CHECK(control.frames()[0].starts_with("closed?viewer=v&stream=s&reason=moved&sent=0&"));
  CHECK_EQ(control.frames()[1], "ok?id=1");
  CHECK(pump.until([&] { return client.ended(); }));
  CHECK_EQ(client.read(), "");
}

TEST("an empty reason is none: what is closed is closed all the same") {
  Pump pump;
  const rig::Source source;
  Control control = pump.hello();
  const Fd handoff = pump.handoff();
  net::Client client = watch(pump, control, handoff, source, "v");
  pump.turn(2);
  control.ask("dismiss?id=1&viewer=v&reason=");
  control.ask("close?id=2&stream=s&reason=");
  CHECK(pump.until([&] { return control.has("ok?id=2"); }));
  CHECK(control.has("closed?viewer=v&stream=s&reason=dismissed&"));
  CHECK(control.has("ended?stream=s&reason=closed"));
}

TEST("a new controller is told what runs, and the one before is disconnected") {
  Pump pump;
  const rig::Source source;
  Control first = pump.hello();
  const Fd handoff = pump.handoff();
  net::Client client = watch(pump, first, handoff, source, "v");
  pump.turn(2);
  Control second(pump.prefix);
  second.ask("hello?id=h&version=" + std::to_string(WEIR_PROTOCOL));
  CHECK(pump.until([&] { return second.has("ok?id=h") && first.ended(); }));
  CHECK_EQ(second.frames().size(), 3);
  CHECK(second.frames()[0].starts_with("stream?stream=s&"));
  CHECK(second.frames()[1].starts_with("viewer?viewer=v&stream=s&note=n%201&"));
  source.send(kTables + videos(0));
  CHECK(pump.until([&] { return second.has("live?viewer=v") && !client.read().empty(); }));
}

TEST("viewers go on when the controller goes, and its successor hears how they ended") {
  Pump pump;
  const rig::Source source;
  Control first = pump.hello();
  const Fd handoff = pump.handoff();
  net::Client client = watch(pump, first, handoff, source, "v");
  source.send(kTables + videos(0));
  CHECK(pump.until([&] { return first.has("live?viewer=v"); }));
  first.close();
  source.send(videos(7));
  CHECK(pump.until([&] { return client.read() == "HEAD " + kTables + videos(0, 14); }));
  Control second = pump.hello();
  second.ask("close?id=1&stream=s&reason=enough");
  CHECK(pump.until([&] { return second.has("closed?viewer=v"); }));
}

TEST("requests that lack something, or have too much of it, are answered with an error") {
  Pump pump;
  Control control = pump.hello();
  const std::string good = "open?id=1&stream=s&address=127.0.0.1&port=5000&linger=1&silence=1&rejoin=1";
  const std::string bad[] = {
      "open?id=1",
      "open?id=1&stream=&address=127.0.0.1&port=5000&linger=1&silence=1&rejoin=1",
      "open?id=1&stream=" + std::string(65, 's') + "&address=127.0.0.1&port=5000&linger=1&silence=1&rejoin=1",
      "open?id=1&stream=s&address=localhost&port=5000&linger=1&silence=1&rejoin=1",
      "open?id=1&stream=s&address=127.0.0.1%00x&port=5000&linger=1&silence=1&rejoin=1",
      "open?id=1&stream=s&address=127.0.0.1&port=0&linger=1&silence=1&rejoin=1",
      "open?id=1&stream=s&address=127.0.0.1&port=65536&linger=1&silence=1&rejoin=1",
      "open?id=1&stream=s&address=127.0.0.1&port=5000&linger=3600001&silence=1&rejoin=1",
      "open?id=1&stream=s&address=127.0.0.1&port=5000&linger=1&silence=0&rejoin=1",
      good + "&source=::1",
      good + "&source=nobody",
      good + "&interface=lo%00" + std::string(5000, 'x'),
      good + "&kind=" + std::string(65, 'k'),
      good + "&note=" + std::string(4097, '('),
  };
  for (const std::string& request : bad) {
    control.clear();
    control.ask(request);
    CHECK(pump.until([&] { return control.has("error?id=1&code=invalid&message="); }));
  }
  control.ask("dance?id=2");
  CHECK(pump.until([&] { return control.has("error?id=2&code=unknown&"); }));
  control.ask("close?id=3&stream=s&reason=" + std::string(65, '('));
  CHECK(pump.until([&] { return control.has("error?id=3&code=invalid&"); }));
  CHECK(!control.ended());
}

TEST("the longest note comes back in a frame that is not too long") {
  Pump pump;
  const rig::Source source;
  Control control = pump.hello();
  control.ask(open_request("s", source.port, "&note=" + std::string(4096, '(')));
  control.ask("stats?id=1");
  CHECK(pump.until([&] { return control.has("ok?id=1"); }));
  CHECK(control.has("stream?stream=s&note=%28%28"));
  for (const std::string& frame : control.frames()) CHECK(frame.size() < 16384);
}

TEST("drain answers, opens nothing more, and ends with the last viewer") {
  Pump pump;
  const rig::Source source;
  Control control = pump.hello();
  const Fd handoff = pump.handoff();
  net::Client client = watch(pump, control, handoff, source, "v");
  pump.turn(2);
  control.ask("drain?id=1");
  control.ask(open_request("t", source.port));
  CHECK(pump.until([&] { return control.has("error?id=o&code=unavailable&"); }));
  CHECK(control.has("ok?id=1"));
  control.ask("dismiss?id=2&viewer=v");
  CHECK(pump.ends());
  CHECK(control.has("closed?viewer=v&stream=s&reason=dismissed"));
  CHECK(control.has("ended?stream=s&reason=stopped"));
}

TEST("stop closes everything and ends") {
  Pump pump;
  const rig::Source source;
  Control control = pump.hello();
  const Fd handoff = pump.handoff();
  net::Client client = watch(pump, control, handoff, source, "v");
  pump.turn(2);
  control.ask("stop?id=1");
  CHECK(pump.ends());
  CHECK(control.has("ok?id=1"));
  CHECK(control.has("closed?viewer=v&stream=s&reason=stopped"));
  CHECK(client.ended());
}

TEST("a pump with neither controller nor viewers ends by itself, not before") {
  Pump pump(100 * weir::kMillisecond);
  const weir::Time begun = weir::Loop::clock();
  {
    Control control = pump.hello();
    CHECK(pump.until([&] { return weir::Loop::clock() - begun > 200 * weir::kMillisecond; }));
  }
  const weir::Time left = weir::Loop::clock();
  CHECK(pump.ends());
  CHECK(weir::Loop::clock() - left >= 100 * weir::kMillisecond);
}
