#include "check.hpp"
#include "order.hpp"

using namespace order;

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
