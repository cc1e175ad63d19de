// RTSP and its interleaved frames over one connection (RFC 2326 §4, §10.12). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weir {

class Interleaved {
 public:
  static constexpr size_t kMaxHead = 16 * 1024;
  static constexpr size_t kMaxBody = 64 * 1024;
  static constexpr size_t kMaxJunk = 64 * 1024;
  static constexpr size_t kMaxFrame = 4 + 65535;

  class Sink {
   public:
    virtual void frame(uint8_t channel, const uint8_t* data, size_t size) = 0;
    // Without its empty line. Its body has been or will be skipped.
    virtual void message(std::string_view head) = 0;

   protected:
    ~Sink() = default;
  };

  // kGarbage: kMaxJunk bytes without a frame or a message. kLong: a head or a body beyond its limit.
  enum class Fault { kNone, kGarbage, kLong };

  struct Taken {
    size_t bytes = 0;
    Fault fault = Fault::kNone;
  };

  // Takes what is whole from the front; the rest is to be given again, with more behind it.
  Taken take(const uint8_t* data, size_t size, Sink& sink);
  // Frames of other channels are stepped over. A `$` counts as the beginning of a frame where one of these follows it, or where the
  // frame or message before ended.
  void channels(std::optional<uint8_t> media, std::optional<uint8_t> control);
  // Bytes that were neither.
  uint64_t junk() const;
};

}  // namespace weir
