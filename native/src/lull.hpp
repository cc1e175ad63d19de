// Sockets on which little arrives. Each alone is seen to at once; where there are many, what arrives within some milliseconds
// is seen to together, so that a hundred radio stations wake the pump no oftener than one television channel.
#pragma once

#include "loop.hpp"

namespace weir {

class Lull final : private Watcher {
 public:
  // What comes may wait so long.
  static constexpr Time kHold = 10 * kMillisecond;

  explicit Lull(Loop& loop);
  ~Lull() { loop_.forget(sockets_.fd(), *this); }
  Lull(const Lull&) = delete;
  Lull& operator=(const Lull&) = delete;

  // Watches the sockets. It has no time of its own.
  Loop& sockets() { return sockets_; }

 private:
  void ready(uint32_t) override;
  void release();
  size_t see();

  Loop& loop_;
  Loop sockets_{};
  Timer hold_;
  Time seen_ = 0;
};

}  // namespace weir
