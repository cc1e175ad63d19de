// All streams by their ids: the only place that joins streams, viewers and the controller's wishes.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "announcer.hpp"
#include "links.hpp"
#include "lull.hpp"
#include "placement.hpp"
#include "stream.hpp"

namespace weir {

class Hub final : private Stream::Owner {
 public:
  // `tell` takes events, and may close viewers and streams from within.
  Hub(Loop& loop, std::function<void(const Frame&)> tell);

  // Opens a stream, or renews one that is open.
  Refusal open(Stream::Plan plan);
  // False when there is no such stream or viewer.
  // Nothing when there is no such stream.
  Stream* find(const std::string& stream);
  bool close(const std::string& stream, const std::string& reason);
  bool dismiss(const std::string& viewer, const std::string& reason);
  // Takes a client's socket; what becomes of it is told by events.
  void attach(const std::string& stream, Fd socket, Viewer::Card card);
  // Takes the connection of a session of RTSP; what becomes of it is told by events.
  void feed(const std::string& stream, Fd socket, RtspFeed::Card card, const std::string& note);
  void feed_refused(const std::string& stream, const std::string& feed, const char* reason);
  void close_all(const std::string& reason);
  // Whether farewells are still on their way.
  bool parting() const { return !partings_.empty(); }

  // `stream` and `viewer` frames.
  std::vector<Frame> report() const;
  // The same of one stream, and its `pid` frames; none when there is no such stream.
  std::vector<Frame> report(const std::string& stream) const;
  size_t viewers() const;

  // Frees what was closed in this turn.
  void tidy();

 private:
  void tell(const Frame& event) override { tell_(event); }
  void viewer_closed(std::unique_ptr<Viewer> viewer) override { closed_viewers_.push_back(std::move(viewer)); }
  void stream_ended(Stream& stream) override;
  void ticking(Stream& stream, bool on) override;
  void due(Stream& stream) override;
  void feed_parted(std::unique_ptr<RtspFeed> feed, std::unique_ptr<Parting> rest, const Frame& event) override;
  Loop& arrivals() override { return lull_.sockets(); }
  size_t ring_share() const override;
  Announcer& announcer() override { return announcer_; }
  void stamp();
  void tick();
  void queue(Stream& stream);
  void work();
  const Address* busiest() const;

  Loop& loop_;
  std::function<void(const Frame&)> tell_;
  Announcer announcer_{};
  Links links_;
  Lull lull_;
  // Streams that go away leave the tick: it goes after them.
  std::vector<Stream*> ticking_{};
  Timer tick_timer_;
  Time next_tick_ = 0;
  std::deque<Stream*> due_{};  // Streams that have something to send, each once, first come first served.
  Timer work_timer_;
  Placement placement_;
  std::map<std::string, std::unique_ptr<Stream>> streams_{};  // Keyed by id.
  Fd stamping_{};  // While a socket asks for it, and one does while there are streams, the kernel notes when packets arrive.
  std::vector<std::unique_ptr<Viewer>> closed_viewers_{};
  std::vector<std::unique_ptr<Stream>> ended_streams_{};
  std::vector<std::unique_ptr<RtspFeed>> parted_feeds_{};
  // Connections whose farewells are on their way, the oldest first, and what is told when they are over.
  struct Leaving {
    std::unique_ptr<Parting> parting;
    Frame event;
  };
  std::deque<Leaving> partings_{};
};

}  // namespace weir
