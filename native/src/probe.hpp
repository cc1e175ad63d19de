// Finds out whether a silent group is sent on another interface than the one it was joined on.
#pragma once

#include <string>

#include "fd.hpp"
#include "receiver.hpp"

namespace weir {

class Probe {
 public:
  // Joins the group on every interface that is up and knows multicast, but the one named in the address.
  void start(const Address& address);
  // The name of an interface on which a datagram came; empty when none has.
  std::string found() const;
  void stop() { fd_.reset(); }

 private:
  Fd fd_;
  Address address_{};
};

}  // namespace weir
