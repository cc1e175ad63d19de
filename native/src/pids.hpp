// The PIDs of a transport stream: what each is for, and what it carried so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ts.hpp"

namespace weir {

struct Pid {
  enum class Role : uint8_t { kUnnamed, kPat, kPmt, kComponent };

  bool table() const { return role == Role::kPat || role == Role::kPmt; }

  uint16_t id = ts::kNullPid;
  Role role = Role::kUnnamed;  // What the tables name it for.
  uint8_t type = 0;            // stream_type of a component.
  bool clock = false;          // It carries a programme's clock (PCR).
  bool watched = false;        // Its packets are looked into: tables, clocks, the component that viewers begin with.
  ts::Counter counter{};
  uint64_t packets = 0;
  uint64_t continuity_errors = 0;
  uint64_t scrambled = 0;
  uint64_t bitrate = 0;   // Bits per second, between the last two calls of measure().
  uint64_t measured = 0;  // Packets at the last of them.
  uint64_t quiet = 0;     // Microseconds without a packet, up to then.
  bool missing = false;   // They were found to be too many.
};

// Finds a PID's entry in about one step. An entry stays for good; a reference to it only until the next new PID.
class Pids {
 public:
  Pids() : places_(kPlaces) {}

  Pid& of(uint16_t id) {
    if (latest_ < pids_.size() && pids_[latest_].id == id) return pids_[latest_];
    return find(id);
  }
  // The last continuity counter seen of a PID, 0 before the first.
  uint8_t last(uint16_t id) const;
  // Forgets the counters: what comes next is a new beginning.
  void restart();
  // Takes the bitrates over the time since the last call, in microseconds.
  void measure(uint64_t elapsed);

  // In the order in which they were first seen or named.
  std::vector<Pid>& all() { return pids_; }
  const std::vector<Pid>& all() const { return pids_; }

 private:
  static constexpr size_t kPlaces = 64;

  Pid& find(uint16_t id);
  size_t place(uint16_t id) const;
  void grow();

  std::vector<Pid> pids_{};
  std::vector<uint16_t> places_;  // A hash table of indices into pids_, each plus one; 0 is free.
  size_t latest_ = 0;
};

}  // namespace weir
