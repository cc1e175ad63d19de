// What a receiver's reports say of one sender, from one report to the next (RFC 3550 §6.4.1).
#pragma once

#include <cstddef>
#include <cstdint>

#include "loop.hpp"
#include "rtcp.hpp"

namespace weir {

class Reporter {
 public:
  explicit Reporter(uint32_t own) : own_(own) {}

  // How far the media has come: the highest sequence number with its turns in the upper half, and all that was lost. All zero for
  // media that is no RTP: the reports say nothing of it then.
  void heard(uint32_t ssrc, uint32_t highest, uint64_t lost);
  void sender(const rtcp::SenderReport& report, Time now);
  // Whether it is this sender who leaves. Until its media is known it is whose reports came.
  bool is_sender(uint32_t ssrc) const;
  // Writes the next report. Returns its bytes, 0 when there is not room for them.
  size_t write(Time now, uint8_t* out, size_t room);

 private:
  uint32_t own_;
  uint32_t ssrc_ = 0;
  uint32_t highest_ = 0;
  uint64_t lost_ = 0;
  uint64_t lost_before_ = 0;  // Of senders before this one.
  // As of the last report.
  uint32_t said_highest_ = 0;
  uint64_t said_lost_ = 0;
  rtcp::SenderReport report_{};
  Time reported_ = 0;  // When that came, 0 when none did.
};

}  // namespace weir
