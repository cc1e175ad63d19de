// Where a viewer of a stream that is under way begins: the newest random-access point that the ring still holds.
#pragma once

#include <string>

#include "access.hpp"
#include "loop.hpp"
#include "psi.hpp"
#include "ring.hpp"
#include "ts.hpp"

namespace weir {

class LookBack {
 public:
  struct Limits {
    Time span = 0;     // How far back a viewer may begin; 0 for never.
    size_t bytes = 0;  // The same in bytes.
  };
  struct Point {
    Position position = 0;
    Time time = 0;
    psi::Counters counters{};  // What the tables' counters had reached there.
  };

  explicit LookBack(const Limits& limits) : limits_(limits) {}

  // The tables changed: their main component is looked at from now on, and what was found before is no place to begin.
  void follow(const psi::Tables& tables);
  // The PID whose packets are to be fed.
  uint16_t pid() const { return finder_.component().pid; }
  // Looks at a packet of that PID, which stands at `position`.
  void feed(const uint8_t* packet, Position position, Time now, const psi::Tables& tables,
            const ts::Continuity& continuity);
  void forget() { found_ = false; }

  // The newest point, or nothing when there is none within the limits and in the ring.
  const Point* newest(const Ring& ring, Time now) const;

 private:
  Limits limits_;
  AccessFinder finder_{};
  Point begun_{};   // Where the last unit began.
  Point newest_{};  // The last unit that was a random-access point.
  bool found_ = false;
};

}  // namespace weir
