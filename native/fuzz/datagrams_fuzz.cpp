// What a datagram is told to be is what its first bytes say.
#include "datagrams.hpp"

#include "input.hpp"
#include "rtp.hpp"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const weir::Datagram kind = weir::tell(data, size);
  const bool is_rtp = weir::rtp::parse(data, size).has_value();
  fuzz::require(!is_rtp || kind == weir::Datagram::kMedia);
  fuzz::require(kind != weir::Datagram::kStun || (size >= 20 && data[0] < 64));
  fuzz::require(kind != weir::Datagram::kRtcp || (size >= 4 && data[0] >> 6 == 2));
  fuzz::require(kind != weir::Datagram::kPunch || data[0] == 'Z');
  return 0;
}
