// A transport stream whose tables are sound, whatever they say: sections are sealed here with their CRC, which a fuzzer does
// not find by itself. What is kept to look back on begins with a packet of the main component, and nothing of it changes
// under who holds it. The input: an operation and its operands, again and again.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "health.hpp"
#include "input.hpp"
#include "look_back.hpp"

namespace {

using weir::Position;
using weir::ts::kPacket;

constexpr size_t kRing = 64 * 1024;

class Stream {
 public:
  void step(fuzz::Input& input) {
    const uint8_t what = input.byte();
    const uint16_t pid = pid_of(input.byte());
    if (what % 4 == 0) section(0, pat(input.bytes(what >> 2)));
    if (what % 4 == 1) section(pid, pmt(input.bytes(what >> 2)));
    if (what % 4 == 2) unit(pid, what, input.bytes(input.byte() % 180));
    if (what % 4 == 3) turn(what, input.byte());
  }

 private:
  // Few, so that they meet.
  static uint16_t pid_of(uint8_t byte) { return byte == 0xFF ? weir::ts::kNullPid : static_cast<uint16_t>(byte % 16); }

  // Operands: version, section number and last one; then programmes, a byte each for number and PID.
  static std::vector<uint8_t> pat(std::span<const uint8_t> bytes) {
    std::vector<uint8_t> out = head(0x00, 1, bytes);
    for (size_t at = 2; at + 2 <= bytes.size(); at += 2) {
      out.insert(out.end(), {0, bytes[at], 0xE0, static_cast<uint8_t>(pid_of(bytes[at + 1]))});
    }
    return out;
  }
  // Operands: programme and version; then as they stand.
  static std::vector<uint8_t> pmt(std::span<const uint8_t> bytes) {
    std::vector<uint8_t> out = head(0x02, bytes.empty() ? uint8_t{1} : bytes[0], bytes);
    if (bytes.size() > 2) out.insert(out.end(), bytes.begin() + 2, bytes.end());
    return out;
  }
  static std::vector<uint8_t> head(uint8_t table, uint8_t id, std::span<const uint8_t> bytes) {
    const uint8_t first = bytes.empty() ? uint8_t{0} : bytes[0];
    const uint8_t second = bytes.size() < 2 ? uint8_t{0} : bytes[1];
    const uint8_t number = table == 0 ? first : uint8_t{0};
    return {table, 0xB0, 0, 0, id, static_cast<uint8_t>(0xC1 | (second & 0x3E)), static_cast<uint8_t>(number >> 4),
            static_cast<uint8_t>(number & 15)};
  }

  void section(uint16_t pid, std::vector<uint8_t> bytes) {
    bytes[2] = static_cast<uint8_t>(bytes.size() - 3 + 4);
    const uint32_t crc = weir::psi::crc32(bytes.data(), bytes.size());
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<uint8_t>(crc >> shift));
    bytes.insert(bytes.begin(), 0);
    for (size_t at = 0; at < bytes.size(); at += kPacket - 4) {
      const size_t size = std::min(kPacket - 4, bytes.size() - at);
      packet(pid, at == 0 ? 0x40 : 0, 0x10, {bytes.data() + at, size});
    }
  }
  // The beginning of a unit, or more of it, perhaps with an adaptation field.
  void unit(uint16_t pid, uint8_t what, std::span<const uint8_t> bytes) {
    packet(pid, (what & 0x80) != 0 ? 0x40 : 0, static_cast<uint8_t>((what & 0x30) | ((what & 0x40) >> 2)), bytes);
  }

  void packet(uint16_t pid, int start, uint8_t control, std::span<const uint8_t> bytes) {
    std::array<uint8_t, kPacket> out;
    out.fill(0xFF);
    out[0] = weir::ts::kSync;
    out[1] = static_cast<uint8_t>(start | pid >> 8);
    out[2] = static_cast<uint8_t>(pid & 0xFF);
    out[3] = static_cast<uint8_t>(control | (counters_[pid]++ & 15));
    std::copy(bytes.begin(), bytes.end(), out.begin() + 4);
    accept(out.data(), pid);
  }

  // As the stream does it.
  void accept(const uint8_t* packet, uint16_t pid) {
    std::memcpy(ring_.reserve(kPacket), packet, kPacket);
    weir::Pid& entry = pids_.of(pid);
    entry.packets++;
    if (pid != weir::ts::kNullPid) {
      entry.counter.follows(packet);
      if (entry.clock && weir::ts::has_pcr(packet)) health_.clock(packet, now_);
      if (pid == look_back_.pid()) look_back_.feed(packet, ring_.head(), now_, tables_, pids_);
      if (pid == 0) look(packet, weir::Pid::Role::kPat);
      if (pid != 0 && entry.role == weir::Pid::Role::kPmt) look(packet, weir::Pid::Role::kPmt);
    }
    ring_.commit(kPacket);
  }
  void look(const uint8_t* packet, weir::Pid::Role role) {
    const weir::psi::Tables::Fed fed = tables_.feed(packet);
    health_.table(packet, role, fed, now_);
    if (fed.changed) learn();
  }
  void learn() {
    look_back_.follow(tables_);
    health_.follow(tables_, now_);
    tables_.name(pids_);
    check_packets(tables_.packets(pids_));
    fuzz::require(!tables_.complete() || tables_.has_pat());
  }

  // The end of a turn: time passes, what came is kept, and somebody may begin.
  void turn(uint8_t what, uint8_t time) {
    now_ += time * weir::kMillisecond;
    look_back_.keep(ring_, now_);
    if ((what & 4) != 0) ring_.rewind();
    if ((what & 8) != 0) pids_.restart();
    if ((what & 32) != 0) health_.restart(now_);
    if ((what & 64) != 0) measure();
    if ((what & 16) != 0) look_back_.forget();
    check_held();
    const weir::LookBack::Point* point = look_back_.newest(now_);
    if (point == nullptr) return;
    check_packets(tables_.packets(point->counters));
    held_ = look_back_.backlog();
    fuzz::require(held_.begin == point->position && held_.end == look_back_.end());
    copy_ = bytes_of(held_);
    check_packets(copy_);
    fuzz::require(weir::ts::pid(reinterpret_cast<const uint8_t*>(copy_.data())) == look_back_.pid());
  }
  void measure() {
    pids_.measure(now_ - measured_ + 1);
    health_.measure(pids_.all(), now_);
    weir::Frame frame("stream");
    health_.report(frame);
    fuzz::require(weir::Frame::parse(frame.text()).has_value());
    measured_ = now_;
  }
  void check_held() const { fuzz::require(bytes_of(held_) == copy_); }

  static std::string bytes_of(const weir::Backlog& backlog) {
    std::string out;
    iovec pieces[4];
    for (Position cursor = backlog.begin; cursor < backlog.end;) {
      const int count = backlog.view(cursor, pieces, 4);
      fuzz::require(count > 0);
      for (int index = 0; index < count; index++) {
        out.append(static_cast<const char*>(pieces[index].iov_base), pieces[index].iov_len);
        cursor += pieces[index].iov_len;
      }
    }
    return out;
  }
  static void check_packets(const std::string& out) {
    fuzz::require(weir::ts::whole(reinterpret_cast<const uint8_t*>(out.data()), out.size()) == out.size());
  }

  weir::Ring ring_{kRing};
  weir::Pids pids_{};
  weir::Health health_{};
  weir::Time measured_ = weir::kSecond;
  weir::psi::Tables tables_{};
  weir::LookBack look_back_{{weir::kSecond, kRing}};
  weir::Time now_ = weir::kSecond;
  std::array<uint8_t, weir::ts::kNullPid + 1> counters_{};
  weir::Backlog held_{};  // What a viewer holds, and
  std::string copy_{};    // what it was when it took it.
};

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  Stream stream;
  while (!input.empty()) stream.step(input);
  return 0;
}
