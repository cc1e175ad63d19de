#include "reorder.hpp"

#include <algorithm>

#include "check.hpp"

using weir::kMillisecond;
using weir::Reorder;
using weir::Time;

namespace {

constexpr uint32_t kOurs = 0x11111111;
constexpr uint32_t kTheirs = 0x22222222;

// Collects what comes out as text: payloads with a space behind each, `|` where a sender started anew.
struct Log final : Reorder::Sink {
  std::string text{};
  void in_order(const uint8_t* payload, size_t size) override {
    text.append(reinterpret_cast<const char*>(payload), size);
    text += ' ';
  }
  void anew() override { text += "| "; }
  std::string take() { return std::exchange(text, {}); }
};

struct Case {
  Log log{};
  Reorder reorder{log};

  // Pushes a packet whose payload is its number.
  void push(uint16_t sequence, uint32_t ssrc = kOurs, Time time = 0) {
    const std::string payload = std::to_string(sequence);
    reorder.push({sequence, ssrc, reinterpret_cast<const uint8_t*>(payload.data()), payload.size(), time});
  }
  void push_all(uint16_t first, int count, uint32_t ssrc = kOurs) {
    for (int index = 0; index < count; index++) push(static_cast<uint16_t>(first + index), ssrc);
  }
  std::string take() { return log.take(); }
};

}  // namespace

TEST("packets in order pass at once, the first one whatever its number") {
  Case test;
  test.push(40000);
  test.push(40001);
  test.push(40002);
  CHECK_EQ(test.take(), "40000 40001 40002 ");
  CHECK(!test.reorder.holding());
  CHECK_EQ(test.reorder.deadline(), 0);
}

TEST("a late packet is awaited, and those behind it follow") {
  Case test;
  test.push(10);
  test.push(12);
  test.push(13);
  CHECK_EQ(test.take(), "10 ");
  CHECK(test.reorder.holding());
  test.push(11);
  CHECK_EQ(test.take(), "11 12 13 ");
  CHECK_EQ(test.reorder.counts().reordered, 1);
  CHECK_EQ(test.reorder.counts().lost, 0);
}

TEST("disorder across the wrap from 65535 to 0 is put in order") {
  Case test;
  for (const int sequence : {65533, 65535, 1, 65534, 0, 2}) test.push(static_cast<uint16_t>(sequence));
  CHECK_EQ(test.take(), "65533 65534 65535 0 1 2 ");
  CHECK_EQ(test.reorder.counts().restarts, 0);
}

TEST("63 packets are held for one that is late, the 64th gives it up") {
  Case test;
  test.push(100);
  test.take();
  test.push_all(102, 63);
  CHECK_EQ(test.take(), "");
  test.push(165);
  CHECK_EQ(test.take().substr(0, 12), "102 103 104 ");
  CHECK_EQ(test.reorder.counts().lost, 1);
  CHECK(!test.reorder.holding());
  // It comes after all: too late, and no duplicate, for it never came before.
  test.push(101);
  CHECK_EQ(test.take(), "");
  CHECK_EQ(test.reorder.counts().duplicates, 0);
}

TEST("a late packet that makes it as the last of its window loses nothing") {
  Case test;
  test.push(100);
  test.push_all(102, 63);
  test.take();
  test.push(101);
  const std::string out = test.take();
  CHECK_EQ(out.substr(0, 8), "101 102 ");
  CHECK_EQ(out.substr(out.size() - 4), "164 ");
  CHECK_EQ(test.reorder.counts().lost, 0);
}

TEST("what is held goes out when the first of it has waited for 100 ms") {
  Case test;
  test.push(1, kOurs, 0);
  test.push(3, kOurs, 7 * kMillisecond);
  test.push(5, kOurs, 50 * kMillisecond);
  CHECK_EQ(test.reorder.deadline(), 107'000);
  test.reorder.expire(106'999);
  CHECK_EQ(test.take(), "1 ");
  test.reorder.expire(107'000);
  CHECK_EQ(test.take(), "3 ");
  CHECK_EQ(test.reorder.counts().lost, 1);
  CHECK_EQ(test.reorder.deadline(), 150'000);
  test.reorder.expire(150'000);
  CHECK_EQ(test.take(), "5 ");
  CHECK_EQ(test.reorder.counts().lost, 2);
  CHECK_EQ(test.reorder.deadline(), 0);
}

TEST("doubles are dropped, whether delivered or held before") {
  Case test;
  test.push(1);
  test.push(1);
  test.push(3);
  test.push(3);
  test.push(2);
  test.push(2);
  test.push(3);
  CHECK_EQ(test.take(), "1 2 3 ");
  CHECK_EQ(test.reorder.counts().duplicates, 4);
}

TEST("a stream that is sent twice by two paths, one twenty packets behind, passes once") {
  Case test;
  std::string wanted;
  for (uint16_t sequence = 1; sequence <= 100; sequence++) {
    test.push(sequence);
    if (sequence > 20) test.push(static_cast<uint16_t>(sequence - 20));
    wanted += std::to_string(sequence) + " ";
  }
  CHECK_EQ(test.take(), wanted);
  CHECK_EQ(test.reorder.counts().duplicates, 80);
}

TEST("another SSRC is followed when a second packet confirms it, without loss of the first") {
  Case test;
  test.push(1000);
  test.push(7, kTheirs);
  CHECK_EQ(test.take(), "1000 ");
  CHECK(test.reorder.holding());
  test.push(8, kTheirs);
  CHECK_EQ(test.take(), "| 7 8 ");
  CHECK_EQ(test.reorder.counts().restarts, 1);
  CHECK_EQ(test.reorder.counts().lost, 0);
  test.push(9, kTheirs);
  CHECK_EQ(test.take(), "9 ");
}

TEST("another SSRC whose first two packets come in the wrong order is followed in the right one") {
  Case test;
  test.push(1000);
  test.push(8, kTheirs);
  test.push(7, kTheirs);
  CHECK_EQ(test.take(), "1000 | 7 8 ");
}

TEST("another SSRC with the very next number is another sender all the same") {
  Case test;
  test.push(1000);
  test.push(1001, kTheirs);
  CHECK_EQ(test.take(), "1000 ");
  test.push(1002, kTheirs);
  CHECK_EQ(test.take(), "| 1001 1002 ");
}

TEST("what is held when a sender starts anew goes out before it") {
  Case test;
  test.push(1);
  test.push(3);
  test.push(500, kTheirs);
  test.push(501, kTheirs);
  CHECK_EQ(test.take(), "1 3 | 500 501 ");
  CHECK_EQ(test.reorder.counts().lost, 1);
}

TEST("a single packet of a foreign SSRC is dropped when ours go on") {
  Case test;
  test.push(1);
  test.push(500, kTheirs);
  test.push(2);
  CHECK_EQ(test.take(), "1 2 ");
  CHECK_EQ(test.reorder.counts().strays, 1);
  CHECK_EQ(test.reorder.counts().restarts, 0);
  CHECK(!test.reorder.holding());
}

TEST("a second sender whose packets come between ours is dropped") {
  Case test;
  std::string wanted;
  for (uint16_t index = 0; index < 200; index++) {
    test.push(static_cast<uint16_t>(100 + index));
    test.push(static_cast<uint16_t>(50000 + index), kTheirs);
    wanted += std::to_string(100 + index) + " ";
  }
  CHECK_EQ(test.take(), wanted);
  CHECK_EQ(test.reorder.counts().restarts, 0);
  // The last one is still waited for.
  CHECK_EQ(test.reorder.counts().strays, 199);
}

TEST("a first packet that nothing confirms is followed after 40 ms of silence") {
  Case test;
  test.push(1);
  test.push(500, kTheirs, 1000 * kMillisecond);
  CHECK_EQ(test.reorder.deadline(), 1'040'000);
  test.reorder.expire(1'039'999);
  CHECK_EQ(test.take(), "1 ");
  test.reorder.expire(1'040'000);
  CHECK_EQ(test.take(), "| 500 ");
  test.push(501, kTheirs);
  CHECK_EQ(test.take(), "501 ");
}

TEST("a packet sent twice does not confirm itself") {
  Case test;
  test.push(1);
  test.push(500, kTheirs);
  test.push(500, kTheirs);
  CHECK_EQ(test.take(), "1 ");
}

TEST("a jump far ahead of the same SSRC is followed when a second packet confirms it") {
  Case test;
  test.push(1);
  test.push(20000);
  CHECK_EQ(test.take(), "1 ");
  test.push(20001);
  CHECK_EQ(test.take(), "| 20000 20001 ");
  CHECK_EQ(test.reorder.counts().restarts, 1);
  CHECK_EQ(test.reorder.counts().lost, 0);
}

TEST("a gap longer than the window, of the same SSRC, is counted as loss and no new beginning") {
  Case test;
  test.push(1);
  test.push(1002);
  test.push(1003);
  CHECK_EQ(test.take(), "1 1002 1003 ");
  CHECK_EQ(test.reorder.counts().lost, 1000);
  CHECK_EQ(test.reorder.counts().restarts, 0);
}

TEST("a gap of between one and two windows needs no confirmation") {
  Case test;
  test.push(1);
  test.push(102);
  CHECK_EQ(test.take(), "1 ");
  CHECK_EQ(test.reorder.counts().lost, 37);
  test.reorder.expire(100'000);
  CHECK_EQ(test.take(), "102 ");
  CHECK_EQ(test.reorder.counts().lost, 100);
}

TEST("a sender that starts anew a little behind is followed when only such packets have come for 40 ms, sixteen at least") {
  Case test;
  test.push_all(1000, 200);
  test.take();
  for (uint16_t index = 0; index < 14; index++) test.push(static_cast<uint16_t>(1100 + index), kOurs, index * 3 * kMillisecond);
  test.push(1114, kOurs, 50 * kMillisecond);
  CHECK_EQ(test.take(), "");
  test.push(1115, kOurs, 51 * kMillisecond);
  CHECK_EQ(test.take(), "| 1115 ");
  test.push(1116, kOurs, 52 * kMillisecond);
  CHECK_EQ(test.take(), "1116 ");
  CHECK_EQ(test.reorder.counts().restarts, 1);
}

TEST("a stream that is sent twice in bursts, the second a hundred packets behind, passes once") {
  Case test;
  for (uint16_t burst = 0; burst < 5; burst++) {
    test.push_all(static_cast<uint16_t>(burst * 100), 100);
    const std::string out = test.take();
    CHECK_EQ(std::count(out.begin(), out.end(), ' '), 100);
    test.push_all(static_cast<uint16_t>(burst * 100), 100);
    CHECK_EQ(test.take(), "");
  }
  CHECK_EQ(test.reorder.counts().duplicates, 500);
  CHECK_EQ(test.reorder.counts().restarts, 0);
}

TEST("a sender that starts anew far behind is followed by its second packet") {
  Case test;
  test.push(60000);
  test.push(100);
  test.push(101);
  CHECK_EQ(test.take(), "60000 | 100 101 ");
}

TEST("what the caller passes itself counts as passed") {
  Case test;
  CHECK(!test.reorder.expects(1, kOurs));
  test.push(1);
  CHECK(test.reorder.expects(2, kOurs));
  CHECK(!test.reorder.expects(2, kTheirs));
  CHECK(!test.reorder.expects(3, kOurs));
  test.reorder.advance();
  CHECK(test.reorder.expects(3, kOurs));
  test.push(2);
  CHECK_EQ(test.reorder.counts().duplicates, 1);
  test.push(4);
  CHECK(!test.reorder.expects(3, kOurs));
}

TEST("an empty payload takes its place in the order") {
  Case test;
  test.push(1);
  test.reorder.push({2, kOurs, nullptr, 0, 0});
  test.push(3);
  CHECK_EQ(test.take(), "1  3 ");
}
