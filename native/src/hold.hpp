// An archive's place: where the next viewer of a held stream begins, and how much may be received meanwhile. Nothing is skipped,
// and what a viewer left unseen is kept for the next one.
#pragma once

#include <cstdint>
#include <deque>

#include "loop.hpp"
#include "ring.hpp"

namespace weir {

class Hold {
 public:
  // Who stays shorter and takes less has looked, not watched: the next viewer begins where that one did.
  static constexpr Time kProbe = 10 * kSecond;
  static constexpr size_t kProbeBytes = 4 << 20;
  // What the ring takes of an archive while its viewer is slow, and of what was just seen.
  static constexpr size_t kRing = 16 << 20;
  // What a viewer's kernel acknowledged its player may not have read: so much media, and so many bytes at most, is sent again.
  static constexpr Time kBehind = 2 * kSecond;
  static constexpr size_t kBehindBytes = 4 << 20;

  // The programme begins at `first`, for nobody yet.
  void opened(Position first) { place_ = first; }
  // A viewer begins at `first`.
  void began(Position first, Time now);
  // What stands at a place is so far into the programme.
  void came(Position position, Time media);
  // A viewer that began at `first` has left, and had all up to `acknowledged`. Packets of `unit` bytes begin at multiples of it.
  void left(Position first, Position acknowledged, uint64_t sent, Time stayed, size_t unit);

  // Where the next viewer begins.
  Position next(Position oldest) const { return place_ > oldest ? place_ : oldest; }
  // How far into the programme a place is, as far as it was told.
  Time media_at(Position position) const;
  // Bytes that may come before the ring would lose what is needed: by the slowest viewer, or by the next one when there is none.
  size_t allowance(const Ring& ring, bool watched, Position slowest, Time now) const;

 private:
  // Places are noted so far apart.
  static constexpr Time kStep = 100 * kMillisecond;
  struct Mark {
    Position position = 0;
    Time media = 0;
  };

  Position behind(Position position) const;
  Position needed(bool watched, Position slowest, Time now) const;

  Position first_ = 0;   // Where the last viewer began,
  Time began_ = 0;       // and when.
  bool begun_ = false;
  Position place_ = 0;   // Where the next one begins.
  std::deque<Mark> marks_{};
};

}  // namespace weir
