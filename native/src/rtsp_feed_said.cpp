// What is said on the connection of an RTSP session (RFC 2326 §4), and what its server says.
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include "rtsp_feed.hpp"

namespace weir {
namespace {

// Requests whose answers are waited for.
constexpr size_t kMaxAsked = 16;

std::optional<uint32_t> number_of(std::string_view text) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// Of an answer; nothing when the message is a request.
std::optional<uint32_t> status_of(std::string_view head) {
  if (head.size() < 12 || (head[0] | 0x20) != 'r' || head[4] != '/') return std::nullopt;
  return number_of(head.substr(9, 3));
}

std::string numbered(std::string_view text, uint32_t number) {
  return std::string(text) + "CSeq: " + std::to_string(number) + "\r\n\r\n";
}

}  // namespace

void RtspFeed::message(std::string_view head) {
  if (over_ || !ending_.empty() || expected(head)) return;
  owner_.feed_said(head.substr(0, kMaxTold), head.size() > kMaxTold);
}

// Whether it is the good answer to what is said again and again. Answers have the number of what they answer, and from servers that
// leave it out they come in the order in which they were asked for.
bool RtspFeed::expected(std::string_view head) {
  const auto status = status_of(head);
  if (!status) return false;
  const auto number = header_field(head, "cseq");
  const auto asked = number ? std::find(asked_.begin(), asked_.end(), number_of(*number)) : asked_.begin();
  if (asked == asked_.end()) return false;
  const bool kept = *asked == kept_number_;
  asked_.erase(asked);
  granted_ = granted_ || *status == 200;
  if (!kept) return false;
  kept_number_ = 0;
  return *status == 200;
}

uint32_t RtspFeed::say(std::string_view text, bool raw) {
  if (raw) {
    queue(text);
    return 0;
  }
  const uint32_t number = card_.cseq++;
  asked_.push_back(number);
  if (asked_.size() > kMaxAsked) asked_.pop_front();
  queue(numbered(text, number));
  return number;
}

void RtspFeed::keep(std::string text, Time every) {
  kept_ = std::move(text);
  every_ = every;
  keep_timer_.cancel();
  if (every_ > 0 && !over_ && !gone_) keep_timer_.in(every_);
}

// While it is not answered the next is left out, but only that: some servers never answer, and count it all the same.
void RtspFeed::keep_up() {
  keep_timer_.in(every_);
  left_out_ = kept_number_ != 0 && !left_out_;
  if (left_out_) return;
  std::erase(asked_, kept_number_);
  kept_number_ = say(kept_, false);
}

void RtspFeed::queue(std::string_view bytes) {
  if (over_ || gone_) return;
  if (out_.size() + bytes.size() > kMaxUnsent) {
    gone_ = true;
    out_.clear();
    patience_.in(0);
    return;
  }
  const bool first = out_.empty();
  out_.append(bytes);
  if (first) write();
}

// A connection that fails is told when it is read.
void RtspFeed::write() {
  if (gone_ || out_.empty()) return rewatch();
  const ssize_t size = send(socket_.get(), out_.data(), out_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (size > 0) {
    out_.erase(0, static_cast<size_t>(size));
    patience_.cancel();
  } else if (size < 0 && errno != EAGAIN && errno != EINTR) {
    out_.clear();
  }
  if (out_.empty()) {
    patience_.cancel();
  } else if (!patience_.armed()) {
    patience_.in(kPatience);
  }
  rewatch();
}

std::unique_ptr<Parting> RtspFeed::part() {
  cut();
  pollfd peer{socket_.get(), POLLRDHUP, 0};
  gone_ = gone_ || !socket_ || poll(&peer, 1, 0) != 0;
  if (gone_) {
    socket_.reset();
    return nullptr;
  }
  return std::make_unique<Parting>(loop_, std::move(socket_), out_ + numbered(card_.farewell, card_.cseq));
}

}  // namespace weir
