// The cost model of one warp-wide access: shared-memory passes and global-memory sectors
// (LANGUAGE.md section 5).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace fragproof {

// Byte addresses of the lanes that take part, by lane number; nothing for a lane that does not
// load.
using LaneAddresses = std::span<const std::optional<std::int64_t>>;

// Are all addresses multiples of `bytes`?
[[nodiscard]] bool aligned(LaneAddresses lanes, int bytes);

// The most passes that any phase needs. A phase is 8 lanes for 16 bytes, 16 for 8, else 32; passes
// = the most distinct 4-byte words in one of 32 banks. 0 when no lane loads.
[[nodiscard]] int ways(LaneAddresses lanes, int bytes);

// Distinct 32-byte sectors touched.
[[nodiscard]] int sectors(LaneAddresses lanes, int bytes);

// Are the bytes one gapless run of whole sectors?
[[nodiscard]] bool coalesced(LaneAddresses lanes, int bytes);

}  // namespace fragproof
