#include "controller.hpp"

#include <algorithm>

#include "requests.hpp"

namespace weir {
namespace {

// How long farewells are waited for when the pump ends.
constexpr Time kFarewells = kSecond;

}  // namespace

Controller::Controller(Loop& loop, Time alone)
    : loop_(loop),
      alone_(alone),
      hub_(loop,
           [this](const Frame& event) {
             if (controller_ != nullptr) controller_->send(event);
           }),
      alone_timer_(loop, [this] { stop("left alone"); }),
      stop_timer_(loop, [this] { loop_.stop(); }),
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

// Servers of sessions are told first.
void Controller::stop(const std::string& reason) {
  if (stopping_) return;
  stopping_ = true;
  draining_ = true;
  hub_.close_all("stopped");
  std::fprintf(stderr, "weir-pump: ends: %s\n", reason.c_str());
  if (!hub_.parting()) {
    loop_.stop();
  } else {
    stop_timer_.in(kFarewells);
  }
}

void Controller::tidy() {
  hub_.tidy();
  std::erase_if(controls_, [](const auto& connection) { return connection->closed(); });
  std::erase_if(handoffs_, [](const auto& connection) { return connection->closed(); });
  if (stopping_) {
    if (!hub_.parting()) loop_.stop();
    return;
  }
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
  static constexpr struct {
    std::string_view name;
    void (Controller::*action)(ControlConnection&, const Frame&, std::string_view);
  } requests[] = {
      {"open", &Controller::open_stream}, {"stats", &Controller::stats}, {"close", &Controller::close_stream},
      {"dismiss", &Controller::dismiss},  {"drain", &Controller::drain}, {"stop", &Controller::stop_pump},
      {"pair", &Controller::pair},        {"punch", &Controller::punch}, {"say", &Controller::say},
      {"keep", &Controller::keep},        {"await", &Controller::await}, {"note", &Controller::note},
      {"part", &Controller::part},
  };
  const auto given = frame.get("id");
  if (!given || given->empty() || given->size() > kMaxId) return false;
  const std::string_view id = *given;
  if (frame.name() == "hello") {
    hello(connection, id);
    return true;
  }
  // Only the controller may ask for anything else.
  if (controller_ != &connection) return false;
  for (const auto& [name, action] : requests) {
    if (frame.name() != name) continue;
    (this->*action)(connection, frame, id);
    return true;
  }
  connection.send(reply("error", id).add("code", "unknown").add("message", "There is no such request."));
  return true;
}

void Controller::hello(ControlConnection& connection, std::string_view id) {
  if (controller_ != nullptr && controller_ != &connection) controller_->close();
  controller_ = &connection;
  report(connection, id);
  connection.send(reply("ok", id).add("version", uint64_t{WEIR_PROTOCOL}).add("pid", static_cast<uint64_t>(getpid())));
}

void Controller::drain(ControlConnection& connection, const Frame&, std::string_view id) {
  draining_ = true;
  connection.send(reply("ok", id));
}

void Controller::stop_pump(ControlConnection& connection, const Frame&, std::string_view id) {
  connection.send(reply("ok", id));
  stop("asked to");
}

void Controller::close_stream(ControlConnection& connection, const Frame& frame, std::string_view id) {
  const auto stream = read_text(frame, "stream");
  const auto given = read_text(frame, "reason");
  if (!stream || !given) return refuse(connection, id);
  const std::string reason = given->empty() ? "closed" : *given;
  Stream* one = hub_.find(*stream);
  if (one != nullptr && frame.number("drain", 0, 1).value_or(0) == 1) {
    one->drain(reason);
  } else if (one != nullptr) {
    one->end(reason);
  }
  connection.send(one != nullptr ? reply("ok", id) : not_found(id));
}

void Controller::dismiss(ControlConnection& connection, const Frame& frame, std::string_view id) {
  const auto viewer = read_text(frame, "viewer");
  const auto reason = read_text(frame, "reason");
  if (!viewer || !reason) return refuse(connection, id);
  const bool found = hub_.dismiss(*viewer, reason->empty() ? "dismissed" : *reason);
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

bool Controller::handed(const Frame& frame, Fd socket) {
  if (frame.name() == "attach") return attach(frame, std::move(socket));
  return frame.name() == "feed" && feed(frame, std::move(socket));
}

bool Controller::attach(const Frame& frame, Fd socket) {
  const auto viewer = read_text(frame, "viewer");
  const auto stream = read_text(frame, "stream");
  const auto note = read_text(frame, "note", kMaxNote);
  const auto head = frame.get("head");
  const auto congestion = read_text(frame, "congestion", kMaxCongestion);
  if (!viewer || viewer->empty() || !stream || !note || !head || !congestion) return false;
  if (socket && !connected_tcp(socket)) return false;
  const auto unsent = static_cast<uint32_t>(frame.number("unsent", 0, UINT32_MAX).value_or(0));
  hub_.attach(*stream, std::move(socket), {*viewer, *note, std::string(*head), *congestion, unsent});
  return true;
}

}  // namespace weir
