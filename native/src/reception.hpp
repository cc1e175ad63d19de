// Where a stream's datagrams come from: one receiver, on interfaces that are tried in turn, and that may go away, come back
// or change.
#pragma once

#include <string>
#include <vector>

#include "announcer.hpp"
#include "loop.hpp"
#include "probe.hpp"
#include "receiver.hpp"

namespace weir {

class Reception {
 public:
  // `watcher` is told when datagrams wait, unless paused.
  Reception(Loop& loop, Watcher& watcher) : loop_(loop), watcher_(watcher) {}
  ~Reception() { close(); }
  Reception(const Reception&) = delete;
  Reception& operator=(const Reception&) = delete;

  // Opens on the first of `interfaces` that takes it; none means the kernel's choice.
  Refusal open(const Address& address, std::vector<std::string> interfaces);
  // Takes a bound socket instead, on which only `senders` are heard. False when the kernel cannot watch it.
  bool adopt(Fd socket, std::vector<sockaddr_storage> senders);
  void close();
  bool opened() const { return receiver_.fd() >= 0; }

  void receive(Batch& batch, size_t most) { receiver_.receive(batch, most); }
  // Whether the watcher is not to be told of datagrams for now.
  void pause(bool on);

  // Nothing came: joins again, on the next interface where there are several.
  void retry();
  // The machine's network changed. Follows the interface when it is another one now; joins again when nothing comes.
  // True when it did either.
  bool follow(bool quiet);
  // Whether the interface is missing or down.
  bool away() const;
  void refresh(Announcer& announcer) const { announcer.announce(address_, receiver_.interface()); }

  // Looks for the group on the other interfaces; found() then names one on which it came.
  void look_elsewhere() { probe_.start(address_); }
  void stop_looking() { probe_.stop(); }
  std::string found_elsewhere() const { return probe_.found(); }

  // The address with the interface in use.
  const Address& address() const { return address_; }
  const std::string& interface() const { return address_.interface; }
  size_t choices() const { return interfaces_.size(); }
  uint64_t drops() const { return earlier_drops_ + receiver_.drops(); }
  size_t room() const { return receiver_.room(); }
  // Who sent last of those that are not heard; family 0 when nobody did.
  const sockaddr_storage& other_sender() const { return receiver_.other_sender().ss_family != 0 ? receiver_.other_sender() : other_sender_; }

 private:
  bool reopen();

  Loop& loop_;
  Watcher& watcher_;
  Address address_{};
  std::vector<std::string> interfaces_{};
  size_t turn_ = 0;  // Which of them is in use.
  Receiver receiver_{};
  Probe probe_{};
  bool paused_ = false;
  sockaddr_storage other_sender_{};
  uint64_t earlier_drops_ = 0;  // Of receivers that were given up.
};

}  // namespace weir
