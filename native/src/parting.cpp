#include "parting.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace weir {
namespace {

// A line with CSeq is no longer than this.
constexpr size_t kTail = 40;
constexpr std::string_view kField = "\ncseq:";
// One thread: all share it. What comes is thrown away in pieces of this, so many in one turn.
std::array<char, 64 * 1024> thrown;
constexpr int kPieces = 16;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool digit(char c) { return c >= '0' && c <= '9'; }

// The number behind the first CSeq of the text, when the line goes on behind it; the rest of the text is left.
std::optional<uint32_t> next_number(std::string_view& text) {
  const auto at = std::search(text.begin(), text.end(), kField.begin(), kField.end(), [](char one, char other) { return lower(one) == other; });
  if (at == text.end()) {
    text = {};
    return std::nullopt;
  }
  text.remove_prefix(static_cast<size_t>(at - text.begin()) + kField.size());
  while (text.starts_with(' ')) text.remove_prefix(1);
  uint32_t number = 0;
  size_t digits = 0;
  for (; digits < std::min<size_t>(text.size(), 9) && digit(text[digits]); digits++) number = number * 10 + static_cast<uint32_t>(text[digits] - '0');
  if (digits == 0 || digits == text.size()) return std::nullopt;
  return number;
}

}  // namespace

Parting::Parting(Loop& loop, Fd socket, std::string text)
    : loop_(loop), socket_(std::move(socket)), text_(std::move(text)), wait_(loop, [this] { close(); }) {
  std::string_view rest = std::string_view(text_).substr(std::min(text_.size(), text_.rfind("\nCSeq:")));
  number_ = next_number(rest);
  if (!write() || !loop_.watch(socket_.get(), EPOLLIN | (written() ? 0u : uint32_t{EPOLLOUT}), *this)) {
    socket_.reset();
    return;
  }
  wait_.in(kWait);
}

Parting::~Parting() { close(); }

void Parting::close() {
  if (!socket_) return;
  loop_.forget(socket_.get(), *this);
  socket_.reset();
  wait_.cancel();
}

void Parting::ready(uint32_t events) {
  if (!socket_) return;
  if ((events & EPOLLOUT) != 0) {
    if (!write()) return close();
    if (written()) loop_.change(socket_.get(), EPOLLIN, *this);
  }
  read();
}

// False when the connection is gone.
bool Parting::write() {
  while (sent_ < text_.size()) {
    const ssize_t size = send(socket_.get(), text_.data() + sent_, text_.size() - sent_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size < 0) return errno == EAGAIN || errno == EINTR;
    sent_ += static_cast<size_t>(size);
  }
  return true;
}

void Parting::read() {
  for (int piece = 0; piece < kPieces; piece++) {
    const ssize_t size = recv(socket_.get(), thrown.data(), thrown.size(), MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (size <= 0) return close();
    answered_ = answered_ || answers({thrown.data(), static_cast<size_t>(size)});
  }
  if (answered_) close();
}

// Its CSeq tells the answer from those to what was asked before, and from media.
bool Parting::answers(std::string_view bytes) {
  if (!number_) return false;
  const std::string seam = tail_ + std::string(bytes.substr(0, kTail));
  for (std::string_view rest : {std::string_view(seam), bytes}) {
    while (!rest.empty()) {
      if (next_number(rest) == number_) return true;
    }
  }
  tail_ = bytes.size() < kTail ? seam.substr(seam.size() - std::min(seam.size(), kTail)) : std::string(bytes.substr(bytes.size() - kTail));
  return false;
}

}  // namespace weir
