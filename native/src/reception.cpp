#include "reception.hpp"

#include <net/if.h>
#include <sys/ioctl.h>

#include <cstring>
#include <utility>

namespace weir {

Refusal Reception::open(const Address& address, std::vector<std::string> interfaces) {
  address_ = address;
  interfaces_ = std::move(interfaces);
  if (interfaces_.empty()) interfaces_.emplace_back();
  Refusal first;
  for (turn_ = 0; turn_ < interfaces_.size(); turn_++) {
    address_.interface = interfaces_[turn_];
    Refusal refusal = receiver_.open(address_);
    if (!refusal.refused()) break;
    if (!first.refused()) first = std::move(refusal);
  }
  if (turn_ == interfaces_.size()) {
    turn_ = 0;
    return first;
  }
  if (loop_.watch(receiver_.fd(), EPOLLIN, watcher_)) return {};
  return {"limit-reached", "The kernel watches no more descriptors: raise fs.epoll.max_user_watches."};
}

bool Reception::adopt(Fd socket, std::vector<sockaddr_storage> senders) {
  close();
  receiver_.adopt(std::move(socket), std::move(senders));
  return loop_.watch(receiver_.fd(), paused_ ? 0u : uint32_t{EPOLLIN}, watcher_);
}

void Reception::close() {
  if (receiver_.fd() < 0) return;
  loop_.forget(receiver_.fd(), watcher_);
  earlier_drops_ += receiver_.drops();
  other_sender_ = other_sender();
  receiver_ = Receiver();
}

void Reception::pause(bool on) {
  paused_ = on;
  loop_.change(receiver_.fd(), on ? 0u : uint32_t{EPOLLIN}, watcher_);
}

void Reception::retry() {
  for (size_t tried = 1; tried < interfaces_.size(); tried++) {
    turn_ = (turn_ + 1) % interfaces_.size();
    address_.interface = interfaces_[turn_];
    if (reopen()) return;
  }
  receiver_.rejoin();
}

bool Reception::follow(bool quiet) {
  const unsigned now = address_.interface.empty() ? 0 : if_nametoindex(address_.interface.c_str());
  if (now != receiver_.interface()) return now != 0 && reopen();
  if (quiet && !away()) receiver_.rejoin();
  return quiet && !away();
}

bool Reception::away() const {
  if (address_.interface.empty() || receiver_.fd() < 0) return false;
  ifreq request{};
  std::strncpy(request.ifr_name, address_.interface.c_str(), IFNAMSIZ - 1);
  if (ioctl(receiver_.fd(), SIOCGIFFLAGS, &request) != 0) return true;
  return (request.ifr_flags & IFF_UP) == 0 || (request.ifr_flags & IFF_RUNNING) == 0;
}

// The new socket joins before the old one leaves.
bool Reception::reopen() {
  Receiver fresh;
  if (fresh.open(address_).refused() || !loop_.watch(fresh.fd(), paused_ ? 0u : uint32_t{EPOLLIN}, watcher_)) return false;
  loop_.forget(receiver_.fd(), watcher_);
  earlier_drops_ += receiver_.drops();
  receiver_ = std::move(fresh);
  return true;
}

}  // namespace weir
