#include "ts.hpp"

#include "check.hpp"
#include "media.hpp"

using media::bytes;
using media::packet;
using media::raw;
namespace ts = weir::ts;

namespace {

constexpr uint16_t kPid = 0x100;

// A packet with an adaptation field of `length` bytes and these flags, with or without payload.
media::Bytes adapted(int counter, int length, int flags, bool payload) {
  media::Bytes out = packet(kPid, counter, bytes(length, flags));
  out[3] = static_cast<char>((payload ? 0x30 : 0x20) | counter);
  return out;
}

bool follows(ts::Continuity& continuity, const media::Bytes& one) { return continuity.follows(raw(one)); }

}  // namespace

TEST("the fields of a header are read from their bits") {
  const media::Bytes one = bytes(0x47, 0x5F, 0xFE, 0x3A, 1, 0x80) + media::Bytes(182, '\0');
  CHECK_EQ(ts::pid(raw(one)), 0x1FFE);
  CHECK_EQ(ts::counter(raw(one)), 10);
  CHECK(ts::unit_start(raw(one)));
  CHECK(ts::has_adaptation(raw(one)));
  CHECK(ts::has_payload(raw(one)));
  CHECK(ts::discontinuity(raw(one)));
}

TEST("an adaptation field without bytes has no discontinuity flag") {
  CHECK(!ts::discontinuity(raw(adapted(0, 0, 0x80, true))));
  CHECK(!ts::discontinuity(raw(adapted(0, 1, 0x7F, true))));
}

TEST("the payload begins behind the adaptation field, and not behind the packet") {
  CHECK_EQ(ts::payload_offset(raw(packet(kPid, 0, ""))), 4);
  CHECK_EQ(ts::payload_offset(raw(adapted(0, 0, 0, true))), 5);
  CHECK_EQ(ts::payload_offset(raw(adapted(0, 182, 0, true))), 187);
  CHECK_EQ(ts::payload_offset(raw(adapted(0, 183, 0, true))), 188);
  CHECK_EQ(ts::payload_offset(raw(adapted(0, 255, 0, true))), 188);
  CHECK_EQ(ts::payload_offset(raw(adapted(0, 183, 0, false))), 188);
}

TEST("whole packets are counted until one does not begin with the sync byte") {
  media::Bytes data = media::videos(0, 3);
  CHECK_EQ(ts::whole(raw(data), data.size()), 564);
  CHECK_EQ(ts::whole(raw(data), data.size() - 1), 376);
  CHECK_EQ(ts::whole(raw(data), 187), 0);
  CHECK_EQ(ts::whole(raw(data), 0), 0);
  data[188] = 0x48;
  CHECK_EQ(ts::whole(raw(data), data.size()), 188);
}

TEST("counters that go up by one, through 15 to 0, follow") {
  ts::Continuity continuity;
  CHECK(follows(continuity, packet(kPid, 14, "")));
  CHECK(follows(continuity, packet(kPid, 15, "")));
  CHECK(follows(continuity, packet(kPid, 0, "")));
  CHECK_EQ(continuity.last(kPid), 0);
  CHECK(!follows(continuity, packet(kPid, 2, "")));
  CHECK(follows(continuity, packet(kPid, 3, "")));
}

TEST("one packet may be repeated once, not twice") {
  ts::Continuity continuity;
  follows(continuity, packet(kPid, 5, ""));
  CHECK(follows(continuity, packet(kPid, 5, "")));
  CHECK(!follows(continuity, packet(kPid, 5, "")));
  CHECK(follows(continuity, packet(kPid, 6, "")));
  CHECK(follows(continuity, packet(kPid, 6, "")));
}

TEST("a packet without payload keeps the counter") {
  ts::Continuity continuity;
  follows(continuity, packet(kPid, 5, ""));
  CHECK(follows(continuity, adapted(5, 183, 0, false)));
  CHECK(follows(continuity, adapted(5, 183, 0, false)));
  CHECK(follows(continuity, packet(kPid, 6, "")));
}

TEST("a discontinuity that is announced is none") {
  ts::Continuity continuity;
  follows(continuity, packet(kPid, 5, ""));
  CHECK(follows(continuity, adapted(12, 7, 0x80, true)));
  CHECK(follows(continuity, packet(kPid, 13, "")));
}

TEST("PIDs are counted apart and null packets not at all") {
  ts::Continuity continuity;
  follows(continuity, packet(0x100, 1, ""));
  follows(continuity, packet(0x101, 9, ""));
  CHECK(follows(continuity, packet(0x100, 2, "")));
  CHECK(follows(continuity, packet(0x101, 10, "")));
  CHECK(follows(continuity, packet(0x1FFF, 3, "")));
  CHECK(follows(continuity, packet(0x1FFF, 9, "")));
}

TEST("after a reset anything follows") {
  ts::Continuity continuity;
  follows(continuity, packet(kPid, 5, ""));
  continuity.reset();
  CHECK_EQ(continuity.last(kPid), 0);
  CHECK(follows(continuity, packet(kPid, 11, "")));
}
