// What places hold: extents, units, fills, chains, doubly written and unwritten places.
#include <gtest/gtest.h>

#include "spec/tests/eval_testing.h"

namespace fragproof {
namespace {

const char* const arrays =
    "size N, K\n"
    "tensor W[N, K] : u4\n"
    "tensor X[N, K] : u4\n"
    "pack P[N*K/8] : b32\n"  // line 4
    "  for (n : N, k : K) P[(k/8)*N + n].b4[k % 8] = W[n, k]\n"
    "pack Q[N*K/8] : b32\n"
    "  for (i : N*K/8) Q[i] = P[N*K/8 - 1 - i]\n"
    "pack R[N, K] : u4\n"
    "  for (n : N, k : K where k > 0) R[n, k] = W[n, k - 1]\n"
    "  for (n : N) R[n, 1] = 0\n"
    "pack T = W.reshape(N/2, 2, K).permute(2, 0, 1)\n"
    "pack Z[4] : b32\n"
    "  for (i : 2) Z[i] = 0\n"
    "  for (i : 2) Z[2 + i].b8[i] = 0\n"
    "pack O[4] : u4\n"
    "  for (i : 4) O[i + 1] = W[0, i]\n";

struct Case {
  const char* condition;
  const char* expected;  // "true", "false" or "undefined: REASON"
};

TEST(Memory, PlacesHoldWhatWasPutThere) {
  for (const Case& c : std::vector<Case>{
           {"P[3].b4[5] == W[3, 5]", "true"},
           {"P[3].b4[5] == W[3, 4]", "false"},
           {"P[3].b4[5] == X[3, 5]", "false"},
           {"P.b4[29] == W[3, 5]", "true"},
           {"P.b8[1] == W.b8[1]", "true"},
           {"P[4 + 1].b16[1] == W.b16[7]", "true"},
           {"Q[0] == P[7]", "true"},
           {"Q[0].b4[2] == W[3, 10]", "true"},
           {"Q.b64[0] == P.b64[3]", "false"},
           {"T[5, 1, 1] == W[3, 5]", "true"},
           {"T.b4[5*4 + 3] == W[3, 5]", "true"},
           {"Z[0] == Z[1]", "true"},
           {"Z[0].b8[3] == Z[3].b8[1]", "true"},
           {"R[1, 2] == W[1, 1]", "true"},
           {"forall(n : N, k : K) P[(k/8)*N + n].b4[k % 8] == W[n, k]", "true"},
           {"forall(n : N, k : K) T[k, n/2, n % 2] == W[n, k]", "true"},
           {"W[4, 0] == W[0, 0]",
            "undefined: W[4, 0]: index 4 is outside 0..3 of dimension 0, 1 past the last"},
           {"W[0, -1] == W[0, 0]",
            "undefined: W[0, -1]: index -1 is outside 0..15 of dimension 1, 1 below 0"},
           {"W.b128[2] == W.b128[0]", "undefined: W.b128[2] is outside (2 units), 1 past the last"},
           {"P[0].b4[8] == W[0, 0]", "undefined: P[0].b4[8] is outside (8 units), 1 past the last"},
           {"R[0, 0] == W[0, 0]", "undefined: R[0, 0] was never written"},
           {"R[0, 1] == W[0, 0]", "undefined: R[0, 1] was written twice"},
           {"Z[2].b8[1] == Z[0].b8[0]", "undefined: bits 8..15 of Z[2] was never written"},
           {"Z[3] == Z[0]", "undefined: bits 0..7 of Z[3] was never written"},
           {"O[1] == W[0, 0]", "true"},
           {"O[0] == W[0, 0]", "undefined: O[0] was never written"},
       }) {
    Evaluated at(arrays, c.condition, {{"N", 4}, {"K", 16}});
    const Scalar scalar = at.truth();
    const std::string found = scalar.outcome == Outcome::Undefined ? "undefined: " + scalar.reason
                              : scalar.value != 0                  ? "true"
                                                                   : "false";
    EXPECT_EQ(found, c.expected) << c.condition;
  }
}

TEST(Memory, AChainThatDoesNotFitHasNoContents) {
  Evaluated at(arrays, "T[0, 0, 0] == W[0, 0]", {{"N", 3}, {"K", 16}});
  const Scalar scalar = at.truth();
  EXPECT_EQ(scalar.outcome, Outcome::Undefined);
  EXPECT_EQ(scalar.reason.substr(0, 10), "T: reshape") << scalar.reason;
}

TEST(Memory, ImagesTellWhatWentWrong) {
  Evaluated at(arrays, "W[0, 0] == W[0, 0]", {{"N", 4}, {"K", 16}});
  const auto image = [&](const std::string& name) -> const Image& {
    for (const Array* array : at.spec->arrays) {
      if (array->name == name) return at.evaluator->image(*array);
    }
    throw std::runtime_error("no pack " + name);
  };
  EXPECT_FALSE(image("P").written_twice);
  EXPECT_EQ(image("P").granule, 4);
  EXPECT_EQ(image("P").cells.size(), 64U);
  EXPECT_TRUE(image("R").written_twice);
  EXPECT_FALSE(image("R").place_failed);
  EXPECT_TRUE(image("O").place_failed);
  EXPECT_EQ(image("O").place_reason, "O[4]: index 4 is outside 0..3, 1 past the last");
  EXPECT_EQ(image("R").code(0), code_unwritten);
  EXPECT_EQ(image("R").code(1), code_twice);
  EXPECT_EQ(image("Z").code(0), code_zero);
}

TEST(Memory, TooLargeIsNoVerdict) {
  Evaluated at(arrays, "P[3].b4[5] == W[3, 5]", {{"N", 1 << 20}, {"K", 1 << 20}});
  EXPECT_EQ(at.truth().outcome, Outcome::Overflow);
  EXPECT_EQ(at.evaluator->undecided(), "the contents of P are too large a table");
}

TEST(Memory, OriginsAreDescribed) {
  Evaluated at(arrays, "W[0, 0] == W[0, 0]", {{"N", 4}, {"K", 16}});
  const Array* w = at.spec->arrays.at(0);
  Evaluator& evaluator = *at.evaluator;
  EXPECT_EQ(evaluator.describe(evaluator.code(*w, 4 * 37), 4), "W[2, 5]");
  EXPECT_EQ(evaluator.describe(evaluator.code(*w, 4 * 37 + 1), 2), "bits 1..2 of W[2, 5]");
  EXPECT_EQ(evaluator.describe(code_zero, 4), "zero");
  EXPECT_EQ(evaluator.describe(code_twice, 4), "written twice");
  const BitRun run = evaluator.origin(evaluator.code(*w, 12), 4);
  EXPECT_EQ(run.array, w);
  EXPECT_EQ(run.bit, 12);
}

}  // namespace
}  // namespace fragproof
