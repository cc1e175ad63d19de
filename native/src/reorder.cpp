#include "reorder.hpp"

namespace weir {
namespace {

// How far back a packet may lie and still be late or double rather than of another sequence.
constexpr int kReach = 512;
// So many packets in a row from behind, and none other for kConfirm, are a sender that went back: a stream that is sent twice
// may double its packets in long bursts.
constexpr int kBackwards = 16;

// A gap shorter than this is loss: one second at 40 Mbit/s.
constexpr int kLongLoss = 4096;

int distance(uint16_t from, uint16_t to) { return static_cast<int16_t>(static_cast<uint16_t>(to - from)); }

}  // namespace

void Reorder::begin(Time hold) {
  for (Slot& one : slots_) one.full = false;
  held_ = 0;
  suspect_.waiting = false;
  started_ = false;
  hold_ = hold;
}

void Reorder::push(const Arrival& arrival) {
  if (!started_) {
    follow(arrival.sequence, arrival.ssrc);
    started_ = true;
  }
  const int ahead = distance(next_, arrival.sequence);
  if (arrival.ssrc != ssrc_ || ahead >= kWindow * 2 || ahead < -kReach) {
    suspect(arrival);
    return;
  }
  if (suspect_.waiting) {
    suspect_.waiting = false;
    counts_.strays++;
  }
  if (ahead < 0) {
    behind(arrival);
    return;
  }
  backwards_ = 0;
  place(arrival, static_cast<uint16_t>(ahead));
}

void Reorder::place(const Arrival& arrival, uint16_t ahead) {
  const bool is_double = slot(arrival.sequence).full && ahead < kWindow;
  if (distance(highest_, arrival.sequence) > 0) {
    highest_ = arrival.sequence;
  } else if (!is_double) {
    counts_.reordered++;
  }
  if (ahead == 0) {
    deliver(arrival.payload, arrival.size);
    release();
    return;
  }
  // A packet beyond the window pushes the window on.
  while (distance(next_, arrival.sequence) >= kWindow) {
    if (slot(next_).full) {
      release();
    } else {
      counts_.lost++;
      mark(next_, false);
      next_++;
    }
  }
  release();
  if (arrival.sequence == next_) {
    deliver(arrival.payload, arrival.size);
    release();
    return;
  }
  Slot& place = slot(arrival.sequence);
  if (place.full) {
    counts_.duplicates++;
    return;
  }
  place.payload.assign(arrival.payload, arrival.payload + arrival.size);
  place.time = arrival.time;
  place.full = true;
  held_++;
}

void Reorder::behind(const Arrival& arrival) {
  backwards_ = backwards_ > 0 && arrival.sequence == static_cast<uint16_t>(last_behind_ + 1) ? backwards_ + 1 : 1;
  last_behind_ = arrival.sequence;
  if (backwards_ == 1) backwards_since_ = arrival.time;
  if (backwards_ >= kBackwards && arrival.time >= backwards_since_ + kConfirm) {
    restart(arrival.sequence, arrival.ssrc);
    deliver(arrival.payload, arrival.size);
    return;
  }
  // One that came too late was counted as lost when it was given up.
  if (came_[arrival.sequence % kHistory]) counts_.duplicates++;
}

// A packet that fits nowhere: another sender, or this one started anew. A second one near it confirms it.
void Reorder::suspect(const Arrival& arrival) {
  const int apart = distance(suspect_.sequence, arrival.sequence);
  const bool near = suspect_.waiting && suspect_.ssrc == arrival.ssrc && apart > -kWindow && apart < kWindow;
  if (!near || apart == 0) {
    if (suspect_.waiting) counts_.strays++;
    suspect_.payload.assign(arrival.payload, arrival.payload + arrival.size);
    suspect_.sequence = arrival.sequence;
    suspect_.ssrc = arrival.ssrc;
    suspect_.time = arrival.time;
    suspect_.waiting = true;
    return;
  }
  restart(apart < 0 ? arrival.sequence : suspect_.sequence, arrival.ssrc);
  const Arrival first{suspect_.sequence, suspect_.ssrc, suspect_.payload.data(), suspect_.payload.size(), suspect_.time};
  push(apart < 0 ? arrival : first);
  push(apart < 0 ? first : arrival);
}

void Reorder::expire(Time now) {
  if (suspect_.waiting && suspect_.time + kConfirm <= now) {
    restart(suspect_.sequence, suspect_.ssrc);
    deliver(suspect_.payload.data(), suspect_.payload.size());
  }
  while (held_ > 0) {
    uint16_t first = next_;
    while (!slot(first).full) first++;
    if (slot(first).time + hold_ > now) return;
    skip();
  }
}

Time Reorder::deadline() const {
  Time soonest = suspect_.waiting ? suspect_.time + kConfirm : 0;
  if (held_ > 0) {
    uint16_t first = next_;
    while (!slot(first).full) first++;
    const Time due = slot(first).time + hold_;
    if (soonest == 0 || due < soonest) soonest = due;
  }
  return soonest;
}

// Goes on at another place: after a long loss when it lies a little ahead of the same sender, else with a sender anew.
void Reorder::restart(uint16_t sequence, uint32_t ssrc) {
  flush();
  suspect_.waiting = false;
  const int gap = distance(next_, sequence);
  if (ssrc == ssrc_ && gap > 0 && gap < kLongLoss) {
    counts_.lost += static_cast<uint64_t>(gap);
  } else {
    counts_.restarts++;
    sink_.anew();
  }
  follow(sequence, ssrc);
}

void Reorder::follow(uint16_t sequence, uint32_t ssrc) {
  ssrc_ = ssrc;
  next_ = sequence;
  highest_ = static_cast<uint16_t>(sequence - 1);
  backwards_ = 0;
  came_.reset();
}

void Reorder::deliver(const uint8_t* payload, size_t size) {
  sink_.in_order(payload, size);
  mark(next_, true);
  next_++;
}

// Delivers what is held from the due number on.
void Reorder::release() {
  while (held_ > 0 && slot(next_).full) {
    Slot& due = slot(next_);
    due.full = false;
    held_--;
    deliver(due.payload.data(), due.payload.size());
  }
}

// Gives up the numbers before the first held packet.
void Reorder::skip() {
  while (!slot(next_).full) {
    counts_.lost++;
    mark(next_, false);
    next_++;
  }
  release();
}

void Reorder::flush() {
  while (held_ > 0) skip();
}

}  // namespace weir
