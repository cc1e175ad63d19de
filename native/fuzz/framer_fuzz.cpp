// Datagrams → packets → continuity and tables: whatever comes, whole packets come out, no more than went in, and the tables
// are whole packets too. The input: a length (two bytes) and so many bytes, again and again.
#include "framer.hpp"

#include <vector>

#include "input.hpp"
#include "psi.hpp"

namespace {

using weir::ts::kPacket;

struct Reader {
  weir::ts::Continuity continuity{};
  weir::psi::Tables tables{};
  size_t bytes = 0;

  void read(const uint8_t* packets, size_t size) {
    fuzz::require(size % kPacket == 0);
    bytes += size;
    for (size_t at = 0; at < size; at += kPacket) {
      const uint8_t* packet = packets + at;
      fuzz::require(packet[0] == weir::ts::kSync && weir::ts::payload_offset(packet) <= kPacket);
      continuity.follows(packet);
      if (tables.wanted(weir::ts::pid(packet)) && tables.feed(packet)) check_tables();
    }
  }

  void check_tables() const {
    const std::string out = tables.packets(continuity);
    fuzz::require(out.size() % kPacket == 0);
    fuzz::require(weir::ts::whole(reinterpret_cast<const uint8_t*>(out.data()), out.size()) == out.size());
    fuzz::require(!tables.complete() || tables.has_pat());
  }
};

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  weir::Framer framer;
  Reader reader;
  size_t fed = 0;
  while (!input.empty()) {
    const auto piece = input.bytes(input.word());
    const std::vector<uint8_t> datagram(piece.begin(), piece.end());
    fed += datagram.size();
    const auto result = framer.feed(datagram.data(), datagram.size());
    if (result.joined != nullptr) reader.read(result.joined, kPacket);
    reader.read(result.packets, result.size);
    fuzz::require(reader.bytes <= fed);
  }
  return 0;
}
