// Random numbers that are the same for the same seed, everywhere.
#pragma once

#include <cstdint>

class Random {
 public:
  explicit Random(uint32_t seed) : state_(seed) {}

  uint32_t operator()(uint32_t below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state_ >> 33) % below;
  }

 private:
  uint64_t state_;
};
