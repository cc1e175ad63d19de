// Whatever comes as RTCP is read inside its bytes; reports stay inside their room, whatever they say, and can be read again.
#include "rtcp.hpp"

#include <vector>

#include "input.hpp"
#include "reporter.hpp"

namespace {

uint32_t word(fuzz::Input& input) { return static_cast<uint32_t>(input.word()) << 16 | input.word(); }

void write_report(fuzz::Input& input) {
  weir::rtcp::Reception about;
  about.ssrc = word(input);
  about.lost = word(input);
  about.fraction = input.byte();
  about.highest = word(input);
  const bool alone = (input.byte() & 1) != 0;
  const size_t room = input.word() % 400;
  const auto name = input.bytes(300);
  std::vector<uint8_t> out(room);
  const std::string_view text(reinterpret_cast<const char*>(name.data()), name.size());
  const size_t size = weir::rtcp::receiver_report(about.ssrc, alone ? nullptr : &about, text, out.data(), room);
  fuzz::require(size <= room && size % 4 == 0);
  fuzz::require(size == 0 || weir::rtcp::parse(out.data(), size).has_value());
}

void follow(fuzz::Input input) {
  weir::Reporter reporter(1);
  weir::Time now = weir::kSecond;
  std::vector<uint8_t> out(256);
  while (!input.empty()) {
    now += input.word() * weir::kMillisecond;
    switch (input.byte() % 3) {
      case 0:
        reporter.heard(input.byte() % 3, word(input), word(input));
        break;
      case 1:
        reporter.sender({input.byte() % 3u, word(input)}, now);
        break;
      default:
        const size_t size = reporter.write(now, out.data(), out.size());
        fuzz::require(size > 0 && weir::rtcp::parse(out.data(), size).has_value());
    }
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto heard = weir::rtcp::parse(data, size);
  fuzz::require(!heard || (size >= 4 && size % 4 == 0));
  fuzz::Input input(data, size);
  follow(input);
  write_report(input);
  return 0;
}
