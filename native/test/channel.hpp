// A channel's sender, in one of the ways that are met: bare, cut anywhere, RTP in every shape, RTP without TS, nonsense.
#pragma once

#include "media.hpp"
#include "net.hpp"
#include "random.hpp"

namespace media {

class Channel {
 public:
  // Packets in one datagram.
  static constexpr uint32_t kMost = 300;
  enum class Way { kBare, kCut, kRtp, kOther, kNonsense };

  Channel(Way way, std::string address, Random& random) : way_(way), address_(std::move(address)), random_(random) {}

  uint16_t port() const { return port_; }
  const std::string& address() const { return address_; }
  // Whether what it sends is a transport stream, if it is anything.
  bool is_ts() const { return way_ != Way::kOther; }

  void send() { send(1 + random_(random_(20) == 0 ? kMost : 9)); }
  void send(uint32_t count) {
    const auto counter = static_cast<int>(number_ % 16);
    Bytes media;
    if (random_(4) == 0) media = table(0, counter, kPat) + table(kPmtPid, counter, kPmt);
    media += videos(number_, count);
    // A picture that stands alone begins with it.
    if (random_(5) == 0) media.replace(media.size() - 187, 6, bytes(0x41, 0x00, 0x30 | (number_ + count - 1) % 16, 1, 0x40, 0));
    number_ += count;
    if (way_ == Way::kBare) sender_.send(media);
    if (way_ == Way::kCut) cut(media);
    if (way_ == Way::kRtp) shaped(media);
    if (way_ == Way::kOther) sender_.send(rtp(sequence_++, ssrc_, "no transport stream " + std::to_string(number_)));
    if (way_ == Way::kNonsense) sender_.send(Bytes(random_(random_(50) == 0 ? 60000 : 200), static_cast<char>(random_(256))));
  }

  // Starts anew: another place in the sequence, another sender, perhaps another way.
  void restart() {
    sequence_ = static_cast<uint16_t>(random_(65536));
    ssrc_ = random_(3) == 0 ? ssrc_ : random_(1u << 31);
    number_ = random_(1000);
    constexpr Way ways[] = {Way::kBare, Way::kCut, Way::kRtp, Way::kNonsense};
    if (is_ts() && random_(10) == 0) way_ = ways[random_(4)];
  }

 private:
  void cut(const Bytes& media) {
    rest_ += media;
    while (rest_.size() >= 1472) {
      sender_.send(rest_.substr(0, 1472));
      rest_.erase(0, 1472);
    }
  }

  // Lost, late, doubled, with CSRC, extension, padding.
  void shaped(const Bytes& media) {
    Bytes one = rtp(sequence_++, ssrc_, media);
    const uint32_t shape = random_(12);
    if (shape == 0) return;
    if (shape == 1) {
      late_ = one;
      return;
    }
    if (shape == 2) one.replace(0, 12, bytes(0x91) + one.substr(1, 11) + bytes(1, 2, 3, 4, 0xBE, 0xDE, 0, 0));
    if (shape == 3) {
      one[0] = static_cast<char>(0xA0);
      one += bytes(0, 2);
    }
    sender_.send(one);
    if (shape == 4) sender_.send(one);
    if (late_.empty() || shape % 2 == 0) return;
    sender_.send(late_);
    late_.clear();
  }

  Way way_;
  std::string address_;
  Random& random_;
  uint16_t port_ = net::free_port();
  net::Sender sender_{address_.c_str(), port_};
  uint32_t number_ = 0;
  uint16_t sequence_ = 65000;
  uint32_t ssrc_ = 1;
  Bytes rest_{};
  Bytes late_{};
};

}  // namespace media
