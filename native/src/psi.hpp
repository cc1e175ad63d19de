// PAT and PMT (ISO/IEC 13818-1 §2.4.4): gathered from a transport stream, put out in front of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pids.hpp"
#include "ts.hpp"

namespace weir::psi {

// The longest section: 3 bytes and 1021 more (§2.4.4.1 for PAT and PMT).
constexpr size_t kMaxSection = 1024;

// CRC-32 of MPEG-2 sections (annex A); 0 over a whole section that is sound.
uint32_t crc32(const uint8_t* data, size_t size);

// Puts the sections of one PID together. Sections longer than kMaxSection and broken ones are dropped.
class Collector {
 public:
  // Feeds one packet of the PID; then each next() that is true has put a sound section that it completed into section().
  void feed(const uint8_t* packet);
  bool next();
  const std::vector<uint8_t>& section() const { return section_; }
  // Sections that were dropped because they were too long or their CRC was wrong.
  uint64_t broken() const { return broken_; }

 private:
  size_t wanted() const;
  void drop();

  std::vector<uint8_t> gathered_{};  // What was not yet given out: the beginning of a section, or several.
  bool gathering_ = false;
  std::vector<uint8_t> section_{};
  uint64_t broken_ = 0;
};

// An elementary stream as a PMT names it.
struct Component {
  uint16_t pid = ts::kNullPid;
  uint8_t type = 0;  // stream_type (table 2-34).

  bool operator==(const Component&) const = default;
};

// The last continuity counters of the PIDs of PAT and PMTs at some place of the stream.
using Counters = std::vector<uint8_t>;

// The tables of one stream.
class Tables {
 public:
  // What a packet told.
  struct Fed {
    bool changed = false;  // The tables are others now.
    bool whole = false;    // A section of the table that belongs there was completed.
    bool foreign = false;  // One of another table was, on PID 0.
    bool broken = false;   // One was dropped: too long, or a wrong CRC.
  };

  // Feeds one packet of PID 0 or of a PMT.
  Fed feed(const uint8_t* packet);

  bool has_pat() const { return !pat_.empty(); }
  // PAT and the PMT of each of its programmes are known.
  bool complete() const;

  // Says of each PID what these tables name it for.
  void name(Pids& pids) const;
  // Each PID once.
  std::vector<uint16_t> pmt_pids() const;
  // The components of all programmes in the order of the tables, and the PIDs of their clocks (PCR_PID).
  std::vector<Component> components() const;
  std::vector<uint16_t> clocks() const;
  // The component that a viewer looks at first: the first video there is, else the first of anything else.
  Component main_component() const;

  // Notes the counters that the tables' PIDs have reached, in memory that is used again.
  void note(const Pids& pids, Counters& counters) const;
  // The tables as packets, PAT first, counters leading up to those noted, so that the stream's own next packet of each PID
  // follows on.
  std::string packets(const Counters& counters) const;
  std::string packets(const Pids& pids) const;

 private:
  bool read_pat(const std::vector<uint8_t>& section);
  bool read_pmt(const std::vector<uint8_t>& section, uint16_t pid);

  Collector pat_collector_{};
  std::map<uint16_t, Collector> collectors_{};            // Keyed by PMT PID.
  std::map<uint8_t, std::vector<uint8_t>> pat_{};         // Keyed by section number.
  std::map<uint16_t, uint16_t> programmes_{};             // Programme number to PMT PID.
  std::map<uint16_t, std::vector<uint8_t>> pmts_{};       // Keyed by programme number.
};

}  // namespace weir::psi
