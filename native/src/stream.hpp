// One upstream and everybody who watches it: datagrams → depacketiser → ring → viewers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "frame.hpp"
#include "framer.hpp"
#include "health.hpp"
#include "hold.hpp"
#include "look_back.hpp"
#include "loop.hpp"
#include "media_clock.hpp"
#include "pids.hpp"
#include "psi.hpp"
#include "reception.hpp"
#include "reorder.hpp"
#include "pair_wait.hpp"
#include "ring.hpp"
#include "rtp.hpp"
#include "rtsp_feed.hpp"
#include "ts.hpp"
#include "viewer.hpp"

namespace weir {

class Stream final : public Watcher, private Reorder::Sink, private Viewer::Keeper, private Feed::Owner {
 public:
  // The hub, as a stream knows it.
  class Owner {
   public:
    virtual void tell(const Frame& event) = 0;
    // The viewer has left the stream and is to be freed when the turn ends.
    virtual void viewer_closed(std::unique_ptr<Viewer> viewer) = 0;
    // The stream is to be freed when the turn ends.
    virtual void stream_ended(Stream& stream) = 0;
    // Whether to call receive() at each tick from now on.
    virtual void ticking(Stream& stream, bool on) = 0;
    // It has received something, or must look whether to send: call send() until it is done.
    virtual void due(Stream& stream) = 0;
    // Watches the sockets on which little arrives.
    virtual Loop& arrivals() = 0;
    // How many bytes a ring may hold at most, now.
    virtual size_t ring_share() const = 0;
    virtual Announcer& announcer() = 0;
    // The feed is to be freed when the turn ends, what is left of its connection when that is over; `event` is told then.
    virtual void feed_parted(std::unique_ptr<RtspFeed> feed, std::unique_ptr<Parting> rest, const Frame& event) = 0;

   protected:
    ~Owner() = default;
  };

  struct Plan {
    std::string id{};
    std::string note{};  // Opaque, given back to the controller.
    std::string kind{};
    std::string address_text{};
    std::string source_text{};
    uint16_t port = 0;
    Address address{};
    std::vector<std::string> interfaces{};  // Tried in turn; none for the kernel's choice.
    Time linger = 0;   // How long it stays open without viewers.
    Time silence = 0;  // Without media for so long it ends.
    Time rejoin = 0;   // Without media for so long the group is joined anew.
    Time refresh = 0;  // How often membership is reported unasked; 0 for never.
    LookBack::Limits look_back{};
    // Of kind rtsp, which has no address: what is shown, how long it waits for a feed, and whether it is held.
    std::string url{};
    Time await = 0;
    bool hold = false;

    bool rtsp() const { return kind == "rtsp"; }
  };

  // How long TS waits for its PAT and PMTs before it goes out as it comes.
  static constexpr Time kTablesWait = 500 * kMillisecond;
  static constexpr Time kTick = 10 * kMillisecond;

  Stream(Loop& loop, Owner& owner, Plan plan);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Refusal open();
  // Renews the linger of a stream that is about to get a viewer, and reports its membership as often as that one wishes.
  void renew(const Plan& plan);
  void attach(Fd socket, Viewer::Card card);
  // False when it has no such viewer.
  bool dismiss(const std::string& viewer, const std::string& reason);
  // Kind rtsp. Takes the connection of a session in place of the one before; what becomes of it is told.
  void feed(Fd socket, RtspFeed::Card card, const std::string& note);
  // The two sockets of a session that is yet to be handed over. Their first port, or why not.
  std::variant<uint16_t, Refusal> open_pair(const std::string& feed, const sockaddr_storage& local, const std::string& interface,
                                            uint16_t least, uint16_t most);
  // Nothing when that feed is not the stream's.
  RtspFeed* feed_of(const std::string& id) const { return feed_ && feed_id_ == id ? feed_.get() : nullptr; }
  struct Punch {
    bool media = false;  // From the socket of RTP.
    sockaddr_storage to{};
    std::string data{};
    int times = 1;
    Time every = 0;
  };
  // False when that feed has no pair.
  bool punch(const std::string& feed, const Punch& punch);
  // Silence is counted from then on.
  void await(Time within);
  void note(const std::string& note) { plan_.note = note; }
  // Ends the feed, and says whether its farewell was written. Nothing when that feed is not the stream's.
  std::optional<bool> part(const std::string& feed);
  // Ends the feed; viewers get what is there, and are then finished.
  void drain(const std::string& reason);
  bool rtsp() const { return plan_.rtsp(); }

  // The machine's network changed.
  void network_changed();
  // Closes its viewers and itself.
  void end(const std::string& reason);

  // Takes what has arrived. At the owner's tick, all streams receive before any sends: what wakes the readers on this machine
  // then wakes them once.
  void receive();
  // Sends it to the viewers, until the deadline: false when some are left, which come first the next time.
  bool send(Time deadline);
  void ready(uint32_t events) override;
  // How soon the next tick is due after this one.
  Time period() const { return period_; }

  bool ended() const { return ended_; }
  // Whether it stands in the owner's queue of those that have something to send: a note of the owner's.
  bool due() const { return due_; }
  void mark_due(bool due) { due_ = due; }

  const std::string& id() const { return plan_.id; }
  size_t viewers() const { return viewers_.size(); }
  // Nothing of a stream that has none.
  const Address* address() const { return plan_.rtsp() ? nullptr : &reception_.address(); }
  // Bits per second, over the last second or so.
  uint64_t bitrate() const { return bitrate_; }
  // `stream` and `viewer` frames, without an id.
  Frame report() const;
  std::vector<Frame> report_viewers() const;
  // `pid` frames.
  std::vector<Frame> report_pids() const;

 private:
  enum class Format { kUnknown, kTs, kRtpTs, kRtp };
  struct Start {
    Position position = 0;
    std::string tables{};  // Their counters lead up to what stands at the position.
  };

  // A packet of RTP without TS: media when another of its sender follows, else a stray.
  struct Candidate {
    uint16_t sequence = 0;
    uint32_t ssrc = 0;
    std::vector<uint8_t> payload{};
  };

  // Reorder::Sink
  void in_order(const uint8_t* payload, size_t size) override;
  void anew() override;
  // Viewer::Keeper
  void viewer_stirred(Viewer& viewer) override;
  void viewer_live(const Viewer& viewer) override;
  // Feed::Owner
  void feed_media(const uint8_t* data, size_t size) override;
  void feed_said(std::string_view head, bool cut) override;
  void feed_over(std::string_view reason) override;
  void feed_ready() override { serve(); }
  void feed_datagram(const sockaddr_storage& from, const uint8_t* data, size_t size) override { tell_datagram("rtcp", from, data, size); }

  void serve();
  void take_batches();
  void take_frames();
  bool take_plain(const uint8_t* data, size_t size);
  size_t allowance();
  void follow_feed();
  void take_place(RtspFeed::Card& card);
  bool part_feed();
  Frame tell_of_feed(const char* event, const std::string& id) const;
  void tell_datagram(const char* socket, const sockaddr_storage& from, const uint8_t* data, size_t size);
  bool beside(const sockaddr_storage& from, const uint8_t* data, size_t size);
  void tell_feed_what_came();
  std::string tables_at(Position position) const;
  Refusal open_reception();
  size_t prepare(size_t expected);
  void take();
  void widen(size_t size);
  bool fits() const;
  bool take_in_place(size_t index);
  void datagram(const uint8_t* data, size_t size);
  void bare(const uint8_t* data, size_t size);
  void rtp_packet(const rtp::Packet& packet, const uint8_t* data);
  bool confirms(const rtp::Packet& packet, const uint8_t* payload);
  bool is_rtp() const { return format_ == Format::kRtpTs || format_ == Format::kRtp; }
  void append(const uint8_t* data, size_t size);
  void accept(const uint8_t* packets, size_t size);
  void look(const uint8_t* packet, const Pid& pid, Position position);
  void learn(Position position);
  void tell_time(const uint8_t* packet, Position position);
  void media();
  void make_room(size_t bytes);
  bool flush(Time deadline);
  void settle();
  void find_slowest();
  void finish(Viewer& viewer);
  void begin();
  Backlog place_to_jump(Position cursor, Position oldest) const;
  void start(Viewer& viewer);
  void sweep();
  void tell_closed(const Viewer& viewer);
  void pace(size_t datagrams);
  void measure();
  void listen();
  void listen_to_feed();
  void explain_silence(Frame& event) const;
  const char* state() const;
  void report_origin(Frame& frame) const;

  Loop& loop_;
  Owner& owner_;
  Plan plan_;
  Reception reception_;
  Framer framer_{};
  Reorder reorder_;
  Pids pids_{};
  psi::Tables tables_{};
  Health health_{};
  Ring ring_;
  LookBack look_back_;
  std::vector<std::unique_ptr<Viewer>> viewers_{};

  std::unique_ptr<RtspFeed> feed_{};
  std::string feed_id_{};
  bool feed_udp_ = false;      // Its media comes to a pair, by way of the reception.
  bool brings_ = false;        // It may still bring something,
  bool told_silent_ = false;   // and was told to be silent.
  bool stopped_ = false;       // It is not read, because the ring is full of what viewers have not taken.
  bool draining_ = false;
  std::string drain_reason_{};
  std::optional<bool> parted_{};  // Of the feed that it ended with: whether its farewell was written.
  std::unique_ptr<PairWait> pair_{};
  Time awaited_ = 0;           // Silence is not counted before.
  Time unfed_ = 0;             // Since when it has no feed that brings anything.
  uint16_t stun_count_ = 0;    // Answers told
  Time stun_since_ = 0;        // since then.
  uint32_t highest_ = 0;       // The furthest sequence number of RTP, with those that it went round.
  std::optional<Hold> hold_{};
  MediaClock media_clock_{};
  uint16_t clock_pid_ = ts::kNullPid;

  Timer listen_timer_;
  Timer linger_timer_;
  Timer tables_timer_;
  Timer hold_timer_;
  Timer refresh_timer_;

  Format format_ = Format::kUnknown;
  uint8_t type_ = 0;       // The payload type of RTP that carries TS.
  std::optional<Candidate> candidate_{};
  size_t slot_ = 0;        // Media bytes of the longest usual datagram; 0 until one was seen.
  size_t widest_ = 0;      // The longest one since slot_ was last set.
  bool direct_ = false;    // The batch at hand was received straight into the ring.
  bool started_ = false;   // Viewers are being sent to.
  std::optional<Start> start_{};  // Where the first viewers begin, once that is known.
  Position slowest_ = 0;   // No cursor is further behind.
  size_t next_ = 0;        // The viewer to be sent to next.
  bool flushing_ = false;  // The viewers are being walked through,
  bool leaving_ = false;   // and some of them are to be closed after that.
  bool ticking_ = false;
  bool due_ = false;
  bool ended_ = false;
  bool silent_ = false;
  Time period_ = kTick;
  Time opened_;
  Time last_media_;
  Time heard_;             // Since when it could be heard: media came, or its interface came back.
  Time pace_since_;
  size_t arrived_ = 0;  // Datagrams of the last receive().
  Time arrival_ = 0;    // Of the datagram at hand, 0 when it is not known exactly.
  unsigned turns_ = 0;
  int learned_ = 0;     // Changes of the tables looked at in this turn,
  bool news_ = false;   // and whether there are more.
  size_t pace_count_ = 0;
  Time rate_since_;
  uint64_t rate_bytes_ = 0;

  uint64_t packets_ = 0;
  uint64_t bytes_ = 0;
  uint64_t bitrate_ = 0;
  uint64_t strays_ = 0;
  uint64_t rejoins_ = 0;
  uint64_t jumps_ = 0;
};

}  // namespace weir
