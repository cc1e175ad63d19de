// Control frames: `name?key=value&key=value`, form-encoded ASCII.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

// The longest frame, its end of line included.
constexpr size_t kMaxFrame = 16 * 1024;

class Frame {
 public:
  explicit Frame(std::string name) : name_(std::move(name)) {}

  // Reads one frame without its end of line. Nothing when it is not one: another byte than printable ASCII, an empty or
  // strange name, a broken escape, a pair without `=`, a key given twice, more than 64 of them.
  static std::optional<Frame> parse(std::string_view text);

  const std::string& name() const { return name_; }
  // The value of a key, or nothing when the frame has none.
  std::optional<std::string_view> get(std::string_view key) const;
  // A decimal number from `least` to `most`, or nothing.
  std::optional<uint64_t> number(std::string_view key, uint64_t least, uint64_t most) const;

  Frame& add(std::string_view key, std::string_view value);
  Frame& add(std::string_view key, uint64_t value) { return add(key, std::to_string(value)); }
  // A time, given in microseconds, as seconds with decimals.
  Frame& add_seconds(std::string_view key, uint64_t microseconds);

  // The frame as text, without an end of line.
  std::string text() const;

 private:
  std::string name_;
  std::vector<std::pair<std::string, std::string>> pairs_{};
};

}  // namespace weir
