#include "reporter.hpp"

#include <algorithm>

namespace weir {
namespace {

constexpr std::string_view kName = "weir@local";
// Delays are said in so many parts of a second.
constexpr uint64_t kParts = 65536;

}  // namespace

void Reporter::heard(uint32_t ssrc, uint32_t highest, uint64_t lost) {
  // Another sender, or one that is counted anew.
  if (ssrc != ssrc_ || lost < lost_) {
    ssrc_ = ssrc;
    lost_before_ = said_lost_ = lost;
    said_highest_ = highest;
  }
  highest_ = highest;
  lost_ = lost;
}

void Reporter::sender(const rtcp::SenderReport& report, Time now) {
  report_ = report;
  reported_ = now;
}

bool Reporter::is_sender(uint32_t ssrc) const {
  if (ssrc_ != 0) return ssrc == ssrc_;
  return reported_ != 0 && ssrc == report_.ssrc;
}

// Jitter is left 0: nothing here keeps it, and senders look at losses.
size_t Reporter::write(Time now, uint8_t* out, size_t room) {
  if (ssrc_ == 0) return rtcp::receiver_report(own_, nullptr, kName, out, room);
  rtcp::Reception about;
  about.ssrc = ssrc_;
  about.highest = highest_;
  about.lost = static_cast<uint32_t>(std::min<uint64_t>(lost_ - lost_before_, UINT32_MAX));
  const uint64_t expected = highest_ - said_highest_;
  if (const uint64_t lost = lost_ - said_lost_; expected > 0) about.fraction = static_cast<uint8_t>(std::min<uint64_t>(255, lost * 256 / expected));
  said_highest_ = highest_;
  said_lost_ = lost_;
  if (reported_ != 0 && report_.ssrc == ssrc_) {
    about.last_report = report_.middle;
    about.delay = static_cast<uint32_t>(std::min<uint64_t>((now - reported_) * kParts / kSecond, UINT32_MAX));
  }
  return rtcp::receiver_report(own_, &about, kName, out, room);
}

}  // namespace weir
