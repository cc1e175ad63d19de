#include "parting.hpp"

#include "rtsp.hpp"

using rtsp::answer;
using rtsp::frame;
using weir::kMillisecond;
using weir::Loop;
using weir::Parting;

namespace {

const std::string kFarewell = "TEARDOWN rtsp://h/a RTSP/1.0\r\nSession: 1\r\nCSeq: 12\r\n\r\n";

struct Leave {
  Loop loop{};
  weir::Fd socket{};
  net::Client server;
  Parting parting;
  weir::Time begun = Loop::clock();

  explicit Leave(std::string text = kFarewell, int buffer = 0) : server(socket, buffer), parting(loop, std::move(socket), std::move(text)) {}

  template <class Fact>
  bool until(Fact fact) {
    return rig::until(loop, [] {}, fact);
  }
  // Whether it ends before it must.
  bool ends_early() {
    return until([&] { return parting.over(); }) && Loop::clock() - begun < Parting::kWait - 100 * kMillisecond;
  }
};

}  // namespace

TEST("a farewell is written at once, and its answer ends the parting") {
  Leave leave;
  CHECK(leave.parting.written());
  CHECK(leave.until([&] { return leave.server.read() == kFarewell; }));
  leave.server.write(answer(12));
  CHECK(leave.ends_early());
}

TEST("media and the answer to what was asked before do not end it") {
  Leave leave;
  leave.server.write(answer(1) + answer(120) + frame(0, media::videos(1)) + answer(11));
  int turns = 0;
  leave.until([&] { return ++turns == 20; });
  CHECK(!leave.parting.over());
  leave.server.write(frame(0, media::videos(8)) + answer(12));
  CHECK(leave.ends_early());
}

TEST("an answer is known wherever it is cut") {
  const std::string text = "RTSP/1.0 200 OK\r\ncseq:  12\r\n\r\n";
  for (size_t at = 1; at + 4 < text.size(); at++) {
    Leave leave;
    leave.server.write(frame(0, "media") + text.substr(0, at));
    int turns = 0;
    leave.until([&] { return ++turns == 2; });
    leave.server.write(text.substr(at));
    CHECK(leave.ends_early());
  }
}

TEST("a server that goes ends it") {
  Leave closed;
  closed.server.close();
  CHECK(closed.ends_early());
  Leave reset;
  reset.server.abort();
  CHECK(reset.ends_early());
}

TEST("a server that never answers is left after two seconds, and reads farewell and end without a reset, however late") {
  Leave leave;
  leave.server.write(frame(0, media::videos(1, 300)));
  CHECK(leave.until([&] { return leave.parting.over(); }));
  CHECK(Loop::clock() - leave.begun >= Parting::kWait);
  std::string heard(200, '\0');
  net::Client& server = leave.server;
  CHECK_EQ(server.read(), kFarewell);
  errno = 0;
  CHECK(server.ended());
  CHECK(errno != ECONNRESET);
}

TEST("a farewell behind what the server is slow to read is written when it reads") {
  // More than both buffers hold.
  const std::string before(8 << 20, 'x');
  Leave leave(before + kFarewell, 4096);
  CHECK(!leave.parting.written());
  CHECK(leave.until([&] { return leave.server.read().size() == before.size() + kFarewell.size(); }));
  CHECK(leave.parting.written());
  leave.server.write(answer(12));
  CHECK(leave.ends_early());
}

TEST("a connection that is gone already is over at once") {
  Loop loop;
  weir::Fd socket;
  net::Client server(socket);
  server.abort();
  const Parting parting(loop, std::move(socket), kFarewell);
  CHECK(parting.over());
  CHECK(!parting.written());
}
