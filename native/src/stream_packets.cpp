// What a datagram of a stream holds: RTP or bare TS → whole packets in order → the ring.
#include <cstring>

#include "stream.hpp"

namespace weir {
namespace {

// So many sync bytes in their places are no accident in an RTP packet's payload.
constexpr size_t kSureSyncs = 3;
// Changes of the tables that are looked at as they come, in one turn: a PAT and a PMT.
constexpr int kLearnings = 2;
// Payload type under which carriers send repair data, sometimes on the media's own port.
constexpr uint8_t kRepairType = 127;

}  // namespace

// Tells RTP (first two bits 10) from bare TS (01) by content. A stream that is cut anywhere shows its sync bytes further in.
void Stream::datagram(const uint8_t* data, size_t size) {
  const bool continues = format_ == Format::kTs && framer_.carrying();
  // RTP that carries something else has no TS beside it.
  if (format_ != Format::kRtp && (data[0] == ts::kSync || continues)) {
    bare(data, size);
    return;
  }
  const auto packet = rtp::parse(data, size);
  const bool carries_ts = packet && packet->size >= ts::kPacket && data[packet->offset] == ts::kSync;
  const bool may_be_bare = !carries_ts && (format_ == Format::kUnknown || format_ == Format::kTs);
  if (may_be_bare && count_syncs(data, size) >= (packet ? kSureSyncs : 2)) {
    bare(data, size);
  } else if (packet) {
    rtp_packet(*packet, data);
  } else {
    strays_++;
  }
}

void Stream::bare(const uint8_t* data, size_t size) {
  const Framer::Result result = framer_.feed(data, size);
  if (format_ == Format::kTs) health_.sync(!result.stray);
  const bool useful = result.joined != nullptr || result.size > 0;
  // Whoever comes to a stream that is cut anywhere finds half a packet first.
  if (result.stray && !(useful && format_ == Format::kUnknown)) strays_++;
  if (!useful) return;
  if (format_ == Format::kUnknown || format_ == Format::kTs) {
    format_ = Format::kTs;
    widen(size);
  }
  if (result.joined != nullptr) append(result.joined, ts::kPacket);
  append(result.packets, result.size);
}

void Stream::rtp_packet(const rtp::Packet& packet, const uint8_t* data) {
  const uint8_t* payload = data + packet.offset;
  const size_t good = ts::whole(payload, packet.size);
  const bool is_ts = good > 0 && packet.size - good < ts::kPacket;
  if (format_ != Format::kRtp && is_ts) {
    format_ = Format::kRtpTs;
    type_ = packet.type;
    widen(packet.size);
  } else if (format_ == Format::kUnknown && packet.size > 0 && packet.type != kRepairType) {
    if (!confirms(packet, payload)) return;
    format_ = Format::kRtp;
    widen(packet.size);
    reorder_.push({candidate_->sequence, candidate_->ssrc, candidate_->payload.data(), candidate_->payload.size(), loop_.now()});
  } else if (format_ != Format::kRtp && (format_ != Format::kRtpTs || packet.type != type_)) {
    // Repair data and the like beside the media, with numbers of its own.
    strays_++;
    return;
  }
  if (framer_.carrying()) strays_++;
  framer_.reset();
  reorder_.push({packet.sequence, packet.ssrc, payload, packet.size, loop_.now()});
}

// Whether the packet is the second of a sender whose payload is no TS. One alone is a stray.
bool Stream::confirms(const rtp::Packet& packet, const uint8_t* payload) {
  if (candidate_ && candidate_->ssrc == packet.ssrc && candidate_->sequence != packet.sequence) {
    strays_--;
    return true;
  }
  strays_++;
  candidate_ = Candidate{packet.sequence, packet.ssrc, {payload, payload + packet.size}};
  return false;
}

void Stream::in_order(const uint8_t* payload, size_t size) {
  if (format_ == Format::kRtp) {
    append(payload, size);
    return;
  }
  const size_t good = ts::whole(payload, size);
  if (good < size) strays_++;
  health_.sync(good == size);
  append(payload, good);
}

void Stream::anew() {
  pids_.restart();
  health_.restart(loop_.now());
  look_back_.forget();
}

void Stream::append(const uint8_t* data, size_t size) {
  if (size == 0) return;
  if (!direct_) {
    make_room(size);
    ring_.reserve(size);
  }
  std::memmove(ring_.end(), data, size);
  accept(ring_.end(), size);
}

// Looks at media that stands at the ring's end, and lets it in.
void Stream::accept(const uint8_t* packets, size_t size) {
  if (format_ == Format::kRtp) {
    if (!start_) start_ = Start{ring_.head(), {}};
    media();
  } else {
    bool seen = false;
    for (const uint8_t* packet = packets; packet != packets + size; packet += ts::kPacket) {
      Pid& pid = pids_.of(ts::pid(packet));
      pid.packets++;
      if (ts::transport_error(packet)) health_.transport_error();
      if (pid.id == ts::kNullPid) continue;
      seen = true;
      if (ts::scrambled(packet)) pid.scrambled++;
      if (!pid.counter.follows(packet)) pid.continuity_errors++;
      // Most packets of a component go on with what another one began.
      const bool tells = pid.watched && (ts::marked(packet) || pid.table() || look_back_.looking());
      if (tells) look(packet, pid, ring_.head() + static_cast<Position>(packet - packets));
    }
    if (seen) media();
  }
  ring_.commit(size);
  bytes_ += size;
  rate_bytes_ += size;
}

// Looks into a packet that tells more than that it is there. It stands at `position`.
void Stream::look(const uint8_t* packet, const Pid& pid, Position position) {
  if (pid.clock && ts::has_pcr(packet)) {
    health_.clock(packet, arrival_);
    if (pid.id == clock_pid_) tell_time(packet, position);
  }
  if (pid.id == look_back_.pid()) look_back_.feed(packet, position, loop_.now(), tables_, pids_);
  if (!pid.table()) return;
  const psi::Tables::Fed fed = tables_.feed(packet);
  health_.table(packet, pid.role, fed, loop_.now());
  if (!fed.changed) return;
  // A flood of tables, each another one, is followed turn by turn.
  news_ = true;
  if (learned_ < kLearnings) learn(position + ts::kPacket);
}

// The tables changed with the packet that ends at `position`.
void Stream::learn(Position position) {
  learned_++;
  news_ = false;
  look_back_.follow(tables_);
  health_.follow(tables_, loop_.now());
  tables_.name(pids_);
  if (plan_.rtsp() && !tables_.clocks().empty()) clock_pid_ = tables_.clocks().front();
  if (look_back_.pid() != ts::kNullPid) pids_.of(look_back_.pid()).watched = true;
  if (!start_ && tables_.complete()) start_ = Start{position, tables_.packets(pids_)};
}

// The first programme's clock tells how much of an archive has come.
void Stream::tell_time(const uint8_t* packet, Position position) {
  if (ts::discontinuity(packet)) media_clock_.restart();
  media_clock_.pcr(ts::pcr(packet));
  if (hold_) hold_->came(position, media_clock_.elapsed());
}

void Stream::media() {
  if (!start_ && !tables_timer_.armed()) tables_timer_.in(kTablesWait);
  last_media_ = loop_.now();
  if (!silent_) return;
  silent_ = false;
  told_silent_ = false;
  health_.restart(last_media_);
  reception_.stop_looking();
  owner_.tell(Frame("resumed").add("stream", plan_.id));
}

}  // namespace weir
