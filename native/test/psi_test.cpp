#include "psi.hpp"

#include <algorithm>

#include "check.hpp"
#include "media.hpp"

using media::Bytes;
using media::bytes;
using media::kPmtPid;
using media::packet;
using media::raw;
using media::table;
using weir::Pids;
using weir::psi::Tables;

namespace {

bool feed(Tables& tables, const Bytes& one) { return tables.feed(raw(one)).changed; }
bool wants(const Tables& tables, uint16_t pid) { return std::ranges::count(tables.pmt_pids(), pid) > 0; }

// A PMT of programme 1 with so many bytes of descriptors that it needs two packets; its CRC was reckoned elsewhere.
Bytes long_pmt() {
  Bytes out = bytes(0x02, 0xB0, 0xDA, 0x00, 0x01, 0xC1, 0x00, 0x00, 0xE1, 0x00, 0xF0, 0xC8);
  for (int index = 0; index < 200; index++) out += static_cast<char>(index);
  return out + bytes(0x1B, 0xE1, 0x00, 0xF0, 0x00) + bytes(0x3E, 0xC4, 0xE1, 0xD5);
}

}  // namespace

TEST("the check value of CRC-32/MPEG-2 is that of the catalogue") {
  CHECK_EQ(weir::psi::crc32(raw("123456789"), 9), 0x0376E6E7u);
  CHECK_EQ(weir::psi::crc32(raw(media::kPat), media::kPat.size()), 0u);
}

TEST("PAT and PMT of one packet each complete the tables") {
  Tables tables;
  CHECK(!wants(tables, kPmtPid));
  CHECK(feed(tables, table(0, 0, media::kPat)));
  CHECK(tables.has_pat());
  CHECK(wants(tables, kPmtPid));
  CHECK(!tables.complete());
  CHECK(feed(tables, table(kPmtPid, 0, media::kPmt)));
  CHECK(tables.complete());
}

TEST("tables that are known already change nothing") {
  Tables tables;
  feed(tables, table(0, 0, media::kPat));
  feed(tables, table(kPmtPid, 0, media::kPmt));
  CHECK(!feed(tables, table(0, 1, media::kPat)));
  CHECK(!feed(tables, table(kPmtPid, 1, media::kPmt)));
}

TEST("a PMT before the PAT that names it is not taken") {
  Tables tables;
  CHECK(!feed(tables, table(kPmtPid, 0, media::kPmt)));
  feed(tables, table(0, 0, media::kPat));
  CHECK(!tables.complete());
}

TEST("a section with a wrong CRC is dropped, and the next good one is taken") {
  Tables tables;
  Bytes broken = media::kPat;
  broken[9] = 2;
  CHECK(!feed(tables, table(0, 0, broken)));
  CHECK(!tables.has_pat());
  CHECK(feed(tables, table(0, 1, media::kPat)));
}

TEST("a table that is not yet current is not taken") {
  Tables tables;
  // kPat with current_next_indicator 0.
  CHECK(!feed(tables, table(0, 0, bytes(0x00, 0xB0, 0x0D, 0x00, 0x01, 0xC0, 0x00, 0x00, 0x00, 0x01, 0xF0, 0x00, 0x65, 0xE6, 0x6C, 0xA3))));
}

TEST("a PMT of two packets is put together, and falls apart when one is lost") {
  Tables tables;
  feed(tables, table(0, 0, media::kPat));
  const Bytes section = long_pmt();
  CHECK_EQ(section.size(), 221);
  CHECK(!feed(tables, table(kPmtPid, 0, section.substr(0, 183))));
  CHECK(!feed(tables, table(kPmtPid, 2, section.substr(0, 183))));
  CHECK(feed(tables, packet(kPmtPid, 3, section.substr(183))));
  CHECK(tables.complete());
}

TEST("a packet that continues a section nobody began is dropped") {
  Tables tables;
  CHECK(!feed(tables, packet(0, 0, media::kPat)));
  CHECK(feed(tables, table(0, 1, media::kPat)));
}

TEST("a section that ends in front of the pointer's target is taken, and so is the one that begins there") {
  Tables tables;
  feed(tables, table(0, 0, media::kPatTwo));
  const Bytes first = long_pmt();
  CHECK(!feed(tables, table(kPmtPid, 0, first.substr(0, 183))));
  // 38 bytes are left of the first; the second follows at once.
  CHECK(feed(tables, packet(kPmtPid, 1, bytes(38) + first.substr(183) + media::kPmtSecond, true)));
  CHECK(tables.complete());
}

TEST("two programmes whose PMTs share a PID and a packet are both known") {
  Tables tables;
  feed(tables, table(0, 0, media::kPatTwo));
  CHECK(feed(tables, table(kPmtPid, 0, media::kPmt + media::kPmtSecond)));
  CHECK(tables.complete());
}

TEST("two programmes whose PMTs share a PID, in packets of their own, are both known") {
  Tables tables;
  feed(tables, table(0, 0, media::kPatTwo));
  feed(tables, table(kPmtPid, 0, media::kPmt));
  CHECK(!tables.complete());
  feed(tables, table(kPmtPid, 1, media::kPmtSecond));
  CHECK(tables.complete());
  const Bytes out = tables.packets(Pids());
  CHECK_EQ(out.size(), 564);
  CHECK_EQ(out, table(0, 0, media::kPatTwo) + table(kPmtPid, 15, media::kPmt) + table(kPmtPid, 0, media::kPmtSecond));
}

TEST("a PAT of two sections is complete with both, in any order") {
  Tables tables;
  feed(tables, table(0, 0, media::kPatSecond));
  feed(tables, table(0x1001, 0, media::kPmtSecond));
  CHECK(!tables.complete());
  feed(tables, table(0, 1, media::kPatFirst));
  feed(tables, table(kPmtPid, 0, media::kPmt));
  CHECK(tables.complete());
  const Bytes out = tables.packets(Pids());
  CHECK_EQ(out, table(0, 15, media::kPatFirst) + table(0, 0, media::kPatSecond) + table(kPmtPid, 0, media::kPmt) +
                    table(0x1001, 0, media::kPmtSecond));
}

TEST("a PAT of four sections is taken, one of five is not") {
  const Bytes first = bytes(0x00, 0xB0, 0x0D, 0x00, 0x01, 0xC1, 0x00);
  const Bytes programme = bytes(0x00, 0x01, 0xF0, 0x00);
  Tables tables;
  CHECK(!feed(tables, table(0, 0, first + bytes(4) + programme + bytes(0x0A, 0x45, 0x87, 0x31))));
  CHECK(!tables.has_pat());
  CHECK(feed(tables, table(0, 1, first + bytes(3) + programme + bytes(0xF1, 0xA6, 0xAC, 0x25))));
  CHECK(tables.has_pat());
}

TEST("a new version of the PMT takes the place of the old one") {
  Tables tables;
  feed(tables, table(0, 0, media::kPat));
  feed(tables, table(kPmtPid, 0, media::kPmt));
  CHECK(feed(tables, table(kPmtPid, 1, media::kPmtChanged)));
  CHECK_EQ(tables.packets(Pids()), table(0, 0, media::kPat) + table(kPmtPid, 0, media::kPmtChanged));
}

TEST("a PAT that moves a programme to another PID waits for the PMT there") {
  Tables tables;
  feed(tables, table(0, 0, media::kPat));
  feed(tables, table(kPmtPid, 0, media::kPmt));
  CHECK(feed(tables, table(0, 1, media::kPatMoved)));
  CHECK(!tables.complete());
  CHECK(!wants(tables, kPmtPid));
  CHECK(wants(tables, 0x500));
  CHECK_EQ(tables.packets(Pids()), table(0, 0, media::kPatMoved));
  feed(tables, table(0x500, 0, media::kPmtChanged));
  CHECK(tables.complete());
}

TEST("counters lead up to the last ones seen, each PID for itself, several packets a PID") {
  Tables tables;
  Pids pids;
  const Bytes section = long_pmt();
  for (const Bytes& one : {table(0, 9, media::kPat), table(kPmtPid, 15, section.substr(0, 183)), packet(kPmtPid, 0, section.substr(183))}) {
    pids.of(weir::ts::pid(raw(one))).counter.follows(raw(one));
    feed(tables, one);
  }
  CHECK_EQ(tables.packets(pids),
           table(0, 9, media::kPat) + table(kPmtPid, 15, section.substr(0, 183)) + packet(kPmtPid, 0, section.substr(183)));
}

TEST("a section longer than 1024 bytes is dropped and the next is taken") {
  Tables tables;
  CHECK(!feed(tables, table(0, 0, bytes(0x00, 0xBF, 0xFF) + Bytes(180, 'x'))));
  for (int index = 1; index < 30; index++) CHECK(!feed(tables, packet(0, index, Bytes(184, 'x'))));
  CHECK(feed(tables, table(0, 0, media::kPat)));
}

TEST("a pointer beyond the packet and a packet without payload are dropped") {
  Tables tables;
  CHECK(!feed(tables, packet(0, 0, bytes(184) + media::kPat, true)));
  CHECK(!feed(tables, packet(0, 0, bytes(183) + media::kPat, true)));
  Bytes empty = table(0, 1, media::kPat);
  empty[3] = 0x21;
  CHECK(!feed(tables, empty));
  CHECK(feed(tables, table(0, 2, media::kPat)));
}

TEST("without tables there are no packets") {
  CHECK_EQ(Tables().packets(Pids()), "");
  CHECK(!Tables().complete());
}
