// The wire: two Unix sockets in the data directory, frames in, replies and events out, client sockets received.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fd.hpp"
#include "frame.hpp"
#include "hub.hpp"
#include "loop.hpp"

namespace weir {

class Controller;

// A listening socket and what it does with connections.
class Listener final : public Watcher {
 public:
  Listener(Loop& loop, std::function<void(Fd)> accepted);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // Replaces whatever is at `path`. False when the socket cannot be had there.
  bool open(const std::string& path, int type);
  void ready(uint32_t events) override;

 private:
  Loop& loop_;
  std::function<void(Fd)> accepted_;
  Timer pause_;
  Fd fd_;
};

// One connection of either kind.
class Connection : public Watcher {
 public:
  Connection(Loop& loop, Controller& controller, Fd fd) : loop_(loop), controller_(controller), fd_(std::move(fd)) {}
  virtual ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool watch() { return loop_.watch(fd_.get(), EPOLLIN, *this); }
  bool closed() const { return closed_; }

 protected:
  Loop& loop_;
  Controller& controller_;
  Fd fd_;
  bool closed_ = false;
};

// Frames, a line each.
class ControlConnection final : public Connection {
 public:
  using Connection::Connection;
  void ready(uint32_t events) override;
  void send(const Frame& frame);
  void close();

 private:
  void read();
  void act();
  void write();

  std::string in_{};
  std::string out_{};
  size_t written_ = 0;    // How much of it is sent.
  size_t asked_ = 0;      // How much of it answers requests.
  bool waiting_ = false;  // For the other side to read; until then nothing is read from it.
};

// Messages with a descriptor each.
class HandoffConnection final : public Connection {
 public:
  using Connection::Connection;
  void ready(uint32_t events) override;
};

class Controller {
 public:
  // `alone` is how long the pump goes on with neither controller nor viewers.
  Controller(Loop& loop, Time alone);

  // Opens `prefix`.sock and `prefix`.fds. False when they cannot be had.
  bool open(const std::string& prefix);
  void stop(const std::string& reason);
  // Runs at the end of each turn.
  void tidy();

  // A frame of a control connection. False when it is none of this protocol's.
  bool request(ControlConnection& connection, const Frame& frame);
  // A message with a descriptor, which is empty when there was none left for it.
  bool handed(const Frame& frame, Fd socket);
  void left(const ControlConnection& connection);

 private:
  void hello(ControlConnection& connection, std::string_view id);
  void open_stream(ControlConnection& connection, const Frame& frame, std::string_view id);
  void stats(ControlConnection& connection, const Frame& frame, std::string_view id);
  void report(ControlConnection& connection, std::string_view id);
  void close_stream(ControlConnection& connection, const Frame& frame, std::string_view id);
  void dismiss(ControlConnection& connection, const Frame& frame, std::string_view id);
  void drain(ControlConnection& connection, const Frame& frame, std::string_view id);
  void stop_pump(ControlConnection& connection, const Frame& frame, std::string_view id);
  bool attach(const Frame& frame, Fd socket);
  // Of sessions of RTSP: controller_feeds.cpp.
  void pair(ControlConnection& connection, const Frame& frame, std::string_view id);
  void punch(ControlConnection& connection, const Frame& frame, std::string_view id);
  void say(ControlConnection& connection, const Frame& frame, std::string_view id);
  void keep(ControlConnection& connection, const Frame& frame, std::string_view id);
  void await(ControlConnection& connection, const Frame& frame, std::string_view id);
  void note(ControlConnection& connection, const Frame& frame, std::string_view id);
  void part(ControlConnection& connection, const Frame& frame, std::string_view id);
  bool feed(const Frame& frame, Fd socket);
  RtspFeed* find_feed(const Frame& frame);
  static void refuse(ControlConnection& connection, std::string_view id);

  Loop& loop_;
  Time alone_;
  Hub hub_;
  Timer alone_timer_;
  Timer stop_timer_;
  Listener control_listener_;
  Listener handoff_listener_;
  ControlConnection* controller_ = nullptr;  // The connection that said hello last.
  std::vector<std::unique_ptr<ControlConnection>> controls_{};
  std::vector<std::unique_ptr<HandoffConnection>> handoffs_{};
  bool draining_ = false;
  bool stopping_ = false;
};

}  // namespace weir
