// Reports of a receiver of RTP (RFC 3550 §6). Pure functions over bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::rtcp {

struct SenderReport {
  uint32_t ssrc = 0;
  uint32_t middle = 0;  // Middle 32 bits of its NTP time.
};

struct Heard {
  std::optional<SenderReport> report{};  // The last one in it.
  bool bye = false;
  uint32_t bye_ssrc = 0;  // The first that leaves.
};

// Reads a compound packet. Nothing when it is none: each part must be whole (§A.2). Parts of kinds that are not known are
// stepped over.
std::optional<Heard> parse(const uint8_t* data, size_t size);

// What is said of a sender (§6.4.1).
struct Reception {
  uint32_t ssrc = 0;
  uint8_t fraction = 0;  // Of 256, lost since the last report.
  uint32_t lost = 0;     // Since the beginning; 24 bits of it are said.
  uint32_t highest = 0;  // Sequence number, with its turns in the upper half.
  uint32_t jitter = 0;
  uint32_t last_report = 0;  // SenderReport::middle, 0 when none came.
  uint32_t delay = 0;        // Since that came, in 1/65536 s.
};

// Writes RR and SDES with a CNAME (§6.4.2, §6.5.1); `name` is cut at 255 bytes. Returns its bytes, 0 when there is not room for
// them.
size_t receiver_report(uint32_t own, const Reception* about, std::string_view name, uint8_t* out, size_t room);

}  // namespace weir::rtcp
