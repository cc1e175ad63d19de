// A client whose stream is looked at when it goes.
#pragma once

#include <string_view>
#include <utility>

#include "check.hpp"
#include "net.hpp"

struct Watch {
  net::Client client;
  bool is_ts;  // What it watches can only be a transport stream.

  Watch(net::Client a_client, bool ts) : client(std::move(a_client)), is_ts(ts) {}
  // What came is the head and then whole packets, the last of them perhaps not to its end.
  ~Watch() {
    const std::string& got = client.read();
    if (!is_ts) return;
    bool sound = std::string_view("HEAD").starts_with(std::string_view(got).substr(0, 4));
    for (size_t at = 4; at < got.size(); at += 188) sound = sound && got[at] == 0x47;
    if (!sound) check::failed(__FILE__, __LINE__, "a client received " + check::shown(got));
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
};
