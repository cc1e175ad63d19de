// How much of a programme has come, by its own clock (ISO/IEC 13818-1 §2.4.3.5): its steps forward, added up.
#pragma once

#include <cstdint>

#include "loop.hpp"

namespace weir {

class MediaClock {
 public:
  // A longer step is another place of the clock, not time that passed.
  static constexpr Time kStep = 10 * kSecond;

  // One value of the clock, in units of 27 MHz.
  void pcr(uint64_t value);
  // The next value follows on nothing.
  void restart() { known_ = false; }

  // Whether a clock was ever seen.
  bool seen() const { return seen_; }
  Time elapsed() const;

 private:
  bool seen_ = false;
  bool known_ = false;
  uint64_t last_ = 0;
  uint64_t ticks_ = 0;
};

}  // namespace weir
