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

bool follows(ts::Counter& counter, const media::Bytes& one) { return counter.follows(raw(one)); }

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
  ts::Counter counter;
  CHECK(follows(counter, packet(kPid, 14, "")));
  CHECK(follows(counter, packet(kPid, 15, "")));
  CHECK(follows(counter, packet(kPid, 0, "")));
  CHECK_EQ(counter.last(), 0);
  CHECK(!follows(counter, packet(kPid, 2, "")));
  CHECK(follows(counter, packet(kPid, 3, "")));
}

TEST("one packet may be repeated once, not twice") {
  ts::Counter counter;
  follows(counter, packet(kPid, 5, ""));
  CHECK(follows(counter, packet(kPid, 5, "")));
  CHECK(!follows(counter, packet(kPid, 5, "")));
  CHECK(follows(counter, packet(kPid, 6, "")));
  CHECK(follows(counter, packet(kPid, 6, "")));
}

TEST("a packet without payload keeps the counter") {
  ts::Counter counter;
  follows(counter, packet(kPid, 5, ""));
  CHECK(follows(counter, adapted(5, 183, 0, false)));
  CHECK(follows(counter, adapted(5, 183, 0, false)));
  CHECK(follows(counter, packet(kPid, 6, "")));
}

TEST("a discontinuity that is announced is none") {
  ts::Counter counter;
  follows(counter, packet(kPid, 5, ""));
  CHECK(follows(counter, adapted(12, 7, 0x80, true)));
  CHECK(follows(counter, packet(kPid, 13, "")));
}

TEST("a clock reference is read from its base and extension, and only where there is one") {
  // Base 2^32 + 1, extension 299.
  media::Bytes one = packet(kPid, 0, bytes(7, 0x10, 0x80, 0x00, 0x00, 0x00, 0xFF, 0x2B));
  one[3] = 0x30;
  CHECK(ts::has_pcr(raw(one)));
  CHECK_EQ(ts::pcr(raw(one)), ((uint64_t{1} << 32) + 1) * 300 + 299);
  one[5] = 0x40;
  CHECK(!ts::has_pcr(raw(one)));
  one[5] = 0x10;
  one[4] = 6;
  CHECK(!ts::has_pcr(raw(one)));
}
