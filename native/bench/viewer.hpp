// One HTTP viewer on a non-blocking socket: connects, asks, checks what comes.
#pragma once

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "checker.hpp"
#include "tool.hpp"

namespace bench {

class Viewer {
 public:
  static constexpr size_t kBuffer = 256 * 1024;

  Viewer(std::string path, Window window) : path_(std::move(path)), checker_(window) {}

  // Begins to connect, or begins again; a refusal closes it, which is no failure of the tool's.
  void open(const sockaddr_in& address) {
    close();
    fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd_ < 0) give_up_errno("socket");
    if (connected_ == 0) connected_ = now_ns();
    const int result = ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    if (result != 0 && errno != EINPROGRESS) close();
  }

  // Asks once it is connected.
  void ask(const std::string& host) {
    asked_ = true;
    const std::string request = "GET " + path_ + " HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: weir-bench\r\nAccept: */*\r\n\r\n";
    if (send(fd_, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size())) close();
  }

  // Reads what is there, once; `buffer` is lent by the loop, has kBuffer bytes and holds nothing between two calls.
  void read(uint8_t* buffer) {
    std::copy(rest_.begin(), rest_.end(), buffer);
    const ssize_t got = recv(fd_, buffer + rest_.size(), kBuffer - rest_.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) return close();
    const int64_t now = now_ns();
    const size_t size = rest_.size() + static_cast<size_t>(got);
    const size_t start = status_ == 0 ? head(buffer, size) : 0;
    size_t used = start;
    if (status_ != 0 && size > start) {
      if (first_ == 0) first_ = now;
      bytes_ += static_cast<int64_t>(start > 0 ? size - start : static_cast<size_t>(got));
      used += checker_.read(buffer + start, size - start, now);
    }
    rest_.assign(buffer + used, buffer + size);
  }

  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

  int fd() const { return fd_; }
  bool asked() const { return asked_; }
  bool connecting() const { return fd_ >= 0 && !asked_; }
  bool has_media() const { return checker_.latest > 0; }
  bool has_picture() const { return checker_.picture > 0; }

  void print() const {
    std::printf("{\"path\":\"%s\",\"status\":%d,\"connected\":%lld,\"first\":%lld,\"picture\":%lld,\"bytes\":%lld,"
                "\"marked\":%lld,\"delaySum\":%lld,\"delayMost\":%lld,\"continuityErrors\":%lld,\"syncErrors\":%lld}",
                path_.c_str(), status_, wide(connected_), wide(first_), wide(checker_.picture), wide(bytes_),
                wide(checker_.marked), wide(checker_.delay_sum), wide(checker_.delay_most),
                wide(checker_.continuity_errors), wide(checker_.sync_errors));
  }

 private:
  static constexpr size_t kLongestHead = 16 * 1024;

  static long long wide(int64_t value) { return value; }

  // The bytes of a complete response head, or 0 while it is incomplete.
  size_t head(const uint8_t* bytes, size_t size) {
    const std::string text(reinterpret_cast<const char*>(bytes), std::min(size, kLongestHead));
    const size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos) {
      if (size >= kLongestHead) close();
      return 0;
    }
    const size_t space = text.find(' ');
    status_ = space < end ? std::max(std::atoi(text.c_str() + space), 1) : 1;
    return end + 4;
  }

  std::string path_;
  Checker checker_;
  // Bytes of a head or of a packet that is not complete yet.
  std::vector<uint8_t> rest_;
  int fd_ = -1;
  int status_ = 0;
  bool asked_ = false;
  int64_t connected_ = 0, first_ = 0, bytes_ = 0;
};

}  // namespace bench
