// Where a viewer of a stream that is under way begins: the newest random-access point that is there whole, and what came
// since. While a picture is still on its way, one that is there sooner is of more use.
#pragma once

#include <string>

#include "access.hpp"
#include "history.hpp"
#include "loop.hpp"
#include "pids.hpp"
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
  // Whether it has to see every packet of it; else those that are marked are enough.
  bool looking() const { return finder_.looking(); }
  // Looks at a packet of that PID, which stands at `position`.
  void feed(const uint8_t* packet, Position position, Time now, const psi::Tables& tables, const Pids& pids);
  void forget();
  // Nothing has come for so long that what came last is whole.
  void paused();
  // Keeps what the ring took since the last call, if there is a point to begin with.
  void keep(const Ring& ring, Time now);

  // The point that a viewer may begin with, or nothing. What came since it, up to the last keep(), is the backlog.
  const Point* newest(Time now) const { return kept_ && within(now) ? &begin_ : nullptr; }
  Backlog backlog() const { return history_.backlog(); }
  Position end() const { return history_.end(); }
  // Bytes that are kept.
  uint64_t size() const { return history_.end() - history_.begin(); }

 private:
  void complete();
  bool within(Time now) const;
  bool fits(Time now) const;
  void begin(const Ring& ring);
  void begin_with(Point& point);
  bool append(const Ring& ring);

  Limits limits_;
  AccessFinder finder_{};
  Point begun_{};        // Where the last unit began.
  bool access_ = false;  // It is a random-access point.
  bool others_ = false;  // Other units began since the newest of those.
  Position latest_ = 0;  // Of the newest random-access point.
  bool worthwhile_ = true;
  Point coming_{};       // A random-access point of which more is to come,
  bool comes_ = false;   // if there is one.
  Point whole_{};        // One that has come whole since the last keep(),
  bool came_ = false;    // if there is one.
  Point begin_{};        // What the history begins with,
  bool kept_ = false;    // if it has anything.
  History history_{};
};

}  // namespace weir
