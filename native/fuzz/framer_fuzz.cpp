// Datagrams → packets → PIDs, tables and health: whatever comes, whole packets come out, no more than went in, the tables
// are whole packets too, and every packet is counted once. The input: a length (two bytes) and so many bytes, again and again.
#include "framer.hpp"

#include <vector>

#include "health.hpp"
#include "input.hpp"
#include "psi.hpp"

namespace {

using weir::ts::kPacket;

struct Reader {
  weir::Pids pids{};
  weir::psi::Tables tables{};
  weir::Health health{};
  weir::Time now = weir::kSecond;
  size_t bytes = 0;

  void read(const uint8_t* packets, size_t size) {
    fuzz::require(size % kPacket == 0);
    bytes += size;
    for (size_t at = 0; at < size; at += kPacket) {
      const uint8_t* packet = packets + at;
      fuzz::require(packet[0] == weir::ts::kSync && weir::ts::payload_offset(packet) <= kPacket);
      look(packet);
    }
  }

  void look(const uint8_t* packet) {
    now += packet[3];
    weir::Pid& pid = pids.of(weir::ts::pid(packet));
    pid.packets++;
    pid.counter.follows(packet);
    if (pid.clock && weir::ts::has_pcr(packet)) health.clock(packet, now);
    if (!pid.table()) return;
    const auto fed = tables.feed(packet);
    health.table(packet, pid.role, fed, now);
    if (!fed.changed) return;
    tables.name(pids);
    health.follow(tables, now);
    check_tables();
  }

  void finish() {
    now += weir::kSecond;
    pids.measure(weir::kSecond);
    health.measure(pids.all(), now);
    weir::Frame frame("stream");
    health.report(frame);
    fuzz::require(weir::Frame::parse(frame.text()).has_value());
    size_t packets = 0;
    for (const weir::Pid& pid : pids.all()) packets += pid.packets;
    fuzz::require(packets * kPacket == bytes);
  }

  void check_tables() const {
    const std::string out = tables.packets(pids);
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
  reader.tables.name(reader.pids);
  while (!input.empty()) {
    const auto piece = input.bytes(input.word());
    const std::vector<uint8_t> datagram(piece.begin(), piece.end());
    fed += datagram.size();
    const auto result = framer.feed(datagram.data(), datagram.size());
    if (result.joined != nullptr) reader.read(result.joined, kPacket);
    reader.read(result.packets, result.size);
    fuzz::require(reader.bytes <= fed);
  }
  reader.finish();
  return 0;
}
