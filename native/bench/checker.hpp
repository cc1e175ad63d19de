// What a viewer checks in the bytes it is sent: TS sync, continuity of every PID, which of the packets due in a window
// came and how long after they were due, and when the first random-access picture had come whole.
#pragma once

#include <algorithm>

#include "media.hpp"

namespace bench {

struct Window {
  int64_t from, to;
};

class Checker {
 public:
  explicit Checker(Window window) : window_(window) { counters_.fill(-1); }

  // Reads whole packets that came at `now` and says how many bytes it used; the rest is the start of a packet not yet complete.
  size_t read(const uint8_t* bytes, size_t size, int64_t now) {
    size_t at = 0;
    while (size - at >= kPacket) {
      if (bytes[at] == 0x47) {
        packet(bytes + at, now);
        at += kPacket;
        synced_ = true;
        continue;
      }
      if (synced_ && in_window()) ++sync_errors;
      synced_ = false;
      ++at;
    }
    return at;
  }

  int64_t marked = 0, continuity_errors = 0, sync_errors = 0, latest = -1;
  // Nanoseconds from when the marked packets were due until they came: of all together, and at worst.
  int64_t delay_sum = 0, delay_most = 0;
  // When the last byte of the first random-access picture came, 0 before.
  int64_t picture = 0;

 private:
  // By the newest stamp seen: what other PIDs carry was due about then.
  bool in_window() const { return latest >= window_.from && latest < window_.to; }

  void packet(const uint8_t* bytes, int64_t now) {
    const auto pid = static_cast<uint16_t>((bytes[1] & 0x1f) << 8 | bytes[2]);
    if (pid == kVideoPid) latest = stamp_of(bytes);
    if (pid == kVideoPid && in_window()) mark(now - latest);
    const bool payload = (bytes[3] & 0x10) != 0;
    const bool adaptation = (bytes[3] & 0x20) != 0 && bytes[4] > 0;
    const bool discontinuity = adaptation && (bytes[5] & 0x80) != 0;
    const auto counter = static_cast<int8_t>(bytes[3] & 15);
    bool lost = false;
    if (pid != 0x1fff && payload) {
      const int8_t last = counters_[pid];
      lost = last >= 0 && !discontinuity && counter != ((last + 1) & 15);
      if (lost && in_window()) ++continuity_errors;
      counters_[pid] = counter;
    }
    if (pid == kVideoPid) video((bytes[1] & 0x40) != 0, adaptation && (bytes[5] & 0x40) != 0, lost, now);
  }

  void mark(int64_t delay) {
    ++marked;
    delay_sum += delay;
    delay_most = std::max(delay_most, delay);
  }

  // A picture ends where the next one starts; one that lost a packet does not count.
  void video(bool starts, bool random_access, bool lost, int64_t now) {
    if (lost) in_picture_ = false;
    if (starts && in_picture_ && picture == 0) picture = last_video_;
    if (starts) in_picture_ = random_access;
    last_video_ = now;
  }

  Window window_;
  std::array<int8_t, 8192> counters_{};
  int64_t last_video_ = 0;
  bool synced_ = true;
  bool in_picture_ = false;  // It is a random-access picture, and whole so far.
};

}  // namespace bench
