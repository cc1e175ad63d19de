// What comes to a pair of sockets beside media. Pure.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weir {

// kStun: RFC 5389 §6, by its magic cookie. kPunch: the echo of a punch through an address translator, as ZTE's servers send it;
// it is no media, and no stray either.
enum class Datagram { kMedia, kRtcp, kStun, kPunch };

Datagram tell(const uint8_t* data, size_t size);

}  // namespace weir
