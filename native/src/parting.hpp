// A connection whose farewell is on its way: read and thrown away until the answer, the end, or kWait. Closed with bytes unread it
// would be reset, and the farewell with it.
#pragma once

#include <cstdint>
#include <string>

#include "fd.hpp"
#include "loop.hpp"

namespace weir {

class Parting final : public Watcher {
 public:
  static constexpr Time kWait = 2 * kSecond;

  // `text` is what is unsent of the connection, the farewell at its end.
  Parting(Loop& loop, Fd socket, std::string text);
  ~Parting();
  Parting(const Parting&) = delete;
  Parting& operator=(const Parting&) = delete;

  // Whether there is nothing left to wait for.
  bool over() const;
  // Whether the kernel took all of its text.
  bool written() const;

  void ready(uint32_t events) override;
};

}  // namespace weir
