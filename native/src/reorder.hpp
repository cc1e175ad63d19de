// RTP packets into sequence order (RFC 3550 §5.1, A.1): late ones are awaited within a window and a time, doubles are
// dropped, and a sender that starts anew is followed as soon as a second packet confirms it.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "loop.hpp"

namespace weir {

class Reorder {
 public:
  // Takes payloads in order. `anew` is told before the first payload of a sender that started anew.
  class Sink {
   public:
    virtual void in_order(const uint8_t* payload, size_t size) = 0;
    virtual void anew() = 0;

   protected:
    ~Sink() = default;
  };

  struct Counts {
    uint64_t reordered = 0;
    uint64_t duplicates = 0;
    uint64_t lost = 0;
    uint64_t strays = 0;
    uint64_t restarts = 0;
  };

  struct Arrival {
    uint16_t sequence = 0;
    uint32_t ssrc = 0;
    const uint8_t* payload = nullptr;
    size_t size = 0;
    Time time = 0;
  };

  static constexpr uint16_t kWindow = 64;
  static constexpr Time kHold = 100 * kMillisecond;
  // How long one packet of an unknown sequence waits for a second to confirm it, and packets from behind for one from ahead.
  static constexpr Time kConfirm = 40 * kMillisecond;

  explicit Reorder(Sink& sink) : sink_(sink) {}

  // Begins anew, for packets that are awaited for so long: kHold where they may overtake one another, 0 where they cannot.
  void begin(Time hold);

  // Whether a packet is simply the next one, nothing being held. The caller then delivers it itself and calls advance().
  bool expects(uint16_t sequence, uint32_t ssrc) const {
    return started_ && held_ == 0 && !suspect_.waiting && sequence == next_ && ssrc == ssrc_;
  }
  void advance() {
    mark(next_, true);
    highest_ = next_++;
    backwards_ = 0;
  }

  void push(const Arrival& arrival);
  // Gives up what has been awaited for too long.
  void expire(Time now);
  // When expire() next has something to do; 0 when nothing is held.
  Time deadline() const;
  // Whose packets come, and the furthest sequence number of them.
  uint32_t ssrc() const { return ssrc_; }
  uint16_t highest() const { return highest_; }
  bool holding() const { return held_ > 0 || suspect_.waiting; }

  const Counts& counts() const { return counts_; }

 private:
  struct Slot {
    std::vector<uint8_t> payload{};  // Keeps its memory from one use to the next.
    Time time = 0;
    bool full = false;
  };
  struct Suspect {
    std::vector<uint8_t> payload{};
    uint16_t sequence = 0;
    uint32_t ssrc = 0;
    Time time = 0;
    bool waiting = false;
  };
  static constexpr size_t kHistory = 1024;  // Sequence numbers of which it is known whether they came.

  void place(const Arrival& arrival, uint16_t ahead);
  void behind(const Arrival& arrival);
  void suspect(const Arrival& arrival);
  void restart(uint16_t sequence, uint32_t ssrc);
  void follow(uint16_t sequence, uint32_t ssrc);
  void deliver(const uint8_t* payload, size_t size);
  void release();
  void skip();
  void flush();
  Slot& slot(uint16_t sequence) { return slots_[sequence % kWindow]; }
  const Slot& slot(uint16_t sequence) const { return slots_[sequence % kWindow]; }
  void mark(uint16_t sequence, bool came) { came_[sequence % kHistory] = came; }

  Sink& sink_;
  Counts counts_{};
  Time hold_ = kHold;
  bool started_ = false;
  uint32_t ssrc_ = 0;
  uint16_t next_ = 0;         // The sequence number that is due.
  uint16_t highest_ = 0;      // The furthest sequence number seen.
  size_t held_ = 0;           // Full slots.
  uint16_t last_behind_ = 0;  // The last sequence number that came from behind,
  int backwards_ = 0;         // how many have come in a row,
  Time backwards_since_ = 0;  // and since when.
  std::array<Slot, kWindow> slots_{};
  std::bitset<kHistory> came_{};  // Keyed by sequence number modulo its size.
  Suspect suspect_{};
};

}  // namespace weir
