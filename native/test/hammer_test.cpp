// Some thousands of things that happen in a house, in random order, through real sockets: every viewer is closed once, and
// nothing stays open. WEIR_SEED chooses another order.
#include <map>
#include <memory>

#include "media.hpp"
#include "wire.hpp"

using media::Bytes;
using media::bytes;
using weir::Fd;

namespace {

constexpr int kSources = 6;
constexpr int kSteps = 20000;

// Sends one channel in one of the ways that are met: bare, cut anywhere, RTP in every shape, RTP without TS, nonsense.
class Channel {
 public:
  Channel(int way, std::function<uint32_t(uint32_t)> random) : way_(way), random_(std::move(random)) {}

  uint16_t port() const { return source_.port; }

  void send() {
    const auto counter = static_cast<int>(number_ % 16);
    Bytes media;
    if (random_(4) == 0) media = media::table(0, counter, media::kPat) + media::table(media::kPmtPid, counter, media::kPmt);
    const uint32_t count = 1 + random_(random_(20) == 0 ? 300 : 9);
    media += media::videos(number_, count);
    // A picture that stands alone begins with it.
    if (random_(5) == 0) media.replace(media.size() - 187, 6, bytes(0x41, 0x00, 0x30 | (number_ + count - 1) % 16, 1, 0x40, 0));
    number_ += count;
    if (way_ == 0) source_.send(media);
    if (way_ == 1) cut(media);
    if (way_ == 2 || way_ == 3) shaped(media);
    if (way_ == 4) source_.send(media::rtp(sequence_++, ssrc_, "no transport stream " + std::to_string(number_)));
    if (way_ == 5) source_.send(Bytes(1 + random_(200), static_cast<char>(random_(256))));
  }

  void restart() {
    sequence_ = static_cast<uint16_t>(random_(65536));
    ssrc_ = random_(3) == 0 ? ssrc_ : random_(1u << 31);
    number_ = random_(1000);
    if (random_(10) == 0) way_ = static_cast<int>(random_(6));
  }

 private:
  void cut(const Bytes& media) {
    rest_ += media;
    while (rest_.size() >= 1472) {
      source_.send(rest_.substr(0, 1472));
      rest_.erase(0, 1472);
    }
  }

  // Lost, late, doubled, with CSRC, extension, padding.
  void shaped(const Bytes& media) {
    Bytes one = media::rtp(sequence_++, ssrc_, media);
    const uint32_t shape = random_(12);
    if (shape == 0) return;
    if (shape == 1) {
      late_ = one;
      return;
    }
    if (shape == 2) one.replace(0, 12, bytes(0x91) + one.substr(1, 11) + bytes(1, 2, 3, 4, 0xBE, 0xDE, 0, 0));
    if (shape == 3) {
      one[0] = static_cast<char>(0xA0);
      one += bytes(0, 2);
    }
    source_.send(one);
    if (shape == 4) source_.send(one);
    if (late_.empty() || shape % 2 == 0) return;
    source_.send(late_);
    late_.clear();
  }

  rig::Source source_{};
  int way_;
  std::function<uint32_t(uint32_t)> random_;
  uint32_t number_ = 0;
  uint16_t sequence_ = 65000;
  uint32_t ssrc_ = 1;
  Bytes rest_{};
  Bytes late_{};
};

class Hammer {
 public:
  explicit Hammer(uint32_t seed) : state_(seed) {
    for (int index = 0; index < kSources; index++) {
      channels_.push_back(std::make_unique<Channel>(index, [this](uint32_t below) { return random(below); }));
    }
  }

  void run() {
    for (int step = 0; step < kSteps; step++) {
      this->step();
      if (random(2) == 0) pump_.turn(1);
      listen();
    }
    for (int index = 0; index < kSources; index++) control_->ask("close?id=end&stream=s" + std::to_string(index));
    CHECK(pump_.until([&] {
      listen();
      return closed_.size() >= attached_;
    }));
    CHECK_EQ(closed_.size(), attached_);
    CHECK(attached_ > 200);
    for (const auto& [viewer, times] : closed_) {
      if (times != 1) check::failed(__FILE__, __LINE__, viewer + " was closed " + std::to_string(times) + " times");
    }
  }

 private:
  uint32_t random(uint32_t below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state_ >> 33) % below;
  }

  void step() {
    const uint32_t what = random(100);
    const std::string stream = "s" + std::to_string(random(kSources));
    if (what < 45) {
      channels_[random(kSources)]->send();
    } else if (what < 53) {
      open(stream);
    } else if (what < 66) {
      attach(stream);
    } else if (what < 84) {
      client();
    } else if (what < 90) {
      // Those that came last are the likeliest to be there.
      control_->ask("dismiss?id=d&viewer=v" + std::to_string(attached_ - random(20)));
    } else if (what < 92) {
      control_->ask("close?id=c&stream=" + stream);
    } else if (what < 94) {
      control_->ask("stats?id=s");
    } else if (what < 97) {
      channels_[random(kSources)]->restart();
    } else if (what == 97) {
      take_over();
    } else {
      nonsense();
    }
  }

  void open(const std::string& stream) {
    const uint16_t port = channels_[static_cast<size_t>(stream[1] - '0')]->port();
    control_->ask("open?id=o&stream=" + stream + "&address=127.0.0.1&port=" + std::to_string(port) +
                  "&linger=" + std::to_string(random(60)) + "&silence=" + std::to_string(20 + random(100)) +
                  "&rejoin=" + std::to_string(10 + random(60)) + "&look-back=4000&look-back-bytes=" + std::to_string(random(2) << 20));
  }

  void attach(const std::string& stream) {
    Fd server;
    auto client = std::make_unique<net::Client>(server, random(3) == 0 ? 4096 : 0);
    const std::string viewer = "v" + std::to_string(attached_);
    if (!wire::hand_over(handoff_, "attach?viewer=" + viewer + "&stream=" + stream + "&head=HEAD", {server.get()})) return;
    attached_++;
    if (clients_.size() < 40) {
      clients_.push_back(std::move(client));
    } else {
      clients_[random(40)] = std::move(client);
    }
  }

  void client() {
    if (clients_.empty()) return;
    net::Client& one = *clients_[random(static_cast<uint32_t>(clients_.size()))];
    const uint32_t what = random(16);
    if (!one.open()) return;
    if (what == 0) one.close();
    if (what == 1) one.abort();
    if (what == 2) one.half_close();
    if (what > 6) one.read();
  }

  // Another controller says hello. What was told to the one before is not lost.
  void take_over() {
    auto next = std::make_unique<wire::Control>(pump_.prefix);
    next->ask("hello?id=h&version=1");
    CHECK(pump_.until([&] { return next->has("ok?id=h") && control_->ended(); }));
    listen();
    control_ = std::move(next);
  }

  void nonsense() {
    const Fd handoff = pump_.handoff();
    Fd server;
    const net::Client client(server);
    wire::hand_over(handoff, random(2) == 0 ? "nonsense" : "attach?viewer=x", {server.get()});
    const wire::Control control(pump_.prefix);
    control.write(Bytes(random(100), static_cast<char>(random(256))) + "\n");
    if (random(2) == 0) pump_.turn(2);
  }

  void listen() {
    for (const std::string& frame : control_->frames()) {
      if (frame.starts_with("closed?viewer=")) closed_[frame.substr(14, frame.find('&') - 14)]++;
    }
    control_->clear();
  }

  uint64_t state_;
  wire::Pump pump_{};
  std::unique_ptr<wire::Control> control_ = std::make_unique<wire::Control>(pump_.hello());
  Fd handoff_ = pump_.handoff();
  std::vector<std::unique_ptr<Channel>> channels_{};
  std::vector<std::unique_ptr<net::Client>> clients_{};
  size_t attached_ = 0;
  std::map<std::string, int> closed_{};
};

}  // namespace

TEST("after thousands of random events every viewer was closed once, and no descriptor is left") {
  const char* given = std::getenv("WEIR_SEED");
  const uint32_t seed = given != nullptr ? static_cast<uint32_t>(std::strtoul(given, nullptr, 10)) : 1;
  const size_t before = net::descriptors();
  std::make_unique<Hammer>(seed)->run();
  CHECK_EQ(net::descriptors(), before);
}
