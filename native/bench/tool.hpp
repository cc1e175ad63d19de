// What the bench tools share: the clock that all of them and the bench itself live by, arguments, and a way to give up.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <vector>

namespace bench {

// One clock for every process on the machine, in network namespaces too.
inline int64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Returns early when a signal comes.
inline void sleep_until(int64_t instant) {
  const timespec time{.tv_sec = instant / 1'000'000'000, .tv_nsec = instant % 1'000'000'000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
}

[[noreturn]] inline void give_up(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(2);
}

[[noreturn]] inline void give_up_errno(const std::string& action) {
  give_up(action + ": " + std::strerror(errno));
}

// `--name value` pairs, then whatever else there is.
class Arguments {
 public:
  Arguments(int count, char** values) {
    for (int index = 1; index < count; ++index) {
      const std::string text = values[index];
      if (text.rfind("--", 0) != 0) {
        rest_.push_back(text);
        continue;
      }
      if (index + 1 == count) give_up(text + " needs a value.");
      named_[text.substr(2)] = values[++index];
    }
  }

  std::string text(const std::string& name, const std::string& otherwise) const {
    const auto found = named_.find(name);
    return found == named_.end() ? otherwise : found->second;
  }

  int64_t integer(const std::string& name, int64_t otherwise) const {
    return named_.contains(name) ? static_cast<int64_t>(number(name, 0)) : otherwise;
  }

  // Instants in nanoseconds stay below 2^63 and are read as integers: a double would round them.
  int64_t instant(const std::string& name, int64_t otherwise) const {
    const auto found = named_.find(name);
    if (found == named_.end()) return otherwise;
    char* end = nullptr;
    const long long value = std::strtoll(found->second.c_str(), &end, 10);
    if (end == found->second.c_str() || *end != '\0') give_up("--" + name + " must be an instant in nanoseconds.");
    return value;
  }

  double number(const std::string& name, double otherwise) const {
    const auto found = named_.find(name);
    if (found == named_.end()) return otherwise;
    char* end = nullptr;
    const double value = std::strtod(found->second.c_str(), &end);
    if (end == found->second.c_str() || *end != '\0') give_up("--" + name + " must be a number.");
    return value;
  }

  const std::vector<std::string>& rest() const { return rest_; }

 private:
  std::map<std::string, std::string> named_;
  std::vector<std::string> rest_;
};

}  // namespace bench
