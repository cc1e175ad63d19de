// The server's end of a session of RTSP that Node has set up, and media with a clock for it.
#pragma once

#include <string>

#include "media.hpp"
#include "net.hpp"
#include "rig.hpp"

namespace session {

using media::Bytes;
using weir::Fd;

// A frame of an interleaved channel (RFC 2326 §10.12).
inline Bytes frame(int channel, const Bytes& payload) { return media::bytes('$', channel, payload.size() >> 8, payload.size()) + payload; }

// A video packet with the clock at so many milliseconds; kPmt says that the clock is there.
inline Bytes clock(uint32_t number, uint64_t milliseconds) {
  const uint64_t base = milliseconds * 90;
  return media::bytes(0x47, 0x01, 0x00, 0x30 | number % 16, 7, 0x10, base >> 25, base >> 17, base >> 9, base >> 1, (base & 1) << 7 | 0x7E, 0) +
         media::video(number).substr(4, 176);
}

inline const Bytes kTables = media::table(0, 3, media::kPat) + media::table(media::kPmtPid, 7, media::kPmt);

class Server {
 public:
  explicit Server(std::string id) : id_(std::move(id)) {
    const net::Door door;
    Fd accepted;
    net::Client client(door, accepted);
    ours_ = std::move(accepted);
    theirs_ = client.release();
  }

  // What the session is handed over with.
  weir::RtspFeed::Card card() const {
    weir::RtspFeed::Card card;
    card.id = id_;
    card.cseq = 5;
    card.farewell = "TEARDOWN rtsp://h/" + id_ + " RTSP/1.0\r\nSession: " + id_ + "\r\n";
    card.media = 0;
    card.control = 1;
    return card;
  }
  // The end that is handed over, once.
  Fd connection() { return std::move(theirs_); }
  const Fd& descriptor() const { return theirs_; }

  // What the connection does not take waits for the next call.
  void send(const Bytes& bytes) {
    out_ += bytes;
    flush();
  }
  void flush() {
    while (ours_ && !out_.empty()) {
      const ssize_t size = ::send(ours_.get(), out_.data(), out_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (size <= 0) return;
      out_.erase(0, static_cast<size_t>(size));
    }
  }
  // RTP in frames, a packet each.
  void play(const Bytes& ts, uint32_t ssrc = 0x1234) { send(frame(0, media::rtp(sequence_++, ssrc, ts))); }
  // Whether the other side takes no more.
  bool blocked() const { return !out_.empty(); }

  const Bytes& got() {
    char data[65536];
    ssize_t size = 0;
    while (ours_ && (size = recv(ours_.get(), data, sizeof data, MSG_DONTWAIT)) > 0) got_.append(data, static_cast<size_t>(size));
    return got_;
  }
  // How often it was said goodbye.
  size_t farewells() {
    size_t count = 0;
    const Bytes wanted = "TEARDOWN rtsp://h/" + id_ + " RTSP/1.0\r\n";
    for (size_t at = got().find(wanted); at != Bytes::npos; at = got_.find(wanted, at + 1)) count++;
    return count;
  }
  void close() {
    ours_.reset();
    out_.clear();
  }

 private:
  std::string id_;
  Fd ours_{};
  Fd theirs_{};
  Bytes out_{};
  Bytes got_{};
  uint16_t sequence_ = 65530;
};

inline weir::Stream::Plan plan(const std::string& id, bool hold = false) {
  weir::Stream::Plan plan;
  plan.id = id;
  plan.kind = "rtsp";
  plan.url = "rtsp://h/a";
  plan.linger = plan.silence = plan.await = 60 * weir::kSecond;
  plan.rejoin = 30 * weir::kSecond;
  plan.hold = hold;
  return plan;
}

inline void feed(rig::Rig& rig, const std::string& stream, Server& server) {
  rig.hub.feed(stream, server.connection(), server.card(), "");
}

}  // namespace session
