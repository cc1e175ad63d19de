#include "announcer.hpp"

#include <string>

#include "check.hpp"
#include "media.hpp"

using media::bytes;
using weir::Address;

namespace {

Address address_of(const char* group, const char* source = nullptr) {
  Address address;
  CHECK(weir::read_address(group, 5000, address.group));
  if (source != nullptr) CHECK(weir::read_address(source, 0, address.source));
  return address;
}

std::string text(const std::vector<uint8_t>& message) { return {message.begin(), message.end()}; }

}  // namespace

TEST("an IGMPv2 report names the group, with its checksum") {
  CHECK_EQ(text(igmp2_report(address_of("239.1.1.1"))), bytes(0x16, 0, 0xF9, 0xFC, 239, 1, 1, 1));
}

TEST("an IGMPv3 report of any source excludes none") {
  CHECK_EQ(text(igmp3_report(address_of("239.1.1.1"))),
           bytes(0x22, 0, 0xEB, 0xFB, 0, 0, 0, 1, 2, 0, 0, 0, 239, 1, 1, 1));
}

TEST("an IGMPv3 report of one source includes that one") {
  CHECK_EQ(text(igmp3_report(address_of("239.1.1.1", "10.0.0.1"))),
           bytes(0x22, 0, 0xE2, 0xF9, 0, 0, 0, 1, 1, 0, 0, 1, 239, 1, 1, 1, 10, 0, 0, 1));
}

TEST("an MLDv2 report leaves the checksum to the kernel") {
  const auto head = bytes(143, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0);
  const auto group = bytes(0xFF, 0x15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2);
  CHECK_EQ(text(mld2_report(address_of("ff15::1:2"))), head + group);
}
