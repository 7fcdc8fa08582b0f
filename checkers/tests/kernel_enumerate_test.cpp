// The kernels of examples/ at small shapes: each `prove` holds at every admitted shape, each
// `refute` is refuted at the point that this table names (lane, register, expected, found, how
// many).

#include <gtest/gtest.h>

#include <algorithm>

#include "checkers/enumerate/kernel_show.h"
#include "checkers/enumerate/kernel_trace.h"
#include "checkers/tests/kernel_fixture.h"

namespace fragproof::kernel_tests {
namespace {

struct ExampleShapes {
  const char* file;
  std::vector<Sizes> shapes;
};

const std::vector<ExampleShapes>& small_shapes() {
  static const std::vector<ExampleShapes> shapes = {
      {"gemv",
       {{{"N", 16}, {"K", 32}, {"M", 1}},
        {{"N", 16}, {"K", 32}, {"M", 9}},
        {{"N", 32}, {"K", 64}, {"M", 2}},
        {{"N", 16}, {"K", 128}, {"M", 8}, {"S", 2}, {"NW", 2}},
        {{"N", 16}, {"K", 128}, {"M", 1}, {"NW", 2}, {"U", 2}},
        {{"N", 16}, {"K", 96}, {"M", 17}, {"U", 3}}}},
      {"gemv_broken",
       {{{"N", 16}, {"K", 32}, {"M", 1}},
        {{"N", 16}, {"K", 32}, {"M", 1}, {"U", 2}},
        {{"N", 16}, {"K", 64}, {"M", 1}, {"NW", 2}, {"U", 2}},
        {{"N", 16}, {"K", 64}, {"M", 8}}}},
      {"gemv_dual", {{{"N", 16}, {"K", 32}, {"M", 1}}, {{"N", 32}, {"K", 64}, {"M", 9}, {"U", 2}}}},
      {"gemv_natural", {{{"N", 16}, {"K", 32}, {"M", 8}}, {{"N", 32}, {"K", 64}, {"M", 16}}}},
      {"gemv_pointer_bump",
       {{{"N", 16}, {"K", 64}, {"M", 1}}, {{"N", 16}, {"K", 128}, {"M", 9}, {"U", 2}}}},
      {"gemv_sizes",
       {{{"N", 16}, {"K", 512}, {"M", 13}, {"NW", 4}, {"U", 2}},
        {{"N", 16}, {"K", 512}, {"M", 13}, {"NW", 8}},
        {{"N", 16}, {"K", 512}, {"M", 1}, {"NW", 4}, {"U", 4}},
        {{"N", 16}, {"K", 512}, {"M", 1}, {"NW", 4}, {"U", 3}}}},
      {"tf32_gemm", {{{"M", 32}, {"N", 32}, {"K", 16}}, {{"M", 64}, {"N", 32}, {"K", 32}}}},
      {"tf32_trans", {{{"M", 32}, {"N", 32}, {"K", 16}}, {{"M", 32}, {"N", 64}, {"K", 32}}}},
      {"tile_padded", {{{"M", 32}, {"N", 32}, {"K", 32}, {"P", 40}}}},
      {"tile_swizzled", {{{"M", 32}, {"N", 32}, {"K", 64}}}},
      {"zero_fill",
       {{{"N", 16}, {"K", 8}, {"M", 8}},
        {{"N", 16}, {"K", 16}, {"M", 8}},
        {{"N", 16}, {"K", 32}, {"M", 1}},
        {{"N", 16}, {"K", 40}, {"M", 8}},
        {{"N", 32}, {"K", 64}, {"M", 9}}}},
      {"dead_columns",
       {{{"N", 16}, {"K", 32}, {"M", 1}},
        {{"N", 16}, {"K", 32}, {"M", 8}},
        {{"N", 16}, {"K", 64}, {"M", 9}}}},
      {"batched",
       {{{"R", 1}, {"M", 16}, {"N", 8}, {"K", 16}},
        {{"R", 2}, {"M", 16}, {"N", 8}, {"K", 16}},
        {{"R", 3}, {"M", 16}, {"N", 16}, {"K", 32}}}},
      {"block_diagonal", {{{"N", 16}, {"K", 16}, {"M", 8}}, {{"N", 32}, {"K", 32}, {"M", 8}}}},
      {"syrk", {{{"N", 16}, {"K", 16}}, {{"N", 32}, {"K", 32}}}},
      {"operand_types", {{{"N", 16}, {"K", 16}, {"M", 8}}, {{"N", 32}, {"K", 32}, {"M", 8}}}},
      {"b13_k_tail",
       {{{"M", 16}, {"N", 8}, {"K", 8}},
        {{"M", 16}, {"N", 8}, {"K", 16}},
        {{"M", 16}, {"N", 8}, {"K", 40}}}},
      {"a01_marlin_w4", {{{"M", 1}, {"N", 64}, {"K", 16}}, {{"M", 17}, {"N", 64}, {"K", 32}}}},
      {"a04_act_order", {{{"M", 1}, {"N", 64}, {"K", 16}}}},
  };
  return shapes;
}

class KernelExample : public testing::TestWithParam<ExampleShapes> {};

TEST_P(KernelExample, ClaimsGetWhatTheyExpect) {
  const Subject subject(example(GetParam().file),
                        std::string("examples/") + GetParam().file + ".layout");
  ASSERT_TRUE(subject.ok());
  int claims = 0;
  for (const Claim& claim : subject.spec().claims) {
    if (claim.condition->kind != Expr::Kind::Kernel) continue;
    // A table that must move something: only the identity is tried here.
    if (std::string(GetParam().file) == "a04_act_order" && claim.refute) continue;
    if (claim.name == "pooler") continue;  // too large to enumerate: see below
    ++claims;
    const Kernel& kernel = *claim.condition->kernel;
    const std::optional<Obligation> only = claim.condition->obligation;
    std::vector<Obligation> obligations;
    for (int i = 0; i < obligation_count; ++i) {
      if (!only || static_cast<int>(*only) == i) obligations.push_back(static_cast<Obligation>(i));
    }
    int admitted = 0;
    bool refuted = false;
    std::vector<bool> judged(obligations.size(), false);
    for (const Sizes& sizes : GetParam().shapes) {
      if (!subject.admits(kernel, claim.where_clause, sizes)) continue;
      ++admitted;
      Evaluator evaluator(subject.spec(), subject.shape(sizes));
      KernelJudge judge(evaluator, kernel);
      for (std::size_t i = 0; i < obligations.size(); ++i) {
        const KernelVerdict verdict = judge.judge(obligations[i]);
        ASSERT_FALSE(verdict.unknown) << claim.name << ": " << verdict.reason;
        if (!verdict.holds) refuted = true;
        if (!verdict.vacuous) judged[i] = true;
        EXPECT_TRUE(claim.refute || verdict.holds)
            << claim.name << " " << name_of(obligations[i]) << ": " << brief(verdict) << " "
            << verdict.counterexample->text;
      }
    }
    EXPECT_GT(admitted, 0) << claim.name;
    if (claim.refute) {
      EXPECT_TRUE(refuted) << claim.name;
    } else {
      EXPECT_EQ(std::count(judged.begin(), judged.end(), false), 0) << claim.name << " is vacuous";
    }
  }
  EXPECT_GT(claims, 0);
}

INSTANTIATE_TEST_SUITE_P(Files, KernelExample, testing::ValuesIn(small_shapes()),
                         [](const auto& info) { return std::string(info.param.file); });

struct Refutation {
  const char* file;
  const char* kernel;
  Obligation obligation;
  Sizes sizes;
  const char* expected;  // brief(verdict)
};

class KernelRefutation : public testing::TestWithParam<Refutation> {};

TEST_P(KernelRefutation, IsRefutedAtTheNamedPoint) {
  const Refutation& row = GetParam();
  const Subject subject(example(row.file), std::string("examples/") + row.file + ".layout");
  ASSERT_TRUE(subject.ok());
  const KernelVerdict verdict = subject.judge(row.kernel, row.obligation, row.sizes);
  EXPECT_EQ(brief(verdict), row.expected)
      << (verdict.counterexample ? verdict.counterexample->text : "");
}

INSTANTIATE_TEST_SUITE_P(
    Table, KernelRefutation,
    testing::Values(
        Refutation{"gemv_broken",
                   "halves",
                   Obligation::Pairing,
                   {{"N", 16}, {"K", 32}},
                   "lane 0 a0 low 0: expected W[0, 4], found W[0, 0], 512 of 512"},
        Refutation{"gemv_broken",
                   "trips",
                   Obligation::Bounds,
                   {{"N", 16}, {"K", 32}, {"U", 2}},
                   "lane 0: expected Wp.b128[0..63], found Wp.b128[64], 128 of 912"},
        Refutation{
            "gemv_broken",
            "trips",
            Obligation::Cover,
            {{"N", 16}, {"K", 64}, {"NW", 2}, {"U", 2}},
            "lane 0 a0 low 0: expected k = 32 once in y[0, 0], found k = 32 twice, 16 of 16"},
        Refutation{"gemv_broken",
                   "swapped",
                   Obligation::ARows,
                   {{"N", 16}, {"K", 32}},
                   "lane 0 a1 low 2: expected W[8, 0], found W[0, 2], 256 of 512"},
        Refutation{"gemv_broken",
                   "noclamp",
                   Obligation::Bounds,
                   {{"N", 16}, {"K", 32}},
                   "lane 4: expected x[0..0, 0..31], found x[1, 0], 56 of 720"},
        Refutation{"gemv_dual",
                   "crossed",
                   Obligation::AWhole,
                   {{"N", 16}, {"K", 32}},
                   "lane 0 a0 low 0: expected W2[0, 0], found W[0, 0], 512 of 512"},
        Refutation{"gemv_dual",
                   "other_offset",
                   Obligation::Output,
                   {{"N", 32}, {"K", 32}},
                   "lane 0 c0 0: expected y2[0, 0], found y2[0, 16], 16 of 32"},
        Refutation{"gemv_natural",
                   "wide",
                   Obligation::AK,
                   {{"N", 16}, {"K", 32}, {"M", 8}},
                   "lane 0 a1 low 2: expected W[0, 0], found W[0, 2], 384 of 512"},
        Refutation{"gemv_natural",
                   "from_2t",
                   Obligation::Alignment,
                   {{"N", 16}, {"K", 32}, {"M", 8}},
                   "lane 1: expected a multiple of 16 bytes, found byte 4, 24 of 96"},
        Refutation{"gemv_pointer_bump",
                   "short_bump",
                   Obligation::Pairing,
                   {{"N", 16}, {"K", 128}, {"U", 2}},
                   "lane 0 a0 low 0: expected W[0, 64], found W[0, 32], 1024 of 2048"},
        Refutation{
            "gemv_sizes",
            "unchecked",
            Obligation::Cover,
            {{"N", 16}, {"K", 512}, {"NW", 4}, {"U", 3}},
            "lane 0 a0 low 0: expected k = 128 once in y[0, 0], found k = 128 twice, 16 of 16"},
        Refutation{"tf32_trans",
                   "trans",
                   Obligation::BWhole,
                   {{"M", 32}, {"N", 32}, {"K", 16}},
                   "lane 0 b0 0: expected bits 0..15 of Bk[0, 0], found bits 0..15 of Bk[1, 0], "
                   "1024 of 1024"},
        Refutation{"tile_swizzled",
                   "forgot",
                   Obligation::AK,
                   {{"M", 32}, {"N", 32}, {"K", 64}},
                   "lane 4 a0 low 0: expected A[1, 0], found A[1, 8], 7168 of 8192"},
        Refutation{"zero_fill",
                   "hole",
                   Obligation::Cover,
                   {{"N", 16}, {"K", 32}},
                   "lane 5 a0 low 0: expected k = 8 once in y[0, 1], found zero, 2 of 16"},
        Refutation{"zero_fill",
                   "short",
                   Obligation::Cover,
                   {{"N", 16}, {"K", 8}, {"M", 8}},
                   "lane 0 a0 low 0: expected k = 0 once in y[0, 0], found zero, 128 of 128"},
        Refutation{
            "zero_fill",
            "leftover",
            Obligation::AWhole,
            {{"N", 16}, {"K", 8}, {"M", 8}},
            "lane 0 a2 low 4: expected an element of W, found nothing (not loaded), 128 of 256"},
        Refutation{"dead_columns",
                   "off_by_one",
                   Obligation::BWhole,
                   {{"N", 16}, {"K", 32}},
                   "lane 0 b0 low 0: expected x[0, 0], found nothing (not loaded), 32 of 32"},
        Refutation{"dead_columns",
                   "stored_all",
                   Obligation::Bounds,
                   {{"N", 16}, {"K", 32}},
                   "lane 0 c1 1: expected y[0..0, 0..15], found y[1, 0], 112 of 776"},
        Refutation{"dead_columns",
                   "too_far",
                   Obligation::Bounds,
                   {{"N", 16}, {"K", 32}},
                   "lane 4: expected x[0..0, 0..31], found x[1, 0], 8 of 672"},
        Refutation{"batched",
                   "first_batch",
                   Obligation::Output,
                   {{"R", 2}, {"M", 16}, {"N", 8}, {"K", 16}},
                   "lane 0 c0 0: expected C[0, 0, 0], found C[1, 0, 0], 128 of 256"},
        Refutation{"batched",
                   "crossed",
                   Obligation::Output,
                   {{"R", 2}, {"M", 16}, {"N", 8}, {"K", 16}},
                   "lane 0 c0 0: expected C[1, 0, 0], found C[0, 0, 0], 256 of 256"},
        Refutation{"batched",
                   "both_first",
                   Obligation::Output,
                   {{"R", 2}, {"M", 16}, {"N", 8}, {"K", 16}},
                   "lane 0 c0 0: expected C[0, 0, 0], found C[1, 0, 0], 128 of 256"},
        Refutation{
            "block_diagonal",
            "full",
            Obligation::Cover,
            {{"N", 16}, {"K", 16}, {"M", 8}},
            "lane 0 a2 low 4: expected k = 0 once in y[0, 0], found k = 0 twice, 128 of 128"},
        Refutation{"block_diagonal",
                   "one_block",
                   Obligation::Cover,
                   {{"N", 16}, {"K", 16}, {"M", 8}},
                   "lane 0 a1 low 2: expected k = 0 once in y[0, 8], found zero, 64 of 128"},
        Refutation{"block_diagonal",
                   "shifted",
                   Obligation::Pairing,
                   {{"N", 16}, {"K", 16}, {"M", 8}},
                   "lane 0 a3 low 6: expected W[8, 8], found W[8, 0], 128 of 256"},
        Refutation{"syrk",
                   "same_rows",
                   Obligation::Output,
                   {{"N", 16}, {"K", 16}},
                   "lane 0 c0 0: expected C[0, 0], found C[0, 8], 128 of 256"},
        Refutation{"syrk",
                   "transposed",
                   Obligation::Output,
                   {{"N", 16}, {"K", 16}},
                   "lane 0 c1 1: expected C[0, 1], found C[1, 0], 240 of 256"},
        Refutation{"syrk",
                   "upper",
                   Obligation::Output,
                   {{"N", 32}, {"K", 16}},
                   "expected C[16, 0], found nothing, 256 of 1024"},
        Refutation{"operand_types",
                   "mixed",
                   Obligation::Types,
                   {{"N", 16}, {"K", 16}, {"M", 8}},
                   "lane 0 b0 low 0: expected x[0, 0] : bf16, found x[0, 0] : f16, 128 of 128"},
        Refutation{"operand_types",
                   "named",
                   Obligation::Types,
                   {{"N", 16}, {"K", 16}, {"M", 8}},
                   "lane 0 a0 low 0: expected Wh[0, 0] : bf16, found Wh[0, 0] : f16, 256 of 256"},
        Refutation{"operand_types",
                   "converted_x",
                   Obligation::Types,
                   {{"N", 16}, {"K", 16}, {"M", 8}},
                   "lane 0 a0 low 0: expected W[0, 0] : f16, found W[0, 0] : bf16, 256 of 256"},
        Refutation{
            "b13_k_tail",
            "no_fill",
            Obligation::AWhole,
            {{"M", 16}, {"N", 8}, {"K", 8}},
            "lane 0 a2 low 4: expected an element of A, found nothing (not loaded), 128 of 256"}),
    [](const auto& info) {
      std::string name = std::string(info.param.kernel) + "_" + name_of(info.param.obligation);
      std::replace(name.begin(), name.end(), '.', '_');
      return std::to_string(info.index) + "_" + name;
    });

TEST(KernelEnumerate, LargeShapesAreUnknownAndNotTried) {
  const Subject subject(example("gemv_sizes"), "examples/gemv_sizes.layout");
  const KernelVerdict verdict =
      subject.judge("gemv", Obligation::Bounds,
                    {{"N", 4096}, {"K", 8192}, {"M", 8}, {"S", 4}, {"NW", 8}, {"U", 4}});
  EXPECT_TRUE(verdict.unknown);
  EXPECT_NE(verdict.reason.find("too many for the budget"), std::string::npos) << verdict.reason;
}

TEST(KernelEnumerate, ABudgetOfPointsIsKept) {
  const Subject subject(example("gemv"), "examples/gemv.layout");
  Evaluator::Options options;
  options.points = 1000;
  Evaluator evaluator(subject.spec(), subject.shape({{"N", 16}, {"K", 32}}), options);
  std::int64_t points = 0;
  EXPECT_TRUE(judge_kernel(evaluator, subject.kernel("gemv"), Obligation::Bounds, points).unknown);
}

TEST(KernelText, NamesLaneRegisterHalfExpectedAndFound) {
  // Two registers exchanged in a natural layout: the sentence of the design, at lane 0 and with its
  // digits.
  const Subject subject(edited(example("gemv_natural"), "{a0, a1, a2, a3}", "{a0, a2, a1, a3}"),
                        "examples/gemv_natural.layout");
  const KernelVerdict verdict =
      subject.judge("natural", Obligation::ARows, {{"N", 16}, {"K", 32}, {"M", 8}});
  ASSERT_TRUE(verdict.counterexample);
  EXPECT_EQ(verdict.counterexample->text,
            "lane 0 (g=0, t=0), register a1, low half (PTX element a2) at rb=0, nb=0, ks=0: "
            "expected W[8, 0], "
            "found W[0, 8]");
  ASSERT_TRUE(verdict.counterexample->picture);
  const Picture& picture = *verdict.counterexample->picture;
  EXPECT_EQ(picture.title, "operand A of mma.m16n8k16.bf16 at rb=0, nb=0, ks=0");
  ASSERT_EQ(picture.cells.size(), 256U);
  const PictureCell& cell = picture.cells[5 * 8 + 2];
  EXPECT_EQ(cell.lane, 5);
  EXPECT_EQ(cell.elem, 2);
  EXPECT_EQ(cell.expected, "W[9, 2]");
  EXPECT_EQ(cell.found, "W[1, 10]");
  EXPECT_TRUE(cell.wrong);
  EXPECT_FALSE(picture.cells[5 * 8].wrong);
  EXPECT_EQ(picture.cells[5 * 8].expected, picture.cells[5 * 8].found);
  // Half of the registers, at every point: 2 points of reduce, 32 lanes, 4 of 8 elements.
  EXPECT_EQ(verdict.counterexample->wrong, 256);
  EXPECT_EQ(verdict.counterexample->of, 512);
}

TEST(KernelText, PointsAreParallelThenReduceInOrder) {
  const Subject subject(example("gemv_broken"), "examples/gemv_broken.layout");
  const KernelVerdict verdict =
      subject.judge("trips", Obligation::Cover, {{"N", 16}, {"K", 64}, {"NW", 2}, {"U", 2}});
  ASSERT_TRUE(verdict.counterexample);
  const NamedValues expected = {{"rb", 0}, {"nb", 0}, {"sidx", 0}, {"warp", 1},
                                {"i", 0},  {"u", 0},  {"step", 0}};
  EXPECT_EQ(verdict.counterexample->at, expected);
}

TEST(KernelShow, LanesOfThePackedWeights) {
  const Subject subject(example("gemv"), "examples/gemv.layout");
  Evaluator evaluator(subject.spec(), subject.shape({{"N", 16}, {"K", 32}}));
  const Kernel& kernel = subject.kernel("gemv");
  const LoadTable table =
      table_of_load(evaluator, kernel, subject.load("gemv", "a"), {0, 1, 5, 99});
  EXPECT_EQ(
      describe_loads(table),
      "load a of kernel gemv: 16 bytes a lane at rb=0, nb=0, sidx=0, warp=0, i=0, u=0, step=0\n"
      "lane 0: W[0, 0] W[0, 1] W[8, 0] W[8, 1] W[0, 2] W[0, 3] W[8, 2] W[8, 3]\n"
      "lane 1: W[0, 8] W[0, 9] W[8, 8] W[8, 9] W[0, 10] W[0, 11] W[8, 10] W[8, 11]\n"
      "lane 5: W[1, 8] W[1, 9] W[9, 8] W[9, 9] W[1, 10] W[1, 11] W[9, 10] W[9, 11]\n");
  ASSERT_EQ(table.pieces.size(), 24U);
  EXPECT_EQ(table.pieces[3].reg, "r1");
  EXPECT_EQ(table.pieces[3].first_bit, 48);
  EXPECT_EQ(table.pieces[3].last_bit, 63);
  const LoadTable second =
      table_of_load(evaluator, kernel, subject.load("gemv", "a"), {0}, {{"step", 1}});
  ASSERT_EQ(second.pieces.size(), 8U);
  EXPECT_EQ(second.pieces[0].content, "W[0, 4]");
  EXPECT_NE(table_of_load(evaluator, kernel, subject.load("gemv", "a"), {0}, {{"step", 2}}).unknown,
            "");
}

TEST(KernelShow, KPermutationOfThePackedWeights) {
  const Subject subject(example("gemv"), "examples/gemv.layout");
  Evaluator evaluator(subject.spec(), subject.shape({{"N", 16}, {"K", 32}}));
  const KPermutation permutation = k_permutation(evaluator, subject.kernel("gemv"));
  ASSERT_EQ(permutation.unknown, "");
  ASSERT_EQ(permutation.slots.size(), 16U);
  for (int t = 0; t < 4; ++t) {
    for (int e = 0; e < 2; ++e) {
      for (int s = 0; s < 2; ++s) {  // 2t+e -> 8t+4s+e, 8+2t+e -> 8t+4s+2+e
        const auto step = static_cast<std::size_t>(s);
        EXPECT_EQ(permutation.slots[static_cast<std::size_t>(2 * t + e)][step], 8 * t + 4 * s + e);
        EXPECT_EQ(permutation.slots[static_cast<std::size_t>(8 + 2 * t + e)][step],
                  8 * t + 4 * s + 2 + e);
      }
    }
  }
}

TEST(KernelMetrics, LoadsOfTheExamples) {
  const auto metric = [](const char* file, const char* kernel, const char* load, Metric which,
                         const Sizes& sizes) {
    const Subject subject(example(file), std::string("examples/") + file + ".layout");
    Evaluator evaluator(subject.spec(), subject.shape(sizes));
    std::int64_t points = 0;
    const LoadMetric value =
        judge_load(evaluator, subject.kernel(kernel), subject.load(kernel, load), which, points);
    EXPECT_EQ(value.outcome, Outcome::Ok) << value.reason;
    EXPECT_GT(points, 0);
    return static_cast<int>(value.value);
  };
  const Sizes gemv = {{"N", 16}, {"K", 64}, {"M", 8}};
  EXPECT_EQ(metric("gemv", "gemv", "a", Metric::Coalesced, gemv), 1);
  EXPECT_EQ(metric("gemv", "gemv", "a", Metric::Sectors, gemv), 16);
  EXPECT_EQ(metric("gemv", "gemv", "xv", Metric::Sectors, gemv), 16);
  EXPECT_EQ(metric("gemv_natural", "natural", "a0", Metric::Sectors, gemv), 8);
  EXPECT_EQ(metric("gemv_natural", "natural", "a0", Metric::Coalesced, gemv), 0);
  const Sizes tile = {{"M", 32}, {"N", 32}, {"K", 64}, {"P", 40}};
  EXPECT_EQ(metric("tf32_trans", "trans", "b", Metric::Ways, tile), 1);
  EXPECT_EQ(metric("tile_padded", "gemm", "a", Metric::Ways, tile), 1);
  EXPECT_EQ(metric("tile_swizzled", "gemm", "a", Metric::Ways, tile), 1);
  EXPECT_EQ(metric("tile_swizzled", "forgot", "a", Metric::Ways, tile), 8);
}

}  // namespace
}  // namespace fragproof::kernel_tests
