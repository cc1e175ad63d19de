#include "hold.hpp"

#include <algorithm>

namespace weir {
namespace {

// Beside what is asked for the ring takes what is held back out of order, and the rest of a frame.
constexpr size_t kMargin = 256 << 10;
// An hour's worth; older places are forgotten first, as the ring has.
constexpr size_t kMarks = 4096;

}  // namespace

void Hold::began(Position first, Time now) {
  first_ = first;
  began_ = now;
  begun_ = true;
}

void Hold::came(Position position, Time media) {
  if (!marks_.empty() && media >= marks_.back().media && media < marks_.back().media + kStep) return;
  // Another clock than before: the places noted by it tell nothing of this one.
  if (!marks_.empty() && media < marks_.back().media) marks_.clear();
  marks_.push_back({position, media});
  if (marks_.size() > kMarks) marks_.pop_front();
}

Time Hold::media_at(Position position) const {
  const auto above = std::upper_bound(marks_.begin(), marks_.end(), position,
                                      [](Position wanted, const Mark& mark) { return wanted < mark.position; });
  return above == marks_.begin() ? 0 : std::prev(above)->media;
}

// The last place that is kBehind before this one; kBehindBytes before it where nothing is known of the time.
Position Hold::behind(Position position) const {
  const Position most = position - std::min<Position>(position, kBehindBytes);
  if (marks_.empty()) return most;
  const Time media = media_at(position);
  const auto above = std::upper_bound(marks_.begin(), marks_.end(), media - std::min(media, kBehind),
                                      [](Time wanted, const Mark& mark) { return wanted < mark.media; });
  return above == marks_.begin() ? most : std::max(most, std::prev(above)->position);
}

void Hold::left(Position first, Position acknowledged, uint64_t sent, Time stayed, size_t unit) {
  const bool looked = stayed < kProbe && sent < kProbeBytes;
  place_ = looked ? first : std::max(first, behind(acknowledged));
  if (unit > 0) place_ -= place_ % unit;
}

// The first byte that must stay in the ring.
Position Hold::needed(bool watched, Position slowest, Time now) const {
  if (!watched) return place_;
  const bool may_look = begun_ && now < began_ + kProbe && slowest < first_ + kProbeBytes;
  return std::min(slowest, may_look ? first_ : behind(slowest));
}

size_t Hold::allowance(const Ring& ring, bool watched, Position slowest, Time now) const {
  const size_t free = ring.free_before(std::max(needed(watched, slowest, now), ring.oldest()));
  return free > kMargin ? free - kMargin : 0;
}

}  // namespace weir
