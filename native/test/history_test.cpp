#include "history.hpp"

#include "check.hpp"

using weir::Backlog;
using weir::Chunk;
using weir::History;
using weir::Position;

namespace {

// The byte at a position: no two chunks are alike.
uint8_t byte_at(Position position) { return static_cast<uint8_t>(position * 7 + position / Chunk::kSize * 13); }

void fill(History& history, size_t size) {
  std::string bytes;
  for (size_t index = 0; index < size; index++) bytes.push_back(static_cast<char>(byte_at(history.end() + index)));
  CHECK(history.append(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
}

// Whether a backlog shows the right bytes from `cursor` to its end.
bool right(const Backlog& backlog, Position cursor) {
  while (cursor < backlog.end) {
    iovec pieces[3];
    const int count = backlog.view(cursor, pieces, 3);
    if (count == 0) return false;
    for (int index = 0; index < count; index++) {
      const auto* bytes = static_cast<const uint8_t*>(pieces[index].iov_base);
      for (size_t at = 0; at < pieces[index].iov_len; at++) {
        if (bytes[at] != byte_at(cursor++)) return false;
      }
    }
  }
  return cursor == backlog.end;
}

}  // namespace

TEST("a history gives back what was put in, also when its beginning has moved on") {
  History history;
  history.restart(1000);
  fill(history, 5 * Chunk::kSize + 100);
  CHECK(right(history.backlog(), 1000));
  for (const Position begin : {Position{1000}, Position{1000 + 10}, 1000 + 2 * Chunk::kSize, 1000 + 4 * Chunk::kSize + 50}) {
    history.advance(begin);
    CHECK_EQ(history.begin(), begin);
    fill(history, 3 * Chunk::kSize + 1);
    CHECK(right(history.backlog(), begin));
  }
  history.advance(history.end());
  CHECK_EQ(history.backlog().begin, history.backlog().end);
  fill(history, 10);
  CHECK(right(history.backlog(), history.begin()));
}

TEST("what somebody holds stays as it was while the history goes on and begins anew") {
  History history;
  history.restart(0);
  fill(history, 3 * Chunk::kSize);
  const Backlog held = history.backlog();
  history.advance(2 * Chunk::kSize + 5);
  fill(history, 10 * Chunk::kSize);
  CHECK(right(held, 0));
  history.restart(500);
  fill(history, 20 * Chunk::kSize);
  CHECK(right(held, 0));
  history.clear();
  CHECK(right(held, 0));
  CHECK_EQ(history.end(), history.begin());
}

TEST("a history that has become short holds little memory") {
  History history;
  history.restart(0);
  fill(history, 100 * Chunk::kSize);
  for (int round = 0; round < 10; round++) {
    history.advance(history.end());
    fill(history, Chunk::kSize / 2);
  }
  CHECK(history.chunks() <= 3);
}
