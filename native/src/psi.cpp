#include "psi.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace weir::psi {
namespace {

constexpr uint8_t kPatTable = 0x00;
constexpr uint8_t kPmtTable = 0x02;
// What follows a section's last byte.
constexpr uint8_t kStuffing = 0xFF;
// More programmes than a multiplex of this size can carry are not believed.
constexpr size_t kMaxProgrammes = 256;
// Nor is a PAT in more sections than those fill twice over: all of them are read again with each that changes.
constexpr uint8_t kMaxPatSections = 4;
// Payload bytes of a packet without adaptation field.
constexpr size_t kBody = ts::kPacket - 4;

constexpr std::array<uint32_t, 256> kCrcTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t index = 0; index < 256; index++) {
    uint32_t value = index << 24;
    for (int bit = 0; bit < 8; bit++) value = (value << 1) ^ ((value & 0x80000000u) != 0 ? 0x04C11DB7u : 0u);
    table[index] = value;
  }
  return table;
}();

uint16_t word(const uint8_t* data) { return static_cast<uint16_t>(data[0] << 8 | data[1]); }
uint16_t section_length(const uint8_t* data) { return word(data + 1) & 0x0FFF; }
// MPEG-1, MPEG-2, H.264 and HEVC video.
bool is_video(uint8_t type) { return type == 0x01 || type == 0x02 || type == 0x1B || type == 0x24; }
bool is_current(const std::vector<uint8_t>& section) { return (section[5] & 0x01) != 0; }

// A section as the payloads of its packets (pointer_field 0, stuffed at the end).
std::string payloads(const std::vector<uint8_t>& section) {
  std::string out(1, '\0');
  out.append(section.begin(), section.end());
  out.resize((out.size() + kBody - 1) / kBody * kBody, static_cast<char>(kStuffing));
  return out;
}

}  // namespace

uint32_t crc32(const uint8_t* data, size_t size) {
  uint32_t crc = 0xFFFFFFFFu;
  for (size_t at = 0; at < size; at++) crc = crc << 8 ^ kCrcTable[crc >> 24 ^ data[at]];
  return crc;
}

void Collector::feed(const uint8_t* packet) {
  const size_t offset = ts::payload_offset(packet);
  const uint8_t* data = packet + offset;
  const uint8_t* end = packet + ts::kPacket;
  if (data == end) return;
  if (!ts::unit_start(packet)) {
    if (gathering_) gathered_.insert(gathered_.end(), data, end);
    return;
  }
  const size_t pointer = *data++;
  if (pointer > static_cast<size_t>(end - data)) {
    drop();
    return;
  }
  // In front of the pointer's target stands the end of the section before.
  if (gathering_) gathered_.insert(gathered_.end(), data, data + pointer);
  if (wanted() > gathered_.size()) drop();
  gathered_.resize(std::min(gathered_.size(), wanted()));
  gathered_.insert(gathered_.end(), data + pointer, end);
  gathering_ = true;
}

bool Collector::next() {
  while (gathering_) {
    const size_t size = wanted();
    const bool stuffing = !gathered_.empty() && gathered_[0] == kStuffing;
    if (size > kMaxSection && !stuffing) broken_++;
    if (size > kMaxSection || stuffing) drop();
    if (!gathering_ || size == 0 || size > gathered_.size()) return false;
    const auto end = gathered_.begin() + static_cast<std::ptrdiff_t>(size);
    section_.assign(gathered_.begin(), end);
    gathered_.erase(gathered_.begin(), end);
    // 8 bytes of header and 4 of CRC are the least that a PAT or PMT has.
    if (size >= 12 && crc32(section_.data(), size) == 0) return true;
    broken_++;
  }
  return false;
}

// Bytes of the section that begins what is gathered; 0 until its length is known.
size_t Collector::wanted() const { return gathered_.size() < 3 ? 0 : size_t{3} + section_length(gathered_.data()); }

void Collector::drop() {
  gathered_.clear();
  gathering_ = false;
}

Tables::Fed Tables::feed(const uint8_t* packet) {
  const uint16_t id = ts::pid(packet);
  const auto found = collectors_.find(id);
  if (id != 0 && found == collectors_.end()) return {};
  Collector& collector = id == 0 ? pat_collector_ : found->second;
  const uint64_t broken = collector.broken();
  Fed fed;
  collector.feed(packet);
  while (collector.next()) {
    const bool belongs = collector.section()[0] == (id == 0 ? kPatTable : kPmtTable);
    const bool news = id == 0 ? read_pat(collector.section()) : read_pmt(collector.section(), id);
    fed.changed = fed.changed || news;
    fed.whole = fed.whole || belongs;
    fed.foreign = fed.foreign || (id == 0 && !belongs);
  }
  fed.broken = collector.broken() > broken;
  return fed;
}

bool Tables::read_pmt(const std::vector<uint8_t>& section, uint16_t pid) {
  const auto programme = programmes_.find(word(section.data() + 3));
  if (section[0] != kPmtTable || !is_current(section) || programme == programmes_.end() || programme->second != pid) {
    return false;
  }
  std::vector<uint8_t>& known = pmts_[programme->first];
  if (known == section) return false;
  known = section;
  return true;
}

bool Tables::read_pat(const std::vector<uint8_t>& section) {
  if (section[0] != kPatTable || !is_current(section) || section[7] >= kMaxPatSections) return false;
  if (pat_[section[6]] == section) return false;
  pat_[section[6]] = section;
  // A section that the table no longer has, or one of another version, goes.
  std::erase_if(pat_, [&](const auto& entry) {
    return entry.first > section[7] || (entry.second[5] & 0x3E) != (section[5] & 0x3E);
  });
  const std::map<uint16_t, uint16_t> before = std::exchange(programmes_, {});
  for (const auto& [number, part] : pat_) {
    for (size_t at = 8; at + 4 <= part.size() - 4 && programmes_.size() < kMaxProgrammes; at += 4) {
      const uint16_t programme = word(part.data() + at);
      // Programme 0 names the network table.
      if (programme != 0) programmes_[programme] = word(part.data() + at + 2) & 0x1FFF;
    }
  }
  std::map<uint16_t, Collector> collectors;
  for (const auto& [programme, pid] : programmes_) {
    // Programmes may share a PID.
    if (!collectors.contains(pid)) collectors[pid] = std::move(collectors_[pid]);
  }
  collectors_ = std::move(collectors);
  // What was known of a programme that is gone, or has its table elsewhere now, goes.
  std::erase_if(pmts_, [&](const auto& entry) {
    const auto now = programmes_.find(entry.first);
    return now == programmes_.end() || now->second != before.at(entry.first);
  });
  return true;
}

bool Tables::complete() const {
  if (pat_.empty() || pat_.size() != size_t{pat_.begin()->second[7]} + 1) return false;
  return std::all_of(programmes_.begin(), programmes_.end(), [&](const auto& entry) { return pmts_.contains(entry.first); });
}

void Tables::name(Pids& pids) const {
  for (Pid& pid : pids.all()) {
    pid.role = Pid::Role::kUnnamed;
    pid.type = 0;
    pid.clock = pid.watched = false;
  }
  for (const Component& component : components()) {
    Pid& pid = pids.of(component.pid);
    pid.role = Pid::Role::kComponent;
    pid.type = component.type;
  }
  for (const uint16_t id : clocks()) {
    Pid& pid = pids.of(id);
    pid.clock = pid.watched = true;
  }
  for (const uint16_t id : pmt_pids()) {
    Pid& pid = pids.of(id);
    pid.role = Pid::Role::kPmt;
    pid.watched = true;
  }
  pids.of(0).role = Pid::Role::kPat;
  pids.of(0).watched = true;
}

std::vector<uint16_t> Tables::pmt_pids() const {
  std::vector<uint16_t> pids;
  for (const auto& [pid, collector] : collectors_) pids.push_back(pid);
  return pids;
}

std::vector<Component> Tables::components() const {
  std::vector<Component> components;
  for (const auto& [programme, section] : pmts_) {
    size_t at = 12 + (word(section.data() + 10) & 0x0FFF);
    while (at + 5 <= section.size() - 4) {
      components.push_back({static_cast<uint16_t>(word(section.data() + at + 1) & 0x1FFF), section[at]});
      at += 5 + (word(section.data() + at + 3) & 0x0FFF);
    }
  }
  return components;
}

std::vector<uint16_t> Tables::clocks() const {
  std::vector<uint16_t> pids;
  for (const auto& [programme, section] : pmts_) {
    const uint16_t pid = word(section.data() + 8) & 0x1FFF;
    // The null PID says that there is none.
    if (pid != ts::kNullPid && std::find(pids.begin(), pids.end(), pid) == pids.end()) pids.push_back(pid);
  }
  return pids;
}

Component Tables::main_component() const {
  const std::vector<Component> all = components();
  const auto video = std::find_if(all.begin(), all.end(), [](const Component& one) { return is_video(one.type); });
  if (video != all.end()) return *video;
  return all.empty() ? Component{} : all.front();
}

void Tables::note(const Pids& pids, Counters& counters) const {
  counters.clear();
  counters.push_back(pids.last(0));
  for (const auto& [pid, collector] : collectors_) counters.push_back(pids.last(pid));
}

std::string Tables::packets(const Pids& pids) const {
  Counters counters;
  note(pids, counters);
  return packets(counters);
}

std::string Tables::packets(const Counters& counters) const {
  std::map<uint16_t, uint8_t> last{{0, counters[0]}};  // Keyed by PID, in the order of note().
  size_t place = 1;
  for (const auto& [pid, collector] : collectors_) last[pid] = counters[place++];
  std::vector<std::pair<uint16_t, std::string>> parts;
  for (const auto& [number, section] : pat_) parts.emplace_back(0, payloads(section));
  for (const auto& [programme, section] : pmts_) parts.emplace_back(programmes_.at(programme), payloads(section));
  std::map<uint16_t, size_t> left;  // Packets of a PID that are still to come.
  for (const auto& [pid, body] : parts) left[pid] += body.size() / kBody;
  std::string out;
  for (const auto& [pid, body] : parts) {
    for (size_t at = 0; at < body.size(); at += kBody) {
      const size_t behind = --left[pid] % 16;
      out.push_back(static_cast<char>(ts::kSync));
      out.push_back(static_cast<char>((at == 0 ? 0x40 : 0x00) | pid >> 8));
      out.push_back(static_cast<char>(pid & 0xFF));
      out.push_back(static_cast<char>(0x10 | ((last[pid] + 16 - behind) & 0x0F)));
      out.append(body, at, kBody);
    }
  }
  return out;
}

}  // namespace weir::psi
