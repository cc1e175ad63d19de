#include "frame.hpp"

#include "check.hpp"

using weir::Frame;

TEST("a frame without parameters has its name and nothing else") {
  const auto frame = Frame::parse("stats");
  CHECK(frame);
  CHECK_EQ(frame->name(), "stats");
  CHECK(!frame->get("id"));
  CHECK_EQ(frame->text(), "stats");
}

TEST("values are form-decoded: plus is a space, escapes of either case are bytes") {
  const auto frame = Frame::parse("open?id=7&note=a+b%20c%2Bd%c3%a9&interface=");
  CHECK(frame);
  CHECK_EQ(frame->get("id").value(), "7");
  CHECK_EQ(frame->get("note").value(), "a b c+d\xC3\xA9");
  CHECK_EQ(frame->get("interface").value(), "");
  CHECK(!frame->get("open"));
}

TEST("a zero byte and an end of line travel as escapes") {
  const auto frame = Frame::parse("a?b=%00%0A");
  CHECK(frame);
  CHECK_EQ(frame->get("b").value(), std::string_view("\0\n", 2));
  CHECK_EQ(frame->text(), "a?b=%00%0A");
}

TEST("every byte but letters, digits and -._~ is written as an escape") {
  Frame frame("event");
  frame.add("text", "AZaz09-._~ +&=?%/\x7F\xFF");
  frame.add("count", uint64_t{18446744073709551615u});
  CHECK_EQ(frame.text(), "event?text=AZaz09-._~%20%2B%26%3D%3F%25%2F%7F%FF&count=18446744073709551615");
}

TEST("a frame has 64 keys at most") {
  std::string text = "a?";
  for (int index = 0; index < 64; index++) text += "k" + std::to_string(index) + "=&";
  CHECK(Frame::parse(text));
  CHECK(!Frame::parse(text + "last="));
}

TEST("what is no frame is refused") {
  CHECK(!Frame::parse(""));
  CHECK(!Frame::parse("?a=1"));
  CHECK(!Frame::parse("na me?a=1"));
  CHECK(!Frame::parse("name?a"));
  CHECK(!Frame::parse("name?=1"));
  CHECK(!Frame::parse("name?a=1&&b=2"));
  CHECK(!Frame::parse("name?a b=1"));
  CHECK(!Frame::parse("name?a=\x01"));
  CHECK(!Frame::parse("name?a=\xC3\xA9"));
  CHECK(!Frame::parse("name?a=one two"));
  CHECK(!Frame::parse("name?a=1\r"));
  CHECK(!Frame::parse("this-name-has-more-than-32-characters"));
}

TEST("broken escapes are refused, at the end too") {
  CHECK(!Frame::parse("name?a=%"));
  CHECK(!Frame::parse("name?a=%4"));
  CHECK(!Frame::parse("name?a=%4g"));
  CHECK(!Frame::parse("name?a=%g4"));
  CHECK(!Frame::parse("name?a=%&b=41"));
  CHECK_EQ(Frame::parse("name?a=%41")->get("a").value(), "A");
}

TEST("a key given twice is refused") {
  CHECK(!Frame::parse("name?a=1&a=1"));
  CHECK(Frame::parse("name?a=1&A=1"));
}

TEST("a number is decimal, whole, and inside its range") {
  const auto frame = Frame::parse("n?a=0&b=65535&c=65536&d=-1&e=1x&f=&g=18446744073709551616&h=%201&i=0x10");
  CHECK(frame);
  CHECK_EQ(frame->number("a", 0, 9).value(), 0);
  CHECK(!frame->number("a", 1, 9));
  CHECK_EQ(frame->number("b", 1, 65535).value(), 65535);
  CHECK(!frame->number("c", 1, 65535));
  for (const char* key : {"d", "e", "f", "g", "h", "i", "missing"}) CHECK(!frame->number(key, 0, UINT64_MAX));
}
