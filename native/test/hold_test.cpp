#include "hold.hpp"

#include "check.hpp"

using weir::Hold;
using weir::kSecond;
using weir::Position;
using weir::Ring;

namespace {

constexpr size_t kMegabyte = 1 << 20;
constexpr size_t kPacket = 188;

// A hold of a programme of a megabyte a second, of which so many seconds have come.
Hold held(uint64_t seconds) {
  Hold hold;
  hold.opened(0);
  for (uint64_t tenth = 0; tenth <= seconds * 10; tenth++) hold.came(tenth * kMegabyte / 10, tenth * kSecond / 10);
  return hold;
}

void fill(Ring& ring, size_t bytes) {
  for (; bytes > 0; bytes -= kPacket) {
    ring.reserve(kPacket);
    ring.commit(kPacket);
  }
}

}  // namespace

TEST("whoever comes after a look of less than ten seconds and four megabytes begins where that one did") {
  Hold hold = held(30);
  hold.began(0, kSecond);
  hold.left(0, 1000 * kPacket, 1000 * kPacket, 9 * kSecond, kPacket);
  CHECK_EQ(hold.next(0), 0);
}

TEST("whoever comes after a viewer begins two seconds of media before what that one's kernel acknowledged, at a packet") {
  Hold hold = held(30);
  hold.began(0, kSecond);
  hold.left(0, 20 * kMegabyte + 5, 20 * kMegabyte, 20 * kSecond, kPacket);
  const Position place = hold.next(0);
  CHECK_EQ(place % kPacket, 0);
  CHECK(place <= 18 * kMegabyte);
  CHECK(place > 18 * kMegabyte - kMegabyte / 5);
}

TEST("of a programme without a clock, or a quick one, four megabytes are sent again at most") {
  Hold hold;
  hold.left(0, 20 * kMegabyte, 20 * kMegabyte, 20 * kSecond, kPacket);
  CHECK_EQ(hold.next(0), (16 * kMegabyte) / kPacket * kPacket);
  Hold quick = held(30);
  quick.came(90 * kMegabyte, 30 * kSecond + kSecond / 2);
  quick.left(0, 90 * kMegabyte, 90 * kMegabyte, 20 * kSecond, kPacket);
  CHECK_EQ(quick.next(0), (86 * kMegabyte) / kPacket * kPacket);
}

TEST("nobody begins before where the one before began, or before the ring's oldest byte") {
  Hold hold = held(30);
  hold.left(19 * kMegabyte, 20 * kMegabyte, kMegabyte, 20 * kSecond, 1);
  CHECK_EQ(hold.next(0), 19 * kMegabyte);
  CHECK_EQ(hold.next(25 * kMegabyte), 25 * kMegabyte);
}

TEST("places are told in media time, and forgotten when another clock begins") {
  Hold hold = held(10);
  CHECK_EQ(hold.media_at(5 * kMegabyte), 5 * kSecond);
  hold.came(10 * kMegabyte, 0);
  CHECK_EQ(hold.media_at(5 * kMegabyte), 0);
}

TEST("no more may come than the ring takes without losing what the slowest viewer needs, or the next one") {
  Ring ring(16 * kMegabyte);
  Hold hold = held(0);
  hold.began(0, 0);
  const size_t whole = hold.allowance(ring, true, 0, 0);
  CHECK(whole > 15 * kMegabyte);
  fill(ring, whole / kPacket * kPacket);
  CHECK(hold.allowance(ring, true, 0, kSecond) < 2 * kPacket);
  CHECK_EQ(ring.oldest(), 0);
  // Where it looks no longer, what is four megabytes behind it may go.
  const size_t later = hold.allowance(ring, true, 8 * kMegabyte, 20 * kSecond);
  CHECK(later > 3 * kMegabyte);
  CHECK(later < 5 * kMegabyte);
  CHECK(hold.allowance(ring, false, ring.head(), 20 * kSecond) < 2 * kPacket);
}

TEST("a ring whose limit was lowered below what it holds takes nothing until it is read") {
  Ring ring(16 * kMegabyte);
  Hold hold = held(0);
  fill(ring, 9 * kMegabyte / kPacket * kPacket);
  ring.limit(4 * kMegabyte);
  CHECK_EQ(hold.allowance(ring, true, 0, 20 * kSecond), 0);
  CHECK(hold.allowance(ring, true, 9 * kMegabyte, 20 * kSecond) > 0);
}
