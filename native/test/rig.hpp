// A hub with its loop, its events as text, and the means to turn the loop until a fact holds.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "check.hpp"
#include "hub.hpp"
#include "net.hpp"

namespace rig {

using weir::Fd;
using weir::Frame;
using weir::kMillisecond;
using weir::kSecond;
using weir::Loop;
using weir::Time;

// Turns a loop until a fact holds; it is a failure when it does not within ten seconds.
template <class Fact, class Tidy>
bool until(Loop& loop, Tidy tidy, Fact fact) {
  const Time limit = Loop::clock() + 10 * kSecond;
  weir::Timer waker(loop, [] {});
  bool holds = fact();
  while (!holds && Loop::clock() < limit) {
    waker.in(kMillisecond);
    loop.run([&] {
      tidy();
      loop.stop();
    });
    holds = fact();
  }
  return holds;
}

struct Rig {
  Loop loop{};
  std::vector<std::string> events{};
  std::function<void(const Frame&)> also = [](const Frame&) {};
  weir::Hub hub{loop, [this](const Frame& event) {
                  events.push_back(event.text());
                  also(event);
                }};

  template <class Fact>
  bool until(Fact fact) {
    return rig::until(loop, [this] { hub.tidy(); }, fact);
  }

  // Turns the loop for so many turns.
  void turn(int times) {
    until([&] { return times-- == 0; });
  }

  // Whether an event begins so.
  bool told(const std::string& beginning) const { return count(beginning) > 0; }
  size_t count(const std::string& beginning) const {
    return static_cast<size_t>(std::count_if(events.begin(), events.end(), [&](const auto& one) { return one.starts_with(beginning); }));
  }
  // The event that begins so; empty when there is none.
  std::string event(const std::string& beginning) const {
    for (const auto& one : events) {
      if (one.starts_with(beginning)) return one;
    }
    return {};
  }

  // A value of the `stream` or `viewer` frame of an id.
  std::string status(const std::string& kind, const std::string& id, const std::string& key) const {
    for (const Frame& frame : hub.report()) {
      if (frame.name() == kind && frame.get(kind) == id) return std::string(frame.get(key).value_or("?"));
    }
    return "none";
  }
};

// A plan for datagrams that come to `address`; times as long as a test can wait for them not to happen.
inline weir::Stream::Plan plan(const std::string& id, const std::string& address, uint16_t port) {
  weir::Stream::Plan out;
  out.id = id;
  out.kind = "udp";
  out.address_text = address;
  out.port = port;
  net::must(weir::read_address(address, port, out.address.group), address.c_str());
  if (out.address.multicast()) out.interfaces = {"lo"};
  out.linger = 60 * kSecond;
  out.silence = 60 * kSecond;
  out.rejoin = 30 * kSecond;
  return out;
}

// A stream on 127.0.0.1 with its sender.
struct Source {
  uint16_t port = net::free_port();
  net::Sender sender{"127.0.0.1", port};
  void send(const std::string& datagram) const { sender.send(datagram); }
  weir::Stream::Plan plan(const std::string& id) const { return rig::plan(id, "127.0.0.1", port); }
};

// Gives the hub a client's socket with the head "HEAD ".
inline net::Client attach(Rig& rig, const std::string& stream, const std::string& viewer, int buffer = 0) {
  Fd server;
  net::Client client(server, buffer);
  rig.hub.attach(stream, std::move(server), {viewer, "note of " + viewer, "HEAD "});
  return client;
}

}  // namespace rig
