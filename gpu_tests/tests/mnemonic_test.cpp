// Braces, mnemonics and number formats.
#include "gpu_tests/probe/mnemonic.h"

#include <gtest/gtest.h>

#include "gpu_tests/probe/gpu_device.h"
#include "gpu_tests/probe/number.h"
#include "gpu_tests/probe/ptx_text.h"

namespace fragproof::gpu {
namespace {

using Texts = std::vector<std::string>;

TEST(Mnemonic, BracesNestAndKeepTheirOrder) {
  EXPECT_EQ(expand_braces("a.b"), Texts{"a.b"});
  EXPECT_EQ(expand_braces("a.{x,y}.{1,2}"), (Texts{"a.x.1", "a.x.2", "a.y.1", "a.y.2"}));
  EXPECT_EQ(expand_braces("m.{s.{p,q}.s,f}.e"), (Texts{"m.s.p.s.e", "m.s.q.s.e", "m.f.e"}));
  EXPECT_EQ(expand_braces("{x,x}"), Texts{"x"});
}

TEST(Mnemonic, BracesThatDoNotMatchAreNothing) {
  for (const char* text : {"a{b", "a}b", "a}{b", "a{b}}", "{a{b}"})
    EXPECT_TRUE(expand_braces(text).empty()) << text;
}

TEST(Mnemonic, PartsOfAnMma) {
  MmaMnemonic mma;
  ASSERT_TRUE(read_mma("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc", mma));
  EXPECT_EQ(mma.m * 1000000 + mma.n * 1000 + mma.k, 16008256);
  EXPECT_EQ(mma.a + mma.b + mma.c + mma.d, "b1b1s32s32");
  EXPECT_TRUE(mma.exclusive);
  ASSERT_TRUE(read_mma("mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f32", mma));
  EXPECT_EQ(mma.d + " " + mma.a + " " + mma.b + " " + mma.c, "f16 e4m3 e5m2 f32");
  EXPECT_FALSE(mma.exclusive);
}

TEST(Mnemonic, WhatIsNoMma) {
  MmaMnemonic mma;
  for (const char* text : {"", "mma", "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
                           "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16",
                           "mma.sync.aligned.row.col.f32.f16.f16.f32",
                           "mma.sync.aligned.m16n8k16.row.f32.f16.f16.f32"}) {
    EXPECT_FALSE(read_mma(text, mma)) << text;
  }
}

TEST(Number, SmallIntegersThereAndBack) {
  for (const char* name :
       {"f16", "bf16", "tf32", "f32", "f64", "e4m3", "e5m2", "s8", "u8", "s4", "u4", "s32", "b1"}) {
    const auto format = find_number(name);
    ASSERT_TRUE(format) << name;
    const std::int64_t most = std::min<std::int64_t>(largest_exact(*format), 300);
    for (std::int64_t v = format->is_signed ? -most : 0; v <= most; ++v) {
      const auto bits = encode(*format, v);
      ASSERT_TRUE(bits) << name << " " << v;
      EXPECT_EQ(decode(*format, *bits), v) << name;
    }
  }
}

TEST(Number, KnownPatterns) {
  EXPECT_EQ(encode(*find_number("f16"), 1), 0x3C00U);
  EXPECT_EQ(encode(*find_number("bf16"), -2), 0xC000U);
  EXPECT_EQ(encode(*find_number("f32"), 3), 0x40400000U);
  EXPECT_EQ(encode(*find_number("f64"), 1), 0x3FF0000000000000U);
  EXPECT_EQ(encode(*find_number("e4m3"), 1), 0x38U);
  EXPECT_EQ(encode(*find_number("e5m2"), 1), 0x3CU);
  EXPECT_EQ(encode(*find_number("s4"), -1), 0xFU);
}

TEST(Number, WhatAFormatCannotHoldIsRefused) {
  EXPECT_FALSE(encode(*find_number("e5m2"), 9));
  EXPECT_FALSE(encode(*find_number("e4m3"), 17));
  EXPECT_FALSE(encode(*find_number("e4m3"), 480));  // its pattern is NaN
  EXPECT_TRUE(encode(*find_number("e4m3"), 448));
  EXPECT_FALSE(encode(*find_number("s8"), 128));
  EXPECT_FALSE(encode(*find_number("u4"), -1));
  EXPECT_FALSE(encode(*find_number("b1"), 2));
  EXPECT_FALSE(find_number("f8"));
  EXPECT_FALSE(decode(*find_number("f32"), 0x3F000000));  // a half
  EXPECT_FALSE(decode(*find_number("f32"), 0x7F800000));  // infinity
  EXPECT_FALSE(decode(*find_number("f16"), 0xFFFF));      // poison is NaN
}

TEST(PtxText, VersionsFollowTheDriver) {
  EXPECT_TRUE(ptx_header(13000, 90).starts_with(".version 9.0\n.target sm_90\n"));
  EXPECT_TRUE(ptx_header(12080, 90, true).starts_with(".version 8.7\n.target sm_90a\n"));
  EXPECT_TRUE(ptx_header(12040, 80).starts_with(".version 8.4\n"));
  EXPECT_TRUE(ptx_header(11080, 75).starts_with(".version 7.8\n"));
}

TEST(PtxText, OnlyComplaintsAboutTheTargetAreItsFault) {
  EXPECT_TRUE(refuses_target("Feature '.e4m3' not supported on .target 'sm_80'"));
  EXPECT_TRUE(refuses_target("Instruction 'stmatrix' requires .target sm_90 or higher"));
  EXPECT_FALSE(refuses_target("Unexpected instruction types specified for 'mma'"));
  EXPECT_FALSE(refuses_target("Parsing error near '.m16n8k17': syntax error"));
}

}  // namespace
}  // namespace fragproof::gpu
