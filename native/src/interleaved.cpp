#include "interleaved.hpp"

#include <algorithm>
#include <cstring>

namespace weir {
namespace {

constexpr size_t kFrameHead = 4;
// `[A-Z_]{3,20} `
constexpr size_t kLeastMethod = 3;
constexpr size_t kMostMethod = 20;
// How a status line begins; the version's digits may be any.
constexpr std::string_view kStatus = "RTSP/0.0 ";

bool digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }
bool of_method(uint8_t byte) { return (byte >= 'A' && byte <= 'Z') || byte == '_'; }
uint8_t upper(uint8_t byte) { return byte >= 'a' && byte <= 'z' ? static_cast<uint8_t>(byte - 'a' + 'A') : byte; }

// How many of the bytes are the beginning of a status line.
size_t status_line(const uint8_t* data, size_t size) {
  size_t count = 0;
  while (count < std::min(size, kStatus.size())) {
    const char wanted = kStatus[count];
    if (wanted == '0' ? !digit(data[count]) : upper(data[count]) != static_cast<uint8_t>(wanted)) break;
    count++;
  }
  return count;
}

// Where a head ends, and how long its empty line is: LF alone is met as well as CR LF. Nothing when its end is not there yet.
struct End {
  size_t head = 0;
  size_t line = 0;
};
std::optional<End> end_of_head(const uint8_t* data, size_t size) {
  for (size_t at = 0; at < size;) {
    const auto* feed = static_cast<const uint8_t*>(std::memchr(data + at, '\n', size - at));
    if (feed == nullptr) return std::nullopt;
    at = static_cast<size_t>(feed - data) + 1;
    const size_t blank = at < size && data[at] == '\r' ? 1 : 0;
    if (at + blank < size && data[at + blank] == '\n') return End{at, blank + 1};
  }
  return std::nullopt;
}

bool same(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char one, char other) { return (one >= 'A' && one <= 'Z' ? one - 'A' + 'a' : one) == other; });
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// What Content-Length says (RFC 2326 §12.14). Absent is 0, and so is what is no number.
size_t body_of(std::string_view head) {
  size_t length = 0;
  for (const char c : header_field(head, "content-length").value_or("")) {
    if (!digit(static_cast<uint8_t>(c))) return 0;
    length = std::min(length * 10 + static_cast<size_t>(c - '0'), Interleaved::kMaxBody + 1);
  }
  return length;
}

}  // namespace

std::optional<std::string_view> header_field(std::string_view head, std::string_view lower) {
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(head.size(), line.size() + 1));
    const size_t colon = line.find(':');
    if (colon != std::string_view::npos && same(trimmed(line.substr(0, colon)), lower)) return trimmed(line.substr(colon + 1));
  }
  return std::nullopt;
}

void Interleaved::channels(std::optional<uint8_t> media, std::optional<uint8_t> control) {
  media_ = media;
  control_ = control;
}

Interleaved::Taken Interleaved::take(const uint8_t* data, size_t size, Sink& sink) {
  size_t at = 0;
  while (at < size && fault_ == Fault::kNone) {
    if (skip_ > 0) {
      const size_t skipped = std::min(skip_, size - at);
      skip_ -= skipped;
      at += skipped;
      continue;
    }
    size_t used = 0;
    const Step step_done = step({data + at, size - at}, sink, used);
    if (step_done == Step::kMore) break;
    at += used;
    if (step_done == Step::kJunk) {
      at++;
      waste();
    }
  }
  return {at, fault_};
}

// Blank lines between messages are junk, but what comes behind them is due all the same.
Interleaved::Step Interleaved::step(Bytes bytes, Sink& sink, size_t& used) {
  const uint8_t first = bytes.data[0];
  if (first == '$') return take_frame(bytes, sink, used);
  if (due_ && (first == '\r' || first == '\n')) return Step::kJunk;
  switch (begins_message(bytes)) {
    case Begin::kYes:
      return take_message(bytes, sink, used);
    case Begin::kMore:
      return Step::kMore;
    case Begin::kNo:
      due_ = false;
  }
  return Step::kJunk;
}

Interleaved::Step Interleaved::take_frame(Bytes bytes, Sink& sink, size_t& used) {
  if (bytes.size < 2) return Step::kMore;
  const bool ours = known(bytes.data[1]);
  if (!due_ && !ours) return Step::kJunk;
  if (bytes.size < kFrameHead) return Step::kMore;
  const size_t length = kFrameHead + static_cast<size_t>(bytes.data[2] << 8 | bytes.data[3]);
  if (bytes.size < length) return Step::kMore;
  if (!due_ || !ours) {
    const Begin next = begins(bytes.from(length));
    if (next == Begin::kMore) return Step::kMore;
    if (next == Begin::kNo) {
      due_ = false;
      return Step::kJunk;
    }
  }
  due_ = true;
  wasted_ = 0;
  used = length;
  if (ours && length > kFrameHead) sink.frame(bytes.data[1], bytes.data + kFrameHead, length - kFrameHead);
  return Step::kTaken;
}

Interleaved::Step Interleaved::take_message(Bytes bytes, Sink& sink, size_t& used) {
  const auto end = end_of_head(bytes.data, std::min(bytes.size, kMaxHead + 2));
  if (!end && bytes.size < kMaxHead + 2) return Step::kMore;
  if (!end || end->head > kMaxHead) {
    fault_ = Fault::kLong;
    return Step::kMore;
  }
  const std::string_view head(reinterpret_cast<const char*>(bytes.data), end->head);
  const size_t body = body_of(head);
  if (body > kMaxBody) {
    fault_ = Fault::kLong;
    return Step::kMore;
  }
  due_ = true;
  wasted_ = 0;
  skip_ = body;
  used = end->head + end->line;
  sink.message(head);
  return Step::kTaken;
}

// Where a message is due a method is enough. Amid junk three letters and a blank are soon found, an address behind them is not.
Interleaved::Begin Interleaved::begins_message(Bytes bytes) const {
  const size_t status = status_line(bytes.data, bytes.size);
  if (status == kStatus.size()) return Begin::kYes;
  if (status == bytes.size) return Begin::kMore;
  size_t method = 0;
  while (method < std::min(bytes.size, kMostMethod + 1) && of_method(bytes.data[method])) method++;
  if (method == bytes.size && method <= kMostMethod) return Begin::kMore;
  if (method < kLeastMethod || method > kMostMethod || bytes.data[method] != ' ') return Begin::kNo;
  if (due_) return Begin::kYes;
  constexpr std::string_view address = "rtsp://";
  const Bytes behind = bytes.from(method + 1);
  const size_t most = std::min(behind.size, address.size());
  if (!same({reinterpret_cast<const char*>(behind.data), most}, address.substr(0, most))) return Begin::kNo;
  return most == address.size() ? Begin::kYes : Begin::kMore;
}

// Whether a frame or a message stands here; amid junk a frame of ours.
Interleaved::Begin Interleaved::begins(Bytes bytes) const {
  if (bytes.size == 0) return Begin::kMore;
  if (bytes.data[0] != '$') return begins_message(bytes);
  if (bytes.size == 1) return Begin::kMore;
  return due_ || known(bytes.data[1]) ? Begin::kYes : Begin::kNo;
}

void Interleaved::waste() {
  junk_++;
  wasted_++;
  if (wasted_ >= kMaxJunk) fault_ = Fault::kGarbage;
}

}  // namespace weir
