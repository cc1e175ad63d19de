// What a pump has told of its viewers: each is closed once, and none is there after that.
#pragma once

#include <map>
#include <set>
#include <string>

#include "check.hpp"

namespace wire {

class Roster {
 public:
  // The id of a viewer that is handed over now.
  std::string add() {
    std::string id = "v" + std::to_string(viewers_.size());
    viewers_.emplace(id, State::kOpen);
    open_++;
    return id;
  }
  // The hand-over failed.
  void remove(const std::string& id) {
    viewers_.erase(id);
    open_--;
  }

  // One of the pump's frames. Those of viewers called x do not count: without a descriptor left the pump cannot tell that
  // the ones they came with were wrong.
  void heard(const std::string& frame) {
    if (frame.find("?viewer=x&") != std::string::npos) return;
    if (frame.starts_with("closed?viewer=")) close(value(frame, "viewer="), value(frame, "&reason="));
    if (frame.starts_with("viewer?viewer=")) report(value(frame, "viewer="));
  }
  // What is heard from here to greeted() answers a controller's hello.
  void greeting() { reported_.clear(); }
  // Of viewers that were not reported, nobody may have heard the end.
  void greeted() {
    for (auto& [id, state] : viewers_) {
      if (state != State::kOpen || reported_.contains(id)) continue;
      state = State::kUnknown;
      open_--;
    }
  }

  size_t viewers() const { return viewers_.size(); }
  // Whose end is still to be told.
  size_t open() const { return open_; }
  const std::map<std::string, size_t>& reasons() const { return reasons_; }

 private:
  enum class State { kOpen, kUnknown, kClosed };

  static std::string value(const std::string& frame, const std::string& key) {
    const size_t begin = frame.find(key);
    if (begin == std::string::npos) return {};
    return frame.substr(begin + key.size(), frame.find('&', begin + key.size()) - begin - key.size());
  }
  static void fail(const std::string& id, const char* what) { check::failed(__FILE__, __LINE__, "viewer " + id + what); }

  void close(const std::string& id, const std::string& reason) {
    const auto found = viewers_.find(id);
    if (found == viewers_.end()) return fail(id, " was closed and never handed over");
    if (found->second == State::kClosed) fail(id, " was closed twice");
    if (found->second == State::kOpen) open_--;
    found->second = State::kClosed;
    reasons_[reason]++;
  }
  void report(const std::string& id) {
    const auto found = viewers_.find(id);
    if (found == viewers_.end()) return fail(id, " is reported and was never handed over");
    if (found->second == State::kClosed) fail(id, " is reported after it was closed");
    if (found->second == State::kUnknown) open_++;
    if (found->second == State::kUnknown) found->second = State::kOpen;
    reported_.insert(id);
  }

  std::map<std::string, State> viewers_{};  // Keyed by id.
  std::set<std::string> reported_{};
  size_t open_ = 0;
  std::map<std::string, size_t> reasons_{};  // How many were closed for it.
};

}  // namespace wire
