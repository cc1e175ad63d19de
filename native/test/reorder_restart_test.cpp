// Senders that start anew, strays, and two senders at once.
#include <algorithm>

#include "check.hpp"
#include "order.hpp"

using namespace order;

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
