#include "media_clock.hpp"

#include "check.hpp"
#include "ts.hpp"

using weir::kMillisecond;
using weir::kSecond;
using weir::MediaClock;

namespace {

constexpr uint64_t kRate = weir::ts::kPcrRate;

}  // namespace

TEST("steps forward are added up, from the first value on") {
  MediaClock clock;
  CHECK(!clock.seen());
  clock.pcr(500 * kRate);
  CHECK(clock.seen());
  CHECK_EQ(clock.elapsed(), 0);
  clock.pcr(500 * kRate + kRate / 25);
  clock.pcr(501 * kRate);
  CHECK_EQ(clock.elapsed(), kSecond);
}

TEST("steps back and steps of more than ten seconds are no time that passed") {
  MediaClock clock;
  clock.pcr(100 * kRate);
  clock.pcr(110 * kRate);
  CHECK_EQ(clock.elapsed(), 10 * kSecond);
  clock.pcr(121 * kRate);
  clock.pcr(50 * kRate);
  CHECK_EQ(clock.elapsed(), 10 * kSecond);
  clock.pcr(51 * kRate);
  CHECK_EQ(clock.elapsed(), 11 * kSecond);
}

TEST("the clock's wrap is a step like any other") {
  MediaClock clock;
  clock.pcr(weir::ts::kPcrSpan - kRate);
  clock.pcr(kRate);
  CHECK_EQ(clock.elapsed(), 2 * kSecond);
}

TEST("the first value after a restart follows on nothing") {
  MediaClock clock;
  clock.pcr(0);
  clock.pcr(kRate);
  clock.restart();
  clock.pcr(3 * kRate);
  CHECK_EQ(clock.elapsed(), kSecond);
  clock.pcr(3 * kRate + kRate / 1000);
  CHECK_EQ(clock.elapsed(), kSecond + kMillisecond);
}
