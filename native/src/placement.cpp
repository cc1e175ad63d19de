#include "placement.hpp"

#include <linux/filter.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace weir {
namespace {

constexpr Time kFirstLook = 1200 * kMillisecond;
constexpr Time kLook = 5 * kSecond;
// In so long a busy stream has brought a datagram.
constexpr Time kSettle = 20 * kMillisecond;
// A share of time spent waiting for the processor above which it is left, in per cent, and for how many looks.
constexpr uint64_t kCrowded = 10;
constexpr int kPatience = 12;
constexpr int kUdpHeader = 8;

// How long this process has been ready to run and not run, in nanoseconds (second field of schedstat).
uint64_t waited() {
  unsigned long long run = 0;
  unsigned long long wait = 0;
  FILE* file = std::fopen("/proc/self/schedstat", "re");
  if (file == nullptr) return 0;
  const bool read = std::fscanf(file, "%llu %llu", &run, &wait) == 2;
  std::fclose(file);
  return read ? wait : 0;
}

}  // namespace

bool ArrivalProbe::open(const Address& address) {
  if (!address.multicast()) return false;
  // Each datagram is cut to as many bytes as its processor's number.
  std::array<sock_filter, 3> code{{
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<uint32_t>(SKF_AD_OFF + SKF_AD_CPU)},
      {BPF_ALU | BPF_ADD | BPF_K, 0, 0, kUdpHeader},
      {BPF_RET | BPF_A, 0, 0, 0},
  }};
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  Receiver receiver;
  if (receiver.open(address, &program).refused()) return false;
  fd_ = receiver.release();
  return true;
}

std::optional<int> ArrivalProbe::processor() const {
  uint8_t data[1];
  const ssize_t size = fd_ ? recv(fd_.get(), data, sizeof data, MSG_DONTWAIT | MSG_TRUNC) : -1;
  if (size < 0) return std::nullopt;
  return static_cast<int>(size);
}

Placement::Placement(Loop& loop, std::function<const Address*()> busiest)
    : busiest_(std::move(busiest)), look_timer_(loop, [this] { look(); }), settle_timer_(loop, [this] { settle(); }), loop_(loop) {
  sched_getaffinity(0, sizeof allowed_, &allowed_);
}

void Placement::follow() {
  if (CPU_COUNT(&allowed_) < 2) return;
  waited_ = waited();
  asked_ = loop_.now();
  look_timer_.in(kFirstLook);
}

void Placement::rest() {
  look_timer_.cancel();
  settle_timer_.cancel();
  probe_.close();
  if (moved_) sched_setaffinity(0, sizeof allowed_, &allowed_);
  moved_ = false;
}

void Placement::look() {
  look_timer_.in(kLook);
  if (crowded()) {
    if (moved_) sched_setaffinity(0, sizeof allowed_, &allowed_);
    moved_ = false;
    patience_ = kPatience;
  }
  if (patience_ > 0) {
    patience_--;
    return;
  }
  const Address* address = busiest_();
  if (address != nullptr && probe_.open(*address)) settle_timer_.in(kSettle);
}

void Placement::settle() {
  const std::optional<int> processor = probe_.processor();
  probe_.close();
  if (processor && CPU_ISSET(static_cast<size_t>(*processor), &allowed_)) move(*processor);
}

void Placement::move(int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<size_t>(processor), &one);
  moved_ = sched_setaffinity(0, sizeof one, &one) == 0;
}

// Whether the processor had too little time for the pump since it was last asked.
bool Placement::crowded() {
  const uint64_t now = std::max(waited(), waited_);
  const Time elapsed = loop_.now() - asked_;
  const bool is_crowded = moved_ && (now - waited_) / 10 > elapsed * kCrowded;
  waited_ = now;
  asked_ = loop_.now();
  return is_crowded;
}

}  // namespace weir
