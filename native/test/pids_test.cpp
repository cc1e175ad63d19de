#include "pids.hpp"

#include "check.hpp"
#include "media.hpp"

using media::packet;
using media::raw;
using weir::Pids;

TEST("every PID has one entry of its own, whatever their number and order") {
  Pids pids;
  for (int round = 0; round < 2; round++) {
    for (unsigned step = 0; step < 8192; step++) pids.of(static_cast<uint16_t>(step * 5 % 8192)).packets++;
  }
  CHECK_EQ(pids.all().size(), 8192u);
  for (const weir::Pid& pid : pids.all()) CHECK_EQ(pid.packets, 2u);
  CHECK_EQ(pids.all()[3].id, 15);
  CHECK_EQ(pids.of(0x1FFF).id, 0x1FFF);
}

TEST("counters of PIDs are kept apart, and after a restart anything follows") {
  Pids pids;
  CHECK_EQ(pids.last(0x100), 0);
  CHECK(pids.of(0x100).counter.follows(raw(packet(0x100, 1, ""))));
  CHECK(pids.of(0x101).counter.follows(raw(packet(0x101, 9, ""))));
  CHECK(pids.of(0x100).counter.follows(raw(packet(0x100, 2, ""))));
  CHECK_EQ(pids.last(0x100), 2);
  CHECK_EQ(pids.last(0x101), 9);
  pids.restart();
  CHECK_EQ(pids.last(0x101), 0);
  CHECK(pids.of(0x101).counter.follows(raw(packet(0x101, 3, ""))));
}

TEST("bitrates are of the time since they were taken last, and silence adds up") {
  Pids pids;
  pids.of(0x100).packets = 1000;
  pids.of(0x101);
  pids.measure(2'000'000);
  CHECK_EQ(pids.of(0x100).bitrate, 752'000u);
  CHECK_EQ(pids.of(0x100).quiet, 0u);
  pids.of(0x101).packets = 1;
  pids.measure(1'000'000);
  CHECK_EQ(pids.of(0x100).bitrate, 0u);
  CHECK_EQ(pids.of(0x100).quiet, 1'000'000u);
  CHECK_EQ(pids.of(0x101).bitrate, 1504u);
  CHECK_EQ(pids.of(0x101).quiet, 0u);
}
