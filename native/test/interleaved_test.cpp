#include "interleaved.hpp"

#include <string>
#include <vector>

#include "check.hpp"
#include "media.hpp"

using media::Bytes;
using media::bytes;
using weir::Interleaved;

namespace {

constexpr uint8_t kMedia = 0;
constexpr uint8_t kControl = 1;

Bytes frame(int channel, const Bytes& payload) { return bytes('$', channel, payload.size() >> 8, payload.size()) + payload; }

struct Reader final : Interleaved::Sink {
  Interleaved parser{};
  Bytes rest{};
  std::vector<std::string> got{};
  Interleaved::Fault fault = Interleaved::Fault::kNone;

  Reader() { parser.channels(kMedia, kControl); }

  void frame(uint8_t channel, const uint8_t* data, size_t size) override {
    got.push_back(std::to_string(channel) + ":" + std::string(reinterpret_cast<const char*>(data), size));
  }
  void message(std::string_view head) override { got.push_back("say " + std::string(head)); }

  Reader& feed(const Bytes& more) {
    rest += more;
    const auto taken = parser.take(media::raw(rest), rest.size(), *this);
    rest.erase(0, taken.bytes);
    fault = taken.fault;
    return *this;
  }
  std::string all() const {
    std::string out;
    for (const auto& one : got) out += "[" + one + "]";
    return out;
  }
};

const std::string kOk = "RTSP/1.0 200 OK\r\nCSeq: 5\r\n";

// The fixture in two pieces, wherever it is cut, and byte by byte.
void same_however_cut(const Bytes& input, const std::string& wanted, uint64_t junk) {
  for (size_t at = 0; at <= input.size(); at++) {
    Reader reader;
    reader.feed(input.substr(0, at)).feed(input.substr(at));
    CHECK_EQ(reader.all(), wanted);
    CHECK_EQ(reader.parser.junk(), junk);
  }
  Reader reader;
  for (const char byte : input) reader.feed(Bytes(1, byte));
  CHECK_EQ(reader.all(), wanted);
}

}  // namespace

TEST("three frames, an answer and a frame are told in order, wherever their bytes are cut") {
  const Bytes input = frame(0, "one") + frame(1, "two") + frame(0, bytes(0x24, 0, 0, 5)) + kOk + "\r\n" + frame(0, "four");
  same_however_cut(input, "[0:one][1:two][0:" + bytes(0x24, 0, 0, 5) + "][say " + kOk + "][0:four]", 0);
}

TEST("a body is skipped, wherever it is cut, and may hold what looks like a frame") {
  const Bytes body = frame(0, "none") + "RTSP/1.0 ";
  const std::string head = "RTSP/1.0 200 OK\r\ncontent-LENGTH :  " + std::to_string(body.size()) + " \r\n";
  same_however_cut(head + "\r\n" + body + frame(0, "one"), "[say " + head + "][0:one]", 0);
}

TEST("a request of the server is told as an answer is") {
  const std::string head = "SET_PARAMETER rtsp://h/a RTSP/1.0\r\nCSeq: 1\r\n";
  same_however_cut(frame(0, "one") + head + "\r\n" + frame(0, "two"), "[0:one][say " + head + "][0:two]", 0);
}

TEST("a head with LF alone ends at its empty line") {
  const std::string head = "RTSP/1.0 200 OK\nCSeq: 5\n";
  same_however_cut(head + "\n" + frame(0, "one"), "[say " + head + "][0:one]", 0);
}

TEST("a status line in lower case without a reason is one") {
  const std::string head = "rtsp/1.0 200\r\ncseq:5\r\n";
  same_however_cut(head + "\r\n", "[say " + head + "]", 0);
}

TEST("frames of a channel that was never set up are stepped over, one or two of them") {
  const Bytes input = frame(0, "one") + frame(7, frame(0, "none")) + frame(9, "") + frame(0, "two");
  same_however_cut(input, "[0:one][0:two]", 0);
}

TEST("a frame of a strange channel that nothing follows is junk, and hides nothing") {
  const Bytes junk = bytes('$', 7, 0, 9);
  same_however_cut(frame(0, "one") + junk + frame(0, "two") + frame(0, "three"), "[0:one][0:two][0:three]", 4);
}

TEST("a $ amid junk begins a frame only where another follows it") {
  // The first would end in the middle of the second.
  const Bytes junk = Bytes("xx") + bytes('$', 0, 0, 4) + "y";
  const Bytes input = frame(0, "one") + junk + frame(0, "two") + frame(0, "three");
  same_however_cut(input, "[0:one][0:two][0:three]", junk.size());
}

TEST("a message is found amid junk, a word in capitals there is none") {
  const Bytes junk = "junk ABC DEF OPTIONS x";
  same_however_cut(junk + kOk + "\r\n", "[say " + kOk + "]", junk.size());
  const std::string asked = "OPTIONS rtsp://h/ RTSP/1.0\r\nCSeq: 1\r\n";
  same_however_cut(junk + asked + "\r\n", "[say " + asked + "]", junk.size());
}

TEST("blank lines between messages are passed over") {
  same_however_cut("\r\n" + kOk + "\r\n\r\n\n" + frame(0, "one"), "[say " + kOk + "][0:one]", 5);
}

TEST("an empty frame is no media") { same_however_cut(frame(0, "") + frame(0, "one"), "[0:one]", 0); }

TEST("a head of 16 KiB is read, and one of a byte more is too long") {
  const std::string line = "RTSP/1.0 200 OK\r\nA: ";
  const std::string most = line + std::string(Interleaved::kMaxHead - line.size() - 2, 'a') + "\r\n";
  Reader good;
  good.feed(most + "\r\n");
  CHECK_EQ(good.all(), "[say " + most + "]");
  Reader bad;
  bad.feed("RTSP/1.0 200 OK\r\nA: a" + most.substr(line.size()) + "\r\n");
  CHECK(bad.fault == Interleaved::Fault::kLong);
  CHECK_EQ(bad.all(), "");
  Reader endless;
  endless.feed(line).feed(std::string(Interleaved::kMaxHead, 'a'));
  CHECK(endless.fault == Interleaved::Fault::kLong);
}

TEST("a body of 64 KiB is skipped, and one of a byte more is too long") {
  const auto with = [](size_t length) { return "RTSP/1.0 200 OK\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n"; };
  Reader good;
  good.feed(with(65536) + Bytes(65536, '$') + frame(0, "one"));
  CHECK_EQ(good.got.size(), 2);
  CHECK_EQ(good.got.back(), "0:one");
  Reader bad;
  bad.feed(with(65537));
  CHECK(bad.fault == Interleaved::Fault::kLong);
  Reader huge;
  huge.feed("RTSP/1.0 200 OK\r\nContent-Length: 99999999999999999999999999\r\n\r\n");
  CHECK(huge.fault == Interleaved::Fault::kLong);
}

TEST("a Content-Length that is no number is none") {
  same_however_cut("RTSP/1.0 200 OK\r\nContent-Length: -5\r\n\r\n" + frame(0, "one"),
                   "[say RTSP/1.0 200 OK\r\nContent-Length: -5\r\n][0:one]", 0);
}

TEST("64 KiB without frame or message are garbage, a byte less are junk") {
  Reader bad;
  bad.feed(Bytes(65536, 'x'));
  CHECK(bad.fault == Interleaved::Fault::kGarbage);
  Reader good;
  good.feed(Bytes(65535, 'x')).feed(frame(0, "one") + frame(0, "two"));
  CHECK(good.fault == Interleaved::Fault::kNone);
  CHECK_EQ(good.all(), "[0:one][0:two]");
  CHECK_EQ(good.parser.junk(), 65535);
}

TEST("after a fault nothing is taken any more") {
  Reader reader;
  reader.feed(Bytes(65536, 'x')).feed(frame(0, "one"));
  CHECK(reader.fault == Interleaved::Fault::kGarbage);
  CHECK_EQ(reader.all(), "");
}

TEST("what is left over is never longer than the longest frame and the beginning of what follows it") {
  Reader reader;
  reader.feed("xx" + frame(0, Bytes(65535, 'a')) + "OPTIONS rtsp:/");
  CHECK(reader.rest.size() <= Interleaved::kMaxRest);
  CHECK_EQ(reader.all(), "");
  reader.feed("/");
  CHECK_EQ(reader.got.size(), 1);
}
