#include "health.hpp"

#include <algorithm>
#include <utility>

namespace weir {
namespace {

// A component of which nothing comes for so long is missing.
constexpr Time kMissing = 5 * kSecond;
constexpr uint64_t kTicksPerMicrosecond = ts::kPcrRate / kSecond;
// Arrivals are known of some packets only: jitter is taken over so many rounds.
constexpr unsigned kJitterRounds = 4;
// Fewer samples say nothing.
constexpr unsigned kSamples = 4;

}  // namespace

bool Repetition::came(Time now) {
  longest_ = std::max(longest_, now - since_);
  const bool missed = check(now);
  since_ = now;
  missed_ = false;
  return missed;
}

bool Repetition::check(Time now) {
  if (now - since_ <= kLimit || missed_) return false;
  missed_ = true;
  return true;
}

Time Repetition::longest(Time now) { return std::max(std::exchange(longest_, 0), now - since_); }

bool Clock::came(const uint8_t* packet, Time arrival) {
  const uint64_t value = ts::pcr(packet);
  const uint64_t passed = (value + ts::kPcrSpan - last_) % ts::kPcrSpan / kTicksPerMicrosecond;
  const bool follows = known_ && !ts::discontinuity(packet);
  // What goes back seems to have gone nearly all the way round.
  const bool good = !follows || passed <= kLimit;
  if (follows && good) {
    interval_ = std::max(interval_, passed);
  } else {
    samples_ = 0;
  }
  known_ = true;
  last_ = value;
  if (arrival == 0) return good;
  if (samples_++ == 0) {
    base_clock_ = value;
    base_arrival_ = arrival;
    earliest_ = latest_ = 0;
  }
  const uint64_t clock = (value + ts::kPcrSpan - base_clock_) % ts::kPcrSpan / kTicksPerMicrosecond;
  const int64_t late = static_cast<int64_t>(arrival - base_arrival_) - static_cast<int64_t>(clock);
  earliest_ = std::min(earliest_, late);
  latest_ = std::max(latest_, late);
  return good;
}

Time Clock::jitter() {
  return std::exchange(samples_, 0) < kSamples ? 0 : static_cast<Time>(latest_ - earliest_);
}

void Health::sync(bool found) {
  if (synced_ && !found) sync_losses_++;
  synced_ = found;
}

void Health::table(const uint8_t* packet, Pid::Role role, const psi::Tables::Fed& fed, Time now) {
  if (fed.broken) crc_errors_++;
  const bool bad = ts::scrambled(packet) || fed.foreign;
  if (role == Pid::Role::kPat) {
    if (!pat_) pat_.emplace(now);
    if (bad || (fed.whole && pat_->came(now))) pat_errors_++;
    return;
  }
  for (Pmt& pmt : pmts_) {
    if (pmt.pid == ts::pid(packet) && (bad || (fed.whole && pmt.repetition.came(now)))) pmt_errors_++;
  }
}

void Health::clock(const uint8_t* packet, Time arrival) {
  for (Clock& clock : clocks_) {
    if (clock.pid() == ts::pid(packet) && !clock.came(packet, arrival)) pcr_errors_++;
  }
}

void Health::follow(const psi::Tables& tables, Time now) {
  pmts_.clear();
  for (const uint16_t pid : tables.pmt_pids()) pmts_.push_back({pid, Repetition(now)});
  clocks_.clear();
  for (const uint16_t pid : tables.clocks()) clocks_.emplace_back(pid);
}

void Health::restart(Time now) {
  pat_.reset();
  for (Pmt& pmt : pmts_) pmt.repetition = Repetition(now);
  for (Clock& clock : clocks_) clock.forget();
}

void Health::measure(std::vector<Pid>& pids, Time now) {
  const Time jitter = longest_.jitter;
  longest_ = {};
  if (!pat_) pat_.emplace(now);
  if (pat_->check(now)) pat_errors_++;
  longest_.pat = pat_->longest(now);
  for (Pmt& pmt : pmts_) {
    if (pmt.repetition.check(now)) pmt_errors_++;
    longest_.pmt = std::max(longest_.pmt, pmt.repetition.longest(now));
  }
  for (Clock& clock : clocks_) longest_.pcr = std::max(longest_.pcr, clock.interval());
  if (++rounds_ % kJitterRounds == 0) {
    for (Clock& clock : clocks_) longest_.jitter = std::max(longest_.jitter, clock.jitter());
  } else {
    longest_.jitter = jitter;
  }
  for (Pid& pid : pids) {
    const bool missing = pid.role == Pid::Role::kComponent && pid.quiet >= kMissing;
    if (missing && !pid.missing) pid_errors_++;
    pid.missing = missing;
  }
}

void Health::report(Frame& frame) const {
  frame.add("syncLosses", sync_losses_).add("transportErrors", transport_errors_).add("crcErrors", crc_errors_);
  frame.add("patErrors", pat_errors_).add("pmtErrors", pmt_errors_).add("pidErrors", pid_errors_).add("pcrErrors", pcr_errors_);
  const auto add = [&](std::string_view name, Time time) {
    if (time > 0) frame.add_seconds(name, time);
  };
  add("patInterval", longest_.pat);
  add("pmtInterval", longest_.pmt);
  add("pcrInterval", longest_.pcr);
  add("pcrJitter", longest_.jitter);
}

}  // namespace weir
