// The cost model of an access: phases, banks, sectors, gaps.
#include "checkers/enumerate/access.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace fragproof {
namespace {

std::vector<std::optional<std::int64_t>> lanes(int count,
                                               const std::function<std::int64_t(int)>& address) {
  std::vector<std::optional<std::int64_t>> out;
  for (int lane = 0; lane < count; ++lane) out.emplace_back(address(lane));
  return out;
}

TEST(Access, WaysCountDistinctWordsOfOneBankInAPhase) {
  EXPECT_EQ(ways(lanes(32, [](int l) { return 4 * l; }), 4), 1);
  EXPECT_EQ(ways(lanes(32, [](int l) { return 8 * l; }), 4), 2);
  EXPECT_EQ(ways(lanes(32, [](int l) { return 128 * l; }), 4), 32);
  EXPECT_EQ(ways(lanes(32, [](int) { return 64; }), 4), 1);  // one word for all: a broadcast
  EXPECT_EQ(ways(lanes(32, [](int l) { return 4 * (l / 4); }), 4), 1);
  EXPECT_EQ(ways(lanes(32, [](int l) { return 16 * l; }), 16), 1);  // a phase is 8 lanes
  EXPECT_EQ(ways(lanes(32, [](int l) { return 128 * l; }), 16), 8);
  EXPECT_EQ(ways(lanes(32, [](int l) { return 8 * l; }), 8), 1);    // a phase is 16 lanes
  EXPECT_EQ(ways(lanes(32, [](int l) { return 2 * l; }), 2), 1);    // two lanes in one word
  EXPECT_EQ(ways(lanes(8, [](int l) { return 144 * l; }), 16), 1);  // a padded row
}

TEST(Access, LanesThatDoNotLoadAreLeftOut) {
  auto all = lanes(32, [](int l) { return 128 * l; });
  for (std::size_t l = 1; l < 32; ++l) all[l].reset();
  EXPECT_EQ(ways(all, 4), 1);
  EXPECT_EQ(sectors(all, 4), 1);
  EXPECT_FALSE(coalesced(all, 4));
  all[0].reset();
  EXPECT_EQ(ways(all, 4), 0);
  EXPECT_EQ(sectors(all, 4), 0);
}

TEST(Access, SectorsAndCoalescing) {
  EXPECT_EQ(sectors(lanes(32, [](int l) { return 16 * l; }), 16), 16);
  EXPECT_TRUE(coalesced(lanes(32, [](int l) { return 16 * l; }), 16));
  EXPECT_TRUE(coalesced(lanes(32, [](int l) { return 32 + 4 * (31 - l); }), 4));
  EXPECT_FALSE(
      coalesced(lanes(32, [](int l) { return 16 + 16 * l; }), 16));      // begins inside a sector
  EXPECT_FALSE(coalesced(lanes(32, [](int l) { return 32 * l; }), 16));  // gaps
  EXPECT_TRUE(
      coalesced(lanes(32, [](int l) { return 4 * (l % 8); }), 4));  // one sector, read four times
  EXPECT_EQ(sectors(lanes(32, [](int l) { return 512 * l; }), 4), 32);
}

TEST(Access, Alignment) {
  EXPECT_TRUE(aligned(lanes(4, [](int l) { return 16 * l; }), 16));
  EXPECT_FALSE(aligned(lanes(4, [](int l) { return 16 * l + 8; }), 16));
  EXPECT_FALSE(aligned(lanes(4, [](int l) { return -16 * l; }), 16));
}

}  // namespace
}  // namespace fragproof
