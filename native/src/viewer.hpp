// One client: its TCP socket, its cursor in the ring, and what happens when it is slow.
#pragma once

#include <algorithm>
#include <string>

#include "fd.hpp"
#include "history.hpp"
#include "loop.hpp"
#include "ring.hpp"
#include "ts.hpp"

namespace weir {

class Viewer final : public Watcher {
 public:
  // Told what a viewer cannot settle alone.
  class Keeper {
   public:
    // The socket takes bytes again, failed, or has taken none for its patience.
    virtual void viewer_stirred(Viewer& viewer) = 0;
    virtual void viewer_live(const Viewer& viewer) = 0;

   protected:
    ~Keeper() = default;
  };

  static constexpr Time kPatience = 30 * kSecond;

  struct Card {
    std::string id{};
    std::string note{};  // Opaque, given back to the controller.
    std::string head{};  // The response head.
    std::string congestion{};  // Congestion control of its connection; empty for the kernel's default.
    uint32_t unsent = 0;       // Bytes that the kernel takes beyond what it has sent (TCP_NOTSENT_LOWAT); 0 for its default.
    Time patience = kPatience;  // How long it may take nothing.
  };

  Viewer(Loop& loop, Keeper& keeper, Fd socket, Card card);
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  // False when the kernel cannot watch the socket.
  bool watch();
  // From here on it is sent the head, `tables`, the backlog, and what stands in the ring behind that.
  void start(Backlog backlog, const std::string& tables);
  // Sends what the socket takes. Sets leaving() when the socket failed.
  void flush(const Ring& ring);
  // Goes on with a backlog because what it has not seen is about to be overwritten. A packet sent in part is finished first;
  // packets of `unit` bytes begin at multiples of it, 0 where there are none.
  void jump(const Ring& ring, Backlog backlog, size_t unit);

  void ready(uint32_t events) override;

  bool started() const { return started_; }
  // Up to where it needs nothing of the ring.
  Position cursor() const { return std::max(cursor_, backlog_.end); }
  // Where it began in the ring, and up to where the client's kernel has taken what it was sent since: of a viewer without backlog.
  Position first() const { return first_; }
  Position acknowledged() const;
  // Whether it was sent everything up to the ring's head.
  bool drained(const Ring& ring) const { return started_ && cursor_ == ring.head() && (ahead_.empty() || !live_); }
  // Why it is to be closed; empty while it is not.
  const std::string& leaving() const { return leaving_; }
  void leave(std::string reason) {
    if (leaving_.empty()) leaving_ = std::move(reason);
  }

  const std::string& id() const { return card_.id; }
  const std::string& note() const { return card_.note; }
  Time since() const { return since_; }
  uint64_t sent() const { return sent_; }
  uint64_t lost() const { return lost_; }
  uint64_t jumps() const { return jumps_; }
  uint64_t lag(const Ring& ring) const { return started_ ? ring.head() - cursor_ : 0; }

 private:
  int gather(const Ring& ring, iovec* pieces) const;
  void block();
  void took(size_t bytes);

  Loop& loop_;
  Keeper& keeper_;
  Fd socket_;
  Card card_;
  Time since_;
  Timer patience_;
  std::string ahead_{};  // Head and tables, or the rest of a packet: goes out before what the cursor points at.
  size_t ahead_sent_ = 0;
  Backlog backlog_{};
  Position cursor_ = 0;  // What it is sent next, of the backlog or else of the ring.
  Position first_ = 0;
  uint64_t before_ = 0;  // Bytes of its connection that were not its own.
  bool started_ = false;
  bool live_ = false;
  bool blocked_ = false;
  std::string leaving_{};
  uint64_t sent_ = 0;
  uint64_t lost_ = 0;
  uint64_t jumps_ = 0;
};

}  // namespace weir
