// Messages that end their hand-over connection. What is queued behind them goes with it.
#pragma once

#include <string>

#include "wire.hpp"

namespace wire {

constexpr uint32_t kMisuses = 9;

inline void misuse(const Fd& handoff, const net::Door& door, uint32_t what) {
  const Fd udp(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  Fd tcp;
  const net::Client client(door, tcp);
  const int fd = tcp.get();
  const std::string attach = "attach?viewer=x&stream=s0&head=";
  if (what == 0) hand_over(handoff, "nonsense", {fd});
  if (what == 1) hand_over(handoff, "attach?viewer=x", {fd});
  if (what == 2) hand_over(handoff, attach + "H", {});
  if (what == 3) hand_over(handoff, attach + "H", {fd, fd});
  if (what == 4) hand_over(handoff, attach + "H", {fd, fd, fd, fd, fd, fd});
  if (what == 5) hand_over(handoff, attach + "H", {udp.get()});
  if (what == 6) hand_over(handoff, attach + std::string(20000, 'H'), {fd});
  if (what == 7) hand_over(handoff, "feed?stream=r0&feed=x", {fd});
  if (what == 8) hand_over(handoff, "feed?stream=r0&feed=x&kind=rtsp&cseq=1&way=tcp", {fd});
  hand_over(handoff, attach + "H", {fd});
}

}  // namespace wire
