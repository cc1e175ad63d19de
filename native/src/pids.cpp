#include "pids.hpp"

namespace weir {

uint8_t Pids::last(uint16_t id) const {
  const uint16_t index = places_[place(id)];
  return index > 0 ? pids_[index - 1u].counter.last() : 0;
}

void Pids::restart() {
  for (Pid& pid : pids_) pid.counter = {};
}

void Pids::measure(uint64_t elapsed) {
  for (Pid& pid : pids_) {
    const uint64_t packets = pid.packets - pid.measured;
    pid.bitrate = packets * ts::kPacket * 8 * 1'000'000 / elapsed;
    pid.measured = pid.packets;
    pid.quiet = packets > 0 ? 0 : pid.quiet + elapsed;
  }
}

Pid& Pids::find(uint16_t id) {
  size_t at = place(id);
  if (places_[at] == 0) {
    if (2 * (pids_.size() + 1) > places_.size()) {
      grow();
      at = place(id);
    }
    pids_.emplace_back().id = id;
    places_[at] = static_cast<uint16_t>(pids_.size());
  }
  latest_ = places_[at] - 1u;
  return pids_[latest_];
}

// Where the PID stands in the table, or the free place where it belongs. At most half of them are taken.
size_t Pids::place(uint16_t id) const {
  size_t at = id % places_.size();
  while (places_[at] != 0 && pids_[places_[at] - 1u].id != id) at = (at + 1) % places_.size();
  return at;
}

void Pids::grow() {
  places_.assign(places_.size() * 2, 0);
  for (size_t index = 0; index < pids_.size(); index++) places_[place(pids_[index].id)] = static_cast<uint16_t>(index + 1);
}

}  // namespace weir
