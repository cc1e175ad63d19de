// Whole streams: datagrams in, TCP out, through the hub's public door.
#include "media.hpp"
#include "rig.hpp"

using media::Bytes;
using media::bytes;
using media::kPmtPid;
using media::rtp;
using media::table;
using media::video;
using media::videos;
using rig::attach;
using rig::Rig;
using rig::Source;

namespace {

const Bytes kTables = table(0, 3, media::kPat) + table(kPmtPid, 7, media::kPmt);

// Opens a stream, attaches a viewer "v" and sends tables and the first seven packets in datagrams made by `wrap`.
template <class Wrap>
net::Client started(Rig& rig, const Source& source, Wrap wrap) {
  CHECK(!rig.hub.open(source.plan("s")).refused());
  net::Client client = attach(rig, "s", "v");
  source.send(wrap(0, kTables));
  source.send(wrap(1, videos(0)));
  CHECK(rig.until([&] { return client.read() == "HEAD " + kTables + videos(0); }));
  return client;
}

Bytes bare(int, const Bytes& media) { return media; }
Bytes in_rtp(int sequence, const Bytes& media) { return rtp(static_cast<uint16_t>(sequence), 0xABCD, media); }

}  // namespace

TEST("a viewer of bare TS gets its head, PAT and PMT whose counters lead on, then what follows them") {
  Rig rig;
  const Source source;
  net::Client client = started(rig, source, bare);
  CHECK(rig.told("live?viewer=v"));
  CHECK_EQ(rig.status("stream", "s", "format"), "ts");
  CHECK_EQ(rig.status("stream", "s", "state"), "live");
  CHECK_EQ(rig.status("stream", "s", "packets"), "2");
  CHECK_EQ(rig.status("stream", "s", "bytes"), "1692");
  CHECK_EQ(rig.status("stream", "s", "continuityErrors"), "0");
  CHECK_EQ(rig.status("viewer", "v", "bytes"), "1697");
  CHECK_EQ(rig.status("viewer", "v", "note"), "note of v");
}

TEST("packets before the first PMT are not sent, those behind it in the same datagram are") {
  Rig rig;
  const Source source;
  rig.hub.open(source.plan("s"));
  net::Client client = attach(rig, "s", "v");
  source.send(videos(0));
  source.send(table(0, 9, media::kPat) + video(7) + table(kPmtPid, 2, media::kPmt) + video(8) + video(9));
  const Bytes wanted = "HEAD " + table(0, 9, media::kPat) + table(kPmtPid, 2, media::kPmt) + video(8) + video(9);
  CHECK(rig.until([&] { return client.read().size() >= wanted.size(); }));
  CHECK_EQ(client.read(), wanted);
}

TEST("a second viewer begins with the tables as they would come next, and at the live edge") {
  Rig rig;
  const Source source;
  net::Client first = started(rig, source, bare);
  net::Client second = attach(rig, "s", "w");
  rig.turn(3);
  CHECK_EQ(second.read(), "");
  CHECK(!rig.told("live?viewer=w"));
  source.send(videos(7) );
  CHECK(rig.until([&] { return !second.read().empty() && rig.told("live?viewer=w"); }));
  CHECK_EQ(second.read(), "HEAD " + kTables + videos(7));
  CHECK(rig.until([&] { return first.read() == "HEAD " + kTables + videos(0) + videos(7); }));
}

TEST("TS without tables goes out as it comes after 500 ms") {
  Rig rig;
  const Source source;
  rig.hub.open(source.plan("s"));
  net::Client client = attach(rig, "s", "v");
  const weir::Time begun = weir::Loop::clock();
  uint32_t number = 0;
  CHECK(rig.until([&] {
    source.send(videos(number));
    number += 7;
    return !client.read().empty();
  }));
  CHECK(weir::Loop::clock() - begun >= 500 * weir::kMillisecond);
  CHECK_EQ(client.read().substr(0, 6), "HEAD G");
}

TEST("RTP is told from bare TS by content and passes as TS") {
  Rig rig;
  const Source source;
  net::Client client = started(rig, source, in_rtp);
  CHECK_EQ(rig.status("stream", "s", "format"), "rtp-ts");
}

TEST("CSRC, extension, padding and short packets are taken apart, in order") {
  Rig rig;
  const Source source;
  net::Client client = started(rig, source, in_rtp);
  Bytes csrc = in_rtp(2, bytes(1, 2, 3, 4) + videos(7));
  csrc[0] = static_cast<char>(0x81);
  Bytes extended = in_rtp(3, bytes(0xBE, 0xDE, 0, 1, 0, 0, 0, 0) + videos(14));
  extended[0] = static_cast<char>(0x90);
  Bytes padded = in_rtp(4, video(21) + bytes(0, 0, 0, 4));
  padded[0] = static_cast<char>(0xA0);
  for (const Bytes& one : {csrc, extended, padded, in_rtp(5, videos(22, 3)), in_rtp(6, videos(25))}) source.send(one);
  const Bytes wanted = "HEAD " + kTables + videos(0, 32);
  CHECK(rig.until([&] { return client.read().size() >= wanted.size(); }));
  CHECK(client.read() == wanted);
  CHECK_EQ(rig.status("stream", "s", "continuityErrors"), "0");
  CHECK_EQ(rig.status("stream", "s", "lost"), "0");
}

TEST("an RTP packet that is all padding takes its place, and nothing waits for it") {
  Rig rig;
  const Source source;
  net::Client client = started(rig, source, in_rtp);
  Bytes empty = in_rtp(2, Bytes(15, '\0') + bytes(16));
  empty[0] = static_cast<char>(0xA0);
  source.send(empty);
  source.send(in_rtp(3, videos(7)));
  const Bytes wanted = "HEAD " + kTables + videos(0, 14);
  CHECK(rig.until([&] { return client.read().size() >= wanted.size(); }));
  CHECK_EQ(rig.status("stream", "s", "lost"), "0");
}

TEST("disorder and doubles inside one batch come out in order and once") {
  Rig rig;
  const Source source;
  net::Client client = started(rig, source, in_rtp);
  for (const int sequence : {2, 4, 3, 3, 2, 6, 5, 7, 4}) source.send(in_rtp(sequence, videos(static_cast<uint32_t>(sequence - 1) * 7)));
  const Bytes wanted = "HEAD " + kTables + videos(0, 49);
  CHECK(rig.until([&] { return client.read().size() >= wanted.size(); }));
  CHECK(client.read() == wanted);
  CHECK_EQ(rig.status("stream", "s", "duplicates"), "3");
  CHECK_EQ(rig.status("stream", "s", "continuityErrors"), "0");
}

TEST("an encoder that starts anew is followed, and its counters are no errors") {
  Rig rig;
  const Source source;
  net::Client client = started(rig, source, in_rtp);
  source.send(rtp(900, 0xEEEE, videos(100)));
  source.send(rtp(901, 0xEEEE, videos(107)));
  const Bytes wanted = "HEAD " + kTables + videos(0) + videos(100, 14);
  CHECK(rig.until([&] { return client.read().size() >= wanted.size(); }));
  CHECK(client.read() == wanted);
  CHECK_EQ(rig.status("stream", "s", "restarts"), "1");
  CHECK_EQ(rig.status("stream", "s", "continuityErrors"), "0");
}

TEST("datagrams longer than the ones before pass whole, in a batch with those") {
  Rig rig;
  const Source source;
  net::Client client = started(rig, source, bare);
  uint32_t number = 7;
  for (const uint32_t count : {7u, 8u, 1u, 17u, 7u, 17u, 1u}) {
    source.send(videos(number, count));
    number += count;
  }
  const Bytes wanted = "HEAD " + kTables + videos(0, 65);
  CHECK(rig.until([&] { return client.read().size() >= wanted.size(); }));
  CHECK(client.read() == wanted);
}

TEST("a datagram too long for the room that was made is cut at a packet, and the next of its kind is not") {
  Rig rig;
  const Source source;
  net::Client client = started(rig, source, bare);
  source.send(videos(7, 340));
  // 1316 bytes were expected and 2048 can be spilled: 17 packets.
  const Bytes cut = "HEAD " + kTables + videos(0, 24);
  CHECK(rig.until([&] { return client.read().size() >= cut.size(); }));
  CHECK(client.read() == cut);
  source.send(videos(347, 340));
  source.send(videos(687, 7));
  const Bytes wanted = cut + videos(347, 347);
  CHECK(rig.until([&] { return client.read().size() >= wanted.size(); }));
  CHECK(client.read() == wanted);
}

TEST("bare packets amid RTP whose payload ends in half a packet do not write over their neighbours") {
  Rig rig;
  const Source source;
  rig.hub.open(source.plan("s"));
  net::Client client = attach(rig, "s", "v");
  const Bytes half(184, 'x');
  source.send(in_rtp(0, kTables + videos(0, 4) + half));
  Bytes wanted = "HEAD " + kTables + videos(0, 4);
  CHECK(rig.until([&] { return client.read() == wanted; }));
  for (uint32_t index = 0; index < 10; index++) {
    source.send(videos(4 + index * 13));
    source.send(in_rtp(static_cast<int>(1 + index), videos(11 + index * 13, 6) + half));
  }
  wanted += videos(4, 130);
  CHECK(rig.until([&] { return client.read().size() >= wanted.size(); }));
  CHECK(client.read() == wanted);
}

TEST("a stray of 84 bytes before and between RTP changes nothing but its count") {
  Rig rig;
  const Source source;
  rig.hub.open(source.plan("s"));
  Bytes stray(84, 'x');
  stray[0] = static_cast<char>(0x80);
  source.send(stray);
  source.send(Bytes(84, 'y'));
  net::Client client = started(rig, source, in_rtp);
  source.send(stray);
  source.send(Bytes(84, 'G'));
  source.send(in_rtp(2, videos(7)));
  source.send(Bytes(84, 'y'));
  source.send(in_rtp(3, videos(14)));
  const Bytes wanted = "HEAD " + kTables + videos(0, 21);
  CHECK(rig.until([&] { return client.read().size() >= wanted.size(); }));
  CHECK(client.read() == wanted);
  CHECK_EQ(rig.status("stream", "s", "format"), "rtp-ts");
  CHECK_EQ(rig.status("stream", "s", "lost"), "0");
  CHECK_EQ(rig.status("stream", "s", "strays"), "5");
}

TEST("TS cut every 1472 bytes comes out whole") {
  Rig rig;
  const Source source;
  rig.hub.open(source.plan("s"));
  net::Client client = attach(rig, "s", "v");
  const Bytes sent = kTables + videos(0, 200);
  for (size_t at = 0; at < sent.size(); at += 1472) {
    source.send(sent.substr(at, 1472));
    if (at % 5 == 0) rig.turn(1);
  }
  source.send(videos(200));
  const Bytes wanted = "HEAD " + kTables + videos(0, 207);
  CHECK(rig.until([&] { return client.read().size() >= wanted.size(); }));
  CHECK(client.read() == wanted);
  CHECK_EQ(rig.status("stream", "s", "strays"), "0");
}

TEST("RTP whose payload is no TS passes raw, in order") {
  Rig rig;
  const Source source;
  rig.hub.open(source.plan("s"));
  net::Client client = attach(rig, "s", "v");
  for (const int sequence : {1, 2, 4, 3, 5}) source.send(in_rtp(sequence, "payload " + std::to_string(sequence) + ";"));
  CHECK(rig.until([&] { return client.read().size() >= 55; }));
  CHECK_EQ(client.read(), "HEAD payload 1;payload 2;payload 3;payload 4;payload 5;");
  CHECK_EQ(rig.status("stream", "s", "format"), "rtp");
}

TEST("RTP whose payload is no TS has no tables to miss") {
  Rig rig;
  const Source source;
  rig.hub.open(source.plan("s"));
  // Its rate is taken about once a second, and what is missing is looked for then.
  const weir::Time begun = weir::Loop::clock();
  int sequence = 0;
  CHECK(rig.until([&] {
    source.send(in_rtp(sequence++, "no transport stream"));
    return weir::Loop::clock() - begun > 3 * weir::kSecond;
  }));
  CHECK(rig.status("stream", "s", "bitrate") != "0");
  CHECK_EQ(rig.status("stream", "s", "patErrors"), "0");
  CHECK_EQ(rig.status("stream", "s", "patInterval"), "?");
}
