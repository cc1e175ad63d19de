// What a peer does wrong costs its own connection, and nothing else.
#include "media.hpp"
#include "memory.hpp"
#include "refusals.hpp"
#include "wire.hpp"

using weir::Fd;
using wire::Control;
using wire::hand_over;
using wire::Pump;

namespace {

const std::string kAttach = "attach?viewer=v&stream=s&head=H&note=n";

// Whether the pump still answers its controller.
bool alive(Pump& pump, Control& control) {
  control.clear();
  control.ask("stats?id=alive");
  return pump.until([&] { return control.has("ok?id=alive"); });
}

// So many characters, each of which takes three bytes on the wire.
std::string escaped(int count) {
  std::string out;
  for (int index = 0; index < count; index++) out += "%25";
  return out;
}

// The descriptors that a connection costs are given back in the turn after it has ended.
bool settles(Pump& pump, size_t descriptors) {
  return pump.until([&] { return net::descriptors() == descriptors; });
}

}  // namespace

TEST("bytes that are no frame end their connection only") {
  Pump pump;
  Control control = pump.hello();
  const size_t before = net::descriptors();
  const std::string bad[] = {"\n", "hello\n", "hello?id=\n", "hello?id=1&id=2\n", "stats?id=1\n", "hello?id=%\n", "\x80\xFF\n",
                             "GET / HTTP/1.1\r\n\r\n",
                             std::string(1, '\0') + "\n", "hello?id=" + std::string(65, '1') + "\n"};
  for (const std::string& bytes : bad) {
    Control other(pump.prefix);
    other.write(bytes);
    CHECK(pump.until([&] { return other.ended(); }));
    CHECK(other.frames().empty());
  }
  CHECK(alive(pump, control));
  CHECK(settles(pump, before));
}

TEST("random bytes end their connection only") {
  Pump pump;
  Control control = pump.hello();
  uint32_t random = 4711;
  for (int round = 0; round < 100; round++) {
    Control other(pump.prefix);
    std::string bytes(3000, '\0');
    for (char& byte : bytes) byte = static_cast<char>((random = random * 1664525 + 1013904223) >> 24);
    other.write(bytes + "\n");
    CHECK(pump.until([&] { return other.ended(); }));
  }
  CHECK(alive(pump, control));
}

TEST("a frame of 16384 bytes with its end of line is read, one byte more ends the connection") {
  Pump pump;
  const std::string begin = "stats?id=1&x=";
  Control control = pump.hello();
  control.ask(begin + std::string(16383 - begin.size(), 'x'));
  CHECK(pump.until([&] { return control.has("ok?id=1"); }));
  control.ask(begin + std::string(16384 - begin.size(), 'x'));
  CHECK(pump.until([&] { return control.ended(); }));
  Control endless = pump.hello();
  endless.write(std::string(16384, 'x'));
  CHECK(pump.until([&] { return endless.ended(); }));
}

TEST("frames may come in pieces and many at once") {
  Pump pump;
  Control control(pump.prefix);
  for (const char c : std::string("hello?id=h\n")) {
    control.write(std::string(1, c));
    pump.turn(1);
  }
  CHECK(pump.until([&] { return control.has("ok?id=h&version=" + std::to_string(WEIR_PROTOCOL)); }));
  std::string many;
  for (int index = 0; index < 2000; index++) many += "stats?id=" + std::to_string(index) + "\n";
  control.write(many);
  CHECK(pump.until([&] { return control.frames().size() == 2001; }));
  CHECK_EQ(control.frames().back(), "ok?id=1999");
}

TEST("a controller that asks and does not read is asked to wait, and gets every answer when it reads") {
  Pump pump;
  Control deaf = pump.hello();
  const std::string question = "x?id=" + std::string(64, '1') + "\n";
  std::string questions;
  for (int index = 0; index < 400; index++) questions += question;
  const size_t before = memory::held().heap;
  // The kernel's buffers are full, and the pump's hold no more than the one answer that found no room and the next questions.
  for (int round = 0; round < 400; round++) {
    deaf.write(questions);
    pump.turn(1);
  }
  CHECK(memory::held().heap < before + (256 << 10));
  size_t answers = 0;
  CHECK(pump.until([&] {
    answers += deaf.frames().size();
    const bool fresh = !deaf.frames().empty();
    deaf.clear();
    return !fresh;
  }));
  CHECK(answers > 1000);
  CHECK(!deaf.ended());
}

TEST("a controller that does not read is given up when too much has happened, and the pump goes on") {
  Pump pump;
  Control deaf = pump.hello();
  const Fd handoff = pump.handoff();
  Fd server;
  const net::Client client(server);
  pump.turn(2);
  const size_t before = net::descriptors();
  // Each is told as closed, for want of such a stream.
  const std::string attach = "attach?viewer=" + escaped(64) + "&stream=" + escaped(64) + "&head=H";
  CHECK(pump.until([&] {
    while (hand_over(handoff, attach, {server.get()})) {
    }
    pump.turn(200);
    return net::descriptors() < before;
  }));
  Control control = pump.hello();
  CHECK(alive(pump, control));
}

TEST("a controller that reads hears of more viewers than may pile up for one that does not") {
  Pump pump;
  Control control = pump.hello();
  const Fd handoff = pump.handoff();
  control.ask("open?id=o&stream=s&address=127.0.0.1&port=" + std::to_string(net::free_port()) + "&linger=9000&silence=9000&rejoin=9000");
  CHECK(pump.until([&] { return control.has("ok?id=o"); }));
  Fd server;
  const net::Client client(server);
  // As long as a note may be, each of its bytes escaped on the way.
  constexpr size_t kViewers = 900;
  const wire::Limit limit(kViewers + 10);
  for (size_t sent = 0; sent < kViewers;) {
    const std::string attach = "attach?viewer=v" + std::to_string(sent) + "&stream=s&head=H&note=" + escaped(4096);
    if (hand_over(handoff, attach, {server.get()})) sent++;
    pump.turn(1);
  }
  Control next(pump.prefix);
  next.ask("hello?id=h");
  CHECK(pump.until([&] { return next.has("ok?id=h") || next.ended(); }));
  const auto is_viewer = [](const std::string& frame) { return frame.starts_with("viewer?viewer="); };
  CHECK_EQ(std::count_if(next.frames().begin(), next.frames().end(), is_viewer), kViewers);
}

TEST("a message without a descriptor, with two, with five, or with one that is no TCP socket ends its connection") {
  Pump pump;
  Control control = pump.hello();
  const Fd datagrams = net::bound(SOCK_DGRAM);
  const Fd file(open("/dev/null", O_RDONLY | O_CLOEXEC));
  Fd server;
  const net::Client client(server);
  const int tcp = server.get();
  const size_t before = net::descriptors();
  const std::vector<int> wrong[] = {{}, {tcp, tcp}, {tcp, tcp, tcp, tcp, tcp}, {datagrams.get()}, {file.get()}};
  for (const auto& descriptors : wrong) {
    const Fd handoff = pump.handoff();
    if (descriptors.empty()) CHECK(hand_over(handoff, kAttach, {}));
    if (descriptors.size() == 1) CHECK(hand_over(handoff, kAttach, {descriptors[0]}));
    if (descriptors.size() == 2) CHECK(hand_over(handoff, kAttach, {tcp, tcp}));
    if (descriptors.size() == 5) CHECK(hand_over(handoff, kAttach, {tcp, tcp, tcp, tcp, tcp}));
    CHECK(pump.until([&] { return wire::ended(handoff); }));
  }
  CHECK(settles(pump, before));
  CHECK(!control.has("closed"));
  CHECK(alive(pump, control));
}

TEST("a message that is no attach ends its connection, and its descriptor is closed") {
  Pump pump;
  Control control = pump.hello();
  Fd server;
  const net::Client client(server);
  const size_t before = net::descriptors();
  const std::string wrong[] = {"x", "hello?id=1", "attach", "attach?viewer=v&stream=s", "attach?viewer=&stream=s&head=H",
                               "attach?stream=s&head=H", "\xFF\xFF",
                               "attach?viewer=" + std::string(65, 'v') + "&stream=s&head=H",
                               "attach?viewer=v&stream=" + std::string(65, 's') + "&head=H",
                               kAttach + std::string(4097, 'n'), kAttach + std::string(17000, 'n')};
  for (const std::string& message : wrong) {
    const Fd handoff = pump.handoff();
    CHECK(hand_over(handoff, message, {server.get()}));
    CHECK(pump.until([&] { return wire::ended(handoff); }));
  }
  CHECK(settles(pump, before));
  CHECK(alive(pump, control));
}

TEST("descriptors that are still queued when their connection ends are closed") {
  Pump pump;
  Control control = pump.hello();
  Fd server;
  net::Client client(server);
  const size_t before = net::descriptors();
  {
    const Fd handoff = pump.handoff();
    hand_over(handoff, "nonsense", {server.get()});
    for (int index = 0; index < 5; index++) hand_over(handoff, kAttach, {server.get()});
    CHECK(pump.until([&] { return wire::ended(handoff); }));
  }
  CHECK(settles(pump, before));
  server.reset();
  CHECK(pump.until([&] { return client.ended(); }));
}

TEST("without a descriptor left a viewer is closed with that reason, and the connection goes on") {
  Pump pump;
  Control control = pump.hello();
  const Fd handoff = pump.handoff();
  pump.turn(2);
  Fd server;
  const net::Client client(server);
  {
    const wire::Limit limit(0);
    hand_over(handoff, kAttach, {server.get()});
    CHECK(pump.until([&] { return control.has("closed?viewer=v&stream=s&reason=descriptors&sent=0"); }));
  }
  hand_over(handoff, kAttach, {server.get()});
  CHECK(pump.until([&] { return control.has("closed?viewer=v&stream=s&reason=no-stream&sent=0"); }));
}

TEST("a message with two descriptors of which one finds room ends its connection") {
  Pump pump;
  Control control = pump.hello();
  const Fd handoff = pump.handoff();
  pump.turn(2);
  Fd server;
  const net::Client client(server);
  const wire::Limit limit(1);
  hand_over(handoff, kAttach, {server.get(), server.get()});
  CHECK(pump.until([&] { return wire::ended(handoff); }));
  CHECK(!control.has("closed"));
}

TEST("a connection for which no descriptor is left waits, without a turn spent on it, until there is one") {
  Pump pump;
  Control control = pump.hello();
  Control waiting(pump.prefix);
  const Fd handoff = pump.handoff();
  waiting.ask("hello?id=w");
  {
    const wire::Limit limit(0);
    int turns = 0;
    weir::Timer end(pump.loop, [&] { pump.loop.stop(); });
    end.in(50 * weir::kMillisecond);
    pump.loop.run([&] {
      turns++;
      pump.controller.tidy();
    });
    CHECK(turns < 20);
    CHECK(alive(pump, control));
  }
  CHECK(pump.until([&] { return waiting.has("ok?id=w"); }));
}

TEST("what the kernel does not watch is refused: a stream is not opened, a viewer is closed, a connection ends") {
  Pump pump;
  Control control = pump.hello();
  const Fd handoff = pump.handoff();
  const std::string open = "&address=127.0.0.1&port=" + std::to_string(net::free_port()) + "&linger=9000&silence=9000&rejoin=9000";
  control.ask("open?id=1&stream=s" + open);
  CHECK(pump.until([&] { return control.has("ok?id=1"); }));
  refusals::watches = 1;
  control.ask("open?id=2&stream=t" + open);
  CHECK(pump.until([&] { return control.has("error?id=2&code=limit-reached"); }));
  refusals::watches = 1;
  Fd server;
  const net::Client client(server);
  hand_over(handoff, kAttach, {server.get()});
  CHECK(pump.until([&] { return control.has("closed?viewer=v&stream=s&reason=descriptors&sent=0"); }));
  refusals::watches = 1;
  Control other(pump.prefix);
  CHECK(pump.until([&] { return other.ended(); }));
  CHECK_EQ(refusals::watches, 0);
  CHECK(alive(pump, control));
}
