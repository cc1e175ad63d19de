// The connection of an RTSP session that was set up by Node: its frames or its pair of sockets, what is said on it, reports.
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <deque>
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
#include "reporter.hpp"

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

  // A head is told up to here.
  static constexpr size_t kMaxTold = 4 * 1024;
  // So much waits to be written at most, and so long for the first of it to be taken.
  static constexpr size_t kMaxUnsent = 64 * 1024;
  static constexpr Time kPatience = 30 * kSecond;

  // Media of a connection is waited for on `arrivals`; what is said beside a pair on `loop`, where all times are too. `pair` over
  // UDP alone; the owner has released its media and reads that itself.
  RtspFeed(Loop& loop, Loop& arrivals, Feed::Owner& owner, Fd socket, std::unique_ptr<Pair> pair, Card card);
  ~RtspFeed() override;

  // Feed. Over UDP receive() and pause() do nothing.
  bool open() override;
  size_t receive(size_t most) override;
  void pause(bool on) override;
  size_t room() const override;
  // Nothing when the connection is gone: the farewell is not written then.
  std::unique_ptr<Parting> part() override;
  // Watcher
  void ready(uint32_t events) override;

  // Returns the number it was given, 0 for what goes out as it stands. What cannot be written is told by feed_over(), not here.
  uint32_t say(std::string_view text, bool raw);
  // Says it again and again, first after `every`, 0 to stop. Its 200s are not told.
  void keep(std::string text, Time every);
  // Sends it from a socket of the pair; in place of what was repeated there before.
  void punch(bool media, const sockaddr_storage& to, std::string data, int times, Time every);
  // What the reports say of the media: told by the stream, which counts it. All zero for media that is no RTP.
  void heard(uint32_t ssrc, uint32_t highest, uint64_t lost);

  const Card& card() const { return card_; }
  // Bytes of the connection that were neither frame nor message.
  uint64_t junk() const { return frames_.junk(); }

 private:
  // What comes to the pair's socket for RTCP.
  class Beside final : public Watcher {
   public:
    explicit Beside(RtspFeed& feed) : feed_(feed) {}
    void ready(uint32_t) override { feed_.read_beside(); }

   private:
    RtspFeed& feed_;
  };

  // Interleaved::Sink
  void frame(uint8_t channel, const uint8_t* data, size_t size) override;
  void message(std::string_view head) override;

  Loop& waits_on() const { return card_.udp ? loop_ : arrivals_; }
  void read(size_t most);
  void parse(size_t size);
  void ended(bool reset);
  void begin();
  void flows();
  void read_beside();
  void control(const uint8_t* data, size_t size);
  bool from_server(const sockaddr_storage& from) const;
  bool expected(std::string_view head);
  void keep_up();
  void report();
  void queue(std::string_view bytes);
  void write();
  void rewatch();
  void unwatch();
  void cut();
  void over(std::string_view reason, bool gone);

  Loop& loop_;
  Loop& arrivals_;
  Feed::Owner& owner_;
  Fd socket_;
  std::unique_ptr<Pair> pair_;
  Card card_;
  Interleaved frames_{};
  Reporter reporter_;
  Beside beside_{*this};

  std::string carry_{};        // The beginning of what is not whole yet.
  std::string out_{};          // What waits to be written.
  std::deque<uint32_t> asked_{};  // Requests without an answer yet, the oldest first.
  std::string kept_{};         // The request that is repeated,
  Time every_ = 0;
  uint32_t kept_number_ = 0;   // and the number it has while it is not answered.
  bool left_out_ = false;

  bool fresh_ = false;         // What was read by Node was not looked at yet.
  bool paused_ = false;
  bool watched_ = false;
  uint32_t events_ = 0;        // That it is watched for.
  bool gone_ = false;          // Nothing can be written any more.
  bool granted_ = false;       // Something that was asked for was answered with 200.
  bool heard_ = false;         // Media came.
  size_t packets_ = 0;         // Of the receive() at hand.
  size_t room_ = 0;
  sockaddr_storage reports_to_{};  // Family 0 while that is not known.
  std::string_view ending_{};  // Why it is over, found amid what is being taken apart.
  bool over_ = false;

  Timer begin_timer_;
  Timer keep_timer_;
  Timer report_timer_;
  Timer patience_;
};

}  // namespace weir
