#include "look_back.hpp"

#include <utility>

namespace weir {

void LookBack::follow(const psi::Tables& tables) {
  const bool off = limits_.span == 0 || limits_.bytes == 0;
  finder_.follow(off ? psi::Component{} : tables.main_component());
  forget();
}

void LookBack::feed(const uint8_t* packet, Position position, Time now, const psi::Tables& tables,
                    const ts::Continuity& continuity) {
  const AccessFinder::Finding finding = finder_.feed(packet);
  if (finding.begins) {
    begun_.position = position;
    begun_.time = now;
    tables.note(continuity, begun_.counters);
  }
  if (!finding.random_access) return;
  // Swapped, so that both keep their memory.
  std::swap(newest_, begun_);
  found_ = true;
}

const LookBack::Point* LookBack::newest(const Ring& ring, Time now) const {
  const bool usable = found_ && newest_.position >= ring.oldest() && newest_.time + limits_.span >= now &&
                      ring.head() - newest_.position <= limits_.bytes;
  return usable ? &newest_ : nullptr;
}

}  // namespace weir
