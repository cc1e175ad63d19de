#include "controller.hpp"

#include <sys/socket.h>

#include <algorithm>

namespace weir {
namespace {

constexpr size_t kMaxId = 64;
// Even when every byte of it is escaped it fits into a frame with all the rest.
constexpr size_t kMaxNote = 4096;
constexpr size_t kMaxCongestion = 15;  // TCP_CA_NAME_MAX without its zero byte.
constexpr uint64_t kMaxWait = 3'600'000;
constexpr uint64_t kMaxLookBack = 64 << 20;

// A text of at most so many bytes, empty when it is not given. Nothing when it is longer, or has a zero byte, at which the
// system's functions would end it.
std::optional<std::string> read_text(const Frame& frame, std::string_view key, size_t most = kMaxId) {
  const std::string_view text = frame.get(key).value_or("");
  if (text.size() > most || text.find('\0') != std::string_view::npos) return {};
  return std::string(text);
}

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

// Reads the parameters of `open`. Nothing when one is missing or out of its range.
std::optional<Stream::Plan> read_plan(const Frame& frame) {
  const auto id = read_text(frame, "stream");
  const auto note = read_text(frame, "note", kMaxNote);
  const auto kind = read_text(frame, "kind");
  const auto address = read_text(frame, "address");
  const auto source = read_text(frame, "source");
  const auto interface = read_text(frame, "interface");
  const auto port = frame.number("port", 1, 65535);
  const auto linger = frame.number("linger", 0, kMaxWait);
  const auto silence = frame.number("silence", 1, kMaxWait);
  const auto rejoin = frame.number("rejoin", 1, kMaxWait);
  if (!id || id->empty() || !note || !kind || !address || !source || !interface) return {};
  if (!port || !linger || !silence || !rejoin) return {};
  Stream::Plan plan;
  plan.id = *id;
  plan.note = *note;
  plan.kind = kind->empty() ? "udp" : *kind;
  plan.address_text = *address;
  plan.source_text = *source;
  plan.port = static_cast<uint16_t>(*port);
  plan.interfaces = split(*interface);
  plan.linger = *linger * kMillisecond;
  plan.silence = *silence * kMillisecond;
  plan.rejoin = *rejoin * kMillisecond;
  plan.refresh = frame.number("refresh", 0, kMaxWait).value_or(0) * kMillisecond;
  plan.look_back.span = frame.number("look-back", 0, kMaxWait).value_or(0) * kMillisecond;
  plan.look_back.bytes = frame.number("look-back-bytes", 0, kMaxLookBack).value_or(0);
  if (!read_address(plan.address_text, plan.port, plan.address.group)) return {};
  if (!plan.source_text.empty()) {
    if (!read_address(plan.source_text, 0, plan.address.source)) return {};
    if (plan.address.source.ss_family != plan.address.group.ss_family) return {};
  }
  return plan;
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

}  // namespace

Controller::Controller(Loop& loop, Time alone)
    : loop_(loop),
      alone_(alone),
      hub_(loop,
           [this](const Frame& event) {
             if (controller_ != nullptr) controller_->send(event);
           }),
      alone_timer_(loop, [this] { stop("left alone"); }),
      control_listener_(loop,
                        [this](Fd fd) {
                          controls_.push_back(std::make_unique<ControlConnection>(loop_, *this, std::move(fd)));
                          if (!controls_.back()->watch()) controls_.pop_back();
                        }),
      handoff_listener_(loop, [this](Fd fd) {
        handoffs_.push_back(std::make_unique<HandoffConnection>(loop_, *this, std::move(fd)));
        if (!handoffs_.back()->watch()) handoffs_.pop_back();
      }) {}

bool Controller::open(const std::string& prefix) {
  alone_timer_.in(alone_);
  return control_listener_.open(prefix + ".sock", SOCK_STREAM) && handoff_listener_.open(prefix + ".fds", SOCK_SEQPACKET);
}

void Controller::stop(const std::string& reason) {
  hub_.close_all("stopped");
  std::fprintf(stderr, "weir-pump: ends: %s\n", reason.c_str());
  loop_.stop();
}

void Controller::tidy() {
  hub_.tidy();
  std::erase_if(controls_, [](const auto& connection) { return connection->closed(); });
  std::erase_if(handoffs_, [](const auto& connection) { return connection->closed(); });
  const bool lonely = controller_ == nullptr && hub_.viewers() == 0;
  if (!lonely) {
    alone_timer_.cancel();
  } else if (!alone_timer_.armed()) {
    alone_timer_.in(alone_);
  }
  if (draining_ && hub_.viewers() == 0) stop("drained");
}

void Controller::left(const ControlConnection& connection) {
  if (controller_ == &connection) controller_ = nullptr;
}

bool Controller::request(ControlConnection& connection, const Frame& frame) {
  const auto given = frame.get("id");
  if (!given || given->empty() || given->size() > kMaxId) return false;
  const std::string_view id = *given;
  if (frame.name() == "hello") {
    hello(connection, id);
    return true;
  }
  // Only the controller may ask for anything else.
  if (controller_ != &connection) return false;
  if (frame.name() == "open") {
    open_stream(connection, frame, id);
  } else if (frame.name() == "stats") {
    stats(connection, frame, id);
  } else if (frame.name() == "close" || frame.name() == "dismiss") {
    end_one(connection, frame, id);
  } else if (frame.name() == "drain") {
    draining_ = true;
    connection.send(reply("ok", id));
  } else if (frame.name() == "stop") {
    connection.send(reply("ok", id));
    stop("asked to");
  } else {
    connection.send(reply("error", id).add("code", "unknown").add("message", "There is no such request."));
  }
  return true;
}

void Controller::hello(ControlConnection& connection, std::string_view id) {
  if (controller_ != nullptr && controller_ != &connection) controller_->close();
  controller_ = &connection;
  report(connection, id);
  connection.send(reply("ok", id).add("version", uint64_t{WEIR_PROTOCOL}).add("pid", static_cast<uint64_t>(getpid())));
}

void Controller::end_one(ControlConnection& connection, const Frame& frame, std::string_view id) {
  const bool is_stream = frame.name() == "close";
  const auto target = read_text(frame, is_stream ? "stream" : "viewer");
  const auto reason = read_text(frame, "reason");
  if (!target || !reason) {
    connection.send(reply("error", id).add("code", "invalid").add("message", "An id or a reason has more than 64 bytes, or a zero byte."));
    return;
  }
  const bool found = is_stream ? hub_.close(*target, reason->empty() ? "closed" : *reason)
                               : hub_.dismiss(*target, reason->empty() ? "dismissed" : *reason);
  connection.send(found ? reply("ok", id) : not_found(id));
}

void Controller::open_stream(ControlConnection& connection, const Frame& frame, std::string_view id) {
  const auto plan = read_plan(frame);
  Refusal refusal{"invalid", "The request to open a stream lacks a parameter, or has one out of range."};
  if (draining_) refusal = {"unavailable", "This pump is being replaced and opens nothing more."};
  if (plan && !draining_) refusal = hub_.open(*plan);
  connection.send(refusal.refused() ? reply("error", id).add("code", refusal.code).add("message", refusal.message)
                                    : reply("ok", id));
}

void Controller::stats(ControlConnection& connection, const Frame& frame, std::string_view id) {
  const auto stream = frame.get("stream");
  std::vector<Frame> frames = stream ? hub_.report(std::string(*stream)) : hub_.report();
  for (Frame& row : frames) connection.send(row.add("id", id));
  connection.send(stream && frames.empty() ? not_found(id) : reply("ok", id));
}

void Controller::report(ControlConnection& connection, std::string_view id) {
  for (Frame& frame : hub_.report()) connection.send(frame.add("id", id));
}

bool Controller::attach(const Frame& frame, Fd socket) {
  const auto viewer = read_text(frame, "viewer");
  const auto stream = read_text(frame, "stream");
  const auto note = read_text(frame, "note", kMaxNote);
  const auto head = frame.get("head");
  const auto congestion = read_text(frame, "congestion", kMaxCongestion);
  if (frame.name() != "attach" || !viewer || viewer->empty() || !stream || !note || !head || !congestion) return false;
  if (socket && !connected_tcp(socket)) return false;
  const auto unsent = static_cast<uint32_t>(frame.number("unsent", 0, UINT32_MAX).value_or(0));
  hub_.attach(*stream, std::move(socket), {*viewer, *note, std::string(*head), *congestion, unsent});
  return true;
}

}  // namespace weir
