// Every kind of mistake of a packing or kernel author, as a text edit of an example: refuted at the
// right obligation, at the smallest shape, with the right lane, register, half, expected and found
// element and the right counts.
//
// The expected numbers were worked out by mutations_oracle.py (a brute force over tuples that
// shares nothing with this project) or by hand; they are data here, not computed.
#include <algorithm>
#include <map>

#include "checkers/tests/mutations.h"

namespace fragproof::mutations {
namespace {

const std::string kGemvSizes = "N=16 K=32 M=1 S=1 NW=1 U=1";
const std::string kFirstPoint = "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=0";

// ---- registers, digits, lanes
// --------------------------------------------------------------------------------

// DESIGN's own picture: lane 5 (g = 1, t = 1) has in a1 what belongs in a2, (1, 10) for (9, 2).
TEST(Mutations, TwoRegistersSwapped) {
  const Mutant mutant("gemv_natural.layout",
                      {{"acc += mma.m16n8k16.bf16({a0, a1, a2, a3}, {b0, b1})\n"
                        "  store acc to y[8*nb + col, 16*rb + row]\nprove natural\n",
                        "acc += mma.m16n8k16.bf16({a0, a2, a1, a3}, {b0, b1})\n"
                        "  store acc to y[8*nb + col, 16*rb + row]\nprove natural\n"}});
  expect_not_refuted(mutant,
                     {"natural.bounds", "natural.alignment", "natural.A.whole", "natural.types"});
  const Check check = mutant.check("natural.A.rows");
  expect_refuted(check, {"N=16 K=32 M=8", "rb=0 nb=0 ks=0", 0, 2, "a1", "low", "W[8, 0]", "W[0, 8]",
                         256, 512});
  // The register picture shows all of it: lane 5's a1, low half, too.
  ASSERT_TRUE(check.counterexample && check.counterexample->picture);
  const std::vector<PictureCell>& cells = check.counterexample->picture->cells;
  const auto cell = std::find_if(cells.begin(), cells.end(),
                                 [](const PictureCell& c) { return c.lane == 5 && c.elem == 2; });
  ASSERT_NE(cell, cells.end());
  EXPECT_EQ(cell->expected, "W[9, 2]");
  EXPECT_EQ(cell->found, "W[1, 10]");
  EXPECT_TRUE(cell->wrong);
}

TEST(Mutations, StrideOfADigitChanged) {
  // The K block's stride in the packed array: block 1 step 0 is read where block 0 step 1 stands.
  const Mutant block("gemv.layout", {{"(i*U + u)*64 + 32*step]", "(i*U + u)*32 + 32*step]"}});
  expect_not_refuted(block, {"gemv.bounds", "gemv.A.rows", "gemv.B.cols", "gemv.A.k", "gemv.B.k"});
  expect_refuted(block.check("gemv.pairing"),
                 {"N=16 K=64 M=1 S=1 NW=1 U=1", "rb=0 nb=0 sidx=0 warp=0 i=1 u=0 step=0", 0, 0,
                  "a0", "low", "W[0, 32]", "W[0, 4]", 512, 1024});
  // The row block's: tile 1 finds what belongs to tile 0.
  const Mutant rows("gemv.layout",
                    {{"i64((rb*KB + kb0)*64 + lane)", "i64((rb*KB + kb0)*32 + lane)"}});
  expect_refuted(rows.check("gemv.A.rows"),
                 {"N=32 K=32 M=1 S=1 NW=1 U=1", "rb=1 nb=0 sidx=0 warp=0 i=0 u=0 step=0", 0, 0,
                  "a0", "low", "W[16, 0]", "W[0, 4]", 256, 1024});
}

TEST(Mutations, StrideOfADigitOfAFragmentChanged) {
  const Mutant mutant("builtin.layout",
                      {{"elem : [c:2, h:2, e:2]) -> (row : 16, col : 16) : b16\n  row = 8*h + g\n"
                        "  col = 8*c + 2*t + e",
                        "elem : [c:2, h:2, e:2]) -> (row : 16, col : 16) : b16\n  row = 8*h + g\n"
                        "  col = 4*c + 2*t + e"}});
  // Columns 4..7 are met twice, 12..15 never: in each row (elem 4, lane 0) and (elem 0, lane 2) are
  // both (0, 4).
  const Check check = mutant.check("bijective(mma.m16n8k16.b16.A)");
  expect_refuted(check, {"", "lane=2 elem=0", 2, 0, "a0", "low", "", "(0, 4)", 64, 256});
  EXPECT_NE(mutant.check("bijective(mma.m16n8k16.b16.B)").verdict, Verdict::Refuted);
}

TEST(Mutations, GroupAndThreadSwapped) {
  const Mutant mutant("gemv.layout", {{"let g = lane >> 2, t = lane & 3\n  let kb0",
                                       "let t = lane >> 2, g = lane & 3\n  let kb0"}});
  // t up to 7: lane 16 reads x[0, 32] of 32.
  expect_refuted(mutant.check("gemv.bounds"),
                 {kGemvSizes, kFirstPoint, 16, -1, "", "", "", "x[0, 32]"});
}

TEST(Mutations, RowAndKHalfSwapped) {
  const Mutant mutant("gemv.layout",
                      {{"kernel gemv computes",
                        "fragment mma.m16n8k16.b16.A(lane : [g:8, t:4], elem : [h:2, c:2, e:2]) -> "
                        "(row : 16, col : 16) : b16\n"
                        "  row = 8*h + g\n  col = 8*c + 2*t + e\n\nkernel gemv computes"}});
  expect_refuted(mutant.check("gemv.A.rows"),
                 {kGemvSizes, kFirstPoint, 0, 2, "a1", "low", "W[0, 2]", "W[8, 0]", 256, 512});
}

TEST(Mutations, RowAndKHalfSwappedInThePlaceMap) {
  const Mutant mutant("gemv.layout",
                      {{"g:8, t:4, j:2, h:2, e:2]\n", "g:8, t:4, h:2, j:2, e:2]\n"}});
  const Check check = mutant.check("same_pack");
  expect_refuted(check, {"N=16 K=32", "n=0 k=2", -1, -1, "", "", "W[0, 2]", "W[8, 0]", 256, 512});
}

TEST(Mutations, KRelabelledForOneOperandOnly) {
  const Mutant mutant(
      "gemv.layout",
      {{"load xv : b128 from x[tok, kb0*32 + t*8 + (i*U + u)*32]       # serves both steps\n"
        "  acc += mma.m16n8k16.b16(a, xv.b64[step])",
        "load x0 : b32 from x[tok, kb0*32 + 16*step + t*2 + (i*U + u)*32]\n"
        "  load x1 : b32 from x[tok, kb0*32 + 16*step + t*2 + 8 + (i*U + u)*32]\n"
        "  acc += mma.m16n8k16.b16(a, {x0, x1})"},
       {"prove x_sectors: sectors(gemv.xv) <= 16\n", ""}});
  expect_not_refuted(mutant, {"gemv.bounds", "gemv.A.rows", "gemv.B.cols", "gemv.A.k", "gemv.B.k"});
  expect_refuted(mutant.check("gemv.pairing"),
                 {kGemvSizes, kFirstPoint, 0, 4, "a2", "low", "W[0, 8]", "W[0, 2]", 384, 512});
}

TEST(Mutations, HalvesOfXSwapped) {
  const Mutant mutant("gemv.layout", {{"xv.b64[step]", "xv.b64[1 - step]"}});
  expect_not_refuted(mutant, {"gemv.bounds", "gemv.A.k", "gemv.B.k"});
  expect_refuted(mutant.check("gemv.pairing"),
                 {kGemvSizes, kFirstPoint, 0, 0, "a0", "low", "W[0, 4]", "W[0, 0]", 512, 512});
}

// ---- loops and offsets
// -----------------------------------------------------------------------------------------

TEST(Mutations, KbIsKOver16) {
  const Mutant mutant("gemv.layout", {{"let KB = K/32, KBS", "let KB = K/16, KBS"}});
  const Check check = mutant.check("gemv.bounds");
  expect_refuted(check, {kGemvSizes, "rb=0 nb=0 sidx=0 warp=0 i=1 u=0 step=0", 0});
  EXPECT_NE(check.counterexample->text.find("64"), std::string::npos) << check.counterexample->text;
}

TEST(Mutations, StepOffset16) {
  const Mutant mutant("gemv.layout", {{"(i*U + u)*64 + 32*step]", "(i*U + u)*64 + 16*step]"}});
  expect_not_refuted(mutant, {"gemv.bounds"});
  expect_refuted(mutant.check("gemv.A.rows"), {kGemvSizes, "rb=0 nb=0 sidx=0 warp=0 i=0 u=0 step=1",
                                               0, 0, "a0", "low", "W[0, 4]", "W[4, 0]", 256, 512});
}

TEST(Mutations, ClampMissing) {
  const Mutant mutant("gemv.layout", {{"let tok = min(nb*8 + g, M - 1)", "let tok = nb*8 + g"}});
  // Lane 4 (g = 1) reads token 1 of 1.
  expect_refuted(mutant.check("gemv.bounds"),
                 {kGemvSizes, kFirstPoint, 4, -1, "", "", "", "x[1, 0]"});
}

TEST(Mutations, GuardLetsOneMoreIn) {
  const Mutant mutant("gemv.layout", {{"if 8*nb + col < M", "if 8*nb + col <= M"}});
  // The accumulator element (0, 1) of lane 0 would be token 1 of 1.
  expect_refuted(mutant.check("gemv.bounds"),
                 {kGemvSizes, "rb=0 nb=0", 0, 1, "c1", "", "", "y[1, 0]"});
}

TEST(Mutations, UnrollThatDoesNotDivide) {
  const Mutant mutant("gemv.layout",
                      {{"require K % (32*S*NW*U) == 0", "require K % (32*S*NW) == 0"}});
  expect_refuted(mutant.check("gemv.bounds"),
                 {"N=16 K=32 M=1 S=1 NW=1 U=2", "rb=0 nb=0 sidx=0 warp=0 i=0 u=1 step=0", 0});
  // Block 1 (k = 32) is the second of warp 0's trip of two, and warp 1's own.
  const Check cover = mutant.check("gemv.cover");
  expect_refuted(cover, {"N=16 K=64 M=1 S=1 NW=2 U=2"});
  EXPECT_NE(cover.counterexample->text.find("32"), std::string::npos) << cover.counterexample->text;
}

TEST(Mutations, SplitThatDoesNotDivide) {
  const Mutant mutant("gemv.layout",
                      {{"require K % (32*S*NW*U) == 0", "require K % (32*NW*U) == 0"}});
  // K = 32 over two splits: none of them has a block, nothing is multiplied.
  expect_refuted(mutant.check("gemv.cover"), {"N=16 K=32 M=1 S=2 NW=1 U=1"});
  expect_refuted(mutant.check("gemv.bounds"),
                 {"N=16 K=64 M=1 S=2 NW=1 U=2", "rb=0 nb=0 sidx=1 warp=0 i=0 u=1 step=0", 0});
}

TEST(Mutations, WarpsThatDoNotDivide) {
  const Mutant mutant("gemv.layout",
                      {{"require K % (32*S*NW*U) == 0", "require K % (32*S*U) == 0"}});
  expect_refuted(mutant.check("gemv.cover"), {"N=16 K=32 M=1 S=1 NW=2 U=1"});
  expect_refuted(mutant.check("gemv.bounds"),
                 {"N=16 K=64 M=1 S=1 NW=2 U=2", "rb=0 nb=0 sidx=0 warp=1 i=0 u=1 step=0", 0});
}

// An int holds 2^31 - 1 units; the largest woff is ((N/16 - 1)*KB + kb0)*64 + 31. Which of the many
// large shapes is shown is the search's business (it says that it is not shown smallest): that it
// is one, is ours.
TEST(Mutations, OffsetsInInt) {
  const Mutant mutant("gemv.layout", {{"let woff = i64(", "let woff = i32("}});
  const Check check = mutant.check("gemv.overflow");
  ASSERT_EQ(check.verdict, Verdict::Refuted) << check.reason;
  const Counterexample& got = *check.counterexample;
  std::map<std::string, Int> size(got.sizes.begin(), got.sizes.end());
  const Int blocks = size["K"] / 32;
  const Int per_split = blocks / size["S"];
  const Int last_block = (size["S"] - 1) * per_split + (size["NW"] - 1) * (per_split / size["NW"]);
  const Int woff = ((size["N"] / 16 - 1) * blocks + last_block) * 64 + 31;
  EXPECT_GE(woff, Int{1} << 31) << text_of(got.sizes);
  EXPECT_NE(got.text.find("does not fit"), std::string::npos) << got.text;
  EXPECT_NE(got.text.find("i32"), std::string::npos) << got.text;
  EXPECT_TRUE(got.lane.has_value());
  // Where it fits, it is no fault.
  const NamedValues small = {{"N", 64}, {"K", 64}, {"M", 1}, {"S", 1}, {"NW", 1}, {"U", 1}};
  EXPECT_NE(mutant.check("gemv.overflow", small).verdict, Verdict::Refuted);
}

// ---- tiles, lanes, types
// -------------------------------------------------------------------------------------

TEST(Mutations, WriterForgetsTheSwizzle) {
  const Mutant mutant(
      "tile_swizzled.layout",
      {{"for (r : 32, c : 64) As[r, swz(r, c)] = A[32*mb + r, 64*kt + c]\n"
        "  for (r : 32, c : 64) Bs[r, swz(r, c)] = B[32*nb + r, 64*kt + c]\n  let ra",
        "for (r : 32, c : 64) As[r, c] = A[32*mb + r, 64*kt + c]\n"
        "  for (r : 32, c : 64) Bs[r, swz(r, c)] = B[32*nb + r, 64*kt + c]\n  let ra"}});
  expect_not_refuted(mutant,
                     {"gemm.bounds", "gemm.storage", "gemm.A.whole", "gemm.A.rows", "gemm.B.k"});
  // Row 1 of the tile (lane 4) finds unit 1 where unit 0 was asked; seven rows of eight are wrong.
  expect_refuted(mutant.check("gemm.A.k"), {"M=32 N=32 K=64", "mb=0 nb=0 wm=0 wn=0 h=0 kt=0 ks=0",
                                            4, 0, "a0", "low", "A[1, 0]", "A[1, 8]", 7168, 8192});
}

TEST(Mutations, OneLaneZeroed) {
  const Mutant mutant("gemv.layout",
                      {{"load a from Wp.b128[woff + (i*U + u)*64 + 32*step]",
                        "load a from Wp.b128[woff + (i*U + u)*64 + 32*step] if lane != 5 else 0"}});
  expect_not_refuted(mutant, {"gemv.bounds", "gemv.A.rows", "gemv.A.k", "gemv.pairing"});
  // Lane 5 is rows 1 and 9, k = 8..15: two of the 16 elements of y miss eight terms, y[0, 1] the
  // first of them.
  const Check check = mutant.check("gemv.cover");
  expect_refuted(
      check, {kGemvSizes, kFirstPoint, 5, 0, "a0", "low", "k = 8 once in y[0, 1]", "zero", 2, 16});
  EXPECT_NE(check.counterexample->text.find("24 of 32"), std::string::npos)
      << check.counterexample->text;
}

TEST(Mutations, WrongElementType) {
  const Mutant half("gemv.layout", {{"tensor x[M, K] : bf16", "tensor x[M, K] : f16"}});
  const Check mixed = half.check("gemv.types");
  expect_refuted(mixed, {kGemvSizes, kFirstPoint, 0, 0, "b0", "low", "x[0, 0] : bf16",
                         "x[0, 0] : f16", 32, 32});
  EXPECT_NE(mixed.counterexample->text.find("f16"), std::string::npos)
      << mixed.counterexample->text;
  expect_not_refuted(half, {"gemv.bounds", "gemv.A.whole", "gemv.B.whole"});
  const Mutant instruction("gemv.layout",
                           {{"acc += mma.m16n8k16.b16(", "acc += mma.m16n8k16.f16("}});
  expect_refuted(instruction.check("gemv.types"), {kGemvSizes, kFirstPoint, 0, 0, "a0", "low",
                                                   "W[0, 0] : f16", "W[0, 0] : bf16", 512, 512});
  const Mutant integer("gemv.layout", {{"tensor y[M, N] : f32", "tensor y[M, N] : s32"}});
  expect_refuted(integer.check("gemv.types"), {"", "", -1, -1, "", "", "", "y : s32"});
}

// 8-bit weights packed by the same chain: a register's half is no element of W any more.
TEST(Mutations, WrongElementWidth) {
  const Mutant mutant("gemv.layout", {{"tensor W[N, K] : bf16", "tensor W[N, K] : s8"}});
  const Check check = mutant.check("gemv.bounds");
  EXPECT_EQ(check.verdict, Verdict::Refuted)
      << check.reason;  // half as many bytes: the last units are outside
}

// The tempting way to load a k-by-n tf32 tile.
TEST(Mutations, TransposedLoadOf32BitElements) {
  const Mutant mutant("tf32_trans.layout", {});
  const Check check = mutant.check("trans.B.whole");
  expect_refuted(check, {"M=32 N=32 K=16", "mb=0 nb=0 wm=0 wn=0 kt=0 ks=0", 0, 0, "b0"});
  EXPECT_NE(check.counterexample->text.find("Bk[0, 0]"), std::string::npos)
      << check.counterexample->text;
  EXPECT_NE(check.counterexample->text.find("Bk[1, 0]"), std::string::npos)
      << check.counterexample->text;
}

// ---- and what is right stays right
// ---------------------------------------------------------------------------

TEST(Mutations, UneditedFilesAreNotRefuted) {
  const Mutant gemv("gemv.layout", {});
  for (const Question& question : gemv.questions) {
    EXPECT_NE(gemv.check(question.id.substr(question.id.find('/') + 1)).verdict, Verdict::Refuted)
        << question.id;
  }
}

// Renaming, reordering digits on both sides, other spellings of the same offset: no fault, no
// refutation.
TEST(Mutations, HarmlessEditsAreNotRefuted) {
  const Mutant both("gemv.layout", {{"(i*U + u)*64 + 32*step]", "64*(u + U*i) + (step << 5)]"},
                                    {"let g = lane >> 2, t = lane & 3\n  let kb0",
                                     "let [g:8, t:4] = lane\n  let kb0"}});
  for (const Question& question : both.questions) {
    EXPECT_NE(both.check(question.id.substr(question.id.find('/') + 1)).verdict, Verdict::Refuted)
        << question.id;
  }
}

}  // namespace
}  // namespace fragproof::mutations
