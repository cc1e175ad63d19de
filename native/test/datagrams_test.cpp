#include "datagrams.hpp"

#include "check.hpp"
#include "media.hpp"

using media::Bytes;
using media::bytes;
using weir::Datagram;

namespace {

Datagram tell(const Bytes& data) { return weir::tell(media::raw(data), data.size()); }

const Bytes kStun = bytes(0x01, 0x01, 0, 0, 0x21, 0x12, 0xA4, 0x42) + Bytes(12, 'i');

}  // namespace

TEST("RTP and bare TS are media, and so is what is not known") {
  CHECK(tell(media::rtp(1, 2, media::videos(1))) == Datagram::kMedia);
  CHECK(tell(media::videos(1)) == Datagram::kMedia);
  CHECK(tell("") == Datagram::kMedia);
  CHECK(tell("hello") == Datagram::kMedia);
}

TEST("an answer of STUN is known by its cookie") {
  CHECK(tell(kStun) == Datagram::kStun);
  CHECK(tell(kStun.substr(0, 19)) == Datagram::kMedia);
  Bytes other = kStun;
  other[7] = 0;
  CHECK(tell(other) == Datagram::kMedia);
  Bytes marked = kStun;
  marked[0] = static_cast<char>(0x81);
  CHECK(tell(marked) == Datagram::kMedia);
}

TEST("the echo of a punch is known by its first eight bytes") {
  CHECK(tell("ZXV10STB" + Bytes(76, '\0')) == Datagram::kPunch);
  CHECK(tell("ZXV10STB") == Datagram::kPunch);
  CHECK(tell("ZXV10ST") == Datagram::kMedia);
}

TEST("RTCP is known by its types 200 to 211") {
  for (int type = 199; type <= 212; type++) {
    CHECK_EQ(tell(bytes(0x80, type, 0, 0)) == Datagram::kRtcp, type >= 200 && type <= 211);
  }
}
