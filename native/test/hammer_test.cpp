// What happens in a house, in random order, through real sockets: every viewer is closed once, what clients receive is
// sound, and nothing stays. WEIR_STEPS says how much of it (make hammer), WEIR_SEED chooses another order.
#include <memory>

#include "channel.hpp"
#include "memory.hpp"
#include "misuse.hpp"
#include "refusals.hpp"
#include "roster.hpp"
#include "sessions.hpp"
#include "watch.hpp"
#include "wire.hpp"

using media::Bytes;
using media::Channel;
using weir::Fd;

namespace {

constexpr size_t kClients = 40;
// The last channel is never closed: clients that take nothing of it are given up in the end.
constexpr size_t kCalm = 6;
constexpr size_t kStuck = 3;
constexpr uint32_t kSteps = 8000;
// Bytes: the sanitizer keeps for a while what was freed.
constexpr size_t kMappedSlack = 64 << 20;

class Hammer {
 public:
  explicit Hammer(Random& random) : random_(random) {
    using Way = Channel::Way;
    for (const Way way : {Way::kBare, Way::kCut, Way::kRtp, Way::kRtp, Way::kOther, Way::kNonsense, Way::kBare}) {
      const char* address = channels_.size() == 3 ? "239.255.77.1" : "127.0.0.1";
      channels_.push_back(std::make_unique<Channel>(way, address, random_));
    }
    open(kCalm, "&linger=60000&silence=60000&rejoin=1000");
    // The connection is taken up when it brings its first viewer.
    Fd server;
    const net::Client client(door_, server);
    hand_over("none", server);
    CHECK(pump_.until([&] { return listen() && roster_.open() == 0; }));
  }

  void run(uint32_t steps) {
    for (uint32_t step = 0; step < steps; step++) {
      play();
      if (random(4) == 0) pump_.turn(1);
      listen();
    }
    // What the one before was asked it may not hear.
    greet();
    for (size_t channel = 0; channel < channels(); channel++) ask("close?id=end&stream=" + name(channel));
    CHECK(pump_.until([&] { return listen() && roster_.open() == 0; }));
    CHECK_EQ(roster_.open(), 0);
    pump_.turn(3);
    sessions_.end();
    CHECK(sessions_.said() >= steps / 1000);
    CHECK(roster_.viewers() > steps / 50);
  }

  const wire::Roster& roster() const { return roster_; }

 private:
  uint32_t random(uint32_t below) { return random_(below); }
  size_t any(size_t below) { return random_(static_cast<uint32_t>(below)); }
  // Those of sessions stand behind the others.
  size_t channels() const { return channels_.size() + wire::Sessions::kStreams; }
  std::string name(size_t channel) const {
    return channel < channels_.size() ? "s" + std::to_string(channel) : wire::Sessions::name(channel - channels_.size());
  }

  void play() {
    static constexpr struct {
      uint32_t weight;
      void (Hammer::*move)();
    } moves[] = {
        {430, &Hammer::send},    {30, &Hammer::restart}, {80, &Hammer::open},          {15, &Hammer::close},
        {120, &Hammer::attach},  {60, &Hammer::dismiss}, {180, &Hammer::client},       {20, &Hammer::stats},
        {10, &Hammer::take_over}, {5, &Hammer::desert},  {1, &Hammer::deafen},         {6, &Hammer::starve},
        {6, &Hammer::refuse},    {15, &Hammer::misuse},  {15, &Hammer::talk_nonsense},   {3, &Hammer::flood},  {200, &Hammer::session},
    };
    uint32_t total = 0;
    for (const auto& [weight, move] : moves) total += weight;
    uint32_t ticket = random(total);
    for (const auto& [weight, move] : moves) {
      if (ticket < weight) return (this->*move)();
      ticket -= weight;
    }
  }

  void session() { sessions_.play(handoff_); }
  void send() { channels_[any(channels_.size())]->send(); }
  // More than a ring holds.
  void flood() {
    const size_t channel = random(2) == 0 ? kCalm : any(kCalm);
    attach(channel, 4096);
    attach(channel, 4096);
    for (int count = 0; count < 200; count++) {
      channels_[channel]->send(Channel::kMost);
      if (count % 10 == 9) pump_.turn(1);
    }
  }
  void restart() { channels_[any(channels_.size())]->restart(); }
  void close() { ask("close?id=c&stream=" + name(any(kCalm))); }
  void stats() { ask("stats?id=s"); }
  // Those that came last are the likeliest to be there.
  void dismiss() { ask("dismiss?id=d&viewer=v" + std::to_string(roster_.viewers() - random(20))); }
  void open() {
    open(any(channels_.size()), "&linger=" + std::to_string(random(200)) + "&silence=" + std::to_string(20 + random(300)) +
                                    "&rejoin=" + std::to_string(10 + random(60)) + "&refresh=" + std::to_string(random(3) * 20));
  }
  void open(size_t channel, const std::string& times) {
    const Channel& source = *channels_[channel];
    ask("open?id=o&stream=" + name(channel) + "&address=" + source.address() + "&port=" + std::to_string(source.port()) +
        (source.address()[0] == '2' ? "&interface=lo" : "") + times + "&look-back=4000&look-back-bytes=" + std::to_string(random(2) << 20));
  }

  // Some frames come in two pieces.
  void ask(const std::string& frame) {
    const std::string line = frame + "\n";
    const size_t cut = random(4) == 0 ? any(line.size()) : 0;
    if (cut > 0) {
      control_->write(line.substr(0, cut));
      pump_.turn(1);
    }
    control_->write(line.substr(cut));
  }

  void hand_over(const std::string& stream, const Fd& socket) {
    const std::string id = roster_.add();
    if (!wire::hand_over(handoff_, "attach?viewer=" + id + "&stream=" + stream + "&head=HEAD", {socket.get()})) roster_.remove(id);
  }
  std::unique_ptr<Watch> watch(size_t channel, int buffer) {
    Fd server;
    auto one = std::make_unique<Watch>(net::Client(door_, server, buffer), channel >= channels_.size() || channels_[channel]->is_ts());
    // Some are gone before they are handed over.
    if (random(30) == 0) one->client.abort();
    hand_over(name(channel), server);
    return one;
  }
  void attach() {
    if (stuck_.size() < kStuck && random(20) == 0) stuck_.push_back(watch(kCalm, 4096));
    attach(any(channels()), random(3) == 0 ? 4096 : 0);
  }
  void attach(size_t channel, int buffer) {
    auto one = watch(channel, buffer);
    if (clients_.size() < kClients) {
      clients_.push_back(std::move(one));
    } else {
      clients_[any(kClients)] = std::move(one);
    }
  }

  void client() {
    std::erase_if(stuck_, [](const auto& one) { return !one->client.open() || one->client.over(); });
    if (clients_.empty()) return;
    net::Client& one = clients_[any(clients_.size())]->client;
    if (!one.open()) return;
    const uint32_t what = random(24);
    if (what == 0) one.close();
    if (what == 1) one.abort();
    if (what == 2) one.vanish();
    if (what == 3) one.half_close();
    if (what == 4) one.stop_reading();
    if (what == 5) one.write(Bytes(1 + random(3000), 'x'));
    if (what > 9) one.read();
  }

  void misuse() {
    const Fd handoff = pump_.handoff();
    wire::misuse(handoff, door_, random(wire::kMisuses));
    // One that is not connected is a socket all the same, and its viewer gone at once.
    if (random(8) == 0) hand_over(name(any(channels_.size())), door_.listener);
    if (random(2) == 0) pump_.turn(2);
  }

  void talk_nonsense() {
    const wire::Control control(pump_.prefix);
    control.write(Bytes(random(100), static_cast<char>(random(256))) + (random(2) == 0 ? "\n" : ""));
    if (random(2) == 0) pump_.turn(2);
    if (random(10) == 0) control_->write("nonsense\n");
  }

  // Another controller says hello, perhaps while the one before is in the middle of a frame.
  void take_over() {
    if (random(3) == 0) control_->write("open?id=o&stre");
    greet();
  }
  void greet() {
    auto next = std::make_unique<wire::Control>(pump_.prefix);
    next->ask("hello?id=h&version=1");
    CHECK(pump_.until([&] { return next->has("ok?id=h"); }));
    hear();
    roster_.greeting();
    for (const std::string& frame : next->frames()) roster_.heard(frame);
    roster_.greeted();
    next->clear();
    control_ = std::move(next);
  }
  // For a while there is none.
  void desert() {
    control_->close();
    for (uint32_t turns = random(30); turns > 0; turns--) {
      send();
      pump_.turn(1);
    }
    greet();
  }
  // It asks for much and hears none of it.
  void deafen() {
    std::string questions;
    for (int index = 0; index < 100; index++) questions += "stats?id=deaf\n";
    for (uint32_t turns = random(30); turns > 0; turns--) {
      control_->write(questions);
      pump_.turn(1);
    }
  }

  // No descriptors are left, or few.
  void starve() {
    std::vector<std::unique_ptr<Watch>> late;
    for (uint32_t count = random(4); count > 0; count--) late.push_back(watch(any(channels_.size()), 0));
    const wire::Control control(pump_.prefix);
    const Fd handoff = pump_.handoff();
    {
      const wire::Limit limit(random(3));
      open();
      for (uint32_t turns = 1 + random(6); turns > 0; turns--) pump_.turn(1);
    }
  }
  // The kernel watches no more.
  void refuse() {
    refusals::watches = 1 + static_cast<int>(random(4));
    open();
    attach();
    attach();
    pump_.turn(3);
    refusals::watches = 0;
  }

  void hear() {
    for (const std::string& frame : control_->frames()) {
      roster_.heard(frame);
      sessions_.heard(frame);
    }
    control_->clear();
  }
  // True always. A controller that was given up is replaced.
  bool listen() {
    hear();
    if (control_->ended()) greet();
    return true;
  }

  Random& random_;
  net::Door door_{};
  wire::Pump pump_{};
  std::unique_ptr<wire::Control> control_ = std::make_unique<wire::Control>(pump_.hello());
  Fd handoff_ = pump_.handoff();
  wire::Roster roster_{};
  wire::Sessions sessions_{random_, [this](const std::string& frame) { ask(frame); }};
  std::vector<std::unique_ptr<Channel>> channels_{};
  std::vector<std::unique_ptr<Watch>> clients_{};
  std::vector<std::unique_ptr<Watch>> stuck_{};
};

// One life of a pump.
void hammer(Random& random, uint32_t steps) {
  Hammer one(random);
  one.run(steps);
  if (std::getenv("WEIR_STEPS") == nullptr) return;
  std::printf("hammer: %u steps, %zu viewers:", steps, one.roster().viewers());
  for (const auto& [reason, count] : one.roster().reasons()) std::printf(" %s %zu", reason.c_str(), count);
  std::printf("\n");
}

uint32_t given(const char* name, uint32_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10)) : otherwise;
}

}  // namespace

TEST("after thousands of random events every viewer was closed once, and no descriptor and no byte is left") {
  const uint32_t steps = given("WEIR_STEPS", kSteps);
  Random random(given("WEIR_SEED", 1));
  // One page of chunks is kept at hand, from the first history on.
  weir::Chunks::shared().take();
  std::vector<memory::Held> after;
  after.reserve(3);
  for (const uint32_t part : {steps / 10, steps / 10 * 8, steps / 10}) {
    hammer(random, part);
    after.push_back(memory::held());
  }
  // What is kept for good is there after the first.
  CHECK_EQ(after.back().descriptors, after.front().descriptors);
  CHECK_EQ(after.back().heap, after.front().heap);
  CHECK(after.back().mapped <= after.front().mapped + kMappedSlack);
}
