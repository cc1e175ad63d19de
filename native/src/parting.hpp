// A connection whose farewell is on its way: read and thrown away until the answer, the end, or kWait. Closed with bytes unread it
// would be reset, and the farewell with it; closed in one direction some servers would drop the session and say nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fd.hpp"
#include "loop.hpp"

namespace weir {

class Parting final : public Watcher {
 public:
  static constexpr Time kWait = 2 * kSecond;

  // `text` is what is unsent of the connection, the farewell at its end. It is written at once, as far as the kernel takes it.
  Parting(Loop& loop, Fd socket, std::string text);
  ~Parting();
  Parting(const Parting&) = delete;
  Parting& operator=(const Parting&) = delete;

  // Whether there is nothing left to wait for.
  bool over() const { return !socket_; }
  // Whether the kernel took all of its text.
  bool written() const { return sent_ == text_.size(); }

  void ready(uint32_t events) override;

 private:
  bool write();
  void read();
  bool answers(std::string_view bytes);
  void close();

  Loop& loop_;
  Fd socket_;
  std::string text_;
  size_t sent_ = 0;
  std::optional<uint32_t> number_;  // CSeq of the farewell.
  bool answered_ = false;
  std::string tail_{};              // The end of what was read: the answer may be cut there.
  Timer wait_;
};

}  // namespace weir
