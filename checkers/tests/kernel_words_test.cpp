// What a counterexample of a kernel says: both sides of a pairing, elements as the kernel converts
// them, pictures that mark what differs, and the line that would mend a file.
#include <gtest/gtest.h>

#include <algorithm>

#include "checkers/tests/kernel_fixture.h"

namespace fragproof::kernel_tests {
namespace {

// int4 weights, a word a lane, converted to f16.
const std::string int4 =
    "size N, K, M\n"
    "require N % 16 == 0 && K % 16 == 0 && M % 8 == 0\n"
    "tensor W[N, K] : s4\n"
    "tensor x[M, K] : f16\n"
    "tensor y[M, N] : f32\n"
    "pack Q[N*K/8] : b32\n"
    "  for (n : [rb:N/16, h:2, g:8], k : [kb:K/16, c:2, t:4, e:2])"
    " Q[[rb:N/16, kb:K/16, g:8, t:4]].b4[[c:2, h:2, e:2]] = W[n, k]\n"
    "kernel k computes y[m, n] += W[n, k] * x[m, k]\n"
    "  parallel (rb : N/16, nb : M/8)\n"
    "  reduce (kb : K/16)\n"
    "  let [g:8, t:4] = lane\n"
    "  load q : b32 from Q[(rb*(K/16) + kb)*32 + lane]\n"
    "  load b0 : b32 from x[8*nb + g, 16*kb + 2*t]\n"
    "  load b1 : b32 from x[8*nb + g, 16*kb + 2*t + 8]\n"
    "  acc += mma.m16n8k16.f16({f16(q.b4[0]), f16(q.b4[1]), f16(q.b4[2]), f16(q.b4[3]),"
    " f16(q.b4[4]), f16(q.b4[5]), f16(q.b4[6]), f16(q.b4[7])}, {b0, b1})\n"
    "  store acc to y[8*nb + col, 16*rb + row]\n";

const Sizes one_tile = {{"N", 16}, {"K", 16}, {"M", 8}};

Counterexample fault(const std::string& text, Obligation obligation, const Sizes& sizes) {
  const Subject subject(text);
  const KernelVerdict verdict = subject.judge("k", obligation, sizes);
  EXPECT_FALSE(verdict.holds) << brief(verdict);
  return verdict.counterexample.value_or(Counterexample{});
}

TEST(KernelWords, TheFileIsRight) {
  EXPECT_EQ(brief(Subject(int4).judge("k", std::nullopt, one_tile)), "holds");
}

TEST(KernelWords, ElementsAreNamedAsTheKernelConvertsThem) {
  const Counterexample rows =
      fault(edited(int4, "f16(q.b4[1]), f16(q.b4[2])", "f16(q.b4[2]), f16(q.b4[1])"),
            Obligation::ARows, one_tile);
  EXPECT_EQ(rows.expected, "f16(W[0, 1])");
  EXPECT_EQ(rows.found, "f16(W[8, 0])");
  const Counterexample k =
      fault(edited(int4, "f16(q.b4[0]), f16(q.b4[1])", "f16(q.b4[1]), f16(q.b4[0])"),
            Obligation::AK, one_tile);
  EXPECT_EQ(k.expected.rfind("f16(W[", 0), 0U) << k.expected;
  ASSERT_TRUE(k.picture.has_value());
  for (const PictureCell& cell : k.picture->cells) {
    EXPECT_EQ(cell.expected.rfind("f16(W[", 0), 0U) << cell.expected;
    EXPECT_EQ(cell.wrong, cell.expected != cell.found) << cell.expected << " " << cell.found;
  }
}

TEST(KernelWords, APairingNamesBothOperandsAndBlamesNeither) {
  const Counterexample pair =
      fault(edited(int4, "2*t + 8]", "2*t + 4]"), Obligation::Pairing, one_tile);
  EXPECT_EQ(pair.expected, "f16(W[0, 4])");
  EXPECT_EQ(pair.found, "f16(W[0, 8])");
  EXPECT_NE(pair.text.find("operand A holds f16(W[0, 8]) there, in k slot 8, and operand B holds "
                           "x[0, 4] in that slot (lane 0 (g=0, t=0), register b1, low half"),
            std::string::npos)
      << pair.text;
  EXPECT_NE(pair.text.find("k = 8 meets k = 4"), std::string::npos) << pair.text;
  ASSERT_TRUE(pair.picture.has_value());
  EXPECT_EQ(pair.picture->expected_label, "A holds");
  EXPECT_EQ(pair.picture->found_label, "B holds");
  const auto cell = std::find_if(pair.picture->cells.begin(), pair.picture->cells.end(),
                                 [](const PictureCell& c) { return c.wrong; });
  ASSERT_NE(cell, pair.picture->cells.end());
  EXPECT_EQ(cell->elem, 4);
  EXPECT_EQ(cell->expected, "k=8");
  EXPECT_EQ(cell->found, "k=4");
  for (const PictureCell& one : pair.picture->cells)
    EXPECT_EQ(one.wrong, one.expected != one.found);
}

TEST(KernelWords, AKThatIsCountedTwiceIsMarkedAsAnotherKWanted) {
  // Both k blocks read the first one, on both sides: the elements agree, their k comes twice.
  const std::string text =
      edited(edited(int4, "(rb*(K/16) + kb)*32", "rb*(K/16)*32"), "16*kb + 2*t", "2*t");
  const Counterexample twice = fault(text, Obligation::Cover, {{"N", 16}, {"K", 32}, {"M", 8}});
  EXPECT_EQ(twice.expected, "k = 0 once in y[0, 0]");
  ASSERT_TRUE(twice.picture.has_value());
  int wrong = 0;
  for (const PictureCell& cell : twice.picture->cells) {
    if (!cell.wrong) continue;
    ++wrong;
    EXPECT_EQ(cell.expected, "another k");
    EXPECT_EQ(cell.found, "f16(W[0, 0])");
  }
  EXPECT_EQ(wrong, 1);
}

TEST(KernelWords, WhatIsNotLoadedAsksForElseZero) {
  const Counterexample hole =
      fault(edited(int4, "2*t + 8]", "2*t + 8] if t < 3"), Obligation::BWhole, one_tile);
  EXPECT_NE(hole.text.find("found nothing (not loaded); where its load's `if` is false it would be "
                           "zero with `else 0`"),
            std::string::npos)
      << hole.text;
}

TEST(KernelWords, AMissingRequireIsWrittenOut) {
  const std::string loose = edited(int4, "require N % 16 == 0 && K % 16 == 0 && M % 8 == 0\n", "");
  const Counterexample output = fault(loose, Obligation::Output, {{"N", 16}, {"K", 16}, {"M", 9}});
  EXPECT_NE(output.text.find("; is `require M % 8 == 0` missing?"), std::string::npos)
      << output.text;
  const Subject chain(
      "size N, K\ntensor W[N, K] : s8\ntensor x[N, K] : s8\ntensor y[N, N] : s32\n"
      "pack P = W.reshape(N/16, 16, K/32, 32).permute(0, 2, 1, 3)\n"
      "kernel k computes y[m, n] += W[n, k] * x[m, k]\n"
      "  load a from P.b128[lane]\n  load b : b64 from x[0, 0]\n"
      "  acc += mma.m16n8k32.s8(a, b)\n  store acc to y[col, row]\n");
  const KernelVerdict storage = chain.judge("k", Obligation::Storage, {{"N", 17}, {"K", 32}});
  ASSERT_TRUE(storage.counterexample.has_value());
  EXPECT_EQ(storage.counterexample->text,
            "P: reshape: N/16 * 16 * K/32 * 32 elements for N*K: add `require N % 16 == 0`");
  const KernelVerdict both = chain.judge("k", Obligation::Storage, {{"N", 1}, {"K", 1}});
  ASSERT_TRUE(both.counterexample.has_value());
  EXPECT_NE(both.counterexample->text.find("add `require N % 16 == 0 && K % 32 == 0`"),
            std::string::npos);
}

}  // namespace
}  // namespace fragproof::kernel_tests
