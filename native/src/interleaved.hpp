// RTSP and its interleaved frames over one connection (RFC 2326 §4, §10.12). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weir {

// The value of a field of a message's head, its blanks taken off; nothing when the head has none. `lower` is its name in lower case.
std::optional<std::string_view> header_field(std::string_view head, std::string_view lower);

class Interleaved {
 public:
  static constexpr size_t kMaxHead = 16 * 1024;
  static constexpr size_t kMaxBody = 64 * 1024;
  static constexpr size_t kMaxJunk = 64 * 1024;
  static constexpr size_t kMaxFrame = 4 + 65535;
  // take() leaves no more than this.
  static constexpr size_t kMaxRest = kMaxFrame + 32;

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

  // Takes what is whole from the front; the rest is to be given again, with more behind it. Where the bytes are cut makes no
  // difference. After a fault nothing is taken any more.
  Taken take(const uint8_t* data, size_t size, Sink& sink);
  // Frames of other channels are stepped over where a frame is due, when another frame or a message stands behind them. Amid junk
  // a `$` begins a frame where one of these channels follows it, and a frame or a message stands behind that.
  void channels(std::optional<uint8_t> media, std::optional<uint8_t> control);
  // Bytes that were neither.
  uint64_t junk() const { return junk_; }

 private:
  // What may begin somewhere: it does not, it does, or that is seen with more bytes.
  enum class Begin { kNo, kYes, kMore };
  // What was done with what stands in front.
  enum class Step { kTaken, kJunk, kMore };
  struct Bytes {
    const uint8_t* data;
    size_t size;
    Bytes from(size_t at) const { return {data + at, size - at}; }
  };

  bool known(uint8_t channel) const { return channel == media_ || channel == control_; }
  Begin begins_message(Bytes bytes) const;
  Begin begins(Bytes bytes) const;
  Step step(Bytes bytes, Sink& sink, size_t& used);
  Step take_frame(Bytes bytes, Sink& sink, size_t& used);
  Step take_message(Bytes bytes, Sink& sink, size_t& used);
  void waste();

  std::optional<uint8_t> media_{};
  std::optional<uint8_t> control_{};
  bool due_ = true;      // What was before ended here.
  size_t skip_ = 0;      // Bytes of a body that are still to come.
  size_t wasted_ = 0;    // Junk since the last frame or message.
  uint64_t junk_ = 0;
  Fault fault_ = Fault::kNone;
};

}  // namespace weir
