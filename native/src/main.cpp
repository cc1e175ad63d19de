// weir-pump --dir DIRECTORY [--alone SECONDS]
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "controller.hpp"

namespace {

using namespace weir;

// A year, in seconds.
constexpr unsigned long long kLongest = 366 * 24 * 3600;

struct Arguments {
  std::string directory{};
  Time alone = 60 * kSecond;
};

Arguments read_arguments(int count, char** words) {
  Arguments arguments;
  bool good = count % 2 == 1;
  for (int index = 1; index + 1 < count; index += 2) {
    const std::string_view name = words[index];
    if (name == "--dir") arguments.directory = words[index + 1];
    if (name == "--alone") arguments.alone = std::min(std::strtoull(words[index + 1], nullptr, 10), kLongest) * kSecond;
    good = good && (name == "--dir" || name == "--alone");
  }
  if (!good || arguments.directory.empty() || arguments.alone == 0) {
    std::fprintf(stderr, "weir-pump: usage: weir-pump --dir DIRECTORY [--alone SECONDS]\n");
    std::exit(42);
  }
  return arguments;
}

// Holds the lock as long as the process lives.
Fd lock(const std::string& prefix) {
  const std::string path = prefix + ".lock";
  Fd fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd) {
    std::fprintf(stderr, "weir-pump: cannot write %s: %s\n", path.c_str(), std::strerror(errno));
    std::exit(44);
  }
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    std::fprintf(stderr, "weir-pump: another pump holds %s\n", path.c_str());
    std::exit(43);
  }
  return fd;
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// SIGTERM stops the pump; SIGINT and SIGHUP are meant for who started it.
class Signals final : public Watcher {
 public:
  Signals(Loop& loop, Controller& controller) : controller_(controller) {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    fd_ = Fd(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
    loop.watch(fd_.get(), EPOLLIN, *this);
  }

  void ready(uint32_t) override {
    signalfd_siginfo info{};
    if (read(fd_.get(), &info, sizeof info) == sizeof info && info.ssi_signo == SIGTERM) controller_.stop("terminated");
  }

 private:
  Controller& controller_;
  Fd fd_;
};

}  // namespace

int main(int count, char** words) {
  const Arguments arguments = read_arguments(count, words);
  umask(077);
  raise_descriptor_limit();
  const std::string prefix = arguments.directory + "/pump-" + std::to_string(WEIR_PROTOCOL);
  const Fd held = lock(prefix);
  Loop loop;
  Controller controller(loop, arguments.alone);
  Signals signals(loop, controller);
  if (!controller.open(prefix)) {
    std::fprintf(stderr, "weir-pump: cannot listen at %s.sock: %s\n", prefix.c_str(), std::strerror(errno));
    return 44;
  }
  loop.run([&controller] { controller.tidy(); });
  return 0;
}
