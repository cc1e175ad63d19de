// Archives: nothing is skipped, and whoever comes back goes on where they were.
#include "session.hpp"

using media::Bytes;
using media::video;
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

constexpr size_t kMegabyte = 1 << 20;

uint32_t number_of(const Bytes& bytes, size_t at) {
  const uint8_t* data = media::raw(bytes) + at + 4;
  return static_cast<uint32_t>(data[0]) << 24 | static_cast<uint32_t>(data[1]) << 16 | static_cast<uint32_t>(data[2]) << 8 | data[3];
}

// An archive that a session plays: packets with their numbers, and the clock every 40 ms of 40 packets.
struct Archive {
  Rig rig{};
  Server server{"one"};
  uint32_t next = 0;
  Archive() {
    rig.hub.open(plan("s", true));
    feed(rig, "s", server);
    server.play(kTables);
  }
  // So many frames of seven packets, as far as the connection takes them. False when it takes no more.
  bool play(int frames) {
    for (int count = 0; count < frames && !server.blocked(); count++) {
      server.play(next % 35 == 0 ? session::clock(next, next) + videos(next + 1, 6) : videos(next));
      next += 7;
    }
    server.flush();
    return !server.blocked();
  }
  uint64_t packets() const { return std::stoull(rig.status("stream", "s", "packets")); }
};

// Whether all that came behind the head and the tables are packets in order, from `first` on.
bool in_order(const Bytes& got, size_t from, uint32_t first) {
  bool good = true;
  for (size_t at = from; at + 188 <= got.size(); at += 188) {
    if ((got[at + 3] & 0x20) == 0) good = good && number_of(got, at) == first;
    first++;
  }
  return good;
}

}  // namespace

TEST("a viewer that stops reading stops the server, and gets every byte in order when it goes on") {
  Archive one;
  net::Client client = attach(one.rig, "s", "v", 65536);
  // The viewer reads nothing: what its connection, the ring and the server's connection take is soon taken.
  CHECK(one.rig.until([&] { return !one.play(200) && (one.rig.turn(20), !one.play(0)); }));
  const uint32_t stopped = one.next;
  CHECK(size_t{stopped} * 188 > 12 * kMegabyte);
  CHECK_EQ(one.rig.status("stream", "s", "jumps"), "0");
  CHECK(std::stoull(one.rig.status("viewer", "v", "lag")) <= 16 * kMegabyte);
  const size_t wanted = 5 + kTables.size() + size_t{stopped} * 188;
  CHECK(one.rig.until([&] {
    one.play(0);
    return client.read().size() == wanted;
  }));
  CHECK(in_order(client.read(), 5 + kTables.size(), 0));
  CHECK_EQ(one.rig.status("stream", "s", "lost"), "0");
  CHECK_EQ(one.rig.status("viewer", "v", "lostBytes"), "0");
  // And so it goes on.
  one.play(100);
  CHECK(one.rig.until([&] { return client.read().size() == wanted + 700 * 188; }));
}

TEST("while its viewer is stopped a session's silence does not count") {
  Rig rig;
  auto what = plan("s", true);
  what.rejoin = what.silence = 200 * kMillisecond;
  rig.hub.open(what);
  Server server("one");
  feed(rig, "s", server);
  net::Client client = attach(rig, "s", "v", 65536);
  server.play(kTables);
  uint32_t next = 0;
  CHECK(rig.until([&] {
    for (int count = 0; count < 100 && !server.blocked(); count++, next += 7) server.play(videos(next));
    server.flush();
    return rig.status("viewer", "v", "lag") > "1" && server.blocked() && next * 188 > 14 * kMegabyte;
  }));
  const weir::Time begun = weir::Loop::clock();
  CHECK(rig.until([&] { return weir::Loop::clock() - begun > 600 * kMillisecond; }));
  CHECK(!rig.told("ended"));
  CHECK(!rig.told("silent"));
}

TEST("whoever comes after somebody who only looked begins at the first byte") {
  Archive one;
  net::Client look = attach(one.rig, "s", "v");
  one.play(50);
  CHECK(one.rig.until([&] { return look.read().size() > 1024; }));
  const Bytes seen = look.read();
  look.abort();
  one.play(50);
  CHECK(one.rig.until([&] { return one.rig.told("closed?viewer=v") && one.packets() == 101; }));
  net::Client again = attach(one.rig, "s", "w");
  CHECK(one.rig.until([&] { return again.read().size() == 5 + kTables.size() + 700 * 188; }));
  CHECK(again.read().starts_with(seen.substr(0, 1000)));
  CHECK(again.read().substr(0, 5 + kTables.size()) == "HEAD " + kTables);
  CHECK(in_order(again.read(), 5 + kTables.size(), 0));
  CHECK_EQ(one.server.farewells(), 0);
}

TEST("a look before anything came leaves the beginning to the next viewer") {
  Archive one;
  net::Client look = attach(one.rig, "s", "v");
  CHECK(one.rig.hub.dismiss("v", "enough"));
  one.play(10);
  CHECK(one.rig.until([&] { return one.packets() == 11; }));
  net::Client again = attach(one.rig, "s", "w");
  CHECK(one.rig.until([&] { return again.read() == "HEAD " + kTables + again.read().substr(5 + kTables.size()) && again.read().size() == 5 + kTables.size() + 70 * 188; }));
  CHECK(in_order(again.read(), 5 + kTables.size(), 0));
}

TEST("whoever comes after somebody who watched begins with the tables, two seconds of media before what that one had") {
  Archive one;
  net::Client client = attach(one.rig, "s", "v");
  // A millisecond a packet: 30 seconds, 5.6 MB.
  while (one.next < 30000) {
    one.play(10);
    one.rig.turn(1);
    client.read();
  }
  one.play(0);
  CHECK(one.rig.until([&] { return client.read().size() == 5 + kTables.size() + size_t{one.next} * 188; }));
  client.abort();
  CHECK(one.rig.until([&] { return one.rig.told("closed?viewer=v"); }));
  CHECK(one.rig.event("closed").find("&media=") != std::string::npos);
  net::Client again = attach(one.rig, "s", "w");
  const uint32_t left = one.next;
  one.play(12);
  CHECK(one.rig.until([&] {
    const Bytes& got = again.read();
    return got.size() > 5 + kTables.size() + 188 && (got[got.size() - 185] & 0x20) == 0 && number_of(got, got.size() - 188) == one.next - 1;
  }));
  const Bytes& got = again.read();
  const auto first = one.next - static_cast<uint32_t>((got.size() - 5 - kTables.size()) / 188);
  CHECK(first <= left - 2000);
  // Places are known to a tenth of a second.
  CHECK(first > left - 2250);
  CHECK(in_order(got, 5 + kTables.size(), first));
  CHECK(got.substr(5, 4).substr(0, 3) == kTables.substr(0, 3));
}

TEST("the programme's clock tells how much of it came") {
  Archive one;
  net::Client client = attach(one.rig, "s", "v");
  one.play(1000);
  CHECK(one.rig.until([&] { return one.packets() == 1001; }));
  // The last clock is that of packet 6965.
  CHECK_EQ(one.rig.status("stream", "s", "media"), "6.965000");
  CHECK_EQ(one.rig.status("stream", "s", "hold"), "1");
}
