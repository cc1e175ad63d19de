// Two UDP sockets of one session: RTP on an even port and RTCP on the next (RFC 3550 §11).
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "fd.hpp"
#include "loop.hpp"
#include "receiver.hpp"

namespace weir {

class Pair {
 public:
  // Ports are tried from a random even one between `least` and `most`, upwards, and round again. The port of `local` means nothing.
  // `interface` may be empty; one that this process may not bind to is chosen by `local` alone.
  static std::variant<Pair, Refusal> open(const sockaddr_storage& local, const std::string& interface, uint16_t least,
                                          uint16_t most);

  // Of RTP; that of RTCP is the next.
  uint16_t port() const { return port_; }
  // Both are non-blocking.
  int fd(bool media) const { return (media ? media_ : control_).get(); }
  // To the stream's Reception, which reads it from then on; send() goes on. Empty when no descriptor is left.
  Fd release_media();
  void send(bool media, const sockaddr_storage& to, const uint8_t* data, size_t size) const;
  // Sends it `times` at once, and again at each `every` while this lives, 0 for never. It takes the place of what was repeated from
  // that socket.
  void punch(Loop& loop, bool media, const sockaddr_storage& to, std::string data, int times, Time every);

 private:
  // What is sent again and again, until it is replaced.
  class Punch {
   public:
    Punch(Loop& loop, int fd, const sockaddr_storage& to, std::string data, int times, Time every);
    void send();

   private:
    int fd_;
    sockaddr_storage to_;
    std::string data_;
    int times_;
    Time every_;
    Timer timer_;
  };

  Pair() = default;

  Fd media_{};
  Fd control_{};
  uint16_t port_ = 0;
  std::array<std::unique_ptr<Punch>, 2> punches_{};  // Of RTCP and of RTP.
};

}  // namespace weir
