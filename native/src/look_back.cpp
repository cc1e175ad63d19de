#include "look_back.hpp"

#include <utility>

namespace weir {

void LookBack::follow(const psi::Tables& tables) {
  const bool off = limits_.span == 0 || limits_.bytes == 0;
  finder_.follow(off ? psi::Component{} : tables.main_component());
  forget();
}

void LookBack::feed(const uint8_t* packet, Position position, Time now, const psi::Tables& tables, const Pids& pids) {
  const AccessFinder::Finding finding = finder_.feed(packet);
  if (finding.begins) {
    begun_.position = position;
    begun_.time = now;
    tables.note(pids, begun_.counters);
  }
  if (!finding.random_access) return;
  // Swapped, so that both keep their memory.
  std::swap(newest_, begun_);
  found_ = true;
}

void LookBack::forget() {
  found_ = false;
  kept_ = false;
  history_.clear();
}

void LookBack::keep(const Ring& ring, Time now) {
  if (found_) {
    found_ = false;
    kept_ = true;
    std::swap(begin_, newest_);
    history_.restart(begin_.position);
  }
  if (!kept_) return;
  if (history_.end() < ring.oldest() || ring.head() - history_.begin() > limits_.bytes || !within(now)) {
    forget();
    return;
  }
  iovec pieces[2];
  const int count = ring.view(history_.end(), pieces);
  for (int index = 0; index < count; index++) {
    if (history_.append(static_cast<const uint8_t*>(pieces[index].iov_base), pieces[index].iov_len)) continue;
    forget();
    return;
  }
}

bool LookBack::within(Time now) const { return begin_.time + limits_.span >= now; }

}  // namespace weir
