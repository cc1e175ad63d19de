// The test stream: MPEG-TS (ISO/IEC 13818-1) of one programme with one video PID, each video packet stamped with the
// instant at which it was due, so that a viewer can tell exactly which of the packets sent in a window reached it.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

namespace bench {

inline constexpr size_t kPacket = 188;
inline constexpr size_t kPacketsPerDatagram = 7;
inline constexpr size_t kMediaBytes = kPacket * kPacketsPerDatagram;
inline constexpr size_t kRtpHeader = 12;
inline constexpr uint16_t kPatPid = 0;
inline constexpr uint16_t kPmtPid = 0x1000;
inline constexpr uint16_t kVideoPid = 0x100;
// The stamp is the last eight bytes of every video packet, CLOCK_MONOTONIC nanoseconds in the machine's byte order.
inline constexpr size_t kStampOffset = kPacket - sizeof(int64_t);

inline int64_t stamp_of(const uint8_t* packet) {
  int64_t stamp = 0;
  std::memcpy(&stamp, packet + kStampOffset, sizeof stamp);
  return stamp;
}

// CRC of PSI sections: polynomial 0x04C11DB7, ISO/IEC 13818-1 Annex A.
inline uint32_t psi_crc(std::span<const uint8_t> bytes) {
  uint32_t crc = 0xffffffff;
  for (const uint8_t byte : bytes) {
    crc ^= uint32_t{byte} << 24;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x80000000u) != 0 ? (crc << 1) ^ 0x04c11db7u : crc << 1;
  }
  return crc;
}

// Writes one channel's packets in order; every call fills exactly one packet of 188 bytes.
class Programme {
 public:
  void table(uint8_t* packet, bool pat) {
    static constexpr std::array<uint8_t, 12> kPat{0x00, 0xb0, 0x0d, 0x00, 0x01, 0xc1, 0x00, 0x00, 0x00, 0x01,
                                                  0xe0 | (kPmtPid >> 8), kPmtPid & 0xff};
    static constexpr std::array<uint8_t, 17> kPmt{0x02, 0xb0, 0x12, 0x00, 0x01, 0xc1, 0x00, 0x00, 0xe0 | (kVideoPid >> 8),
                                                  kVideoPid & 0xff, 0xf0, 0x00, 0x1b, 0xe0 | (kVideoPid >> 8),
                                                  kVideoPid & 0xff, 0xf0, 0x00};
    const std::span<const uint8_t> section = pat ? std::span<const uint8_t>(kPat) : std::span<const uint8_t>(kPmt);
    std::memset(packet, 0xff, kPacket);
    header(packet, pat ? kPatPid : kPmtPid, true, 0x10, pat ? pat_counter_ : pmt_counter_);
    packet[4] = 0;
    std::memcpy(packet + 5, section.data(), section.size());
    const uint32_t crc = psi_crc(section);
    for (size_t index = 0; index < 4; ++index) {
      packet[5 + section.size() + index] = static_cast<uint8_t>(crc >> (24 - 8 * index));
    }
  }

  void video(uint8_t* packet, int64_t stamp) {
    std::memset(packet, 0x55, kPacket);
    const bool starts = stamp >= next_picture_;
    if (starts || stamp >= next_pcr_) {
      const bool random_access = starts && pictures_ % kPicturesPerGroup == 0;
      clock(packet, stamp, starts, random_access);
      if (starts) start_picture(packet + kClocked, stamp, random_access);
    } else {
      header(packet, kVideoPid, false, 0x10, video_counter_);
    }
    std::memcpy(packet + kStampOffset, &stamp, sizeof stamp);
  }

 private:
  // One group of pictures lasts a second. At a constant rate a picture's share of the bytes is its share of the time: the
  // random-access picture has 12 % of them, 120 kB at 8 Mbit/s.
  static constexpr unsigned kPicturesPerGroup = 25;
  static constexpr int64_t kRandomAccessPicture = 120'000'000;
  static constexpr int64_t kOtherPicture = (1'000'000'000 - kRandomAccessPicture) / (kPicturesPerGroup - 1);
  static constexpr int64_t kClock = 40'000'000;
  // Bytes of a header with the adaptation field that holds a PCR alone.
  static constexpr size_t kClocked = 12;

  static void header(uint8_t* packet, uint16_t pid, bool start, uint8_t control, uint8_t& counter) {
    packet[0] = 0x47;
    packet[1] = static_cast<uint8_t>((start ? 0x40 : 0) | (pid >> 8));
    packet[2] = static_cast<uint8_t>(pid & 0xff);
    packet[3] = static_cast<uint8_t>(control | counter);
    counter = (counter + 1) & 15;
  }

  static uint64_t ticks(int64_t stamp) { return static_cast<uint64_t>(stamp / 100 * 9 / 1000) & 0x1ffffffffu; }

  // A header with the PCR, which comes with every picture and every 40 ms.
  void clock(uint8_t* packet, int64_t stamp, bool start, bool random_access) {
    next_pcr_ = stamp + kClock;
    header(packet, kVideoPid, start, 0x30, video_counter_);
    const uint64_t base = ticks(stamp);
    packet[4] = 7;
    packet[5] = random_access ? 0x50 : 0x10;
    packet[6] = static_cast<uint8_t>(base >> 25);
    packet[7] = static_cast<uint8_t>(base >> 17);
    packet[8] = static_cast<uint8_t>(base >> 9);
    packet[9] = static_cast<uint8_t>(base >> 1);
    packet[10] = static_cast<uint8_t>((base & 1) << 7 | 0x7e);
    packet[11] = 0;
  }

  // A PES header with a PTS 200 ms later, then what an H.264 picture begins with: access unit delimiter, slice.
  void start_picture(uint8_t* payload, int64_t stamp, bool random_access) {
    next_picture_ = (pictures_++ == 0 ? stamp : next_picture_) + (random_access ? kRandomAccessPicture : kOtherPicture);
    const uint64_t pts = (ticks(stamp) + 18'000) & 0x1ffffffffu;
    const uint8_t slice = random_access ? 0x65 : 0x41;
    const std::array<uint8_t, 24> pes{0, 0, 1, 0xe0, 0, 0, 0x80, 0x80, 5,
                                      static_cast<uint8_t>(0x21 | (pts >> 30) << 1), static_cast<uint8_t>(pts >> 22),
                                      static_cast<uint8_t>((pts >> 14) | 1), static_cast<uint8_t>(pts >> 7),
                                      static_cast<uint8_t>(pts << 1 | 1),
                                      0, 0, 1, 0x09, 0xf0, 0, 0, 1, slice, 0x88};
    std::memcpy(payload, pes.data(), pes.size());
  }

  uint8_t pat_counter_ = 0;
  uint8_t pmt_counter_ = 0;
  uint8_t video_counter_ = 0;
  int64_t next_picture_ = 0, next_pcr_ = 0;
  unsigned pictures_ = 0;
};

}  // namespace bench
