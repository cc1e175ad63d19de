#include "rtsp_feed.hpp"

#include "rtsp.hpp"

using rtsp::answer;
using rtsp::bytes;
using rtsp::card;
using rtsp::frame;
using rtsp::Session;
using weir::kMillisecond;
using weir::RtspFeed;

namespace {

const std::string kAsk = "GET_PARAMETER rtsp://h/a RTSP/1.0\r\nSession: 1\r\n";
const std::string kFarewell = "TEARDOWN rtsp://h/a RTSP/1.0\r\nCSeq: ";
const rtsp::Bytes kBye = bytes(0x81, 203, 0, 1, 0, 0, 0, 7);
const rtsp::Bytes kReportOf7 = bytes(0x80, 200, 0, 6, 0, 0, 0, 7) + rtsp::Bytes(20, '\0');

std::string said(const std::string& head) { return "[said " + head.substr(0, head.size() - 2) + "]"; }

// How often the loop turns in so long when nothing is to be done.
size_t turns(weir::Loop& loop, weir::Time time) {
  size_t count = 0;
  weir::Timer end(loop, [&] { loop.stop(); });
  end.in(time);
  loop.run([&] { count++; });
  return count;
}

}  // namespace

TEST("an answer and media in one segment are told in their order") {
  Session session(card());
  CHECK_EQ(session.feed->say("PLAY rtsp://h/a RTSP/1.0\r\n", false), 5);
  session.server.write(frame(0, "early") + answer(5) + frame(0, "late"));
  CHECK(session.has(3));
  CHECK_EQ(session.all(), "[media early]" + said(answer(5)) + "[media late]");
}

TEST("what Node has read comes first, and without waiting for more") {
  Session session(card(frame(0, "one") + "$"));
  CHECK(session.has(1));
  session.server.write(frame(0, "two").substr(1));
  CHECK(session.has(2));
  CHECK_EQ(session.all(), "[media one][media two]");
}

TEST("requests are numbered one after the other, and what is raw goes out as it stands") {
  Session session(card());
  CHECK_EQ(session.feed->say(kAsk, false), 5);
  CHECK_EQ(session.feed->say("RTSP/1.0 200 OK\r\nCSeq: 77\r\n\r\n", true), 0);
  CHECK_EQ(session.feed->say(kAsk, false), 6);
  CHECK(session.heard("CSeq: 6\r\n\r\n"));
  CHECK_EQ(session.server.read(), kAsk + "CSeq: 5\r\n\r\nRTSP/1.0 200 OK\r\nCSeq: 77\r\n\r\n" + kAsk + "CSeq: 6\r\n\r\n");
}

TEST("what is kept up is said again and again, its 200s are not told, another answer is") {
  Session session(card());
  session.feed->keep(kAsk, 5 * kMillisecond);
  CHECK(session.heard("CSeq: 5\r\n"));
  session.server.write(answer(5));
  CHECK(session.heard("CSeq: 6\r\n"));
  session.server.write(answer(6, "454 Session Not Found"));
  CHECK(session.has(1));
  CHECK_EQ(session.all(), said(answer(6, "454 Session Not Found")));
  session.feed->keep("", 0);
  const size_t before = session.server.read().size();
  CHECK(turns(session.loop, 20 * kMillisecond) < 5);
  CHECK_EQ(session.server.read().size(), before);
}

TEST("answers without CSeq are told apart by their order") {
  Session session(card());
  session.feed->say("PLAY rtsp://h/a RTSP/1.0\r\n", false);
  session.feed->keep(kAsk, 5 * kMillisecond);
  CHECK(session.heard("CSeq: 6\r\n"));
  session.server.write("RTSP/1.0 200 OK\r\nA: 1\r\n\r\nRTSP/1.0 200 OK\r\nA: 2\r\n\r\n" + frame(0, "media"));
  CHECK(session.has(2));
  CHECK_EQ(session.all(), "[said RTSP/1.0 200 OK\r\nA: 1\r\n][media media]");
}

TEST("a server that never answers is kept up all the same, every second time") {
  Session session(card());
  session.feed->keep(kAsk, 20 * kMillisecond);
  const weir::Time begun = weir::Loop::clock();
  CHECK(session.heard("GET_PARAMETER", 3));
  CHECK(weir::Loop::clock() - begun >= 100 * kMillisecond);
  // A late answer of the first is not known any more, and is told.
  session.server.write(answer(5));
  CHECK(session.has(1));
}

TEST("a request of the server with the number of ours is told") {
  Session session(card());
  session.feed->keep(kAsk, 5 * kMillisecond);
  CHECK(session.heard("CSeq: 5\r\n"));
  const std::string announce = "ANNOUNCE rtsp://h/a RTSP/1.0\r\nCSeq: 5\r\n\r\n";
  session.server.write(announce);
  CHECK(session.has(1));
  CHECK_EQ(session.all(), said(announce));
}

TEST("of a head longer than 4 KiB the beginning is told, and that it was cut") {
  Session session(card());
  session.server.write("RTSP/1.0 200 OK\r\nA: " + std::string(5000, 'a') + "\r\n\r\n");
  CHECK(session.has(1));
  CHECK(session.got[0].starts_with("said cut RTSP/1.0 200 OK\r\nA: a"));
  CHECK_EQ(session.got[0].size(), std::string("said cut ").size() + RtspFeed::kMaxTold);
}

TEST("a connection that ends in mid-frame brings what is whole, and then its end") {
  Session session(card());
  session.server.write(frame(0, "one") + frame(0, "two").substr(0, 5));
  session.server.close();
  CHECK(session.has(2));
  CHECK_EQ(session.all(), "[media one][over eof]");
  CHECK(session.feed->part() == nullptr);
  CHECK_EQ(session.feed->receive(1000), 0);
}

TEST("a reset is told as one") {
  Session session(card());
  session.server.abort();
  CHECK(session.has(1));
  CHECK_EQ(session.all(), "[over reset]");
  CHECK(session.feed->part() == nullptr);
}

TEST("garbage is told once, and the farewell is said all the same") {
  Session session(card());
  session.server.write(rtsp::Bytes(70000, 'x'));
  CHECK(session.has(1));
  CHECK_EQ(session.all(), "[over garbage]");
  CHECK(turns(session.loop, 20 * kMillisecond) < 5);
  const auto parting = session.feed->part();
  CHECK(parting && parting->written());
  CHECK(session.heard(kFarewell + "5\r\n\r\n"));
}

TEST("a head that never ends is too long") {
  Session session(card());
  session.server.write("RTSP/1.0 200 OK\r\nA: " + std::string(65536, 'a'));
  CHECK(session.has(1));
  CHECK_EQ(session.all(), "[over long]");
}

TEST("the sender's BYE ends it behind the media before it, another's does not") {
  Session session(card());
  session.feed->heard(7, 100, 0);
  rtsp::Bytes other = kBye;
  other[7] = 8;
  session.server.write(frame(1, other) + frame(0, "one") + frame(1, kBye) + frame(0, "two"));
  CHECK(session.has(2));
  CHECK_EQ(session.all(), "[media one][over bye]");
}

TEST("RTCP among the media is no media") {
  Session session(card({}, std::nullopt));
  session.server.write(frame(0, kReportOf7) + frame(0, "one") + frame(0, kBye));
  CHECK(session.has(2));
  CHECK_EQ(session.all(), "[media one][over bye]");
}

TEST("a frame of a channel that was never set up brings nothing") {
  Session session(card({}, std::nullopt));
  session.server.write(frame(1, kBye) + frame(0, "one"));
  CHECK(session.has(1));
  CHECK_EQ(session.all(), "[media one]");
  CHECK_EQ(session.feed->junk(), 0);
}

TEST("no more is taken than asked for, and all of it in the end") {
  Session session(card());
  session.most = 1000;
  rtsp::Bytes sent;
  for (int index = 0; index < 100; index++) sent += frame(0, rtsp::Bytes(300, 'm'));
  session.server.write(sent);
  CHECK(session.has(100));
  CHECK(session.largest <= 1000);
}

TEST("a feed that is paused is not told of, costs no turns, and brings all when it goes on") {
  Session session(card());
  session.feed->pause(true);
  session.server.write(frame(0, "one"));
  CHECK(turns(session.loop, 20 * kMillisecond) < 5);
  CHECK_EQ(session.ready, 0);
  session.feed->pause(false);
  CHECK(session.has(1));
}

TEST("a paused feed whose server resets costs no turns, and brings what came before") {
  Session session(card());
  session.server.write(frame(0, "one"));
  session.feed->pause(true);
  session.server.abort();
  CHECK(turns(session.loop, 20 * kMillisecond) < 5);
  CHECK_EQ(session.all(), "");
  session.feed->pause(false);
  CHECK(session.has(2));
  CHECK(session.all().starts_with("[media one][over "));
}

TEST("the farewell has the next number and stands behind what is unsent") {
  Session session(card());
  const std::string long_text = kAsk.substr(0, kAsk.size() - 2) + std::string(60000, 'x') + "\r\n";
  // The first fills the kernel's buffers where they are small; all of it comes, in order.
  session.feed->say(long_text, false);
  const auto parting = session.feed->part();
  CHECK(parting != nullptr);
  CHECK(session.heard(kFarewell + "6\r\n\r\n"));
  CHECK_EQ(session.server.read(), long_text + "CSeq: 5\r\n\r\n" + kFarewell + "6\r\n\r\n");
}

TEST("a server that takes nothing is given up when 64 KiB wait") {
  Session session(card());
  // More than the kernel's buffers hold.
  const std::string text(RtspFeed::kMaxUnsent / 2, 'x');
  for (int index = 0; index < 1000; index++) session.feed->say(text, false);
  CHECK_EQ(session.all(), "");
  CHECK(session.has(1));
  CHECK_EQ(session.all(), "[over blocked]");
  CHECK(session.feed->part() == nullptr);
}

TEST("a report goes out on the control channel a second after the first media, none where that was not set up") {
  Session session(card());
  Session mute(card({}, std::nullopt));
  session.server.write(frame(0, "media"));
  mute.server.write(frame(0, "media"));
  CHECK(session.has(1) && mute.has(1));
  session.feed->heard(7, 65536 + 5, 2);
  mute.feed->heard(7, 65536 + 5, 2);
  CHECK(session.until([&] { return session.server.read().size() >= 4 + 32 + 24; }));
  CHECK_EQ(session.server.read().substr(0, 8), bytes('$', 1, 0, 32 + 24, 0x81, 201, 0, 7));
  CHECK_EQ(session.server.read().substr(12, 12), bytes(0, 0, 0, 7, 0, 0, 0, 0, 0, 1, 0, 5));
  turns(mute.loop, 1100 * kMillisecond);
  CHECK_EQ(mute.server.read(), "");
}
