// replay DIRECTORY: feeds every file of a corpus to a fuzzer that was built without libFuzzer.
#include <dirent.h>

#include <cstdio>
#include <string>
#include <vector>

#include "input.hpp"

// What some fuzzers do first.
extern "C" [[gnu::weak]] int LLVMFuzzerInitialize(int* count, char*** words);

namespace {

bool read_file(const std::string& path, std::vector<uint8_t>& out) {
  FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  out.resize(1 << 20);
  out.resize(std::fread(out.data(), 1, out.size(), file));
  // What lies behind the last byte is not the fuzzer's to read.
  out.shrink_to_fit();
  std::fclose(file);
  return true;
}

}  // namespace

int main(int count, char** words) {
  DIR* directory = count == 2 ? opendir(words[1]) : nullptr;
  if (directory == nullptr) {
    std::fprintf(stderr, "replay: usage: replay DIRECTORY\n");
    return 1;
  }
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&count, &words);
  int inputs = 0;
  std::vector<uint8_t> data;
  while (const dirent* entry = readdir(directory)) {
    const std::string path = std::string(words[1]) + "/" + entry->d_name;
    if (entry->d_name[0] == '.' || !read_file(path, data)) continue;
    LLVMFuzzerTestOneInput(data.data(), data.size());
    inputs++;
  }
  closedir(directory);
  std::printf("%s: %d replayed\n", words[1], inputs);
  return inputs > 0 ? 0 : 1;
}
