#include "rtcp.hpp"

#include <array>
#include <string>

#include "check.hpp"
#include "media.hpp"
#include "reporter.hpp"

using media::Bytes;
using media::bytes;
using media::raw;
using weir::kSecond;
using weir::Reporter;
namespace rtcp = weir::rtcp;

namespace {

// Of 0xDEADBEEF, at NTP 0x11112222.33334444.
const Bytes kSenderReport = bytes(0x80, 200, 0, 6, 0xDE, 0xAD, 0xBE, 0xEF, 0x11, 0x11, 0x22, 0x22, 0x33, 0x33, 0x44, 0x44, 0, 0, 0, 0, 0, 0,
                                  0, 1, 0, 0, 0, 2);
const Bytes kBye = bytes(0x81, 203, 0, 1, 0xDE, 0xAD, 0xBE, 0xEF);
// The chunk of "weir@local": SSRC, CNAME, 10 bytes, a zero that ends it, three more to the next word.
const Bytes kName = bytes(0x81, 202, 0, 5, 0x01, 0x02, 0x03, 0x04, 1, 10) + "weir@local" + Bytes(4, '\0');

auto parse(const Bytes& data) { return rtcp::parse(raw(data), data.size()); }

Bytes written(Reporter& reporter, weir::Time now) {
  std::array<uint8_t, 256> out;
  const size_t size = reporter.write(now, out.data(), out.size());
  return Bytes(reinterpret_cast<const char*>(out.data()), size);
}

}  // namespace

TEST("a sender's report gives its SSRC and the middle of its NTP time") {
  const auto heard = parse(kSenderReport);
  CHECK(heard && heard->report && !heard->bye);
  CHECK_EQ(heard->report->ssrc, 0xDEADBEEFu);
  CHECK_EQ(heard->report->middle, 0x22223333u);
}

TEST("a compound of a report, a description and a farewell gives both") {
  const auto heard = parse(kSenderReport + kName + kBye);
  CHECK(heard && heard->report && heard->bye);
  CHECK_EQ(heard->bye_ssrc, 0xDEADBEEFu);
}

TEST("a farewell of nobody is none") {
  const auto heard = parse(bytes(0x80, 203, 0, 0));
  CHECK(heard && !heard->bye);
}

TEST("what is cut, of another version or of another type is no compound") {
  CHECK(!parse(""));
  CHECK(!parse(kSenderReport.substr(0, 27)));
  CHECK(!parse(kSenderReport + bytes(0x80, 200)));
  CHECK(!parse(bytes(0x40, 203, 0, 0)));
  CHECK(!parse(bytes(0x80, 33, 0, 0)));
}

TEST("a report without a sender is eight bytes and a name") {
  Reporter reporter(0x01020304);
  CHECK_EQ(written(reporter, kSecond), bytes(0x80, 201, 0, 1, 1, 2, 3, 4) + kName);
}

TEST("a report says what was lost, how far the media came, and how old the sender's last one is") {
  Reporter reporter(0x01020304);
  reporter.heard(0xDEADBEEF, 0x00010000, 10);
  reporter.sender({0xDEADBEEF, 0x22223333}, 10 * kSecond);
  reporter.heard(0xDEADBEEF, 0x00010064, 35);
  // 25 of 100 lost: 64 of 256; 1.5 s later: 0x18000 parts of 1/65536 s.
  CHECK_EQ(written(reporter, 10 * kSecond + kSecond * 3 / 2),
           bytes(0x81, 201, 0, 7, 1, 2, 3, 4, 0xDE, 0xAD, 0xBE, 0xEF, 64, 0, 0, 25, 0, 1, 0, 0x64, 0, 0, 0, 0, 0x22, 0x22, 0x33, 0x33, 0, 1,
                 0x80, 0) + kName);
  // Nothing was lost since.
  reporter.heard(0xDEADBEEF, 0x000100C8, 35);
  CHECK_EQ(written(reporter, 12 * kSecond).substr(12, 4), bytes(0, 0, 0, 25));
}

TEST("another sender begins anew, without the report of the one before") {
  Reporter reporter(0x01020304);
  reporter.heard(1, 500, 10);
  reporter.sender({1, 7}, kSecond);
  reporter.heard(2, 9, 12);
  CHECK_EQ(written(reporter, 2 * kSecond).substr(8, 24),
           bytes(0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

TEST("it is the sender of the media who leaves, or who reported when that is not known") {
  Reporter reporter(1);
  CHECK(!reporter.is_sender(0xDEADBEEF));
  reporter.sender({0xDEADBEEF, 0}, kSecond);
  CHECK(reporter.is_sender(0xDEADBEEF));
  reporter.heard(5, 1, 0);
  CHECK(!reporter.is_sender(0xDEADBEEF));
  CHECK(reporter.is_sender(5));
}

TEST("a report for which there is not room is not written") {
  std::array<uint8_t, 32> out;
  CHECK_EQ(rtcp::receiver_report(1, nullptr, "weir@local", out.data(), 31), 0);
  CHECK_EQ(rtcp::receiver_report(1, nullptr, "weir@local", out.data(), 32), 32);
}
