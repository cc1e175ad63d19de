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
  // Points are swapped, so that all keep their memory.
  if (finding.begins) {
    if (comes_) complete();
    others_ = others_ || !access_;
    access_ = false;
    begun_.position = position;
    begun_.time = now;
    tables.note(pids, begun_.counters);
  }
  if (!finding.random_access) return;
  // What does not fit from one point to the next is not worth beginning with.
  worthwhile_ = begun_.position - latest_ <= limits_.bytes;
  latest_ = begun_.position;
  std::swap(coming_, begun_);
  comes_ = true;
  access_ = true;
  // Where nothing else begins it is not told when a picture is whole.
  if (!others_) complete();
  others_ = false;
}

void LookBack::complete() {
  std::swap(whole_, coming_);
  comes_ = false;
  came_ = true;
}

void LookBack::forget() {
  comes_ = false;
  came_ = false;
  kept_ = false;
  history_.clear();
}

void LookBack::keep(const Ring& ring, Time now) {
  if (!kept_) begin(ring);
  if (!kept_) return;
  if (history_.end() < ring.oldest() || !append(ring)) {
    forget();
    return;
  }
  if (came_) begin_with(whole_);
  came_ = false;
  // Rather a picture that is not whole than none.
  if (!fits(now)) paused();
  if (!fits(now)) forget();
}

void LookBack::paused() {
  if (!kept_ || !comes_) return;
  begin_with(coming_);
  comes_ = false;
}

// Begins with a point of which the ring still has all.
void LookBack::begin(const Ring& ring) {
  came_ = came_ && whole_.position >= ring.oldest();
  comes_ = comes_ && coming_.position >= ring.oldest();
  if (!worthwhile_ || (!came_ && !comes_)) return;
  Point& first = came_ ? whole_ : coming_;
  (came_ ? came_ : comes_) = false;
  kept_ = true;
  history_.restart(first.position);
  std::swap(begin_, first);
}

void LookBack::begin_with(Point& point) {
  std::swap(begin_, point);
  history_.advance(begin_.position);
}

bool LookBack::append(const Ring& ring) {
  iovec pieces[2];
  const int count = ring.view(history_.end(), pieces);
  for (int index = 0; index < count; index++) {
    if (!history_.append(static_cast<const uint8_t*>(pieces[index].iov_base), pieces[index].iov_len)) return false;
  }
  return true;
}

bool LookBack::fits(Time now) const { return size() <= limits_.bytes && within(now); }

bool LookBack::within(Time now) const { return begin_.time + limits_.span >= now; }

}  // namespace weir
