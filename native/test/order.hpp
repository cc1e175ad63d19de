// Packets into the order, and what comes out as text.
#pragma once

#include <string>
#include <utility>

#include "reorder.hpp"

namespace order {

using weir::kMillisecond;
using weir::Reorder;
using weir::Time;

inline constexpr uint32_t kOurs = 0x11111111;
inline constexpr uint32_t kTheirs = 0x22222222;

// Collects what comes out as text: payloads with a space behind each, `|` where a sender started anew.
struct Log final : Reorder::Sink {
  std::string text{};
  void in_order(const uint8_t* payload, size_t size) override {
    text.append(reinterpret_cast<const char*>(payload), size);
    text += ' ';
  }
  void anew() override { text += "| "; }
  std::string take() { return std::exchange(text, {}); }
};

struct Case {
  Log log{};
  Reorder reorder{log};

  // Pushes a packet whose payload is its number.
  void push(uint16_t sequence, uint32_t ssrc = kOurs, Time time = 0) {
    const std::string payload = std::to_string(sequence);
    reorder.push({sequence, ssrc, reinterpret_cast<const uint8_t*>(payload.data()), payload.size(), time});
  }
  void push_all(uint16_t first, int count, uint32_t ssrc = kOurs) {
    for (int index = 0; index < count; index++) push(static_cast<uint16_t>(first + index), ssrc);
  }
  std::string take() { return log.take(); }
};

}  // namespace order
