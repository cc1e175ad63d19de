#include "lull.hpp"

namespace weir {
namespace {

// When the last one came so lately, waiting pays: at this pace more than one comes while the next is held.
constexpr Time kOften = Lull::kHold / 2;
// Of all that are ready, so many times kEvents are seen to in one turn.
constexpr int kRounds = 16;

}  // namespace

Lull::Lull(Loop& loop) : loop_(loop), hold_(loop, [this] { release(); }) { loop_.watch(sockets_.fd(), EPOLLIN, *this); }

void Lull::ready(uint32_t) {
  const bool often = loop_.now() - seen_ < kOften;
  see();
  if (!often) return;
  loop_.change(sockets_.fd(), 0, *this);
  hold_.in(kHold);
}

// Sees to what was held, and goes on holding while that pays.
void Lull::release() {
  if (see() > 1) {
    hold_.in(kHold);
  } else {
    loop_.change(sockets_.fd(), EPOLLIN, *this);
  }
}

// Returns how many sockets were ready.
size_t Lull::see() {
  seen_ = loop_.now();
  size_t all = 0;
  for (int round = 0; round < kRounds; round++) {
    const size_t count = sockets_.poll();
    all += count;
    if (count < Loop::kEvents) break;
  }
  return all;
}

}  // namespace weir
