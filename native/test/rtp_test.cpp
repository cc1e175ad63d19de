#include "rtp.hpp"

#include "check.hpp"
#include "media.hpp"

using media::bytes;
using media::raw;
using weir::rtp::parse;

namespace {

const media::Bytes kFixed = bytes(0x80, 33, 0x12, 0x34, 0, 0, 0, 1, 0xDE, 0xAD, 0xBE, 0xEF);

media::Bytes with_first(int first, const media::Bytes& rest) {
  media::Bytes out = kFixed + rest;
  out[0] = static_cast<char>(first);
  return out;
}

}  // namespace

TEST("a plain packet gives sequence, SSRC, type and payload") {
  const media::Bytes data = kFixed + "media";
  const auto packet = parse(raw(data), data.size());
  CHECK(packet);
  CHECK_EQ(packet->sequence, 0x1234);
  CHECK_EQ(packet->ssrc, 0xDEADBEEFu);
  CHECK_EQ(packet->type, 33);
  CHECK_EQ(packet->offset, 12);
  CHECK_EQ(packet->size, 5);
  CHECK(weir::rtp::plain(raw(data)));
}

TEST("the marker bit is no part of the type") {
  media::Bytes data = kFixed;
  data[1] = static_cast<char>(0x80 | 33);
  CHECK_EQ(parse(raw(data), data.size())->type, 33);
}

TEST("contributing sources, extension and padding are taken off together") {
  // Two CSRC (8 bytes), an extension of one word (4 + 4), padding of 3.
  const media::Bytes rest = bytes(1, 1, 1, 1, 2, 2, 2, 2, 0xBE, 0xDE, 0, 1, 9, 9, 9, 9) + "TS" + bytes(0, 0, 3);
  const media::Bytes data = with_first(0x80 | 0x20 | 0x10 | 2, rest);
  const auto packet = parse(raw(data), data.size());
  CHECK(packet);
  CHECK_EQ(packet->offset, 28);
  CHECK_EQ(packet->size, 2);
  CHECK(!weir::rtp::plain(raw(data)));
}

TEST("fifteen contributing sources need sixty bytes") {
  const media::Bytes data = with_first(0x8F, media::Bytes(60, '\0'));
  CHECK_EQ(parse(raw(data), data.size())->offset, 72);
  CHECK_EQ(parse(raw(data), data.size())->size, 0);
  CHECK(!parse(raw(data), data.size() - 1));
}

TEST("an extension that is cut is refused") {
  const media::Bytes cut = with_first(0x90, bytes(0xBE, 0xDE, 0));
  CHECK(!parse(raw(cut), cut.size()));
  const media::Bytes longer = with_first(0x90, bytes(0xBE, 0xDE, 0xFF, 0xFF) + media::Bytes(100, '\0'));
  CHECK(!parse(raw(longer), longer.size()));
}

TEST("padding longer than what follows the header is refused, padding of all of it leaves nothing") {
  const media::Bytes longer = with_first(0xA0, bytes(0, 0, 4));
  CHECK(!parse(raw(longer), longer.size()));
  const media::Bytes all = with_first(0xA0, bytes(0, 0, 3));
  CHECK_EQ(parse(raw(all), all.size())->size, 0);
}

TEST("a packet of twelve bytes is the shortest, and has no payload") {
  CHECK_EQ(parse(raw(kFixed), 12)->size, 0);
  CHECK(!parse(raw(kFixed), 11));
  CHECK(!parse(raw(kFixed), 0));
}

TEST("another version is refused") {
  for (const int first : {0x00, 0x47, 0x40, 0xC0}) {
    const media::Bytes data = with_first(first, "media");
    CHECK(!parse(raw(data), data.size()));
  }
}

TEST("RTCP is refused by its packet types 200 to 211") {
  for (int type = 199; type <= 212; type++) {
    media::Bytes data = kFixed + "report";
    data[1] = static_cast<char>(type);
    const bool is_rtp = type == 199 || type == 212;
    CHECK_EQ(parse(raw(data), data.size()).has_value(), is_rtp);
    CHECK_EQ(weir::rtp::plain(raw(data)), is_rtp);
  }
}
