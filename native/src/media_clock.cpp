#include "media_clock.hpp"

#include "ts.hpp"

namespace weir {
namespace {

constexpr uint64_t kTicksPerMicrosecond = ts::kPcrRate / kSecond;

}  // namespace

void MediaClock::pcr(uint64_t value) {
  // What goes back seems to have gone nearly all the way round.
  const uint64_t step = (value + ts::kPcrSpan - last_) % ts::kPcrSpan;
  if (known_ && step <= kStep * kTicksPerMicrosecond) ticks_ += step;
  seen_ = true;
  known_ = true;
  last_ = value;
}

Time MediaClock::elapsed() const { return ticks_ / kTicksPerMicrosecond; }

}  // namespace weir
