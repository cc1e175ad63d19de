// How sound a transport stream is: the first priority of ETSI TR 101 290 (§5.2.1), and its clocks (§5.2.2, 2.3).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "frame.hpp"
#include "loop.hpp"
#include "pids.hpp"
#include "psi.hpp"

namespace weir {

// How regularly something comes that should come again within `kLimit`.
class Repetition {
 public:
  // PAT and PMT.
  static constexpr Time kLimit = 500 * kMillisecond;

  explicit Repetition(Time since) : since_(since) {}

  // It came. Like check(), true when it was missed; an absence is told once.
  bool came(Time now);
  bool check(Time now);
  // The longest interval that ended, or goes on, since the last call.
  Time longest(Time now);

 private:
  Time since_;
  Time longest_ = 0;
  bool missed_ = false;
};

// The clock of one programme. Its intervals are told by its own values, its jitter beside the time of arrival.
class Clock {
 public:
  static constexpr Time kLimit = 100 * kMillisecond;

  explicit Clock(uint16_t pid) : pid_(pid) {}

  // One value, and the packet's arrival, 0 when that is not known exactly. False when the value is more than kLimit from
  // the last one, or before it.
  bool came(const uint8_t* packet, Time arrival);
  void forget() { *this = Clock(pid_); }

  uint16_t pid() const { return pid_; }
  // Microseconds since the last call: the longest interval, and how far arrivals were apart from the clock; 0 when unknown.
  Time interval() { return std::exchange(interval_, 0); }
  Time jitter();

 private:
  uint16_t pid_;
  bool known_ = false;
  uint64_t last_ = 0;  // Of 27 MHz.
  Time interval_ = 0;
  // How much later than the first one packets arrived than their clock says, in microseconds.
  uint64_t base_clock_ = 0;
  Time base_arrival_ = 0;
  int64_t earliest_ = 0;
  int64_t latest_ = 0;
  unsigned samples_ = 0;
};

class Health {
 public:
  // Whether the bytes of a datagram were packets, where they were expected to be.
  void sync(bool found);
  void transport_error() { transport_errors_++; }
  // A packet of PAT or PMT.
  void table(const uint8_t* packet, Pid::Role role, const psi::Tables::Fed& fed, Time now);
  // A packet of a PID that carries a clock; its arrival is 0 when it is not known exactly.
  void clock(const uint8_t* packet, Time arrival);
  // The tables are others now.
  void follow(const psi::Tables& tables, Time now);
  // The source began anew, or came back: nothing before counts.
  void restart(Time now);
  // Looks at what did not come, and takes the intervals. To be called about once a second, after pids.measure().
  void measure(std::vector<Pid>& pids, Time now);
  void report(Frame& frame) const;

 private:
  struct Pmt {
    uint16_t pid;
    Repetition repetition;
  };
  // The longest within the last second or so; 0 when unknown.
  struct Longest {
    Time pat = 0;
    Time pmt = 0;
    Time pcr = 0;
    Time jitter = 0;
  };

  std::optional<Repetition> pat_{};
  std::vector<Pmt> pmts_{};
  std::vector<Clock> clocks_{};
  Longest longest_{};
  unsigned rounds_ = 0;  // Of measure().
  bool synced_ = true;
  uint64_t sync_losses_ = 0;
  uint64_t transport_errors_ = 0;
  uint64_t crc_errors_ = 0;
  uint64_t pat_errors_ = 0;
  uint64_t pmt_errors_ = 0;
  uint64_t pid_errors_ = 0;
  uint64_t pcr_errors_ = 0;
};

}  // namespace weir
