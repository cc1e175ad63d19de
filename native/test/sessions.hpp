// Streams whose media comes from sessions of RTSP, in random order: handed over, played, cut, parted. Every server whose connection
// lived is said goodbye to once.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "random.hpp"
#include "session.hpp"
#include "wire.hpp"

namespace wire {

class Sessions {
 public:
  // The first is live, the second an archive.
  static constexpr size_t kStreams = 2;
  using Ask = std::function<void(const std::string&)>;

  Sessions(Random& random, Ask ask) : random_(random), ask_(std::move(ask)) {}

  static std::string name(size_t stream) { return "r" + std::to_string(stream); }

  void play(const weir::Fd& handoff) {
    const uint32_t stream = random_(kStreams);
    const uint32_t what = random_(30);
    if (what < 2) open(stream);
    if (what == 2 || what == 3) feed(stream, handoff);
    if (what == 4) ask_("part?id=p&stream=" + name(stream) + "&feed=" + std::to_string(latest_ - random_(3)));
    if (what == 5) ask_("await?id=a&stream=" + name(stream) + "&within=" + std::to_string(1 + random_(200)));
    if (what == 6) ask_("keep?id=k&stream=" + name(stream) + "&feed=" + std::to_string(latest_) + "&every=" + std::to_string(random_(30)) + "&text=OPTIONS+*");
    if (what == 7) ask_("close?id=c&stream=" + name(stream) + "&drain=" + std::to_string(random_(2)));
    if (what == 8) ask_("pair?id=q&stream=" + name(stream) + "&feed=x&local=127.0.0.1&least=20000&most=40000");
    if (what == 9) say(stream);
    if (what == 10 && !living_.empty()) cut(*living_[random_(static_cast<uint32_t>(living_.size()))]);
    if (what > 10 && !living_.empty()) send(*living_[living_.size() - 1 - random_(std::min<uint32_t>(3, static_cast<uint32_t>(living_.size())))]);
  }

  // One of the pump's frames.
  void heard(const std::string& frame) {
    if (!frame.starts_with("taken?")) return;
    const std::string id = frame.substr(frame.find("&feed=") + 6);
    for (auto& one : living_) one->taken = one->taken || one->id == id;
  }
  // When all streams are closed, and their farewells over.
  void end() {
    while (!living_.empty()) retire();
  }
  size_t said() const { return said_; }

 private:
  struct Session {
    std::string id;
    session::Server server;
    bool taken = false;
    bool cut = false;
    uint32_t number = 0;
  };
  static constexpr size_t kLiving = 40;

  void open(size_t stream) {
    ask_("open?id=o&stream=" + name(stream) + "&kind=rtsp&url=u&linger=" + std::to_string(random_(300)) + "&silence=" + std::to_string(50 + random_(500)) +
         "&rejoin=50&await=" + std::to_string(20 + random_(300)) + "&look-back=4000&look-back-bytes=1000000&hold=" + std::to_string(stream));
  }
  void feed(size_t stream, const weir::Fd& handoff) {
    const std::string id = std::to_string(++latest_);
    auto one = std::make_unique<Session>(Session{id, session::Server(id)});
    const std::string bytes = "feed?stream=" + name(stream) + "&feed=" + id + "&kind=rtsp&way=tcp&media=0&control=1&cseq=1&farewell=TEARDOWN+rtsp%3A%2F%2Fh%2F" + id +
                              "+RTSP%2F1.0%0D%0A" + (random_(3) == 0 ? "&read=JAEABA" : "");
    hand_over(handoff, bytes, {one->server.descriptor().get()});
    one->server.connection();
    living_.push_back(std::move(one));
    if (living_.size() > kLiving) retire();
  }
  void say(size_t stream) {
    const std::string raw = random_(3) == 0 ? "&raw=1" : "";
    ask_("say?id=t&stream=" + name(stream) + "&feed=" + std::to_string(latest_) + raw + "&text=" + std::string(1 + random_(500), 'S'));
  }
  // In the middle of a frame, with or without a word.
  void cut(Session& one) {
    one.cut = true;
    if (random_(2) == 0) one.server.send(session::frame(0, media::rtp(1, 2, media::videos(one.number))).substr(0, 1 + random_(1000)));
    one.server.close();
  }
  void send(Session& one) {
    const uint32_t what = random_(12);
    if (what == 0) one.server.send("RTSP/1.0 200 OK\r\nCSeq: " + std::to_string(random_(5)) + "\r\n\r\n");
    if (what == 1) one.server.send(media::Bytes(random_(200), 'x'));
    if (what == 2) one.server.send(session::frame(static_cast<int>(random_(9)), "beside"));
    if (what == 3) one.server.play(session::kTables);
    if (what == 4) one.server.play(session::clock(one.number++, random_(100000)));
    if (what == 5) one.server.got();
    for (uint32_t count = random_(what == 6 ? 2000 : 5); count > 0 && !one.cut && !one.server.blocked(); count--) {
      one.server.play(media::videos(one.number));
      one.number += 7;
    }
    one.server.flush();
  }
  // The eldest has seen all that it will see.
  void retire() {
    const std::unique_ptr<Session> one = std::move(living_.front());
    living_.pop_front();
    const size_t farewells = one->server.farewells();
    said_ += farewells;
    if (farewells > 1) check::failed(__FILE__, __LINE__, "session " + one->id + " was said goodbye to twice");
    if (one->taken && !one->cut && farewells == 0) check::failed(__FILE__, __LINE__, "session " + one->id + " was left without a word");
  }

  Random& random_;
  Ask ask_;
  std::deque<std::unique_ptr<Session>> living_{};
  uint32_t latest_ = 3;
  size_t said_ = 0;
};

}  // namespace wire
