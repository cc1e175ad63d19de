// The pair of a session that is yet to be handed over: nothing but answers of STUN is awaited on it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "loop.hpp"
#include "pair.hpp"

namespace weir {

class PairWait final {
 public:
  // What came: whether to the socket of RTP, from whom, the bytes.
  using Heard = std::function<void(bool, const sockaddr_storage&, const uint8_t*, size_t)>;

  PairWait(Loop& loop, std::string feed, std::unique_ptr<Pair> pair, Heard heard);
  ~PairWait() { leave(); }
  PairWait(const PairWait&) = delete;
  PairWait& operator=(const PairWait&) = delete;

  // False when the kernel cannot watch it.
  bool watch();
  const std::string& feed() const { return feed_; }
  Pair& pair() { return *pair_; }
  // Nothing is told any more.
  void leave();
  // It is not watched here any more.
  std::unique_ptr<Pair> take();

 private:
  class Socket final : public Watcher {
   public:
    Socket(PairWait& wait, bool media) : wait_(wait), media_(media) {}
    void ready(uint32_t) override { wait_.read(media_); }

   private:
    PairWait& wait_;
    bool media_;
  };

  void read(bool media);

  Loop& loop_;
  std::string feed_;
  std::unique_ptr<Pair> pair_;
  bool watched_ = false;
  Heard heard_;
  Socket rtp_{*this, true};
  Socket rtcp_{*this, false};
};

}  // namespace weir
