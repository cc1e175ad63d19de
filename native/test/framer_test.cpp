#include "framer.hpp"

#include "check.hpp"
#include "media.hpp"

using media::Bytes;
using media::raw;
using media::video;
using media::videos;
using weir::Framer;

namespace {

// Feeds a datagram and gives what came of it, the joined packet first.
Bytes feed(Framer& framer, const Bytes& data, bool stray_wanted) {
  const Framer::Result result = framer.feed(raw(data), data.size());
  CHECK_EQ(result.stray, stray_wanted);
  Bytes out;
  if (result.joined != nullptr) out.append(reinterpret_cast<const char*>(result.joined), 188);
  if (result.size > 0) out.append(reinterpret_cast<const char*>(result.packets), result.size);
  return out;
}

}  // namespace

TEST("whole packets pass in place") {
  Framer framer;
  const Bytes data = videos(0);
  const Framer::Result result = framer.feed(raw(data), data.size());
  CHECK(result.joined == nullptr);
  CHECK(result.packets == raw(data));
  CHECK_EQ(result.size, 1316);
  CHECK(!result.stray);
  CHECK(!framer.carrying());
}

TEST("a stream cut every 1472 bytes comes out whole") {
  Framer framer;
  const Bytes sent = videos(0, 94);
  Bytes got;
  for (size_t at = 0; at < sent.size(); at += 1472) got += feed(framer, sent.substr(at, 1472), false);
  CHECK_EQ(sent.size(), 17672);
  CHECK(framer.carrying() == false);
  CHECK_EQ(got, sent);
}

TEST("a first datagram that begins inside a packet gives what follows the next sync byte") {
  Framer framer;
  CHECK_EQ(feed(framer, videos(0).substr(100), true), videos(1, 6));
}

TEST("a sync byte that no other confirms is none") {
  Framer framer;
  Bytes data(20, 'x');
  data[5] = 0x47;
  CHECK_EQ(feed(framer, data + videos(1, 2), true), videos(1, 2));
}

TEST("what is no transport stream gives nothing") {
  Framer framer;
  CHECK_EQ(feed(framer, Bytes(1316, 'x'), true), "");
  CHECK_EQ(feed(framer, Bytes(84, 'x'), true), "");
  CHECK_EQ(feed(framer, Bytes(1, 'x'), true), "");
  CHECK(!framer.carrying());
}

TEST("bytes behind the last packet that begin none are dropped") {
  Framer framer;
  CHECK_EQ(feed(framer, videos(0, 2) + "tail", true), videos(0, 2));
  CHECK(!framer.carrying());
}

TEST("a packet whose other half is missing is dropped, the next datagram is not") {
  Framer framer;
  CHECK_EQ(feed(framer, video(0) + video(1).substr(0, 50), false), video(0));
  CHECK(framer.carrying());
  CHECK_EQ(feed(framer, videos(7), true), videos(7));
}

TEST("a lost datagram of a cut stream costs the packets it cut and no more") {
  Framer framer;
  const Bytes sent = videos(0, 24);
  CHECK_EQ(feed(framer, sent.substr(0, 1472), false), videos(0, 7));
  // The datagram with bytes 1472 to 2943 is lost: what is left of packet 15 comes next.
  CHECK_EQ(feed(framer, sent.substr(2944, 1472), true), videos(16, 7));
}

TEST("a cut packet may be completed to the byte") {
  Framer framer;
  feed(framer, video(0).substr(0, 187), false);
  CHECK_EQ(feed(framer, video(0).substr(187), false), video(0));
  feed(framer, video(1).substr(0, 1), false);
  CHECK_EQ(feed(framer, video(1).substr(1), false), video(1));
  CHECK(!framer.carrying());
}

TEST("a piece that is too short to complete a packet ends the wait for it") {
  Framer framer;
  feed(framer, video(0).substr(0, 50), false);
  CHECK_EQ(feed(framer, "short", true), "");
  CHECK(!framer.carrying());
}

TEST("an empty datagram gives nothing") {
  Framer framer;
  const Framer::Result result = framer.feed(nullptr, 0);
  CHECK(result.joined == nullptr);
  CHECK_EQ(result.size, 0);
  CHECK(!result.stray);
}
