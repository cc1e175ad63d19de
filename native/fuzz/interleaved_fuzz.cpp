// A connection of RTSP, cut anywhere: frames and messages are the same as when it comes in one piece, none is longer than its
// bytes, and what is neither is counted. The input: a byte that says where to cut, then the bytes of the connection.
#include "interleaved.hpp"

#include <string>
#include <vector>

#include "input.hpp"

namespace {

using weir::Interleaved;

struct Reader final : Interleaved::Sink {
  Interleaved parser{};
  std::string rest{};
  std::vector<std::string> got{};
  size_t told = 0;
  size_t fed = 0;
  size_t taken = 0;
  Interleaved::Fault fault = Interleaved::Fault::kNone;

  Reader() { parser.channels(0, 1); }

  void frame(uint8_t channel, const uint8_t* data, size_t size) override {
    fuzz::require(channel <= 1 && size > 0 && size <= 65535);
    got.emplace_back(reinterpret_cast<const char*>(data), size);
    told += 4 + size;
  }
  void message(std::string_view head) override {
    fuzz::require(head.size() <= Interleaved::kMaxHead && head.ends_with('\n'));
    got.emplace_back(head);
    told += head.size();
  }
  void feed(std::string_view more) {
    rest.append(more);
    fed += more.size();
    // Nothing behind the last byte may be read.
    const std::vector<uint8_t> bytes(rest.begin(), rest.end());
    const auto result = parser.take(bytes.data(), bytes.size(), *this);
    fuzz::require(result.bytes <= rest.size());
    rest.erase(0, result.bytes);
    taken += result.bytes;
    fault = result.fault;
    fuzz::require(fault != Interleaved::Fault::kNone || rest.size() <= Interleaved::kMaxRest);
    fuzz::require(told + parser.junk() <= taken && taken <= fed);
  }
};

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const size_t step = 1 + input.byte();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view all = bytes.substr(std::min<size_t>(1, size));
  Reader whole;
  whole.feed(all);
  Reader cut;
  // Byte by byte takes long where much is left over again and again.
  const size_t least = all.size() > 4096 ? all.size() / 64 : 1;
  for (size_t at = 0; at < all.size(); at += std::max(step, least)) cut.feed(all.substr(at, std::max(step, least)));
  fuzz::require(whole.got == cut.got && whole.rest == cut.rest && whole.fault == cut.fault);
  fuzz::require(whole.parser.junk() == cut.parser.junk() && whole.taken == cut.taken);
  return 0;
}
