// Whatever order packets come in: what comes out goes upwards between two new beginnings, no packet comes out that did not
// come, and nothing waits longer than it may. The input: an operation and its operands, again and again.
#include "reorder.hpp"

#include "input.hpp"

namespace {

using weir::Reorder;

struct Watch final : Reorder::Sink {
  size_t out = 0;
  bool fresh = true;
  uint16_t last = 0;

  void in_order(const uint8_t* payload, size_t size) override {
    fuzz::require(size == 2);
    passed(static_cast<uint16_t>(payload[0] << 8 | payload[1]));
  }
  void anew() override { fresh = true; }
  void passed(uint16_t sequence) {
    fuzz::require(fresh || static_cast<int16_t>(static_cast<uint16_t>(sequence - last)) > 0);
    fresh = false;
    last = sequence;
    out++;
  }
};

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  Watch watch;
  Reorder reorder(watch);
  weir::Time now = 1;
  uint16_t sequence = input.word();
  size_t in = 0;
  while (!input.empty()) {
    const uint8_t what = input.byte();
    // A step ahead or back, small or anywhere; one of four senders; a little later.
    sequence = static_cast<uint16_t>(sequence + ((what & 0x80) != 0 ? input.word() : static_cast<int8_t>(what << 3) / 8));
    const uint32_t ssrc = (what & 0x60) == 0x60 ? input.byte() % 4 : 0;
    if ((what & 0x10) != 0) now += input.byte() * weir::kMillisecond;
    const uint8_t payload[2] = {static_cast<uint8_t>(sequence >> 8), static_cast<uint8_t>(sequence)};
    in++;
    if (reorder.expects(sequence, ssrc)) {
      watch.passed(sequence);
      reorder.advance();
    } else {
      reorder.push({sequence, ssrc, payload, sizeof payload, now});
    }
    reorder.expire(now);
    fuzz::require(watch.out <= in);
    fuzz::require(reorder.holding() ? reorder.deadline() > now && reorder.deadline() <= now + Reorder::kHold : reorder.deadline() == 0);
  }
  reorder.expire(now + Reorder::kHold);
  fuzz::require(!reorder.holding());
  const auto& counts = reorder.counts();
  fuzz::require(watch.out + counts.duplicates + counts.strays <= in);
  return 0;
}
