// The life of a stream: opening, viewers, silence, end. Its data path is in stream_media.cpp, what it tells of itself in
// stream_report.cpp.
#include "stream.hpp"

#include <algorithm>

namespace weir {
namespace {

// Virtual memory a ring reserves at least; it is touched only as far as it is used.
constexpr size_t kRingLeast = 8 << 20;
// Beside what is kept, a ring takes a turn's worth of media.
constexpr size_t kRingSlack = 1 << 20;
// Whoever pauses an archive comes back.
constexpr Time kHeldPatience = 600 * kSecond;

// An interface that is gone or down is waited for so many times as long as media.
constexpr Time kAwayFactor = 4;
// A picture goes on within so long, or is whole.
constexpr Time kPause = 200 * kMillisecond;
// A stream without media for so long has lost its way when the network changes.
constexpr Time kQuiet = kSecond;

}  // namespace

Stream::Stream(Loop& loop, Owner& owner, Plan plan)
    : loop_(loop),
      owner_(owner),
      plan_(std::move(plan)),
      reception_(owner.arrivals(), *this),
      reorder_(*this),
      ring_((plan_.hold ? Hold::kRing : std::max(kRingLeast, plan_.look_back.bytes)) + kRingSlack),
      look_back_(plan_.hold ? LookBack::Limits{} : plan_.look_back),
      listen_timer_(loop, [this] { listen(); }),
      linger_timer_(loop, [this] { end("idle"); }),
      tables_timer_(loop, [this] {
        if (!start_) start_ = Start{ring_.head(), tables_.packets(pids_)};
      }),
      hold_timer_(loop, [this] { serve(); }),
      refresh_timer_(loop, [this] {
        reception_.refresh(owner_.announcer());
        refresh_timer_.in(plan_.refresh);
      }),
      opened_(loop.now()),
      last_media_(loop.now()),
      heard_(loop.now()),
      pace_since_(loop.now()),
      rate_since_(loop.now()) {
  tables_.name(pids_);
  if (!plan_.hold) return;
  hold_.emplace();
  ring_.limit(Hold::kRing);
}

Stream::~Stream() {
  if (ticking_) owner_.ticking(*this, false);
}

Refusal Stream::open() {
  if (!ring_.valid()) return {"limit-reached", "The pump could not reserve memory for another stream."};
  const Refusal refusal = plan_.rtsp() ? Refusal{} : open_reception();
  if (refusal.refused()) return refusal;
  unfed_ = loop_.now();
  listen_timer_.in(plan_.rtsp() ? plan_.await : std::min(plan_.rejoin, plan_.silence));
  linger_timer_.in(plan_.linger);
  return {};
}

Refusal Stream::open_reception() {
  const Refusal refusal = reception_.open(plan_.address, plan_.interfaces);
  if (!refusal.refused() && plan_.refresh > 0) refresh_timer_.in(plan_.refresh);
  return refusal;
}

void Stream::renew(const Plan& plan) {
  if (viewers_.empty()) linger_timer_.in(plan_.linger);
  if (plan.refresh == 0 || (plan_.refresh > 0 && plan_.refresh <= plan.refresh)) return;
  plan_.refresh = plan.refresh;
  refresh_timer_.in(plan_.refresh);
}

void Stream::attach(Fd socket, Viewer::Card card) {
  linger_timer_.cancel();
  if (hold_) card.patience = kHeldPatience;
  auto viewer = std::make_unique<Viewer>(loop_, static_cast<Viewer::Keeper&>(*this), std::move(socket), std::move(card));
  if (!viewer->watch()) viewer->leave("descriptors");
  if (started_) start(*viewer);
  viewers_.push_back(std::move(viewer));
  sweep();
  // It takes what was kept for it, and more may come.
  if (hold_ && !ended_) owner_.due(*this);
}

// A viewer of a stream that is under way begins at once, with the newest picture that stands alone; where there is none, or
// nothing comes at the moment, with what comes next.
void Stream::start(Viewer& viewer) {
  if (hold_) {
    Position place = hold_->next(ring_.oldest());
    if (format_ != Format::kRtp) place += (ts::kPacket - place % ts::kPacket) % ts::kPacket;
    viewer.start({place, place, {}}, tables_at(place));
    slowest_ = viewers_.empty() ? place : std::min(slowest_, place);
    hold_->began(place, loop_.now());
    return;
  }
  const bool flows = last_media_ + kSecond >= loop_.now();
  if (last_media_ + kPause < loop_.now()) look_back_.paused();
  const LookBack::Point* point = flows ? look_back_.newest(loop_.now()) : nullptr;
  if (point != nullptr) {
    viewer.start(look_back_.backlog(), tables_.packets(point->counters));
  } else {
    viewer.start({ring_.head(), ring_.head(), {}}, tables_.packets(pids_));
  }
  if (viewers_.empty()) slowest_ = ring_.head();
  viewer.flush(ring_);
}

bool Stream::dismiss(const std::string& id, const std::string& reason) {
  for (const auto& viewer : viewers_) {
    if (viewer->id() != id) continue;
    viewer->leave(reason);
    sweep();
    return true;
  }
  return false;
}

void Stream::viewer_live(const Viewer& viewer) { owner_.tell(Frame("live").add("viewer", viewer.id())); }

void Stream::viewer_stirred(Viewer& viewer) {
  viewer.flush(ring_);
  finish(viewer);
  if (!viewer.leaving().empty()) sweep();
  if (!stopped_) return;
  find_slowest();
  allowance();
}

// Closes the viewers that are leaving; the last one starts the linger. What is told may close more of them from within.
void Stream::sweep() {
  leaving_ = true;
  if (flushing_) return;
  leaving_ = false;
  const auto rest = std::partition(viewers_.begin(), viewers_.end(), [](const auto& viewer) { return viewer->leaving().empty(); });
  std::vector<std::unique_ptr<Viewer>> left(std::make_move_iterator(rest), std::make_move_iterator(viewers_.end()));
  viewers_.erase(rest, viewers_.end());
  const size_t unit = format_ == Format::kRtp ? 0 : ts::kPacket;
  bool finished = false;
  for (auto& viewer : left) {
    finished = finished || (draining_ && viewer->leaving() == "finished");
    if (hold_ && viewer->started()) {
      hold_->left(viewer->first(), viewer->acknowledged(), viewer->sent(), loop_.now() - viewer->since(), unit);
    }
    tell_closed(*viewer);
    owner_.viewer_closed(std::move(viewer));
  }
  if (left.empty() || !viewers_.empty() || ended_) return;
  linger_timer_.in(plan_.linger);
  if (finished) end(drain_reason_);
}

void Stream::tell_closed(const Viewer& viewer) {
  Frame event("closed");
  event.add("viewer", viewer.id()).add("stream", plan_.id).add("reason", viewer.leaving());
  event.add("sent", viewer.sent()).add("lost", viewer.lost()).add("jumps", viewer.jumps());
  event.add("uptime", (loop_.now() - viewer.since()) / kMillisecond);
  if (plan_.rtsp() && media_clock_.seen()) {
    event.add_seconds("media", hold_ ? hold_->media_at(viewer.acknowledged()) : media_clock_.elapsed());
  }
  if (viewer.leaving() == "no-signal") explain_silence(event);
  owner_.tell(event);
}

void Stream::end(const std::string& reason) {
  if (ended_) return;
  ended_ = true;
  if (feed_) parted_ = part_feed();
  if (pair_) pair_->leave();
  reception_.close();
  if (ticking_) owner_.ticking(*this, false);
  ticking_ = false;
  for (Timer* timer : {&listen_timer_, &linger_timer_, &tables_timer_, &hold_timer_, &refresh_timer_}) timer->cancel();
  for (const auto& viewer : viewers_) viewer->leave(reason);
  sweep();
  Frame event("ended");
  event.add("stream", plan_.id).add("reason", reason);
  if (parted_) event.add("parted", uint64_t{*parted_});
  owner_.tell(event);
  owner_.stream_ended(*this);
}

// Looks whether media still comes. Runs when it could first have been missed, not for every packet.
void Stream::listen() {
  if (plan_.rtsp()) {
    listen_to_feed();
    return;
  }
  const Time now = loop_.now();
  const Time quiet = now - std::max(last_media_, heard_);
  // Every interface has its turn.
  const Time patience = std::max(plan_.silence, plan_.rejoin * reception_.choices());
  const Time limit = patience * kAwayFactor;
  // A network that never rests does not keep it for ever.
  if (now - last_media_ >= limit + patience) {
    end("no-signal");
    return;
  }
  if (quiet >= patience) {
    if (!reception_.away() || quiet >= limit) {
      end("no-signal");
      return;
    }
    // It cannot be heard now; the network tells when it is back.
    listen_timer_.at(std::max(last_media_, heard_) + limit);
    return;
  }
  if (quiet >= plan_.rejoin) {
    if (!silent_) owner_.tell(Frame("silent").add("stream", plan_.id));
    silent_ = true;
    rejoins_++;
    reception_.retry();
    if (packets_ == 0 && reception_.choices() == 1) reception_.look_elsewhere();
  }
  const Time step = reception_.choices() > 1 ? plan_.rejoin : patience;
  listen_timer_.at(std::max(last_media_, heard_) + (silent_ ? std::min(patience, quiet + step) : std::min(plan_.rejoin, patience)));
}

void Stream::network_changed() {
  if (ended_ || plan_.rtsp()) return;
  const bool quiet = last_media_ + kQuiet < loop_.now();
  if (!reception_.follow(quiet)) return;
  rejoins_++;
  // It may take as long as a new one until it is heard.
  heard_ = loop_.now();
  silent_ = silent_ && quiet;
  listen_timer_.in(std::min(plan_.rejoin, plan_.silence));
}

void Stream::explain_silence(Frame& event) const {
  const std::string elsewhere = reception_.found_elsewhere();
  const uint64_t strays = strays_ + reorder_.counts().strays;
  if (!elsewhere.empty()) {
    event.add("saw", "other-interface").add("interface", elsewhere);
  } else if (const sockaddr_storage& other = reception_.other_sender(); other.ss_family != 0 && !start_) {
    event.add("saw", "other-sender").add("sender", address_text(other));
  } else if (packets_ > 0 && !start_) {
    event.add("saw", "other-kind").add("strays", strays);
  } else {
    event.add("saw", "nothing");
  }
}

}  // namespace weir
