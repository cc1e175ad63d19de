// Finds where decoding can begin: the random-access points of a programme's video, or any unit of a component that has
// none (ISO/IEC 13818-1 §2.4.3.5; 14496-10 table 7-1; 23008-2 table 7-1; 13818-2 table 6-1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "psi.hpp"

namespace weir {

class AccessFinder {
 public:
  // What one packet told. It may begin a unit and settle it at once.
  struct Finding {
    bool begins = false;         // A unit begins with this packet.
    bool random_access = false;  // Decoding can begin with the unit that began last.
  };

  // Looks at a component from its next unit on.
  void follow(const psi::Component& component);
  const psi::Component& component() const { return component_; }

  // Whether the unit that began last is not settled: until it is, packets that begin nothing tell something too.
  bool looking() const { return looking_; }
  // Feeds one packet of the component.
  Finding feed(const uint8_t* packet);

 private:
  enum class Kind { kOther, kMpeg2, kH264, kHevc };
  // 00 00 01, a code and two bytes after it are looked at together: of so many one is missing.
  static constexpr size_t kTail = 5;

  bool scan(const uint8_t* data, size_t size);
  bool begins_decoding(uint8_t code, uint8_t second);

  psi::Component component_{};
  Kind kind_ = Kind::kOther;
  bool looking_ = false;
  bool parameters_ = false;  // It has the parameters with which a decoder begins.
  std::array<uint8_t, kTail> tail_{};  // Its last bytes, which may begin a start code,
  size_t tail_size_ = 0;               // so many of them.
  size_t scanned_ = 0;                 // Its bytes so far.
};

}  // namespace weir
