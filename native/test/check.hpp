// The tests' own little frame: TEST("condition and result") { CHECK(…); CHECK_EQ(…, …); } and a main() that runs them all,
// prints one line, and returns 1 when a check failed.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace check {

struct Test {
  const char* title;
  void (*body)();
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

inline int failures = 0;
inline const char* running = "";

struct Registration {
  Registration(const char* title, void (*body)()) { tests().push_back({title, body}); }
};

// How a value is shown: numbers in decimal, text by its first bytes, with \xx for those that cannot be printed.
template <class Value>
std::string shown(const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_arithmetic_v<Value>) {
    return std::to_string(value);
  } else {
    const std::string_view text(value);
    std::string out = "\"";
    char escape[8];
    for (const char c : text.substr(0, 64)) {
      std::snprintf(escape, sizeof escape, c >= ' ' && c <= '~' ? "%c" : "\\%02x", static_cast<unsigned char>(c));
      out += escape;
    }
    return out + (text.size() > 64 ? "\"… of " + std::to_string(text.size()) + " bytes" : "\"");
  }
}

inline void failed(const char* file, int line, const std::string& what) {
  failures++;
  std::fprintf(stderr, "%s:%d: in \"%s\": %s\n", file, line, running, what.c_str());
}

template <class Got, class Wanted>
void equal(const char* file, int line, const char* text, const Got& got, const Wanted& wanted) {
  bool same = false;
  if constexpr (std::is_integral_v<Got> && std::is_integral_v<Wanted> && !std::is_same_v<Got, bool>) {
    same = std::cmp_equal(got, wanted);
  } else {
    same = got == wanted;
  }
  if (!same) failed(file, line, std::string(text) + " is " + shown(got) + ", not " + shown(wanted));
}

inline int run_all(const char* program) {
  for (const Test& test : tests()) {
    running = test.title;
    test.body();
  }
  std::string_view name(program);
  name.remove_prefix(name.rfind('/') + 1);
  if (failures == 0) {
    std::printf("%.*s: %zu passed\n", static_cast<int>(name.size()), name.data(), tests().size());
  } else {
    std::printf("%.*s: %d checks failed\n", static_cast<int>(name.size()), name.data(), failures);
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace check

#define CHECK_JOIN_(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN_(a, b)

#define TEST(title)                                                                                                  \
  static void CHECK_JOIN(test_, __LINE__)();                                                                         \
  static const check::Registration CHECK_JOIN(registration_, __LINE__)(title, CHECK_JOIN(test_, __LINE__));          \
  static void CHECK_JOIN(test_, __LINE__)()

#define CHECK(expression) \
  do {                    \
    if (!(expression)) check::failed(__FILE__, __LINE__, #expression); \
  } while (false)

#define CHECK_EQ(got, wanted) check::equal(__FILE__, __LINE__, #got, got, wanted)

int main(int, char** words) { return check::run_all(words[0]); }
