#include "access.hpp"

#include <string>

#include "check.hpp"
#include "media.hpp"

using media::bytes;
using media::Bytes;
using weir::AccessFinder;
using weir::psi::Component;

namespace {

constexpr uint8_t kMpeg2 = 0x02;
constexpr uint8_t kAac = 0x0F;
constexpr uint8_t kH264 = 0x1B;
constexpr uint8_t kHevc = 0x24;

// A PES header with a PTS (14 bytes), and what follows it.
Bytes pes(const Bytes& data) {
  return bytes(0, 0, 1, 0xE0, 0, 0, 0x80, 0x80, 5, 0x21, 0x00, 0x01, 0x00, 0x01) + data;
}

Bytes nal(uint8_t code) { return bytes(0, 0, 1, code, 0x11, 0x22, 0x33); }

AccessFinder finder_of(uint8_t type) {
  AccessFinder finder;
  finder.follow(Component{media::kVideoPid, type});
  return finder;
}

// What a unit is taken for: "begins", "access", both with a blank between, or nothing.
std::string found(AccessFinder& finder, const Bytes& packet) {
  const auto finding = finder.feed(media::raw(packet));
  return std::string(finding.begins ? "begins" : "") + (finding.begins && finding.random_access ? " " : "") +
         (finding.random_access ? "access" : "");
}

Bytes unit(const Bytes& data) { return media::packet(media::kVideoPid, 0, pes(data), true); }
Bytes rest(const Bytes& data) { return media::packet(media::kVideoPid, 1, data); }

// A packet with an adaptation field of two bytes, whose flags are given.
Bytes flagged(uint8_t flags) {
  Bytes out = bytes(0x47, 0x41, 0x00, 0x30, 1, flags) + pes(nal(0x41));
  out.resize(188, '\xFF');
  return out;
}

}  // namespace

TEST("an H.264 unit with an IDR picture is a random-access point, one with another picture is none") {
  auto finder = finder_of(kH264);
  CHECK_EQ(found(finder, unit(nal(0x09) + nal(0x65))), "begins access");
  CHECK_EQ(found(finder, unit(nal(0x09) + nal(0x41))), "begins");
  CHECK_EQ(found(finder, unit(nal(0x09) + nal(0x01))), "begins");
}

TEST("an H.264 unit with sequence parameters is one without an IDR picture too: a recovery point") {
  auto finder = finder_of(kH264);
  CHECK_EQ(found(finder, unit(nal(0x09) + nal(0x67) + nal(0x68) + nal(0x06) + nal(0x41))), "begins access");
}

TEST("parameters of one unit do not make the next one a random-access point") {
  auto finder = finder_of(kH264);
  CHECK_EQ(found(finder, unit(nal(0x67) + nal(0x65))), "begins access");
  CHECK_EQ(found(finder, unit(nal(0x41))), "begins");
}

TEST("the picture may come in a later packet of the unit, its start code across two") {
  auto finder = finder_of(kH264);
  Bytes first = unit(nal(0x67));
  first.replace(186, 2, bytes(0, 0));
  CHECK_EQ(found(finder, first), "begins");
  CHECK_EQ(found(finder, rest(bytes(1, 0x65, 0x88))), "access");
  CHECK_EQ(found(finder, rest(nal(0x65))), "");
}

TEST("HEVC pictures of the types 16 to 21 are random-access points") {
  auto finder = finder_of(kHevc);
  for (const int type : {16, 19, 20, 21}) CHECK_EQ(found(finder, unit(nal(static_cast<uint8_t>(type << 1)))), "begins access");
  for (const int type : {0, 1, 9}) CHECK_EQ(found(finder, unit(nal(static_cast<uint8_t>(type << 1)))), "begins");
}

TEST("an MPEG-2 I picture behind a sequence header is a random-access point, a P picture or one without header is none") {
  auto finder = finder_of(kMpeg2);
  const Bytes sequence = bytes(0, 0, 1, 0xB3, 0x2D, 0x02, 0x40, 0x33);
  const Bytes intra = bytes(0, 0, 1, 0x00, 0x00, 0x08, 0xFF, 0xF8);
  const Bytes predicted = bytes(0, 0, 1, 0x00, 0x00, 0x10, 0xFF, 0xF8);
  CHECK_EQ(found(finder, unit(sequence + intra)), "begins access");
  CHECK_EQ(found(finder, unit(sequence + predicted)), "begins");
  CHECK_EQ(found(finder, unit(intra)), "begins");
}

TEST("the adaptation field's random_access_indicator is believed") {
  auto finder = finder_of(kH264);
  CHECK_EQ(found(finder, flagged(0x40)), "begins access");
  CHECK_EQ(found(finder, flagged(0x10)), "begins");
}

TEST("every unit of audio is one") {
  auto finder = finder_of(kAac);
  CHECK_EQ(found(finder, unit(bytes(0xFF, 0xF1))), "begins access");
  CHECK_EQ(found(finder, rest(bytes(0xFF, 0xF1))), "");
}

TEST("packets before the first unit, and a unit without any start code, are nothing") {
  auto finder = finder_of(kH264);
  CHECK_EQ(found(finder, rest(nal(0x65))), "");
  CHECK_EQ(found(finder, unit("")), "begins");
  for (int count = 0; count < 200; count++) CHECK_EQ(found(finder, rest("")), "");
  // What lies behind the first 16 KiB of a unit is not looked at.
  CHECK_EQ(found(finder, rest(nal(0x65))), "");
}
