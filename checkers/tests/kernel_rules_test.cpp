// "What is judged where" (LANGUAGE.md section 6), rule by rule, on kernels written for the rule.

#include <gtest/gtest.h>

#include "checkers/tests/kernel_fixture.h"

namespace fragproof::kernel_tests {
namespace {

// A 16 x 8 tile fed by 4-byte loads: C[m, n] += A[m, k] * B[n, k]. BODY replaces the statements
// from `parallel` on.
std::string text(const std::string& body, const std::string& before = "") {
  return "size M, N, K\n"
         "tensor A[M, K] : f16\n"
         "tensor B[N, K] : f16\n"
         "tensor C[M, N] : f32\n" +
         before + "kernel k computes C[m, n] += A[m, k] * B[n, k]\n" + body;
}

const std::string loads =
    "  let [g:8, t:4] = lane\n"
    "  load a0 : b32 from A[16*mt + g, 16*kt + 2*t]\n"
    "  load a1 : b32 from A[16*mt + g + 8, 16*kt + 2*t]\n"
    "  load a2 : b32 from A[16*mt + g, 16*kt + 2*t + 8]\n"
    "  load a3 : b32 from A[16*mt + g + 8, 16*kt + 2*t + 8]\n"
    "  load b0 : b32 from B[8*nt + g, 16*kt + 2*t]\n"
    "  load b1 : b32 from B[8*nt + g, 16*kt + 2*t + 8]\n";
const std::string domains =
    "  parallel (mt : M/16, nt : N/8)\n"
    "  reduce   (kt : K/16)\n";
const std::string mma = "  acc += mma.m16n8k16.b16({a0, a1, a2, a3}, {b0, b1})\n";
const std::string store = "  store acc to C[16*mt + row, 8*nt + col]\n";
const std::string plain = domains + loads + mma + store;
const Sizes one_tile = {{"M", 16}, {"N", 8}, {"K", 16}};

std::string at(const Subject& subject, Obligation obligation, const Sizes& sizes = one_tile) {
  return brief(subject.judge("k", obligation, sizes));
}

TEST(KernelRules, ThePlainKernelHolds) {
  const Subject subject(text(plain));
  for (int i = 0; i < obligation_count; ++i) {
    EXPECT_EQ(at(subject, static_cast<Obligation>(i), {{"M", 32}, {"N", 16}, {"K", 32}}), "holds")
        << name_of(static_cast<Obligation>(i));
  }
  const KernelVerdict storage = subject.judge("k", Obligation::Storage, one_tile);
  EXPECT_EQ(storage.note, "nothing to check: no pack and no shared array is read");
  const KernelVerdict overflow = subject.judge("k", Obligation::Overflow, one_tile);
  EXPECT_EQ(overflow.note, "nothing to check: 14 of 14 index expressions have no width");
}

TEST(KernelRules, WhatIsUndecidedBelowDoesNotReachUp) {
  const Subject subject(text(domains + loads + mma + store, ""));
  Evaluator evaluator(subject.spec(), subject.shape({{"M", 16}, {"N", 8}, {"K", 16}}));
  KernelJudge judge(evaluator, subject.kernel("k"));
  EXPECT_TRUE(judge.judge(Obligation::Output).holds);  // any order of questions, one trace
  EXPECT_TRUE(judge.judge(Obligation::Bounds).holds);
  const Subject huge(text(edited(edited(plain, "mt : M/16", "mt : 1"), "nt : N/8", "nt : 1")));
  const Sizes sizes = {{"M", 1 << 15}, {"N", 1 << 15}, {"K", 16}};
  Evaluator large(huge.spec(), huge.shape(sizes));
  KernelJudge undecided(large, huge.kernel("k"));
  EXPECT_TRUE(undecided.judge(Obligation::Output).unknown);  // 2^30 elements of C
  EXPECT_FALSE(undecided.judge(Obligation::Cover).unknown);
  EXPECT_TRUE(undecided.judge(Obligation::Cover).holds);
}

TEST(KernelRules, AnEmptyKernelIsVacuous) {
  const Subject subject(text(plain));
  const Sizes none = {{"M", 15}, {"N", 8}, {"K", 16}};  // no tile
  EXPECT_EQ(at(subject, Obligation::Bounds, none), "vacuous");
  EXPECT_EQ(at(subject, Obligation::ARows, none), "vacuous");
  EXPECT_EQ(at(subject, Obligation::Storage, none),
            "holds");  // nothing to check, whatever the points
  EXPECT_EQ(at(subject, Obligation::Output, none), "expected C[0, 0], found nothing, 120 of 120");
  // Tiles, but no point of reduce: nothing is counted, so every k is missing.
  const Sizes no_k = {{"M", 16}, {"N", 8}, {"K", 15}};
  EXPECT_EQ(at(subject, Obligation::AWhole, no_k), "vacuous");
  EXPECT_EQ(at(subject, Obligation::Cover, no_k),
            "lane 0 c0 0: expected k = 0 once in C[0, 0], found k = 0 never, 128 of 128");
}

TEST(KernelRules, AFailedLoadIsLeftOutBelow) {
  // Rows 8.. of A are read past its end at M = 8: those slots are judged by nothing else.
  const Subject subject(
      text(edited(edited(plain, "M/16", "ceildiv(M, 16)"), "16*mt + row, 8*nt + col]",
                  "16*mt + row, 8*nt + col] if 16*mt + row < M")));
  const Sizes half = {{"M", 8}, {"N", 8}, {"K", 16}};
  EXPECT_EQ(at(subject, Obligation::Bounds, half),
            "lane 0: expected A[0..7, 0..15], found A[8, 0], 64 of 256");
  for (const Obligation below : {Obligation::AWhole, Obligation::ARows, Obligation::AK,
                                 Obligation::Pairing, Obligation::Cover, Obligation::Output}) {
    EXPECT_EQ(at(subject, below, half), "holds") << name_of(below);
  }
}

TEST(KernelRules, DeadRowsAreAskedForNothingElse) {
  // Rows past M are neither loaded nor stored.
  const std::string guarded =
      edited(edited(edited(edited(plain, "M/16", "ceildiv(M, 16)"), "8*nt + col]",
                           "8*nt + col] if 16*mt + row < M"),
                    "g + 8, 16*kt + 2*t]", "g + 8, 16*kt + 2*t] if 16*mt + g + 8 < M"),
             "g + 8, 16*kt + 2*t + 8]", "g + 8, 16*kt + 2*t + 8] if 16*mt + g + 8 < M");
  const Subject subject{text(guarded)};
  EXPECT_EQ(brief(subject.judge("k", std::nullopt, {{"M", 8}, {"N", 8}, {"K", 16}})), "holds");
  EXPECT_EQ(
      at(Subject(text(edited(guarded, "if 16*mt + row < M", "if 16*mt + row < M || row == 9"))),
         Obligation::AWhole, {{"M", 10}, {"N", 8}, {"K", 16}}),
      "holds");
  EXPECT_EQ(at(Subject(text(edited(guarded, "g + 8 < M", "g + 9 < M"))), Obligation::AWhole,
               {{"M", 9}, {"N", 8}, {"K", 16}}),
            "lane 0 a1 low 2: expected A[8, 0], found nothing (not loaded), 16 of 144");
}

TEST(KernelRules, ALoadMustEndInsideItsArray) {
  const Subject wide(
      text(edited(edited(plain, "load a3 : b32", "load a3 : b64"), "a3}", "a3.b32[0]}")));
  const KernelVerdict verdict = wide.judge("k", Obligation::Bounds, one_tile);
  EXPECT_EQ(brief(verdict), "lane 31: expected bytes 0..511 of A, found bytes 508..515, 1 of 352");
  EXPECT_NE(verdict.counterexample->text.find(
                "load a3 of 8 bytes from A[15, 14] at mt=0, nt=0, kt=0: that is bytes 508..515 of "
                "A, which ends with byte 511: 4 too many"),
            std::string::npos)
      << verdict.counterexample->text;
}

TEST(KernelRules, AnOverflowCostsItsLane) {
  // Lanes 26.. overflow; lanes 28.. (row 7 of the tile) also read the wrong row, which nobody asks
  // any more.
  const std::string wrong =
      edited(plain, "A[16*mt + g, 16*kt + 2*t]", "A[16*mt + (lane >= 28 ? 0 : g), 16*kt + 2*t]");
  EXPECT_EQ(at(Subject(text(wrong)), Obligation::ARows),
            "lane 28 a0 low 0: expected A[7, 0], found A[0, 0], 8 of 256");
  const Subject subject(text(edited(wrong, "  let [g", "  let w = i8(lane*5)\n  let [g")));
  const KernelVerdict verdict = subject.judge("k", Obligation::Overflow, one_tile);
  ASSERT_TRUE(verdict.counterexample);
  EXPECT_EQ(verdict.counterexample->lane, 26);
  EXPECT_EQ(verdict.counterexample->wrong, 6);
  EXPECT_EQ(at(subject, Obligation::Bounds), "holds");
  EXPECT_EQ(at(subject, Obligation::ARows), "holds");
}

TEST(KernelRules, UndefinedLetIfAndPartFailBounds) {
  const Subject with_let(text(domains + "  let z = 5 % (lane - 3)\n" + loads + mma + store));
  const KernelVerdict verdict = with_let.judge("k", Obligation::Bounds, one_tile);
  ASSERT_TRUE(verdict.counterexample);
  EXPECT_EQ(verdict.counterexample->lane, 0);  // 5 % -3
  EXPECT_NE(verdict.counterexample->text.find("let z"), std::string::npos)
      << verdict.counterexample->text;

  const Subject with_if(
      text(domains +
           edited(loads, "16*kt + 2*t]\n  load a1", "16*kt + 2*t] if 8/(lane - 5) > 0\n  load a1") +
           mma + store));
  EXPECT_FALSE(with_if.judge("k", Obligation::Bounds, one_tile).holds);

  const Subject with_part(
      text(domains + loads +
           "  acc += mma.m16n8k16.b16({a0, a1, a2, a3}, {b0, b1}.b64[lane/16])\n" + store));
  EXPECT_EQ(at(with_part, Obligation::Bounds),
            "lane 16: expected the value.b64[0..0], found the value.b64[1], 16 of 352");
  // The lanes that failed are columns 4..7: the others are judged on.
  EXPECT_EQ(at(with_part, Obligation::BCols), "holds");
  EXPECT_EQ(at(with_part, Obligation::Output), "holds");
}

TEST(KernelRules, AnUndefinedReduceExtentFailsBounds) {
  const Subject subject(text(edited(plain, "kt : K/16", "kt : K/16 - 2")));
  EXPECT_FALSE(subject.judge("k", Obligation::Bounds, one_tile).holds);
  EXPECT_EQ(at(subject, Obligation::AWhole), "vacuous");
  EXPECT_EQ(at(subject, Obligation::Cover), "vacuous");
}

// ---- shared arrays
// -------------------------------------------------------------------------------------------------

std::string tiled(const std::string& fills, const std::string& load_a,
                  const std::string& shared = "Ws[16, 16]") {
  return text(domains + "  shared " + shared + " : f16\n" + fills + "  let [g:8, t:4] = lane\n" +
              load_a +
              "  load b0 : b32 from B[8*nt + g, 16*kt + 2*t]\n"
              "  load b1 : b32 from B[8*nt + g, 16*kt + 2*t + 8]\n"
              "  acc += mma.m16n8k16.b16(a, {b0, b1})\n" +
              store);
}
const std::string fill_all = "  for (r : 16, c : 16) Ws[r, c] = A[16*mt + r, 16*kt + c]\n";
const std::string load_x4 = "  load a : ldmatrix.x4 from Ws[lane % 16, 8*(lane/16)]\n";

TEST(KernelRules, ASharedTileHolds) {
  const Subject subject(tiled(fill_all, load_x4));
  for (int i = 0; i < obligation_count; ++i) {
    EXPECT_EQ(at(subject, static_cast<Obligation>(i)), "holds")
        << name_of(static_cast<Obligation>(i));
  }
}

TEST(KernelRules, AFillSourceOutsideFailsBoundsAndItsElementsOnly) {
  const Subject subject(tiled(edited(fill_all, "16*mt + r", "16*mt + r + 1"), load_x4));
  EXPECT_EQ(at(subject, Obligation::Bounds), "expected , found A[16, 0], 16 of 480");
  EXPECT_EQ(at(subject, Obligation::Storage), "holds");
  EXPECT_EQ(at(subject, Obligation::AWhole), "holds");  // of the rows that are left
  EXPECT_EQ(at(subject, Obligation::ARows), "holds");   // each row is one row, only the wrong one
  EXPECT_EQ(at(subject, Obligation::Output),
            "lane 0 c0 0: expected C[1, 0], found C[0, 0], 120 of 120");
}

TEST(KernelRules, ASharedTileFilledFromAnother) {
  const std::string stage = "  for (r : 16, c : 16) Vs[r, c] = A[16*mt + r, 16*kt + c]\n";
  const std::string copy = "  for (r : 16, c : 16) Ws[r, c] = Vs[r, c]\n";
  const std::string two = "Vs[16, 16] : f16\n  shared Ws[16, 16]";
  const Sizes sizes = {{"M", 32}, {"N", 8}, {"K", 32}};
  EXPECT_EQ(brief(Subject(tiled(stage + copy, load_x4, two)).judge("k", std::nullopt, sizes)),
            "holds");
  // What the first lacks, the second copies: a source that is undefined.
  const Subject holes(
      tiled(edited(stage, "c : 16", "c : 16 where r + c > 0") + copy, load_x4, two));
  const KernelVerdict verdict = holes.judge("k", Obligation::Bounds, sizes);
  ASSERT_TRUE(verdict.counterexample);
  EXPECT_EQ(verdict.counterexample->found, "Vs[0, 0]");
  EXPECT_EQ(at(holes, Obligation::Storage), "holds");
  const Subject twice(
      tiled(stage + "  for (c : 16) Vs[0, c] = A[16*mt, 16*kt + c]\n" + copy, load_x4, two));
  EXPECT_EQ(at(twice, Obligation::Storage), "expected , found Vs[0, 0], 16 of 528");
  EXPECT_EQ(at(twice, Obligation::AWhole), "vacuous");
}

TEST(KernelRules, APlaceWrittenTwiceCostsTheArray) {
  const Subject subject(
      tiled(fill_all + "  for (c : 16) Ws[3, c] = A[16*mt + 3, 16*kt + c]\n", load_x4));
  EXPECT_EQ(at(subject, Obligation::Bounds), "holds");
  const KernelVerdict verdict = subject.judge("k", Obligation::Storage, one_tile);
  EXPECT_EQ(brief(verdict), "expected , found Ws[3, 0], 16 of 272");
  EXPECT_NE(verdict.counterexample->text.find("written twice"), std::string::npos);
  EXPECT_EQ(at(subject, Obligation::AWhole), "vacuous");
  EXPECT_EQ(at(subject, Obligation::BCols), "holds");
  EXPECT_EQ(at(subject, Obligation::Cover), "vacuous");
}

TEST(KernelRules, APlaceOutsideFailsStorage) {
  const Subject subject(tiled(edited(fill_all, "Ws[r, c]", "Ws[r, c + 1]"), load_x4));
  EXPECT_EQ(at(subject, Obligation::Storage), "expected , found Ws[0, 16], 16 of 256");
  const Subject undefined(tiled(edited(fill_all, "Ws[r, c]", "Ws[r, c/(15 - r)]"), load_x4));
  EXPECT_FALSE(undefined.judge("k", Obligation::Storage, one_tile).holds);
  EXPECT_EQ(at(undefined, Obligation::Bounds), "holds");
}

TEST(KernelRules, PlacesThatNoFillWritesAreUndefined) {
  const Subject subject(tiled(edited(fill_all, "c : 16", "c : 15"), load_x4));
  EXPECT_EQ(at(subject, Obligation::Storage), "holds");
  EXPECT_EQ(at(subject, Obligation::AWhole),
            "lane 3 a2 high 5: expected A[0, 15], found nothing (never written), 16 of 256");
}

TEST(KernelRules, ALdmatrixRowCostsItsUnits) {
  // Lane 3 (row 3, units 0..7) points outside; every other element is right.
  const Subject subject(
      tiled(fill_all, "  load a : ldmatrix.x4 from Ws[lane == 3 ? 16 : lane % 16, 8*(lane/16)]\n"));
  EXPECT_EQ(at(subject, Obligation::Bounds),
            "lane 3: expected Ws[0..15, 0..15], found Ws[16, 0], 1 of 480");
  EXPECT_EQ(at(subject, Obligation::AWhole), "holds");
  EXPECT_EQ(at(subject, Obligation::Pairing), "holds");
  // Misaligned instead: the same for `alignment`.
  const Subject shifted(
      tiled(fill_all, "  load a : ldmatrix.x4 from Ws[lane % 16, lane == 3 ? 1 : 8*(lane/16)]\n"));
  EXPECT_EQ(at(shifted, Obligation::Alignment),
            "lane 3: expected a multiple of 16 bytes, found byte 98, 1 of 96");
  EXPECT_EQ(at(shifted, Obligation::AWhole), "holds");
}

TEST(KernelRules, UpperLanesOfX2MustBeInBounds) {
  const std::string body =
      domains +
      "  shared Bs[8, 16] : f16\n  for (r : 8, c : 16) Bs[r, c] = B[8*nt + r, 16*kt + c]\n" +
      loads +
      "  load b : ldmatrix.x2 from Bs[lane % 8, 8*(lane/8)]\n"
      "  acc += mma.m16n8k16.b16({a0, a1, a2, a3}, b)\n" +
      store;
  const Subject subject(text(body));
  const KernelVerdict verdict = subject.judge("k", Obligation::Bounds, one_tile);
  ASSERT_TRUE(verdict.counterexample);
  EXPECT_EQ(verdict.counterexample->lane, 16);
  EXPECT_EQ(verdict.counterexample->wrong, 16);
  EXPECT_EQ(at(subject, Obligation::BWhole), "holds");  // nothing of the tile depends on them
  EXPECT_EQ(at(subject, Obligation::Output), "holds");
  Evaluator evaluator(subject.spec(), subject.shape(one_tile));
  std::int64_t points = 0;
  const LoadMetric ways =
      judge_load(evaluator, subject.kernel("k"), subject.load("k", "b"), Metric::Ways, points);
  EXPECT_EQ(ways.outcome, Outcome::Ok) << ways.reason;  // only the 16 addresses that count
  EXPECT_EQ(static_cast<int>(ways.value), 2);
}

TEST(KernelRules, ZeroFillHasNoCoordinates) {
  const std::string half =
      "  for (r : 16, c : 8) Ws[r, c] = A[16*mt + r, 16*kt + c]\n"
      "  for (r : 16, c : 8) Ws[r, 8 + c] = 0\n";
  const Subject subject(tiled(half, load_x4));
  EXPECT_EQ(at(subject, Obligation::AWhole), "holds");
  EXPECT_EQ(at(subject, Obligation::AK), "holds");
  EXPECT_EQ(at(subject, Obligation::Pairing), "holds");
  EXPECT_EQ(at(subject, Obligation::Cover),
            "lane 0 a2 low 4: expected k = 8 once in C[0, 0], found zero, 128 of 128");
}

// ---- packs
// ---------------------------------------------------------------------------------------------------------

TEST(KernelRules, APackWithHolesAndAPackWithTheWrongShape) {
  const std::string body = edited(plain, "load a0 : b32 from A[", "load a0 : b32 from P[");
  const Subject holes(
      text(body, "pack P[M, K] : f16\n  for (m : M, k : K where k != 3) P[m, k] = A[m, k]\n"));
  EXPECT_EQ(at(holes, Obligation::Storage), "holds");
  EXPECT_EQ(at(holes, Obligation::AWhole),
            "lane 1 a0 high 1: expected A[0, 3], found nothing (never written), 8 of 256");
  const Subject shape(
      text(body, "pack P = A.reshape(M/16, 16, K/16, 16).permute(0, 1, 2, 3).reshape(M, K)\n"));
  EXPECT_EQ(at(shape, Obligation::Storage), "holds");
  const Sizes odd = {{"M", 17}, {"N", 8}, {"K", 16}};
  const KernelVerdict verdict = shape.judge("k", Obligation::Storage, odd);
  ASSERT_TRUE(verdict.counterexample);
  EXPECT_NE(verdict.counterexample->text.find("reshape"), std::string::npos)
      << verdict.counterexample->text;
}

TEST(KernelRules, CopyingWhatWasNeverWrittenFailsBounds) {
  const std::string body = edited(plain, "load a0 : b32 from A[", "load a0 : b32 from Q[");
  const Subject subject(
      text(body,
           "pack P[M, K] : f16\n  for (m : M, k : K where k != 3) P[m, k] = A[m, k]\n"
           "pack Q[M, K] : f16\n  for (m : M, k : K) Q[m, k] = P[m, k]\n"));
  const KernelVerdict verdict = subject.judge("k", Obligation::Bounds, one_tile);
  ASSERT_TRUE(verdict.counterexample);
  EXPECT_EQ(verdict.counterexample->found, "P[0, 3]");
  EXPECT_NE(verdict.counterexample->text.find("never written"), std::string::npos);
  EXPECT_EQ(at(subject, Obligation::AWhole), "holds");  // the holes are left out
}

// ---- operands
// ------------------------------------------------------------------------------------------------------

TEST(KernelRules, OperandsMayHoldTheFactorsInEitherOrder) {
  const Subject subject(
      "size M, N, K\ntensor A[M, K] : f16\ntensor B[N, K] : f16\ntensor C[N, M] : f32\n"
      "kernel k computes C[n, m] += B[n, k] * A[m, k]\n" +
      domains + loads + mma + "  store acc to C[8*nt + col, 16*mt + row]\n");
  for (int i = 0; i < obligation_count; ++i) {
    EXPECT_EQ(at(subject, static_cast<Obligation>(i)), "holds")
        << name_of(static_cast<Obligation>(i));
  }
}

TEST(KernelRules, AConversionTakesOneWholeElement) {
  const auto kernel = [](const std::string& operand) {
    return Subject(
        "size N, K, M\ntensor W[N, K] : u8\ntensor x[M, K] : f16\ntensor y[M, N] : f32\n"
        "kernel k computes y[m, n] += W[n, k] * x[m, k]\n"
        "  parallel (mt : N/16, nt : M/8)\n  reduce (kt : K/16)\n  let [g:8, t:4] = lane\n"
        "  load a0 : b16 from W[16*mt + g, 16*kt + 2*t]\n"
        "  load a1 : b16 from W[16*mt + g + 8, 16*kt + 2*t]\n"
        "  load a2 : b16 from W[16*mt + g, 16*kt + 2*t + 8]\n"
        "  load a3 : b16 from W[16*mt + g + 8, 16*kt + 2*t + 8]\n"
        "  load b0 : b32 from x[8*nt + g, 16*kt + 2*t]\n"
        "  load b1 : b32 from x[8*nt + g, 16*kt + 2*t + 8]\n"
        "  acc += mma.m16n8k16.b16(" +
        operand +
        ", {b0, b1})\n"
        "  store acc to y[8*nt + col, 16*mt + row]\n");
  };
  const std::string whole =
      "{f16(a0.b8[0]), f16(a0.b8[1]), f16(a1.b8[0]), f16(a1.b8[1]), f16(a2.b8[0]), f16(a2.b8[1]), "
      "f16(a3.b8[0]), "
      "f16(a3.b8[1])}";
  const Sizes sizes = {{"N", 16}, {"K", 16}, {"M", 8}};
  const Subject right = kernel(whole);
  EXPECT_EQ(brief(right.judge("k", std::nullopt, sizes)), "holds");
  const Subject swapped =
      kernel(edited(edited(edited(whole, "a1.b8[0]", "a2.b8[9]"), "a2.b8[0]", "a1.b8[0]"),
                    "a2.b8[9]", "a2.b8[0]"));
  EXPECT_EQ(brief(swapped.judge("k", Obligation::ARows, sizes)),
            "lane 0 a1 low 2: expected f16(W[8, 0]), found f16(W[0, 8]), 64 of 256");
}

TEST(KernelRules, BitsOfTwoElementsMeet) {
  // The registers' halves are joined crosswise: each slot is a whole element, but of the wrong row
  // and column; then bytes are: no slot is one element.
  const std::string torn =
      edited(plain, "{a0, a1, a2, a3}", "{{a0.b8[0], a0.b8[2], a0.b8[1], a0.b8[3]}, a1, a2, a3}");
  EXPECT_EQ(
      at(Subject(text(torn)), Obligation::AWhole),
      "lane 0 a0 low 0: expected bits 0..7 of A[0, 0], found bits 0..7 of A[0, 1], 64 of 256");
  const std::string reversed =
      edited(plain, "{a0, a1, a2, a3}", "{{a0.b16[1], a0.b16[0]}, a1, a2, a3}");
  const Subject subject{text(reversed)};
  EXPECT_EQ(at(subject, Obligation::AWhole), "holds");
  EXPECT_EQ(at(subject, Obligation::AK),
            "lane 0 a0 low 0: expected A[0, 0], found A[0, 1], 64 of 256");
}

TEST(KernelRules, TwoSummedIndicesAreOneK) {
  const Subject subject(
      "size M, N, P, Q\ntensor A[M, P, Q] : f16\ntensor B[N, P, Q] : f16\ntensor C[M, N] : f32\n"
      "kernel k computes C[m, n] += A[m, p, q] * B[n, p, q]\n"
      "  parallel (mt : M/16, nt : N/8)\n  reduce (p : P, kt : Q/16)\n  let [g:8, t:4] = lane\n"
      "  load a0 : b32 from A[16*mt + g, p, 16*kt + 2*t]\n"
      "  load a1 : b32 from A[16*mt + g + 8, p, 16*kt + 2*t]\n"
      "  load a2 : b32 from A[16*mt + g, p, 16*kt + 2*t + 8]\n"
      "  load a3 : b32 from A[16*mt + g + 8, p, 16*kt + 2*t + 8]\n"
      "  load b0 : b32 from B[8*nt + g, P - 1 - p, 16*kt + 2*t]\n"
      "  load b1 : b32 from B[8*nt + g, P - 1 - p, 16*kt + 2*t + 8]\n" +
      mma + store);
  EXPECT_EQ(brief(subject.judge("k", std::nullopt, {{"M", 16}, {"N", 8}, {"P", 1}, {"Q", 16}})),
            "holds");
  const KernelVerdict verdict =
      subject.judge("k", Obligation::Pairing, {{"M", 16}, {"N", 8}, {"P", 2}, {"Q", 16}});
  EXPECT_EQ(brief(verdict), "lane 0 a0 low 0: expected A[0, 1, 0], found A[0, 0, 0], 512 of 512");
  EXPECT_NE(verdict.counterexample->text.find("p = 0, q = 0"), std::string::npos)
      << verdict.counterexample->text;
}

TEST(KernelRules, AnElementStoredTwice) {
  const Subject subject(text(edited(plain, "nt : N/8)", "nt : N/8, again : 2)")));
  const KernelVerdict verdict = subject.judge("k", Obligation::Output, one_tile);
  EXPECT_EQ(brief(verdict), "lane 0 c0 0: expected C[0, 0], found C[0, 0] twice, 128 of 256");
  EXPECT_EQ(subject.judge("k", Obligation::Cover, one_tile).holds, true);
}

TEST(KernelRules, MissingElementsDoNotCountOnceSomethingWasLeftOut) {
  // Tile 1 of two is never computed: `output` sees it, unless something was left out above.
  const std::string first_only = edited(plain, "mt : M/16", "mt : 1");
  EXPECT_EQ(at(Subject(text(first_only)), Obligation::Output, {{"M", 32}, {"N", 8}, {"K", 16}}),
            "expected C[16, 0], found nothing, 128 of 256");
  const Subject left(text(edited(first_only, "from A[16*mt + g, 16*kt + 2*t]",
                                 "from A[16*mt + (g == 7 ? 100 : g), 16*kt + 2*t]")));
  EXPECT_FALSE(left.judge("k", Obligation::Bounds, {{"M", 32}, {"N", 8}, {"K", 16}}).holds);
  EXPECT_EQ(at(left, Obligation::Cover, {{"M", 32}, {"N", 8}, {"K", 16}}),
            "holds");  // k missing in row 7
  EXPECT_EQ(at(left, Obligation::Output, {{"M", 32}, {"N", 8}, {"K", 16}}), "holds");
}

TEST(KernelRules, TypesOfTheResult) {
  EXPECT_TRUE(Subject(edited(text(plain), "C[M, N] : f32", "C[M, N] : b16"))
                  .judge("k", Obligation::Types, one_tile)
                  .holds);
  EXPECT_FALSE(Subject(edited(text(plain), "C[M, N] : f32", "C[M, N] : u8"))
                   .judge("k", Obligation::Types, one_tile)
                   .holds);
  EXPECT_FALSE(Subject(edited(text(plain), "C[M, N] : f32", "C[M, N] : b4"))
                   .judge("k", Obligation::Types, one_tile)
                   .holds);
}

TEST(KernelRules, ALoadMetricIsUndefinedWhereAnAddressIs) {
  const Subject subject(text(edited(plain, "load a0 : b32 from A[16*mt + g, 16*kt + 2*t]",
                                    "load a0 : b32 from A[16*mt + g, 16*kt + 2*t + 1]")));
  Evaluator evaluator(subject.spec(), subject.shape(one_tile));
  std::int64_t points = 0;
  const LoadMetric value =
      judge_load(evaluator, subject.kernel("k"), subject.load("k", "a0"), Metric::Ways, points);
  EXPECT_EQ(value.outcome, Outcome::Undefined);
  EXPECT_NE(value.reason.find("byte 2 is no multiple of 4"), std::string::npos) << value.reason;
  EXPECT_EQ(at(subject, Obligation::Alignment),
            "lane 0: expected a multiple of 4 bytes, found byte 2, 32 of 192");
}

}  // namespace
}  // namespace fragproof::kernel_tests
