// What a stream tells of itself: its state, its counts, its PIDs and its viewers.
#include "stream.hpp"

namespace weir {
namespace {

// A rate that was not taken anew for so long says nothing.
constexpr Time kStale = 3 * kSecond;

std::string_view name_of(int format) {
  constexpr std::string_view names[] = {"", "ts", "rtp-ts", "rtp"};
  return names[format];
}

std::string_view name_of(const Pid& pid) {
  constexpr std::string_view names[] = {"", "pat", "pmt", "component"};
  return pid.id == ts::kNullPid ? "null" : names[static_cast<int>(pid.role)];
}

}  // namespace

const char* Stream::state() const {
  if (!start_) return "opening";
  if (silent_) return "silent";
  return viewers_.empty() ? "lingering" : "live";
}

Frame Stream::report() const {
  const Time now = loop_.now();
  const auto& counts = reorder_.counts();
  // A rate is taken over at least a second of arrivals; when nothing arrives it falls with the time that passes.
  const Time span = now - rate_since_;
  const bool stale = span > kStale;
  const uint64_t rate = stale ? rate_bytes_ * 8 * kSecond / span : bitrate_;
  uint64_t continuity_errors = 0;
  uint64_t scrambled = 0;
  for (const Pid& pid : pids_.all()) {
    continuity_errors += pid.continuity_errors;
    scrambled += pid.scrambled;
  }
  Frame frame("stream");
  frame.add("stream", plan_.id).add("note", plan_.note).add("kind", plan_.kind);
  report_origin(frame);
  frame.add("state", state()).add("format", name_of(static_cast<int>(format_)));
  frame.add("uptime", (now - opened_) / kSecond).add("viewers", uint64_t{viewers_.size()});
  frame.add("packets", packets_).add("bytes", bytes_).add("bitrate", rate);
  frame.add("continuityErrors", continuity_errors).add("reordered", counts.reordered);
  frame.add("duplicates", counts.duplicates).add("lost", counts.lost).add("strays", strays_ + counts.strays);
  frame.add("kernelDrops", reception_.drops()).add("restarts", counts.restarts).add("rejoins", rejoins_);
  frame.add("jumps", jumps_).add("lookBack", look_back_.size()).add("scrambled", scrambled);
  health_.report(frame);
  return frame;
}

// Where its media comes from.
void Stream::report_origin(Frame& frame) const {
  if (!plan_.rtsp()) {
    frame.add("address", plan_.address_text).add("port", uint64_t{plan_.port}).add("source", plan_.source_text);
    frame.add("interface", reception_.interface());
    return;
  }
  frame.add("url", plan_.url).add("feed", feed_id_).add("hold", uint64_t{plan_.hold});
  if (feed_) frame.add("transport", feed_udp_ ? "udp" : "tcp").add("junk", feed_->junk());
  if (media_clock_.seen()) frame.add_seconds("media", media_clock_.elapsed());
}

std::vector<Frame> Stream::report_pids() const {
  const bool stale = loop_.now() - rate_since_ > kStale;
  std::vector<Frame> frames;
  for (const Pid& pid : pids_.all()) {
    Frame frame("pid");
    frame.add("stream", plan_.id).add("pid", uint64_t{pid.id}).add("role", name_of(pid));
    if (pid.role == Pid::Role::kComponent) frame.add("type", uint64_t{pid.type});
    frame.add("pcr", uint64_t{pid.clock}).add("packets", pid.packets).add("bitrate", stale ? 0 : pid.bitrate);
    frame.add("continuityErrors", pid.continuity_errors).add("scrambled", pid.scrambled);
    frames.push_back(std::move(frame));
  }
  return frames;
}

std::vector<Frame> Stream::report_viewers() const {
  std::vector<Frame> frames;
  for (const auto& viewer : viewers_) {
    Frame frame("viewer");
    frame.add("viewer", viewer->id()).add("stream", plan_.id).add("note", viewer->note());
    frame.add("uptime", (loop_.now() - viewer->since()) / kSecond).add("bytes", viewer->sent());
    frame.add("lag", viewer->lag(ring_)).add("jumps", viewer->jumps()).add("lostBytes", viewer->lost());
    frames.push_back(std::move(frame));
  }
  return frames;
}

}  // namespace weir
