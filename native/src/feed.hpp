// What a stream takes its media from when Node hands it a descriptor.
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "parting.hpp"

namespace weir {

class Feed {
 public:
  // The stream, as a feed knows it.
  class Owner {
   public:
    // One RTP packet or a piece of TS, valid during the call.
    virtual void feed_media(const uint8_t* data, size_t size) = 0;
    // The head of a message of the server, without its empty line; `cut` when it was longer.
    virtual void feed_said(std::string_view head, bool cut) = 0;
    // It brings nothing more. It is freed by the owner, not before this turn's end.
    virtual void feed_over(std::string_view reason) = 0;
    // Something waits: receive() is to be called.
    virtual void feed_ready() = 0;
    // A STUN answer came to the socket for RTCP.
    virtual void feed_datagram(const sockaddr_storage& from, const uint8_t* data, size_t size) = 0;

   protected:
    ~Owner() = default;
  };

  Feed() = default;
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;
  virtual ~Feed() = default;

  // Watches its descriptors. False when the kernel refuses.
  virtual bool open() = 0;
  // Takes at most so many bytes of media. Returns packets.
  virtual size_t receive(size_t most) = 0;
  // Whether the owner is not to be told of what waits for now.
  virtual void pause(bool on) = 0;
  // Bytes that wait without loss.
  virtual size_t room() const = 0;
  // Says goodbye. What is left of it is to be held for a while, or nothing.
  virtual std::unique_ptr<Parting> part() = 0;
};

}  // namespace weir
