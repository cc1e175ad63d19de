// The connection of an RTSP session that was set up by Node: its frames or its pair of sockets, what is said on it, reports.
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fd.hpp"
#include "feed.hpp"
#include "interleaved.hpp"
#include "loop.hpp"
#include "pair.hpp"

namespace weir {

class RtspFeed final : public Feed, public Watcher, private Interleaved::Sink {
 public:
  struct Card {
    std::string id{};
    bool udp = false;
    uint32_t cseq = 1;       // Of the next request.
    std::string farewell{};  // Without CSeq and empty line.
    std::string read{};      // What Node has read of it already.
    // Over TCP: interleaved channels.
    uint8_t media = 0;
    std::optional<uint8_t> control{};
    // Over UDP: who may send, and the ports of the server, 0 when it named none.
    std::vector<sockaddr_storage> from{};
    uint16_t rtp = 0;
    uint16_t rtcp = 0;
  };

  // Media of a connection is waited for on `arrivals`; what is said beside a pair on `loop`. `pair` over UDP alone.
  RtspFeed(Loop& loop, Loop& arrivals, Feed::Owner& owner, Fd socket, std::unique_ptr<Pair> pair, Card card);
  ~RtspFeed() override;

  // Feed
  bool open() override;
  size_t receive(size_t most) override;
  void pause(bool on) override;
  size_t room() const override;
  std::unique_ptr<Parting> part() override;
  // Watcher
  void ready(uint32_t events) override;

  // Returns the number it was given, 0 for what goes out as it stands.
  uint32_t say(std::string_view text, bool raw);
  // Says it again and again, 0 to stop. Its 200s are not told.
  void keep(std::string text, Time every);
  // Sends it from a socket of the pair; in place of what was repeated there before.
  void punch(bool media, const sockaddr_storage& to, std::string data, int times, Time every);
  // What the reports say of the media: told by the stream, which counts it.
  void heard(uint32_t ssrc, uint32_t highest, uint64_t lost);

 private:
  // Interleaved::Sink
  void frame(uint8_t channel, const uint8_t* data, size_t size) override;
  void message(std::string_view head) override;
};

}  // namespace weir
