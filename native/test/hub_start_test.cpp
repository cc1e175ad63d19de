// Where a viewer of a stream that is under way begins.
#include "media.hpp"
#include "rig.hpp"

using media::Bytes;
using media::bytes;
using media::kPmtPid;
using media::table;
using media::video;
using media::videos;
using rig::attach;
using rig::Rig;
using rig::Source;

namespace {

const Bytes kTables = table(0, 3, media::kPat) + table(kPmtPid, 7, media::kPmt);
constexpr int kRandomAccess = 0x40;

// A packet with which a unit begins, and the flags of its adaptation field.
Bytes unit(uint32_t number, int flags = kRandomAccess) {
  return video(number).replace(1, 5, bytes(0x41, 0x00, 0x30 | number % 16, 1, flags));
}

weir::Stream::Plan plan_of(const Source& source, size_t bytes) {
  weir::Stream::Plan plan = source.plan("s");
  plan.look_back = {60 * weir::kSecond, bytes};
  return plan;
}

}  // namespace

TEST("a viewer of a stream that is under way begins at once, with the newest picture that stands alone") {
  Rig rig;
  const Source source;
  rig.hub.open(plan_of(source, 1 << 20));
  net::Client first = attach(rig, "s", "v");
  const Bytes picture = unit(9);
  source.send(kTables + videos(0, 9) + picture + videos(10, 4));
  CHECK(rig.until([&] { return first.read().size() == 5 + 16 * 188; }));
  net::Client late = attach(rig, "s", "w");
  CHECK(late.read() == "HEAD " + kTables + picture + videos(10, 4));
  source.send(videos(14));
  CHECK(rig.until([&] { return late.read() == "HEAD " + kTables + picture + videos(10, 11); }));
  CHECK_EQ(rig.status("viewer", "w", "lostBytes"), "0");
}

TEST("while a picture that stands alone is still coming, viewers begin with the one before, and then with it") {
  Rig rig;
  const Source source;
  rig.hub.open(plan_of(source, 1 << 20));
  net::Client first = attach(rig, "s", "v");
  const Bytes early = unit(0) + videos(1, 2) + unit(3, 0);
  const Bytes half = unit(4) + videos(5, 2);
  source.send(kTables + early + half);
  CHECK(rig.until([&] { return first.read().size() == 5 + 9 * 188; }));
  net::Client before = attach(rig, "s", "w");
  CHECK(before.read() == "HEAD " + kTables + early + half);
  const Bytes next = videos(7, 2) + unit(9, 0);
  source.send(next);
  CHECK(rig.until([&] { return first.read().size() == 5 + 12 * 188; }));
  net::Client after = attach(rig, "s", "x");
  CHECK(after.read() == "HEAD " + kTables + half + next);
  CHECK(rig.until([&] { return before.read() == "HEAD " + kTables + early + half + next; }));
}

TEST("a picture that stands alone and after which nothing comes is whole") {
  Rig rig;
  const Source source;
  rig.hub.open(plan_of(source, 1 << 20));
  net::Client first = attach(rig, "s", "v");
  const Bytes early = unit(0) + videos(1, 2) + unit(3, 0);
  const Bytes newest = unit(4) + videos(5, 2);
  source.send(kTables + early + newest);
  CHECK(rig.until([&] { return first.read().size() == 5 + 9 * 188; }));
  const weir::Time sent = rig.loop.now();
  CHECK(rig.until([&] { return rig.loop.now() - sent > 210 * weir::kMillisecond; }));
  net::Client late = attach(rig, "s", "w");
  CHECK(late.read() == "HEAD " + kTables + newest);
}

TEST("where pictures that stand alone are further apart than what may be kept nothing is, until they are closer") {
  Rig rig;
  const Source source;
  rig.hub.open(plan_of(source, 10 * 188));
  net::Client first = attach(rig, "s", "v");
  uint32_t number = 0;
  // A picture that stands alone and what follows it.
  const auto group = [&](uint32_t packets) {
    Bytes out = unit(number) + videos(number + 1, packets - 1);
    number += packets;
    return out;
  };
  const auto kept_after = [&](const Bytes& media) {
    const std::string before = rig.status("stream", "s", "packets");
    source.send(media);
    CHECK(rig.until([&] { return rig.status("stream", "s", "packets") != before; }));
    return rig.status("stream", "s", "lookBack");
  };
  CHECK_EQ(kept_after(kTables + group(5)), "940");
  CHECK_EQ(kept_after(group(12)), "0");
  CHECK_EQ(kept_after(group(3)), "0");
  CHECK_EQ(kept_after(group(4)), "752");
}

TEST("tables that change again and again in one turn are followed by the next one") {
  Rig rig;
  const Source source;
  rig.hub.open(source.plan("s"));
  net::Client first = attach(rig, "s", "v");
  const Bytes again = table(0, 4, media::kPatMoved);
  source.send(kTables + again + table(0, 5, media::kPat) + table(0, 6, media::kPatMoved) + videos(0, 2));
  CHECK(rig.until([&] { return rig.status("stream", "s", "packets") == "1"; }));
  const Bytes moved = table(0x500, 9, media::kPmtChanged);
  source.send(moved + videos(2));
  CHECK(rig.until([&] { return rig.status("stream", "s", "packets") == "2"; }));
  net::Client late = attach(rig, "s", "w");
  source.send(videos(9));
  CHECK(rig.until([&] { return late.read() == "HEAD " + table(0, 6, media::kPatMoved) + moved + videos(9); }));
  CHECK(first.read().starts_with("HEAD " + kTables + again));
}
