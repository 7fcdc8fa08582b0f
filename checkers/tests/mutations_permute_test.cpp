// Every exchange of two axes of `_pack`'s permute: 28 bijections, each wrong, each refuted at the
// smallest shape.
//
// The expected numbers come from mutations_oracle.py, a brute force over tuples that shares nothing
// with this project.
#include <algorithm>
#include <map>

#include "checkers/tests/mutations.h"

namespace fragproof::mutations {
namespace {

// ---- the permutation of the pack
// ---------------------------------------------------------------------------

struct Swap {
  int one;  // positions in permute(0, 3, 5, 2, 4, 6, 1, 7)
  int other;
  const char* obligation;  // the first that fails
  int n;                   // the smallest N and K; all other sizes are 1
  int k;
  const char* at;
  int lane;
  int elem;
  const char* expected;
  const char* found;
  int wrong;
  int of;
};

const std::vector<Swap>& swaps() {
  static const std::vector<Swap> all = {
      {0, 1, "A.rows", 32, 64, "rb=0 nb=0 sidx=0 warp=0 i=1 u=0 step=0", 0, 0, "W[0, 32]",
       "W[16, 0]", 1024, 2048},
      {0, 2, "A.rows", 32, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=1", 0, 0, "W[0, 4]",
       "W[16, 0]", 512, 1024},
      {0, 3, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 4, 0, "W[1, 0]", "W[0, 4]",
       448, 512},
      {0, 4, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 1, 0, "W[0, 8]", "W[1, 0]",
       448, 512},
      {0, 5, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 2, 0, "W[0, 16]",
       "W[1, 0]", 448, 512},
      {0, 6, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 2, "W[8, 0]", "W[0, 2]",
       480, 512},
      {0, 7, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 1, "W[0, 1]", "W[8, 0]",
       480, 512},
      {1, 2, "pairing", 16, 64, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=1", 0, 0, "W[0, 4]",
       "W[0, 32]", 512, 1024},
      {1, 3, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 4, 0, "W[1, 0]", "W[0, 4]",
       448, 512},
      {1, 4, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 1, 0, "W[0, 8]", "W[1, 0]",
       448, 512},
      {1, 5, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 2, 0, "W[0, 16]",
       "W[1, 0]", 448, 512},
      {1, 6, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 2, "W[8, 0]", "W[0, 2]",
       480, 512},
      {1, 7, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 1, "W[0, 1]", "W[8, 0]",
       480, 512},
      {2, 3, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 4, 0, "W[1, 0]", "W[0, 4]",
       448, 512},
      {2, 4, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 2, 0, "W[0, 16]",
       "W[1, 0]", 448, 512},
      {2, 5, "pairing", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 4, "W[0, 2]",
       "W[0, 4]", 256, 512},
      {2, 6, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 2, "W[8, 0]", "W[0, 4]",
       256, 512},
      {2, 7, "pairing", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 1, "W[0, 1]",
       "W[0, 4]", 256, 512},
      {3, 4, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 1, 0, "W[0, 8]", "W[1, 0]",
       448, 512},
      {3, 5, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 4, "W[0, 2]", "W[1, 0]",
       448, 512},
      {3, 6, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 2, "W[8, 0]", "W[1, 0]",
       480, 512},
      {3, 7, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 1, "W[0, 1]", "W[1, 0]",
       480, 512},
      {4, 5, "pairing", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 4, "W[0, 2]",
       "W[0, 8]", 384, 512},
      {4, 6, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 2, "W[8, 0]", "W[0, 8]",
       256, 512},
      {4, 7, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 2, "W[8, 0]",
       "W[0, 16]", 256, 512},
      {5, 6, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 2, "W[8, 0]", "W[0, 2]",
       256, 512},
      {5, 7, "pairing", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 1, "W[0, 1]",
       "W[0, 2]", 256, 512},
      {6, 7, "A.rows", 16, 32, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 1, "W[0, 1]", "W[8, 0]",
       256, 512},
  };
  return all;
}

class PermuteAxes : public testing::TestWithParam<Swap> {};

TEST_P(PermuteAxes, EveryExchangeOfTwoIsSeen) {
  const Swap& swap = GetParam();
  std::vector<std::string> axes = {"0", "3", "5", "2", "4", "6", "1", "7"};
  std::swap(axes.at(static_cast<std::size_t>(swap.one)),
            axes.at(static_cast<std::size_t>(swap.other)));
  std::string permute = ".permute(";
  for (const std::string& axis : axes) permute += axis + (&axis == &axes.back() ? ")" : ", ");
  const std::string reshape = "pack Wp = W.reshape(N/16, 2, 8, K/32, 4, 2, 2, 2)";
  const Mutant mutant("gemv.layout",
                      {{reshape + ".permute(0, 3, 5, 2, 4, 6, 1, 7)", reshape + permute}});
  const std::string reg = "a" + std::to_string(swap.elem / 2);
  expect_refuted(
      mutant.check(std::string("gemv.") + swap.obligation),
      {"N=" + std::to_string(swap.n) + " K=" + std::to_string(swap.k) + " M=1 S=1 NW=1 U=1",
       swap.at, swap.lane, swap.elem, reg, swap.elem % 2 == 0 ? "low" : "high", swap.expected,
       swap.found, swap.wrong, swap.of});
  // A bijection all the same: that alone says nothing.
  expect_not_refuted(mutant, {"pack_bijective"});
}

INSTANTIATE_TEST_SUITE_P(Mutations, PermuteAxes, testing::ValuesIn(swaps()), [](const auto& info) {
  return "Positions" + std::to_string(info.param.one) + "And" + std::to_string(info.param.other);
});

TEST(Mutations, AllTwentyEightPairsArePresent) {
  std::map<std::pair<int, int>, int> seen;
  for (const Swap& swap : swaps()) ++seen[{swap.one, swap.other}];
  EXPECT_EQ(seen.size(), 28U);
}

}  // namespace
}  // namespace fragproof::mutations
