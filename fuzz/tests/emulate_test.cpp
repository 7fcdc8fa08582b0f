// The emulated warp against the obligations, the plain loops and planted faults.
#include <gtest/gtest.h>

#include <set>

#include "checkers/enumerate/kernel_judge.h"
#include "fuzz/tests/support.h"

namespace fragproof::fuzz_testing {
namespace {

// Kernels whose values are right although an obligation is refuted: the obligations are sufficient,
// not necessary. types: integers know none; transposed: the result is symmetric; leftover:
// undefined weights meet zeros.
const std::set<std::string> right_though_refuted = {
    "operand_types.layout/mixed", "operand_types.layout/named", "operand_types.layout/converted_x",
    "syrk.layout/transposed", "zero_fill.layout/leftover"};

// The property that tests the obligations, too: where all hold, the kernel computes the
// contraction; where it does not compute it, one is refuted.
TEST(Emulate, EqualsTheContractionWhereEveryObligationHolds) {
  int kernels = 0, right = 0, wrong = 0;
  for (const std::string& file : example_files()) {
    const Loaded loaded = load_example(file);
    for (const Kernel* kernel : kernels_of(loaded.spec())) {
      const std::string name = file + "/" + kernel->name;
      SCOPED_TRACE(name);
      ++kernels;
      KernelSpace space(loaded.spec(), *kernel);
      Emulator emulator(loaded.spec(), *kernel);
      EmulationSetting plain;
      plain.hoist = false;
      Emulator unsplit(loaded.spec(), *kernel, plain);
      for (std::uint64_t number = 0; number < 6; ++number) {
        const std::optional<Configuration> configuration = generate(space, 7, number);
        if (!configuration) continue;
        SCOPED_TRACE(to_text(*configuration));
        std::string error;
        const std::optional<Shape> shape = space.shape_of(*configuration, error);
        ASSERT_TRUE(shape) << error;
        const Emulation emulation = emulator.run(*shape);
        // The judge is slower, and what is too large for the emulation is another test.
        if (!emulation.ran || emulation.mmas > 600) continue;
        // Evaluating each part once gives what evaluating everything everywhere gives.
        EXPECT_EQ(first_fault(emulation), first_fault(unsplit.run(*shape)));
        Evaluator evaluator(loaded.spec(), *shape);
        KernelJudge judge(evaluator, *kernel);
        const KernelVerdict verdict = judge.judge_all();
        if (verdict.unknown) continue;
        ++(emulation.right() ? right : wrong);
        if (emulation.right() && right_though_refuted.count(name) != 0) continue;
        EXPECT_EQ(emulation.right(), verdict.holds) << first_fault(emulation);
      }
    }
  }
  EXPECT_GE(kernels, 40);
  EXPECT_GE(right, 60);
  EXPECT_GE(wrong, 30);
}

TEST(Emulate, RealNumbersStayWithinTheErrorBound) {
  EmulationSetting floats;
  floats.mode = DataMode::Floats;
  const Loaded gemv = load_example("gemv.layout");
  const Emulation right = emulate(gemv, "N=64 K=512 M=13 S=2 NW=2 U=2", floats);
  EXPECT_TRUE(right.right()) << first_fault(right);
  EXPECT_GT(right.bound, 0);
  EXPECT_LT(right.error, right.bound);
  EXPECT_LT(right.bound, 1);
  // The source's --break mode: the halves of x exchanged. The error is about one, far above
  // rounding.
  const Loaded halves = load_edited("gemv.layout", {{"xv.b64[step]", "xv.b64[1 - step]"}});
  const Emulation wrong = emulate(halves, "N=64 K=512 M=13 S=2 NW=2 U=2", floats);
  EXPECT_FALSE(wrong.right());
  EXPECT_GT(wrong.error, 1);
  // f16 bits read as bf16: only real numbers show it.
  const Loaded types = load_example("operand_types.layout");
  EXPECT_TRUE(emulate(types, "named").right());
  EXPECT_FALSE(emulate(types, "named", floats).right());
  EXPECT_TRUE(emulate(types, "converted", floats).right());
}

struct Planted {
  const char* name;
  const char* file;
  Edits edits;
  const char* configuration;
  const char* fault;  // how the first fault begins
};

TEST(Emulate, EachFaultIsNamedWithItsLaneAndInstruction) {
  const std::string c = "N=16 K=32 M=1 S=1 NW=1 U=1";
  const std::vector<Planted> planted = {
      {"no clamp",
       "gemv.layout",
       {{"min(nb*8 + g, M - 1)", "nb*8 + g"}},
       c.c_str(),
       "bounds: lane 4 (g=1, t=0): load xv from x[1, 0]"},
      {"misaligned",
       "gemv.layout",
       {{"+ t*8 + (i", "+ t*8 - 4*(lane/31) + (i"}},
       c.c_str(),
       "alignment: lane 31 (g=7, t=3): load xv from x[0, 20]"},
      {"past the pack",
       "gemv.layout",
       {{"+ 32*step]", "+ 33*step]"}},
       c.c_str(),
       "bounds: lane 31 (g=7, t=3): load a from Wp.b128[64]"},
      {"no guard",
       "gemv.layout",
       {{" if 8*nb + col < M", ""}},
       c.c_str(),
       "bounds: lane 0 (g=0, t=0), register c1: store to y[1, 0]"},
      {"guard too small",
       "gemv.layout",
       {{"if 8*nb + col < M", "if 8*nb + col < M - 1"}},
       c.c_str(),
       "missing: y[0, 0] is never stored"},
      {"stored twice",
       "gemv.layout",
       {{"16*rb + row] if", "16*rb + row % 8] if"}},
       c.c_str(),
       "twice: lane 0 (g=0, t=0), register c2"},
      {"an int too small",
       "gemv.layout",
       {{"i32(sidx*KBS", "i8(300 + sidx*KBS"}},
       c.c_str(),
       "undefined: lane 0"},
      {"a tile not staged",
       "tf32_gemm.layout",
       {{"for (r : 32, c : 16) As[r, c] = A[32*mb + r, 16*kt + c]\n  for (r : 32, c : 16) Bs[r, c] "
         "= Bn",
         "for (r : 32, c : 15) As[r, c] = A[32*mb + r, 16*kt + c]\n  for (r : 32, c : 16) Bs[r, c] "
         "= Bn"}},
       "gemm_nk M=32 N=32 K=16",
       "unwritten: lane 16 (g=4, t=0): load a from As[0, 12]"},
      {"staged twice",
       "tf32_gemm.layout",
       {{"for (r : 32, c : 16) As[r, c] = A[32*mb + r, 16*kt + c]\n  for (r : 32, c : 16) Bs[r, c] "
         "= Bn",
         "for (r : 32, c : 16) As[r, c % 15] = A[32*mb + r, 16*kt + c]\n  for (r : 32, c : 16) "
         "Bs[r, c] = Bn"}},
       "gemm_nk M=32 N=32 K=16",
       "storage: the fill of As[0, 0] (r=0, c=15): written twice"},
  };
  for (const Planted& one : planted) {
    SCOPED_TRACE(one.name);
    const Loaded loaded = load_edited(one.file, one.edits);
    const Emulation emulation = emulate(loaded, one.configuration);
    EXPECT_EQ(first_fault(emulation).rfind(one.fault, 0), 0U) << first_fault(emulation);
  }
}

TEST(Emulate, GarbageThatReachesNoResultIsNoFault) {
  const Loaded loaded = load_example("dead_columns.layout");
  const Emulation emulation = emulate(loaded, "stale N=16 K=32 M=1");
  EXPECT_TRUE(emulation.right()) << first_fault(emulation);
}

TEST(Emulate, EveryDenseTypeMultiplies) {
  struct Instruction {
    const char *name, *type, *result;
    int m, n, k, a_bits, b_bits;
  };
  const std::vector<Instruction> all = {
      {"m16n8k16.bf16", "bf16", "f32", 16, 8, 16, 128, 64},
      {"m16n8k8.f16", "f16", "f32", 16, 8, 8, 64, 32},
      {"m16n8k8.tf32", "tf32", "f32", 16, 8, 8, 128, 64},
      {"m16n8k4.tf32", "tf32", "f32", 16, 8, 4, 64, 32},
      {"m16n8k32.e4m3", "e4m3", "f32", 16, 8, 32, 128, 64},
      {"m16n8k32.s8", "s8", "s32", 16, 8, 32, 128, 64},
      {"m8n8k16.u8", "u8", "s32", 8, 8, 16, 32, 32},
      {"m16n8k64.s4", "s4", "s32", 16, 8, 64, 128, 64},
      {"m8n8k32.u4", "u4", "s32", 8, 8, 32, 32, 32},
      {"m16n8k256.b1", "b1", "s32", 16, 8, 256, 128, 64},
      {"m8n8k4.f64", "f64", "f64", 8, 8, 4, 64, 64},
      {"m16n8k16.f64", "f64", "f64", 16, 8, 16, 512, 256},
  };
  for (const Instruction& one : all) {
    SCOPED_TRACE(one.name);
    // A pack holds each lane's fragment, as the instruction's own spec says.
    const std::string mma = std::string("mma.") + one.name;
    const std::string k = std::to_string(one.k), m = std::to_string(one.m);
    const std::string a_elems = "(" + std::to_string(one.a_bits) + "/W)";
    const auto width = find_type(one.type)->width;
    const std::string ae = std::to_string(one.a_bits / width),
                      be = std::to_string(one.b_bits / width);
    const int a_load = std::min(one.a_bits, 128), b_load = std::min(one.b_bits, 128);
    std::string loads, a_value, b_value;
    for (int i = 0; i < one.a_bits / a_load; ++i) {
      const std::string v = "a" + std::to_string(i);
      loads += "  load " + v + " from PA.b" + std::to_string(a_load) + "[(mb*(K/" + k +
               ") + kb)*32*" + std::to_string(one.a_bits / a_load) + " + lane*" +
               std::to_string(one.a_bits / a_load) + " + " + std::to_string(i) + "]\n";
      a_value += (i == 0 ? "" : ", ") + v;
    }
    for (int i = 0; i < one.b_bits / b_load; ++i) {
      const std::string v = "b" + std::to_string(i);
      loads += "  load " + v + " from PB.b" + std::to_string(b_load) + "[(nb*(K/" + k +
               ") + kb)*32*" + std::to_string(one.b_bits / b_load) + " + lane*" +
               std::to_string(one.b_bits / b_load) + " + " + std::to_string(i) + "]\n";
      b_value += (i == 0 ? "" : ", ") + v;
    }
    const std::string text =
        "size M, N, K\nrequire M % " + m + " == 0 && N % 8 == 0 && K % " + k + " == 0\n" +
        "tensor A[M, K] : " + one.type + "\ntensor B[K, N] : " + one.type +
        "\ntensor C[M, N] : " + one.result + "\npack PA[M*K] : " + one.type + "\n  for (mb : M/" +
        m + ", kb : K/" + k + ", lane : 32, e : " + ae + ") PA[((mb*(K/" + k +
        ") + kb)*32 + lane)*" + ae + " + e] = A[" + m + "*mb + " + mma + ".A(lane, e).row, " + k +
        "*kb + " + mma + ".A(lane, e).col]\n" + "pack PB[N*K] : " + one.type +
        "\n  for (nb : N/8, kb : K/" + k + ", lane : 32, e : " + be + ") PB[((nb*(K/" + k +
        ") + kb)*32 + lane)*" + be + " + e] = B[" + k + "*kb + " + mma +
        ".B(lane, e).row, 8*nb + " + mma + ".B(lane, e).col]\n" +
        "kernel dense computes C[m, n] += A[m, k] * B[k, n]\n  parallel (mb : M/" + m +
        ", nb : N/8)\n  reduce (kb : K/" + k + ")\n" + loads + "  acc += " + mma + "({" + a_value +
        "}, {" + b_value + "})\n  store acc to C[" + m + "*mb + row, 8*nb + col]\n";
    const Loaded loaded = load(text);
    ASSERT_NE(loaded.result.spec, nullptr) << text;
    const std::string shape =
        "M=" + std::to_string(2 * one.m) + " N=16 K=" + std::to_string(3 * one.k);
    for (const DataMode mode : {DataMode::Integers, DataMode::Floats}) {
      EmulationSetting setting;
      setting.mode = mode;
      const Emulation emulation = emulate(loaded, shape, setting);
      EXPECT_TRUE(emulation.right()) << first_fault(emulation);
      EXPECT_EQ(emulation.mmas, 2 * 2 * 3);
    }
    // Two lanes exchanged: seen by each of them.
    std::string wrong = text;
    const std::string from = one.a_bits > 128 ? "lane*4 + 0]" : "lane*1 + 0]";
    const std::string to = one.a_bits > 128 ? "(lane ^ 4)*4 + 0]" : "(lane ^ 4)*1 + 0]";
    ASSERT_NE(wrong.find(from), std::string::npos);
    wrong.replace(wrong.find(from), from.size(), to);
    const Emulation exchanged = emulate(load(wrong), shape);
    EXPECT_FALSE(exchanged.right());
  }
}

TEST(Emulate, SaysWhenAShapeIsTooLarge) {
  const Loaded gemv = load_example("gemv.layout");
  EmulationSetting small;
  small.points = 10;
  EXPECT_NE(emulate(gemv, "N=64 K=512 M=1 S=1 NW=1 U=1", small)
                .reason.find("points of parallel and reduce"),
            std::string::npos);
  EmulationSetting tight;
  tight.bytes = 1 << 10;
  const Emulation emulation = emulate(gemv, "N=64 K=512 M=1 S=1 NW=1 U=1", tight);
  EXPECT_FALSE(emulation.ran);
  EXPECT_NE(emulation.reason.find("limit of the emulation"), std::string::npos) << emulation.reason;
}

TEST(Emulate, RunsTheSameTwiceAndKeepsNothingWrong) {
  const Loaded gemv = load_example("gemv.layout");
  Emulator emulator(gemv.spec(), gemv.kernel("gemv"));
  const Shape small = shape_of(gemv, "N=16 K=32 M=3 S=1 NW=1 U=1");
  const Shape large = shape_of(gemv, "N=32 K=128 M=9 S=2 NW=1 U=2");
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(emulator.run(small).right());
    EXPECT_TRUE(emulator.run(large).right());
  }
  // Many shapes go through the cache of worlds.
  for (int m = 1; m < 30; ++m) {
    const Shape shape = shape_of(gemv, "N=16 K=32 S=1 NW=1 U=1 M=" + std::to_string(m));
    EXPECT_TRUE(emulator.run(shape).right()) << m;
  }
}

}  // namespace
}  // namespace fragproof::fuzz_testing
