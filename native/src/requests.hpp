// What frames ask for: their parameters read and checked, and the replies to them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fd.hpp"
#include "frame.hpp"
#include "stream.hpp"

namespace weir {

constexpr size_t kMaxId = 64;
// Even when every byte of it is escaped it fits into a frame with all the rest.
constexpr size_t kMaxNote = 4096;
constexpr size_t kMaxCongestion = 15;  // TCP_CA_NAME_MAX without its zero byte.
constexpr size_t kMaxText = 4096;      // Of a request to a server.
constexpr uint64_t kMaxWait = 3'600'000;  // Milliseconds.

// A text of at most so many bytes, empty when it is not given. Nothing when it is longer, or has a zero byte, at which the
// system's functions would end it.
std::optional<std::string> read_text(const Frame& frame, std::string_view key, size_t most = kMaxId);
// The parameters of `open`. Nothing when one is missing or out of its range.
std::optional<Stream::Plan> read_plan(const Frame& frame);
// Those of `feed`, and of `punch`.
std::optional<RtspFeed::Card> read_card(const Frame& frame);
std::optional<Stream::Punch> read_punch(const Frame& frame);

Frame reply(std::string_view name, std::string_view id);
Frame not_found(std::string_view id);
bool connected_tcp(const Fd& socket);

}  // namespace weir
