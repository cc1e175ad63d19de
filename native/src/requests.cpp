#include "requests.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "base64.hpp"

namespace weir {
namespace {

constexpr uint64_t kMaxLookBack = 64 << 20;
constexpr size_t kMaxUrl = 2048;
// As it is escaped: with the longest note it fits into a frame.
constexpr size_t kMaxShown = 2400;
constexpr size_t kMaxFeedId = 16;
constexpr size_t kMaxRead = 8192;
constexpr size_t kMaxPunch = 1500;
constexpr size_t kMaxSenders = 4;
constexpr uint64_t kMaxPunches = 5;

// The parts of a list with commas; none of an empty text.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return parts;
}

// As much of an address as is shown.
std::string shown(std::string_view url) {
  size_t size = 0;
  for (size_t at = 0; at < url.size(); at++) {
    const auto c = static_cast<unsigned char>(url[at]);
    size += std::isalnum(c) != 0 || url.substr(at, 1).find_first_of("-._~") == 0 ? 1 : 3;
    if (size > kMaxShown) return std::string(url.substr(0, at));
  }
  return std::string(url);
}

// What is asked of every stream.
bool read_common(const Frame& frame, Stream::Plan& plan) {
  const auto id = read_text(frame, "stream");
  const auto note = read_text(frame, "note", kMaxNote);
  const auto kind = read_text(frame, "kind");
  const auto linger = frame.number("linger", 0, kMaxWait);
  const auto silence = frame.number("silence", 1, kMaxWait);
  const auto rejoin = frame.number("rejoin", 1, kMaxWait);
  if (!id || id->empty() || !note || !kind || !linger || !silence || !rejoin) return false;
  plan.id = *id;
  plan.note = *note;
  plan.kind = kind->empty() ? "udp" : *kind;
  plan.linger = *linger * kMillisecond;
  plan.silence = *silence * kMillisecond;
  plan.rejoin = *rejoin * kMillisecond;
  plan.look_back.span = frame.number("look-back", 0, kMaxWait).value_or(0) * kMillisecond;
  plan.look_back.bytes = frame.number("look-back-bytes", 0, kMaxLookBack).value_or(0);
  return true;
}

bool read_datagrams(const Frame& frame, Stream::Plan& plan) {
  const auto address = read_text(frame, "address");
  const auto source = read_text(frame, "source");
  const auto interface = read_text(frame, "interface");
  const auto port = frame.number("port", 1, 65535);
  if (!address || !source || !interface || !port) return false;
  plan.address_text = *address;
  plan.source_text = *source;
  plan.port = static_cast<uint16_t>(*port);
  plan.interfaces = split(*interface);
  plan.refresh = frame.number("refresh", 0, kMaxWait).value_or(0) * kMillisecond;
  if (!read_address(plan.address_text, plan.port, plan.address.group)) return false;
  if (plan.source_text.empty()) return true;
  return read_address(plan.source_text, 0, plan.address.source) && plan.address.source.ss_family == plan.address.group.ss_family;
}

bool read_rtsp(const Frame& frame, Stream::Plan& plan) {
  const auto url = read_text(frame, "url", kMaxUrl);
  const auto await = frame.number("await", 1, kMaxWait);
  if (!url || !await) return false;
  plan.url = shown(*url);
  plan.await = *await * kMillisecond;
  plan.hold = frame.number("hold", 0, 1).value_or(0) == 1;
  return true;
}

bool read_way(const Frame& frame, RtspFeed::Card& card) {
  const auto way = read_text(frame, "way");
  if (!way || (*way != "tcp" && *way != "udp")) return false;
  card.udp = *way == "udp";
  if (!card.udp) {
    const auto media = frame.number("media", 0, 255);
    if (!media) return false;
    card.media = static_cast<uint8_t>(*media);
    if (const auto control = frame.number("control", 0, 255)) card.control = static_cast<uint8_t>(*control);
    return true;
  }
  card.rtp = static_cast<uint16_t>(frame.number("rtp", 0, 65535).value_or(0));
  card.rtcp = static_cast<uint16_t>(frame.number("rtcp", 0, 65535).value_or(0));
  const auto from = read_text(frame, "from", 256);
  if (!from) return false;
  for (const std::string& text : split(*from)) {
    if (!read_address(text, 0, card.from.emplace_back())) return false;
  }
  return card.from.size() <= kMaxSenders;
}

}  // namespace

std::optional<std::string> read_text(const Frame& frame, std::string_view key, size_t most) {
  const std::string_view text = frame.get(key).value_or("");
  if (text.size() > most || text.find('\0') != std::string_view::npos) return {};
  return std::string(text);
}

std::optional<Stream::Plan> read_plan(const Frame& frame) {
  Stream::Plan plan;
  if (!read_common(frame, plan)) return {};
  const bool good = plan.rtsp() ? read_rtsp(frame, plan) : read_datagrams(frame, plan);
  return good ? std::optional(std::move(plan)) : std::nullopt;
}

std::optional<RtspFeed::Card> read_card(const Frame& frame) {
  const auto id = read_text(frame, "feed", kMaxFeedId);
  const auto farewell = read_text(frame, "farewell", kMaxText);
  const auto read = decode_bytes(frame.get("read").value_or(""));
  const auto cseq = frame.number("cseq", 1, UINT32_MAX);
  if (!id || id->empty() || frame.get("kind") != "rtsp" || !farewell || !read || read->size() > kMaxRead || !cseq) return {};
  RtspFeed::Card card;
  card.id = *id;
  card.farewell = *farewell;
  card.read = *read;
  card.cseq = static_cast<uint32_t>(*cseq);
  return read_way(frame, card) ? std::optional(std::move(card)) : std::nullopt;
}

std::optional<Stream::Punch> read_punch(const Frame& frame) {
  const auto socket = read_text(frame, "socket");
  const auto address = read_text(frame, "address");
  const auto port = frame.number("port", 1, 65535);
  const auto data = decode_bytes(frame.get("data").value_or(""));
  const auto times = frame.number("times", 1, kMaxPunches);
  const auto every = frame.number("every", 0, kMaxWait);
  if (!socket || (*socket != "rtp" && *socket != "rtcp") || !address || !port || !data || data->size() > kMaxPunch) return {};
  if (!times || !every) return {};
  Stream::Punch punch;
  punch.media = *socket == "rtp";
  punch.data = *data;
  punch.times = static_cast<int>(*times);
  punch.every = *every * kMillisecond;
  if (!read_address(*address, static_cast<uint16_t>(*port), punch.to)) return {};
  return punch;
}

Frame reply(std::string_view name, std::string_view id) {
  Frame frame{std::string(name)};
  frame.add("id", id);
  return frame;
}

Frame not_found(std::string_view id) {
  return reply("error", id).add("code", "not-found").add("message", "There is none of that id.");
}

bool connected_tcp(const Fd& socket) {
  int type = 0;
  int protocol = 0;
  socklen_t size = sizeof type;
  if (getsockopt(socket.get(), SOL_SOCKET, SO_TYPE, &type, &size) != 0) return false;
  size = sizeof protocol;
  return getsockopt(socket.get(), SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 && type == SOCK_STREAM &&
         protocol == IPPROTO_TCP;
}

}  // namespace weir
