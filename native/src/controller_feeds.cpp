// What a controller asks of sessions of RTSP, and their connections as they are handed over.
#include "controller.hpp"
#include "requests.hpp"

namespace weir {

void Controller::refuse(ControlConnection& connection, std::string_view id) {
  connection.send(reply("error", id).add("code", "invalid").add("message", "The request lacks a parameter, or has one out of its range."));
}

RtspFeed* Controller::find_feed(const Frame& frame) {
  Stream* stream = hub_.find(std::string(frame.get("stream").value_or("")));
  return stream != nullptr ? stream->feed_of(std::string(frame.get("feed").value_or(""))) : nullptr;
}

void Controller::pair(ControlConnection& connection, const Frame& frame, std::string_view id) {
  const auto feed = read_text(frame, "feed");
  const auto local = read_text(frame, "local");
  const auto interface = read_text(frame, "interface");
  const auto least = frame.number("least", 1024, 65534);
  const auto most = frame.number("most", 1025, 65535);
  sockaddr_storage address{};
  const bool good = feed && !feed->empty() && local && interface && least && most && *least < *most;
  if (!good || !read_address(*local, 0, address)) return refuse(connection, id);
  Stream* stream = hub_.find(std::string(frame.get("stream").value_or("")));
  if (stream == nullptr || !stream->rtsp()) {
    connection.send(not_found(id));
    return;
  }
  const auto opened = stream->open_pair(*feed, address, *interface, static_cast<uint16_t>(*least), static_cast<uint16_t>(*most));
  if (const Refusal* refusal = std::get_if<Refusal>(&opened)) {
    connection.send(reply("error", id).add("code", refusal->code).add("message", refusal->message));
    return;
  }
  const uint64_t port = std::get<uint16_t>(opened);
  connection.send(reply("ok", id).add("rtp", port).add("rtcp", port + 1));
}

void Controller::punch(ControlConnection& connection, const Frame& frame, std::string_view id) {
  const auto punch = read_punch(frame);
  if (!punch) return refuse(connection, id);
  Stream* stream = hub_.find(std::string(frame.get("stream").value_or("")));
  const bool found = stream != nullptr && stream->punch(std::string(frame.get("feed").value_or("")), *punch);
  connection.send(found ? reply("ok", id) : not_found(id));
}

// The reply comes before whatever the server says to it.
void Controller::say(ControlConnection& connection, const Frame& frame, std::string_view id) {
  const auto text = read_text(frame, "text", kMaxText);
  if (!text || text->empty()) return refuse(connection, id);
  RtspFeed* feed = find_feed(frame);
  if (feed == nullptr) {
    connection.send(not_found(id));
    return;
  }
  const uint32_t cseq = feed->say(*text, frame.number("raw", 0, 1).value_or(0) == 1);
  connection.send(reply("ok", id).add("cseq", uint64_t{cseq}));
}

void Controller::keep(ControlConnection& connection, const Frame& frame, std::string_view id) {
  const auto text = read_text(frame, "text", kMaxText);
  const auto every = frame.number("every", 0, kMaxWait);
  if (!text || !every || (text->empty() && *every > 0)) return refuse(connection, id);
  RtspFeed* feed = find_feed(frame);
  if (feed != nullptr) feed->keep(*text, *every * kMillisecond);
  connection.send(feed != nullptr ? reply("ok", id) : not_found(id));
}

void Controller::await(ControlConnection& connection, const Frame& frame, std::string_view id) {
  const auto within = frame.number("within", 1, kMaxWait);
  if (!within) return refuse(connection, id);
  Stream* stream = hub_.find(std::string(frame.get("stream").value_or("")));
  const bool found = stream != nullptr && stream->rtsp();
  if (found) stream->await(*within * kMillisecond);
  connection.send(found ? reply("ok", id) : not_found(id));
}

void Controller::note(ControlConnection& connection, const Frame& frame, std::string_view id) {
  const auto note = read_text(frame, "note", kMaxNote);
  if (!note) return refuse(connection, id);
  Stream* stream = hub_.find(std::string(frame.get("stream").value_or("")));
  if (stream != nullptr) stream->note(*note);
  connection.send(stream != nullptr ? reply("ok", id) : not_found(id));
}

void Controller::part(ControlConnection& connection, const Frame& frame, std::string_view id) {
  Stream* stream = hub_.find(std::string(frame.get("stream").value_or("")));
  const auto parted = stream != nullptr ? stream->part(std::string(frame.get("feed").value_or(""))) : std::nullopt;
  connection.send(parted ? reply("ok", id).add("parted", uint64_t{*parted}) : not_found(id));
}

bool Controller::feed(const Frame& frame, Fd socket) {
  const auto stream = read_text(frame, "stream");
  const auto note = read_text(frame, "note", kMaxNote);
  auto card = read_card(frame);
  if (!stream || !note || !card) return false;
  if (socket && !connected_tcp(socket)) {
    hub_.feed_refused(*stream, card->id, "not-tcp");
  } else {
    hub_.feed(*stream, std::move(socket), std::move(*card), *note);
  }
  return true;
}

}  // namespace weir
