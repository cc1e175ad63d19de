#include "frame.hpp"

#include <charconv>

namespace weir {
namespace {

// No frame has half as many. Each key is compared with all before it.
constexpr size_t kMaxPairs = 64;

bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

bool named(std::string_view name) {
  if (name.empty() || name.size() > 32) return false;
  for (const char c : name) {
    if (!plain(c)) return false;
  }
  return true;
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size(); at++) {
    const char c = text[at];
    if (c <= ' ' || c > '~') return std::nullopt;
    if (c != '%') {
      out.push_back(c == '+' ? ' ' : c);
      continue;
    }
    if (at + 2 >= text.size()) return std::nullopt;
    const int high = digit(text[at + 1]);
    const int low = digit(text[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out.push_back(static_cast<char>(high * 16 + low));
    at += 2;
  }
  return out;
}

void encode(std::string_view text, std::string& out) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  for (const char c : text) {
    if (plain(c)) {
      out.push_back(c);
      continue;
    }
    const auto byte = static_cast<uint8_t>(c);
    out.push_back('%');
    out.push_back(hex[byte >> 4]);
    out.push_back(hex[byte & 15]);
  }
}

}  // namespace

std::optional<Frame> Frame::parse(std::string_view text) {
  const size_t mark = text.find('?');
  const std::string_view name = text.substr(0, mark);
  if (!named(name)) return std::nullopt;
  Frame frame{std::string(name)};
  if (mark == std::string_view::npos) return frame;
  std::string_view rest = text.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(pair.size() == rest.size() ? pair.size() : pair.size() + 1);
    const size_t equals = pair.find('=');
    if (equals == std::string_view::npos || !named(pair.substr(0, equals))) return std::nullopt;
    auto value = decode(pair.substr(equals + 1));
    if (!value || frame.get(pair.substr(0, equals)) || frame.pairs_.size() == kMaxPairs) return std::nullopt;
    frame.pairs_.emplace_back(pair.substr(0, equals), std::move(*value));
  }
  return frame;
}

std::optional<std::string_view> Frame::get(std::string_view key) const {
  for (const auto& [name, value] : pairs_) {
    if (name == key) return value;
  }
  return std::nullopt;
}

std::optional<uint64_t> Frame::number(std::string_view key, uint64_t least, uint64_t most) const {
  const auto value = get(key);
  if (!value) return std::nullopt;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
  if (error != std::errc() || end != value->data() + value->size() || number < least || number > most) {
    return std::nullopt;
  }
  return number;
}

Frame& Frame::add(std::string_view key, std::string_view value) {
  pairs_.emplace_back(key, value);
  return *this;
}

Frame& Frame::add_seconds(std::string_view key, uint64_t microseconds) {
  const std::string decimals = std::to_string(microseconds % 1'000'000);
  return add(key, std::to_string(microseconds / 1'000'000) + "." + std::string(6 - decimals.size(), '0') + decimals);
}

std::string Frame::text() const {
  std::string out = name_;
  char separator = '?';
  for (const auto& [key, value] : pairs_) {
    out.push_back(separator);
    out.append(key);
    out.push_back('=');
    encode(value, out);
    separator = '&';
  }
  return out;
}

}  // namespace weir
