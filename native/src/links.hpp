// Tells when the machine's network interfaces or their addresses change (rtnetlink(7)).
#pragma once

#include <functional>

#include "fd.hpp"
#include "loop.hpp"

namespace weir {

class Links final : public Watcher {
 public:
  // `changed` is told once for changes that come together.
  Links(Loop& loop, std::function<void()> changed);
  ~Links();
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  void ready(uint32_t events) override;

 private:
  Loop& loop_;
  Fd fd_;
  Timer settled_;
};

}  // namespace weir
