// A packet that is read lies inside its datagram.
#include "rtp.hpp"

#include "input.hpp"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto packet = weir::rtp::parse(data, size);
  if (packet) {
    fuzz::require(packet->offset >= weir::rtp::kHeader && packet->offset + packet->size <= size && packet->type < 128);
  }
  if (size >= weir::rtp::kHeader && weir::rtp::plain(data)) {
    fuzz::require(packet && packet->offset == weir::rtp::kHeader && packet->size == size - weir::rtp::kHeader);
    fuzz::require(packet->sequence == weir::rtp::sequence(data) && packet->ssrc == weir::rtp::ssrc(data));
  }
  return 0;
}
