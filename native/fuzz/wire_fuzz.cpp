// Bytes into a control connection, messages with and without descriptors into a hand-over connection. The input: an
// operation and its operands, again and again. Whatever comes, nothing but its own connection ends, and no descriptor stays.
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>

#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include "controller.hpp"
#include "sockets.hpp"

namespace {

using fuzz::Fd;

struct Pair {
  Fd ours, theirs;
  explicit Pair(int type) {
    int fds[2];
    fuzz::require(socketpair(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) == 0);
    ours = Fd(fds[0]);
    theirs = Fd(fds[1]);
    // Answers that are not read are soon too many.
    const int least = 1;
    if (type == SOCK_STREAM) setsockopt(theirs.get(), SOL_SOCKET, SO_SNDBUF, &least, sizeof least);
  }
};

// One connection of a kind, opened anew when it has ended.
template <class Connection>
struct Link {
  weir::Loop& loop;
  weir::Controller& controller;
  int type;
  Pair pair{type};
  std::optional<Connection> connection{};

  Link(weir::Loop& a_loop, weir::Controller& a_controller, int a_type) : loop(a_loop), controller(a_controller), type(a_type) { open(); }
  void open() {
    pair = Pair(type);
    connection.emplace(loop, controller, std::move(pair.theirs));
    fuzz::require(connection->watch());
  }
  void renew() {
    if (connection->closed()) open();
  }
};

class Wire {
 public:
  ~Wire() {
    control_.connection->close();
    other_.connection->close();
  }

  void step(fuzz::Input& input) {
    const uint8_t byte = input.byte();
    if (byte < kFeeds) {
      step(byte % 8, input);
    } else {
      session(byte % 8, input);
    }
    fuzz::turn(loop_, [this] { controller_.tidy(); });
    control_.renew();
    other_.renew();
    handoff_.renew();
  }

 private:
  // From here on the operations are those of sessions.
  static constexpr uint8_t kFeeds = 0xC0;

  void step(int what, fuzz::Input& input) {
    if (what == 0) say(control_.pair.ours, input.bytes(input.word() % 20000));
    if (what == 1) say(control_.pair.ours, "hello?id=1\n");
    if (what == 2) say(control_.pair.ours, "open?id=2&stream=s&address=127.0.0.1&port=5999&linger=1&silence=9&rejoin=5\n");
    if (what == 3) hand_over(input.bytes(input.byte()), input.byte() % 4);
    if (what == 4) hand_over_text("attach?viewer=v&stream=s&head=H", 1);
    if (what == 5) say(other_.pair.ours, input.bytes(input.byte()));
    if (what == 6) say(other_.pair.ours, "hello?id=3\n");
    if (what == 7) listen();
  }
  void session(int what, fuzz::Input& input) {
    if (what == 0) say(control_.pair.ours, "open?id=4&stream=r&kind=rtsp&url=u&linger=9&silence=9&rejoin=5&await=9&hold=1\n");
    if (what == 1) say(control_.pair.ours, "pair?id=5&stream=r&feed=f&local=127.0.0.1&least=20000&most=40000\n");
    if (what == 2) hand_over_text("feed?stream=r&feed=f&kind=rtsp&cseq=1&farewell=T&way=tcp&media=0&control=1&read=JAAAAQ", input.byte() % 4);
    if (what == 3) hand_over_text("feed?stream=r&feed=f&kind=rtsp&cseq=1&farewell=T&way=udp&from=127.0.0.1&rtp=9&rtcp=9", 1);
    if (what == 4) say(control_.pair.ours, "say?id=6&stream=r&feed=f&text=S\nkeep?id=7&stream=r&feed=f&text=K&every=1\n");
    if (what == 5) say(control_.pair.ours, "punch?id=8&stream=r&feed=f&socket=rtp&address=127.0.0.1&port=9&data=YQ&times=2&every=1\n");
    if (what == 6) say(control_.pair.ours, "part?id=9&stream=r&feed=f\nclose?id=9&stream=r&drain=1\n");
    if (what == 7) send(tcp_.client.get(), "$\0\0\1GRTSP/1.0 200\n\n", 20, MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  static void say(const Fd& fd, std::span<const uint8_t> bytes) { send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT); }
  static void say(const Fd& fd, const char* text) { send(fd.get(), text, std::strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT); }

  void hand_over_text(const char* text, unsigned count) { hand_over({reinterpret_cast<const uint8_t*>(text), std::strlen(text)}, count); }
  void hand_over(std::span<const uint8_t> bytes, unsigned count) {
    alignas(cmsghdr) char room[CMSG_SPACE(4 * sizeof(int))] = {};
    iovec piece{const_cast<uint8_t*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    if (count > 0) {
      message.msg_control = room;
      message.msg_controllen = CMSG_SPACE(count * sizeof(int));
      cmsghdr* part = CMSG_FIRSTHDR(&message);
      part->cmsg_level = SOL_SOCKET;
      part->cmsg_type = SCM_RIGHTS;
      part->cmsg_len = CMSG_LEN(count * sizeof(int));
      for (unsigned index = 0; index < count; index++) {
        const int fd = tcp_.server.get();
        std::memcpy(CMSG_DATA(part) + index * sizeof fd, &fd, sizeof fd);
      }
    }
    sendmsg(handoff_.pair.ours.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  // Every frame that comes is one.
  void listen() {
    char data[65536];
    const ssize_t size = recv(control_.pair.ours.get(), data, sizeof data, 0);
    if (size <= 0) return;
    const std::string_view text(data, static_cast<size_t>(size));
    const size_t begin = text.find('\n') + 1;
    for (size_t at = begin, end = 0; (end = text.find('\n', at)) != std::string_view::npos; at = end + 1) {
      fuzz::require(end - at < weir::kMaxFrame && weir::Frame::parse(text.substr(at, end - at)).has_value());
    }
  }

  weir::Loop loop_{};
  weir::Controller controller_{loop_, 60 * weir::kSecond};
  fuzz::Tcp tcp_{};
  Link<weir::ControlConnection> control_{loop_, controller_, SOCK_STREAM};
  Link<weir::ControlConnection> other_{loop_, controller_, SOCK_STREAM};
  Link<weir::HandoffConnection> handoff_{loop_, controller_, SOCK_SEQPACKET};
};

}  // namespace

// Addresses that a fuzzer thinks of are joined in a network of its own. Without one nothing is tried.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) {
    std::perror("wire_fuzz: skipped, it needs a network namespace of its own");
    std::exit(std::getenv("CI") != nullptr ? 1 : 0);
  }
  ifreq request{};
  std::memcpy(request.ifr_name, "lo", 3);
  request.ifr_flags = IFF_UP;
  const Fd fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  return ioctl(fd.get(), SIOCSIFFLAGS, &request);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int before = fuzz::descriptors();
  {
    fuzz::Input input(data, size);
    Wire wire;
    while (!input.empty()) wire.step(input);
  }
  fuzz::require(fuzz::descriptors() == before);
  return 0;
}
