// Health over a clock of the test's own: times are microseconds.
#include "health.hpp"

#include "check.hpp"
#include "media.hpp"

using media::Bytes;
using media::bytes;
using media::kPmtPid;
using media::kVideoPid;
using media::packet;
using media::raw;
using media::table;
using weir::Time;
using weir::kMillisecond;
using weir::kSecond;

namespace {

// A packet of the video PID with a PCR, given in microseconds.
Bytes clocked(Time time, bool flagged = false) {
  const uint64_t base = time * 27 / 300 % (uint64_t{1} << 33);
  const uint64_t extension = time * 27 % 300;
  Bytes one = packet(kVideoPid, 0, bytes(7, flagged ? 0x90 : 0x10, base >> 25, base >> 17, base >> 9, base >> 1,
                                         (base & 1) << 7 | 0x7E | extension >> 8, extension));
  one[3] = 0x30;
  return one;
}

Bytes scrambled(Bytes one) {
  one[3] = static_cast<char>(one[3] | 0x80);
  return one;
}

// What a stream does with its packets.
struct Line {
  weir::Pids pids{};
  weir::psi::Tables tables{};
  weir::Health health{};
  Time now = 100 * kSecond;

  Line() { tables.name(pids); }

  void take(const Bytes& one, Time arrival = 0) {
    weir::Pid& pid = pids.of(weir::ts::pid(raw(one)));
    pid.packets++;
    if (pid.clock && weir::ts::has_pcr(raw(one))) health.clock(raw(one), arrival);
    if (!pid.table()) return;
    const auto fed = tables.feed(raw(one));
    health.table(raw(one), pid.role, fed, now);
    if (!fed.changed) return;
    tables.name(pids);
    health.follow(tables, now);
  }
  void take_tables() {
    take(table(0, 0, media::kPat));
    take(table(kPmtPid, 0, media::kPmt));
  }
  void measure() {
    pids.measure(kSecond);
    health.measure(pids.all(), now);
  }
  std::string value(const char* key) const {
    weir::Frame frame("stream");
    health.report(frame);
    return std::string(frame.get(key).value_or("none"));
  }
};

}  // namespace

TEST("PAT and PMT each 400 ms apart are no error, and their interval is told") {
  Line line;
  for (int step = 0; step < 4; step++) {
    line.take_tables();
    line.now += 400 * kMillisecond;
  }
  line.measure();
  CHECK_EQ(line.value("patErrors"), "0");
  CHECK_EQ(line.value("pmtErrors"), "0");
  CHECK_EQ(line.value("patInterval"), "0.400000");
  CHECK_EQ(line.value("pmtInterval"), "0.400000");
}

TEST("a PAT that is 700 ms late is one error, however often it is looked for") {
  Line line;
  line.take_tables();
  line.now += 600 * kMillisecond;
  line.measure();
  CHECK_EQ(line.value("patErrors"), "1");
  line.measure();
  line.now += 100 * kMillisecond;
  line.take_tables();
  line.measure();
  CHECK_EQ(line.value("patErrors"), "1");
  CHECK_EQ(line.value("pmtErrors"), "1");
  CHECK_EQ(line.value("patInterval"), "0.700000");
  line.now += 501 * kMillisecond;
  line.take_tables();
  CHECK_EQ(line.value("patErrors"), "2");
}

TEST("a stream that never has a PAT is told to lack it") {
  Line line;
  line.take(packet(kVideoPid, 0, ""));
  line.measure();
  line.now += kSecond;
  line.measure();
  CHECK_EQ(line.value("patErrors"), "1");
  CHECK_EQ(line.value("pmtErrors"), "0");
  CHECK_EQ(line.value("patInterval"), "1.000000");
  CHECK_EQ(line.value("pcrInterval"), "none");
}

TEST("scrambled tables, foreign ones on PID 0 and broken ones are counted") {
  Line line;
  line.take_tables();
  line.take(scrambled(table(0, 1, media::kPat)));
  line.take(table(0, 2, media::kPmt));
  line.take(scrambled(table(kPmtPid, 1, media::kPmt)));
  CHECK_EQ(line.value("patErrors"), "2");
  CHECK_EQ(line.value("pmtErrors"), "1");
  Bytes broken = table(0, 3, media::kPat);
  broken[15] = 1;
  line.take(broken);
  CHECK_EQ(line.value("crcErrors"), "1");
  CHECK_EQ(line.value("patErrors"), "2");
}

TEST("a component of which nothing comes for 5 s is missing once, and again after it came back") {
  Line line;
  line.take_tables();
  for (int second = 1; second <= 4; second++) line.measure();
  CHECK_EQ(line.value("pidErrors"), "0");
  for (int second = 5; second <= 8; second++) line.measure();
  CHECK_EQ(line.value("pidErrors"), "1");
  line.take(packet(kVideoPid, 0, ""));
  line.measure();
  for (int second = 1; second <= 5; second++) line.measure();
  CHECK_EQ(line.value("pidErrors"), "2");
}

TEST("clock values 40 ms apart are no error, also where the clock wraps") {
  Line line;
  line.take_tables();
  const Time wrap = weir::ts::kPcrSpan / 27;
  for (Time step = 0; step < 20; step++) {
    line.take(clocked((wrap - 400'000 + step * 40'000) % wrap));
    line.now += 40 * kMillisecond;
  }
  line.measure();
  CHECK_EQ(line.value("pcrErrors"), "0");
  CHECK_EQ(line.value("pcrInterval"), "0.040000");
  CHECK_EQ(line.value("pcrJitter"), "none");
}

TEST("clock values more than 100 ms apart, and jumps forward or back, are errors, an announced jump is none") {
  Line line;
  line.take_tables();
  const auto errors = [&](Time value, bool flagged = false) {
    line.take(clocked(value, flagged));
    return line.value("pcrErrors");
  };
  CHECK_EQ(errors(5'000'000), "0");
  CHECK_EQ(errors(5'120'000), "1");
  CHECK_EQ(errors(5'220'000), "1");
  CHECK_EQ(errors(9'000'000), "2");
  CHECK_EQ(errors(8'000'000), "3");
  CHECK_EQ(errors(20'000'000, true), "3");
  CHECK_EQ(errors(20'040'000), "3");
}

TEST("jitter is how far arrivals are apart from the clock") {
  Line line;
  line.take_tables();
  // 0, 3, 1, 0 … ms late.
  const Time late[] = {0, 3000, 1000, 0};
  for (Time step = 0; step < 100; step++) {
    line.take(clocked(step * 40'000), 7'000'000 + step * 40'000 + late[step % 4]);
    line.now += 40 * kMillisecond;
    if (step % 25 == 24) line.measure();
  }
  CHECK_EQ(line.value("pcrJitter"), "0.003000");
  CHECK_EQ(line.value("pcrErrors"), "0");
}

TEST("losing the sync bytes is one loss until they are found again") {
  Line line;
  for (const bool found : {true, false, false, true, false}) line.health.sync(found);
  CHECK_EQ(line.value("syncLosses"), "2");
}

TEST("after a restart what came before does not count") {
  Line line;
  line.take_tables();
  line.take(clocked(5'000'000));
  line.now += 20 * kSecond;
  line.health.restart(line.now);
  line.take_tables();
  line.take(clocked(900'000'000));
  line.measure();
  for (const char* key : {"patErrors", "pmtErrors", "pcrErrors"}) CHECK_EQ(line.value(key), "0");
}
