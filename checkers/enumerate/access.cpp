// The cost model of one warp-wide access: see access.h.
#include "checkers/enumerate/access.h"

#include <algorithm>
#include <array>
#include <vector>

namespace fragproof {
namespace {

constexpr int banks = 32;
constexpr std::int64_t word_bytes = 4;
constexpr std::int64_t sector_bytes = 32;

// The distinct blocks of `block` bytes that the lanes touch, ascending.
std::vector<std::int64_t> touched(LaneAddresses lanes, int bytes, std::int64_t block) {
  std::vector<std::int64_t> blocks;
  for (const auto& address : lanes) {
    if (!address) continue;
    for (std::int64_t b = *address / block; b <= (*address + bytes - 1) / block; ++b) {
      blocks.push_back(b);
    }
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

}  // namespace

bool aligned(LaneAddresses lanes, int bytes) {
  return std::all_of(lanes.begin(), lanes.end(), [&](const std::optional<std::int64_t>& address) {
    return !address || (*address >= 0 && *address % bytes == 0);
  });
}

int ways(LaneAddresses lanes, int bytes) {
  const std::size_t phase = bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
  int most = 0;
  for (std::size_t first = 0; first < lanes.size(); first += phase) {
    const LaneAddresses together = lanes.subspan(first, std::min(phase, lanes.size() - first));
    std::array<int, banks> words{};
    for (const std::int64_t word : touched(together, bytes, word_bytes)) {
      most = std::max(most, ++words[static_cast<std::size_t>(word % banks)]);
    }
  }
  return most;
}

int sectors(LaneAddresses lanes, int bytes) {
  return static_cast<int>(touched(lanes, bytes, sector_bytes).size());
}

bool coalesced(LaneAddresses lanes, int bytes) {
  const std::vector<std::int64_t> all = touched(lanes, bytes, 1);
  if (all.empty()) return true;
  const bool gapless = all.back() - all.front() + 1 == static_cast<std::int64_t>(all.size());
  return gapless && all.front() % sector_bytes == 0 && (all.back() + 1) % sector_bytes == 0;
}

}  // namespace fragproof
