// Text that was pasted from CUDA, PTX, PyTorch and C: each message says what to write instead.
#include "spec/foreign.h"

#include <gtest/gtest.h>

#include "spec/tests/load_testing.h"

namespace fragproof::testing {
namespace {

TEST(Foreign, InstructionsByTheirFullName) {
  EXPECT_EQ(ptx_entry("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"), "mma.m16n8k16.bf16");
  EXPECT_EQ(ptx_entry("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32"),
            "mma.m16n8k32.s8");
  EXPECT_EQ(ptx_entry("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32"), "mma.m16n8k32.b8");
  EXPECT_EQ(ptx_entry("ldmatrix.sync.aligned.m8n8.x4.shared.b16"), "ldmatrix.x4");
  EXPECT_EQ(ptx_entry("ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16"), "ldmatrix.x2.trans");
  EXPECT_EQ(ptx_entry("mma.sync.aligned.row.col.f32"), "");
  EXPECT_EQ(ptx_entry("mma.sync.aligned.m16n8k16.row.col.f32.bf16"), "");
  EXPECT_EQ(ptx_entry("mma.m16n8k16.bf16"), "");
}

TEST(Foreign, TypesByOtherNames) {
  EXPECT_EQ(foreign_type("int8_t"), "s8");
  EXPECT_EQ(foreign_type("__half"), "f16");
  EXPECT_EQ(foreign_type("s8"), "");
  EXPECT_EQ(foreign_width("float4"), 128);
  EXPECT_EQ(foreign_width("half2"), 32);
  EXPECT_EQ(foreign_width("uint32_t"), 32);
  EXPECT_EQ(foreign_width("e4m3"), 8);
  EXPECT_EQ(foreign_width("b"), 0);
}

const std::string head =
    "size N, K, M\n"
    "tensor W[N, K] : s8\n"
    "tensor x[M, K] : s8\n"
    "tensor y[M, N] : s32\n"
    "kernel k computes y[m, n] += W[n, k] * x[m, k]\n";

std::string in_kernel(const std::string& body) { return errors(head + body); }

TEST(Foreign, APastedKernelIsToldWhatToWrite) {
  const std::string loads =
      "  load a : b128 from W[0, 0]\n"
      "  load b : b64 from x[0, 0]\n";
  const std::string store = "\n  store acc to y[col, row]";
  EXPECT_EQ(in_kernel(loads + "  acc = mma.m16n8k32.s8(a, b)" + store),
            "8:7: a product is added to the accumulator, not assigned; help: `acc += mma..`");
  EXPECT_EQ(in_kernel(loads + "  t = lane & 3"),
            "8:5: a kernel's own names are declared: write `let t = ...`");
  EXPECT_EQ(
      in_kernel(loads + "  acc += mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32(a, b)" + store),
      "8:3: unknown instruction `mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32`; help: this "
      "instruction is `mma.m16n8k32.s8` here");
  EXPECT_EQ(
      in_kernel(loads + "  acc += mma.sync.aligned.m16n8k99.row.col.s32.s8.s8.s32(a, b)" + store),
      "8:3: unknown instruction `mma.sync.aligned.m16n8k99.row.col.s32.s8.s8.s32`; help: it is not "
      "among those that `fragproof list` prints");
  for (const char* type : {"int8", "i8", "int8_t"}) {
    EXPECT_EQ(in_kernel(loads + "  acc += mma.m16n8k32." + type + "(a, b)" + store),
              "8:3: unknown instruction `mma.m16n8k32." + std::string(type) +
                  "`; help: write `mma.m16n8k32.s8`");
  }
  EXPECT_EQ(
      in_kernel("  shared S[8, 16] : b16\n"
                "  load a : ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16 from S[lane % 8, 0]\n"
                "  load b : b64 from x[0, 0]\n"
                "  acc += mma.m16n8k32.s8(a, b)" +
                store),
      "7:3: `ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16` is neither a type nor a loading "
      "instruction; help: this instruction is `ldmatrix.x4` here");
}

TEST(Foreign, UnitsAndTypesAndChains) {
  EXPECT_EQ(errors("size N\npack P[N] : b8\n  for (n : N) P.float4[n] = P[n]"),
            "3:17: a unit is named by its width in bits, not by a type; help: write `P.b128[..]`");
  EXPECT_EQ(errors("tensor W[4] : b32\nprove c: W.u8[0] == W.b8[0]"),
            "2:10: `W` has no part `u8`; help: write `W.b8[..]`");
  EXPECT_EQ(errors("tensor W[4] : b32\nprove c: W[0].u8[0] == W.b8[0]"),
            "2:15: a unit is named by its width in bits, not by a type; help: write `X.b8[..]`");
  EXPECT_EQ(errors("tensor W[4] : int8_t"), "1:15: unknown type `int8_t`; help: write `s8`");
  EXPECT_EQ(errors("tensor W[4] : int4"),
            "1:15: unknown type `int4`; help: a signed 4-bit integer is `s4`, CUDA's vector of "
            "four words is `b128`");
  EXPECT_EQ(errors("tensor W[4, 4] : b8\npack P = W.view(16)"),
            "2:12: a pack knows `reshape`, `permute` and `contiguous` only; help: write "
            "`reshape(..)`, with all extents");
  EXPECT_EQ(errors("tensor W[4, 4] : b8\npack P = W.transpose(0, 1)"),
            "2:12: a pack knows `reshape`, `permute` and `contiguous` only; help: write "
            "`permute(..)`, with all axes in their new order");
}

TEST(Foreign, CommentsAndTabs) {
  EXPECT_EQ(errors("// a note\nsize N"),
            "1:1: `//` starts no comment here; help: a comment starts with `#`");
  // One complaint, whatever stands in the comment.
  EXPECT_EQ(errors("/* size N\nsize N, N\nanything goes */\nsize M\nprove c: M >= 1"),
            "1:1: `/*` starts no comment here; help: a comment starts with `#` and ends with its "
            "line");
  EXPECT_EQ(errors("size N\nmap f(i : N) -> (y : N)\n\ty = i\n"),
            "3:1: tabs are not allowed; help: indent with spaces, two a level: `expand -t 2 FILE` "
            "rewrites them");
}

TEST(Foreign, AnIncludedFileWithTabsMakesNoOtherNoise) {
  Files files;
  files.texts["a.layout"] = "include \"b.layout\"\nprove c: f(0) == 0";
  files.texts["b.layout"] = "map f(i : 4) -> (y : 4)\n\ty = i\n";
  EXPECT_EQ(errors(load("a.layout", files)),
            "b.layout:2:1: tabs are not allowed; help: indent with spaces, two a level: `expand -t "
            "2 FILE` rewrites them");
}

}  // namespace
}  // namespace fragproof::testing
