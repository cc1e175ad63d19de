#include "access.hpp"

#include <algorithm>

namespace weir {
namespace {

// A unit in which no picture was found within so many bytes is not looked at further.
constexpr size_t kScanLimit = 16 * 1024;

// Whether the adaptation field says that decoding can begin here (random_access_indicator).
bool says_random_access(const uint8_t* packet) {
  return ts::has_adaptation(packet) && packet[4] > 0 && (packet[5] & 0x40) != 0;
}

// Bytes of a PES header in front of the elementary stream (§2.4.3.6), or of the whole packet when it has none.
size_t pes_header(const uint8_t* data, size_t size) {
  const bool pes = size >= 9 && data[0] == 0 && data[1] == 0 && data[2] == 1;
  return pes ? std::min(size, size_t{9} + data[8]) : size;
}

}  // namespace

void AccessFinder::follow(const psi::Component& component) {
  component_ = component;
  looking_ = false;
  switch (component.type) {
    case 0x01:
    case 0x02:
      kind_ = Kind::kMpeg2;
      break;
    case 0x1B:
      kind_ = Kind::kH264;
      break;
    case 0x24:
      kind_ = Kind::kHevc;
      break;
    default:
      kind_ = Kind::kOther;
  }
}

AccessFinder::Finding AccessFinder::feed(const uint8_t* packet) {
  Finding finding;
  const size_t offset = ts::payload_offset(packet);
  const uint8_t* data = packet + offset;
  size_t size = ts::kPacket - offset;
  if (ts::unit_start(packet) && size > 0) {
    finding.begins = true;
    looking_ = true;
    parameters_ = false;
    tail_size_ = 0;
    scanned_ = 0;
    const size_t header = pes_header(data, size);
    data += header;
    size -= header;
    // Units of audio and the like all begin anew.
    if (kind_ == Kind::kOther || says_random_access(packet)) {
      looking_ = false;
      finding.random_access = true;
    }
  }
  if (looking_) finding.random_access = scan(data, size);
  return finding;
}

// Looks at start codes, which may lie across packets, with the two bytes after each. True at a random-access point.
bool AccessFinder::scan(const uint8_t* data, size_t size) {
  std::array<uint8_t, kTail + ts::kPacket> bytes;
  std::copy_n(tail_.begin(), tail_size_, bytes.begin());
  std::copy_n(data, size, bytes.begin() + static_cast<ptrdiff_t>(tail_size_));
  const size_t total = tail_size_ + size;
  for (size_t at = 0; at + kTail < total && looking_;) {
    const uint8_t third = bytes[at + 2];
    if (third == 1 && bytes[at] == 0 && bytes[at + 1] == 0 && begins_decoding(bytes[at + 3], bytes[at + 5])) {
      looking_ = false;
      return true;
    }
    // Nothing of 00 00 01 begins at a byte above 1, nor before it.
    at += third > 1 ? 3 : 1;
  }
  tail_size_ = std::min(total, kTail);
  std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(total - tail_size_), tail_size_, tail_.begin());
  scanned_ += size;
  if (scanned_ > kScanLimit) looking_ = false;
  return false;
}

// Judges one start code. What comes first of a picture ends the search, whatever it is.
bool AccessFinder::begins_decoding(uint8_t code, uint8_t second) {
  if (kind_ == Kind::kH264) {
    const int type = code & 0x1F;
    if (type == 7) parameters_ = true;              // Sequence parameters.
    const bool slice = type >= 1 && type <= 5;
    if (slice) looking_ = false;
    return slice && (type == 5 || parameters_);     // An IDR picture, or a recovery point with its parameters.
  }
  if (kind_ == Kind::kHevc) {
    const int type = code >> 1 & 0x3F;
    if (type == 33) parameters_ = true;             // Sequence parameters.
    const bool slice = type <= 31;
    if (slice) looking_ = false;
    return slice && ((type >= 16 && type <= 21) || parameters_);  // BLA, IDR and CRA pictures.
  }
  if (code == 0xB3) parameters_ = true;             // Sequence header.
  if (code != 0x00) return false;                   // Picture header.
  looking_ = false;
  // temporal_reference takes ten bits, then picture_coding_type three: 1 is an I picture.
  const int type = second >> 3 & 0x07;
  return parameters_ && type == 1;
}

}  // namespace weir
