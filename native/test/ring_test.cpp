#include "ring.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "check.hpp"

using weir::Position;
using weir::Ring;

namespace {

// Writes bytes that are told from one another by `fill`.
void write(Ring& ring, size_t bytes, char fill) {
  std::memset(ring.reserve(bytes), fill, bytes);
  ring.commit(bytes);
}

// What a cursor sees, as text, and in how many pieces.
std::string seen(const Ring& ring, Position cursor, int pieces_wanted) {
  iovec pieces[2];
  const int count = ring.view(cursor, pieces);
  CHECK_EQ(count, pieces_wanted);
  std::string out;
  for (int index = 0; index < count; index++) out.append(static_cast<const char*>(pieces[index].iov_base), pieces[index].iov_len);
  return out;
}

// How many of the 256 pages of a megabyte are in memory.
int resident(uint8_t* base) {
  unsigned char pages[256];
  if (mincore(base, sizeof pages * 4096, pages) != 0) return -1;
  return static_cast<int>(std::count_if(pages, pages + 256, [](unsigned char page) { return (page & 1) != 0; }));
}

}  // namespace

TEST("a new ring is empty and its first byte has position 0") {
  const Ring ring(4096);
  CHECK(ring.valid());
  CHECK_EQ(ring.head(), 0);
  CHECK_EQ(ring.oldest(), 0);
  CHECK_EQ(seen(ring, 0, 0), "");
}

TEST("a capacity that the kernel does not give makes no valid ring") { CHECK(!Ring(size_t{1} << 62).valid()); }

TEST("what was written is seen from any cursor in it") {
  Ring ring(4096);
  write(ring, 3, 'a');
  write(ring, 2, 'b');
  CHECK_EQ(ring.head(), 5);
  CHECK_EQ(seen(ring, 0, 1), "aaabb");
  CHECK_EQ(seen(ring, 3, 1), "bb");
  CHECK_EQ(seen(ring, 5, 0), "");
}

TEST("what is reserved and not committed is not seen") {
  Ring ring(4096);
  write(ring, 3, 'a');
  std::memset(ring.reserve(10), 'b', 10);
  ring.commit(4);
  CHECK_EQ(ring.head(), 7);
  CHECK_EQ(seen(ring, 0, 1), "aaabbbb");
}

TEST("a write that does not fit begins a new lap, and the lap before is seen as far as it is not written over") {
  Ring ring(4096);
  ring.limit(10);
  write(ring, 4, 'a');
  write(ring, 4, 'b');
  CHECK_EQ(ring.oldest_after(3), 3);
  write(ring, 3, 'c');
  CHECK_EQ(ring.head(), 11);
  CHECK_EQ(ring.oldest(), 3);
  CHECK_EQ(seen(ring, 3, 2), "abbbbccc");
  CHECK_EQ(seen(ring, 8, 1), "ccc");
  CHECK_EQ(ring.oldest_after(4), 7);
  write(ring, 4, 'd');
  CHECK_EQ(seen(ring, 7, 2), "bcccdddd");
}

TEST("a lap that covers the one before leaves itself alone") {
  Ring ring(4096);
  ring.limit(10);
  write(ring, 6, 'a');
  CHECK_EQ(ring.oldest_after(8), 6);
  write(ring, 8, 'b');
  CHECK_EQ(ring.oldest(), 6);
  CHECK_EQ(seen(ring, 6, 1), "bbbbbbbb");
}

TEST("two laps in a row without a cursor keep positions") {
  Ring ring(4096);
  ring.limit(4);
  for (const char fill : {'a', 'b', 'c', 'd'}) write(ring, 4, fill);
  CHECK_EQ(ring.head(), 16);
  CHECK_EQ(ring.oldest(), 12);
  CHECK_EQ(seen(ring, 12, 1), "dddd");
}

TEST("a limit that shrinks under what is used ends the lap and keeps it readable") {
  Ring ring(4096);
  write(ring, 100, 'a');
  ring.limit(10);
  CHECK_EQ(ring.oldest_after(5), 5);
  write(ring, 5, 'b');
  CHECK_EQ(ring.oldest(), 5);
  CHECK_EQ(seen(ring, 5, 2), std::string(95, 'a') + "bbbbb");
}

TEST("a limit beyond the capacity is the capacity") {
  Ring ring(4096);
  ring.limit(1 << 20);
  write(ring, 4096, 'a');
  write(ring, 1, 'b');
  CHECK_EQ(ring.oldest(), 1);
  CHECK_EQ(ring.head(), 4097);
}

TEST("what oldest_after foretells is what oldest says after the reservation") {
  Ring ring(4096);
  uint32_t random = 12345;
  for (int turn = 0; turn < 20000; turn++) {
    random = random * 1664525 + 1013904223;
    if (random >> 28 == 0) ring.limit(512 + (random >> 8) % 3584);
    if (random >> 28 == 1) ring.rewind();
    const size_t bytes = 1 + (random >> 16) % 512;
    const Position foretold = ring.oldest_after(bytes);
    ring.reserve(bytes);
    if (ring.oldest() != foretold) check::failed(__FILE__, __LINE__, "turn " + std::to_string(turn));
    ring.commit(bytes - (random >> 4) % bytes);
  }
}

TEST("after a rewind positions go on and nothing older is seen") {
  Ring ring(4096);
  write(ring, 7, 'a');
  ring.rewind();
  CHECK_EQ(ring.head(), 7);
  CHECK_EQ(ring.oldest(), 7);
  write(ring, 2, 'b');
  CHECK_EQ(seen(ring, 7, 1), "bb");
}

TEST("memory that was not needed for some calls is given back, and not that of what can still be read") {
  Ring ring(1 << 20);
  uint8_t* base = ring.end();
  const auto trim = [&](int calls) {
    for (int call = 0; call < calls; call++) ring.trim();
  };
  write(ring, 1 << 20, 'a');
  trim(20);
  CHECK_EQ(resident(base), 256);
  ring.rewind();
  trim(1);
  CHECK_EQ(resident(base), 256);
  write(ring, 5000, 'b');
  trim(20);
  CHECK_EQ(resident(base), 2);
  CHECK_EQ(seen(ring, 1 << 20, 1), std::string(5000, 'b'));
  write(ring, (1 << 20) - 5000, 'c');
  CHECK_EQ(seen(ring, (1 << 20) + 5000, 1), std::string((1 << 20) - 5000, 'c'));
}
