// How streams and viewers begin and end: lingering, silence, slowness, closing from within.
#include "media.hpp"
#include "rig.hpp"

using media::Bytes;
using media::kPmtPid;
using media::table;
using media::video;
using media::videos;
using rig::attach;
using rig::kMillisecond;
using rig::Rig;
using rig::Source;

namespace {

const Bytes kTables = table(0, 3, media::kPat) + table(kPmtPid, 7, media::kPmt);

uint32_t number_of(const Bytes& packet) {
  const uint8_t* data = media::raw(packet) + 4;
  return static_cast<uint32_t>(data[0]) << 24 | static_cast<uint32_t>(data[1]) << 16 | static_cast<uint32_t>(data[2]) << 8 | data[3];
}

}  // namespace

TEST("a stream without viewers ends after its linger, renewed by opening it again") {
  Rig rig;
  const Source source;
  auto plan = source.plan("s");
  plan.linger = 150 * kMillisecond;
  rig.hub.open(plan);
  const weir::Time begun = weir::Loop::clock();
  CHECK(rig.until([&] { return weir::Loop::clock() - begun > 100 * kMillisecond; }));
  CHECK(!rig.hub.open(plan).refused());
  const weir::Time renewed = rig.loop.now();
  CHECK(rig.until([&] { return rig.told("ended?stream=s"); }));
  CHECK(rig.loop.now() - renewed >= 150 * kMillisecond);
  CHECK_EQ(rig.event("ended"), "ended?stream=s&reason=idle");
  CHECK(!rig.hub.close("s", "again"));
}

TEST("a group is joined once for all viewers of a stream, and left when the last one's linger is over") {
  Rig rig;
  const uint16_t port = net::free_port();
  const net::Sender sender("239.255.7.1", port);
  auto plan = rig::plan("s", "239.255.7.1", port);
  plan.linger = 20 * kMillisecond;
  CHECK_EQ(rig.hub.open(plan).message, "");
  net::Client one = attach(rig, "s", "v");
  net::Client other = attach(rig, "s", "w");
  CHECK_EQ(net::members("239.255.7.1"), 1);
  sender.send(kTables + videos(0, 2));
  CHECK(rig.until([&] { return one.read() == "HEAD " + kTables + videos(0, 2) && other.read() == one.read(); }));
  CHECK(rig.hub.dismiss("v", "enough"));
  CHECK(rig.hub.dismiss("w", "enough"));
  CHECK_EQ(rig.event("closed?viewer=w").substr(0, 56), "closed?viewer=w&stream=s&reason=enough&sent=757&lost=0&j");
  CHECK(rig.until([&] { return rig.told("ended?stream=s&reason=idle") && net::members("239.255.7.1") == 0; }));
  CHECK(one.ended());
}

TEST("two groups on one port do not mix") {
  Rig rig;
  const uint16_t port = net::free_port();
  rig.hub.open(rig::plan("one", "239.255.7.1", port));
  rig.hub.open(rig::plan("two", "239.255.7.2", port));
  net::Client one = attach(rig, "one", "v");
  net::Client two = attach(rig, "two", "w");
  net::Sender("239.255.7.1", port).send(kTables + videos(0));
  net::Sender("239.255.7.2", port).send(kTables + videos(70));
  CHECK(rig.until([&] { return !one.read().empty() && !two.read().empty(); }));
  CHECK(one.read() == "HEAD " + kTables + videos(0));
  CHECK(two.read() == "HEAD " + kTables + videos(70));
}

TEST("what cannot be opened is refused with a code and a line") {
  Rig rig;
  auto plan = rig::plan("s", "239.255.7.1", 5000);
  plan.interfaces = {"nowhere0"};
  const weir::Refusal refusal = rig.hub.open(plan);
  CHECK_EQ(refusal.code, "join-refused");
  CHECK(refusal.message.starts_with("There is no interface \"nowhere0\" on this machine; it has lo"));
  CHECK_EQ(rig.hub.open(rig::plan("s", "192.0.2.1", 5000)).message, "192.0.2.1 is neither a group nor an address of this machine.");
  CHECK(!rig.hub.close("s", "again"));
}

TEST("a silent stream is joined again, then ends, and its viewers hear what was seen: nothing") {
  Rig rig;
  const Source source;
  auto plan = source.plan("s");
  plan.rejoin = 30 * kMillisecond;
  plan.silence = 90 * kMillisecond;
  rig.hub.open(plan);
  net::Client client = attach(rig, "s", "v");
  CHECK(rig.until([&] { return rig.told("ended"); }));
  CHECK_EQ(rig.events.size(), 3);
  CHECK_EQ(rig.events[0], "silent?stream=s");
  CHECK(rig.events[1].starts_with("closed?viewer=v&stream=s&reason=no-signal&sent=0&lost=0&jumps=0&uptime="));
  CHECK(rig.events[1].ends_with("&saw=nothing"));
  CHECK_EQ(rig.events[2], "ended?stream=s&reason=no-signal");
  CHECK(client.ended());
  CHECK_EQ(client.read(), "");
}

TEST("a stream that gets only what is no media ends as silent, and says so") {
  Rig rig;
  const Source source;
  auto plan = source.plan("s");
  plan.rejoin = 60 * kMillisecond;
  plan.silence = 90 * kMillisecond;
  rig.hub.open(plan);
  net::Client client = attach(rig, "s", "v");
  source.send(Bytes(84, 'y'));
  source.send(Bytes(84, 'y'));
  CHECK(rig.until([&] { return rig.told("ended"); }));
  CHECK(rig.event("closed").ends_with("&saw=other-kind&strays=2"));
}

TEST("a group sent by another source than the one wanted, on the same interface, is no group on another interface") {
  Rig rig;
  const uint16_t port = net::free_port();
  const net::Sender sender("239.255.7.1", port);
  auto plan = rig::plan("s", "239.255.7.1", port);
  net::must(weir::read_address("127.0.0.9", 0, plan.address.source), "source");
  plan.rejoin = 30 * kMillisecond;
  plan.silence = 120 * kMillisecond;
  CHECK_EQ(rig.hub.open(plan).message, "");
  net::Client client = attach(rig, "s", "v");
  CHECK(rig.until([&] {
    sender.send(videos(0));
    return rig.told("ended");
  }));
  CHECK(rig.event("closed").ends_with("&saw=nothing"));
}

TEST("media that comes back after a silence is told once, and passes") {
  Rig rig;
  const Source source;
  auto plan = source.plan("s");
  plan.rejoin = 40 * kMillisecond;
  rig.hub.open(plan);
  net::Client client = attach(rig, "s", "v");
  source.send(kTables + videos(0, 2));
  CHECK(rig.until([&] { return rig.told("silent?stream=s"); }));
  CHECK_EQ(rig.status("stream", "s", "state"), "silent");
  CHECK_EQ(rig.status("stream", "s", "rejoins"), "1");
  source.send(videos(2));
  source.send(videos(9));
  CHECK(rig.until([&] { return client.read().size() == 5 + 18 * 188; }));
  CHECK_EQ(rig.count("resumed?stream=s"), 1);
}

TEST("a client that goes away is closed at the next send, with or without a reset") {
  Rig rig;
  const Source source;
  rig.hub.open(source.plan("s"));
  net::Client quiet = attach(rig, "s", "quiet");
  net::Client rude = attach(rig, "s", "rude");
  net::Client half = attach(rig, "s", "half");
  source.send(kTables + videos(0, 2));
  CHECK(rig.until([&] { return rig.count("live") == 3 && !half.read().empty(); }));
  quiet.close();
  rude.abort();
  half.half_close();
  uint32_t number = 2;
  CHECK(rig.until([&] {
    source.send(videos(number));
    number += 7;
    return rig.count("closed") == 2;
  }));
  CHECK(rig.event("closed?viewer=quiet").find("&reason=gone&") != std::string::npos);
  CHECK(rig.event("closed?viewer=rude").find("&reason=gone&") != std::string::npos);
  // A client that sends no more may still watch.
  CHECK(rig.until([&] { return half.read().size() == 5 + (number + 2) * 188; }));
}

TEST("a viewer of a stream that is not there, and one without a descriptor, are closed at once") {
  Rig rig;
  net::Client client = attach(rig, "none", "v");
  CHECK_EQ(rig.event("closed"), "closed?viewer=v&stream=none&reason=no-stream&sent=0&lost=0&jumps=0&uptime=0");
  CHECK(client.ended());
  rig.hub.attach("none", weir::Fd(), {"w", "", ""});
  CHECK_EQ(rig.event("closed?viewer=w"), "closed?viewer=w&stream=none&reason=descriptors&sent=0&lost=0&jumps=0&uptime=0");
}

TEST("a slow viewer jumps forward at a packet's end, its loss is counted, and its neighbour loses nothing") {
  Rig rig;
  const Source source;
  rig.hub.open(source.plan("s"));
  net::Client fast = attach(rig, "s", "fast");
  net::Client slow = attach(rig, "s", "slow", 4096);
  source.send(kTables);
  uint32_t number = 0;
  CHECK(rig.until([&] {
    for (int datagram = 0; datagram < 64; datagram++, number += 7) source.send(videos(number));
    rig.turn(1);
    fast.read();
    return rig.status("viewer", "slow", "jumps") == "2";
  }));
  // It may stand at the live edge now.
  source.send(videos(number));
  number += 7;
  const uint64_t lost = std::stoull(rig.status("viewer", "slow", "lostBytes"));
  const Bytes last = video(number - 1);
  CHECK(rig.until([&] { return slow.read().ends_with(last) && fast.read().ends_with(last); }));
  CHECK_EQ(rig.status("stream", "s", "kernelDrops"), "0");
  CHECK_EQ(fast.read().size(), 5 + kTables.size() + uint64_t{number} * 188);
  CHECK(slow.read().starts_with("HEAD " + kTables));
  const Bytes media = slow.read().substr(5 + kTables.size());
  CHECK_EQ(media.size() % 188, 0);
  CHECK_EQ(media.size() + lost, uint64_t{number} * 188);
  uint32_t next = 0;
  int jumps = 0;
  for (size_t at = 0; at < media.size(); at += 188) {
    const Bytes packet = media.substr(at, 188);
    const uint32_t found = number_of(packet);
    if (found != next) jumps++;
    if (packet != video(found) || found < next) check::failed(__FILE__, __LINE__, "packet at " + std::to_string(at));
    next = found + 1;
  }
  // It may jump again before anything was sent to it.
  CHECK(jumps == 1 || jumps == 2);
  CHECK_EQ(rig.status("stream", "s", "jumps"), "2");
}

TEST("viewers may be dismissed from within any event, each is closed once") {
  Rig rig;
  const Source source;
  rig.hub.open(source.plan("s"));
  std::vector<net::Client> clients;
  for (const char* id : {"a", "b", "c", "d", "e"}) clients.push_back(attach(rig, "s", id));
  rig.also = [&](const weir::Frame& event) {
    if (event.text() == "live?viewer=c") {
      CHECK(rig.hub.dismiss("a", "by c"));
      CHECK(rig.hub.dismiss("c", "itself"));
      CHECK(rig.hub.dismiss("d", "by c"));
    }
    if (event.name() == "closed" && event.get("viewer") == "a") CHECK(rig.hub.dismiss("e", "by a"));
  };
  source.send(kTables + videos(0, 2));
  CHECK(rig.until([&] { return rig.count("closed") == 4; }));
  for (const char* id : {"a", "c", "d", "e"}) CHECK_EQ(rig.count(std::string("closed?viewer=") + id), 1);
  CHECK(!rig.told("live?viewer=d"));
  source.send(videos(2));
  CHECK(rig.until([&] { return clients[1].read().size() == 5 + 11 * 188; }));
  CHECK_EQ(rig.hub.viewers(), 1);
}

TEST("a stream may be closed from within any event of its viewers, each is closed once") {
  Rig rig;
  const Source source;
  rig.hub.open(source.plan("s"));
  std::vector<net::Client> clients;
  for (const char* id : {"a", "b", "c"}) clients.push_back(attach(rig, "s", id));
  rig.also = [&](const weir::Frame& event) {
    if (event.name() == "live") rig.hub.close("s", "seen enough");
    if (event.name() == "closed") rig.hub.close_all("again");
  };
  source.send(kTables + videos(0, 2));
  CHECK(rig.until([&] { return rig.count("closed") == 3; }));
  CHECK_EQ(rig.count("ended"), 1);
  CHECK_EQ(rig.hub.viewers(), 0);
  CHECK_EQ(rig.status("stream", "s", "state"), "none");
}

TEST("a hub that goes away while its streams tick and its viewers are blocked leaves nothing open") {
  const size_t before = net::descriptors();
  {
    Rig rig;
    const Source source;
    rig.hub.open(source.plan("s"));
    net::Client client = attach(rig, "s", "v", 4096);
    source.send(kTables);
    uint32_t number = 0;
    CHECK(rig.until([&] {
      for (int datagram = 0; datagram < 32; datagram++, number += 7) source.send(videos(number));
      rig.turn(1);
      return std::stoull(rig.status("viewer", "v", "lag")) > 100'000;
    }));
  }
  CHECK_EQ(net::descriptors(), before);
}
