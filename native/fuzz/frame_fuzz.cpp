// A frame that is read is written and read again as the same.
#include "frame.hpp"

#include "input.hpp"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto frame = weir::Frame::parse({reinterpret_cast<const char*>(data), size});
  if (!frame) return 0;
  const std::string text = frame->text();
  const auto again = weir::Frame::parse(text);
  fuzz::require(again && again->name() == frame->name() && again->text() == text);
  fuzz::require(text.find('\n') == std::string::npos);
  for (const char* key : {"id", "stream", "port", "a"}) {
    fuzz::require(again->get(key) == frame->get(key));
    const auto number = frame->number(key, 1, 65535);
    fuzz::require(!number || (*number >= 1 && *number <= 65535));
  }
  return 0;
}
