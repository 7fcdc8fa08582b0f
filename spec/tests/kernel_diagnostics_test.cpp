// The mistakes in kernels that can be seen without sizes: one line of a right kernel is replaced by
// a wrong one.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spec/tests/load_testing.h"

namespace fragproof::testing {
namespace {

const std::vector<std::string> right = {
    "size N, K, M",                                                                       // 1
    "tensor W[N, K] : bf16",                                                              // 2
    "tensor x[M, K] : bf16",                                                              // 3
    "tensor y[M, N] : f32",                                                               // 4
    "pack Wp = W.reshape(N/16, 2, 8, K/32, 4, 2, 2, 2).permute(0, 3, 5, 2, 4, 6, 1, 7)",  // 5
    "kernel gemv computes y[m, n] += W[n, k] * x[m, k]",                                  // 6
    "  require N % 16 == 0",                                                              // 7
    "  let KB = K/32",                                                                    // 8
    "  parallel (rb : N/16, nb : ceildiv(M, 8))",                                         // 9
    "  reduce (kb : KB, step : 2)",                                                       // 10
    "  let g = lane >> 2, t = lane & 3",                                                  // 11
    "  shared S[16, 16] : bf16",                                                          // 12
    "  for (r : 16, c : 16) S[r, c] = W[16*rb + r, 32*kb + c]",                           // 13
    "  load a from Wp.b128[(rb*KB + kb)*64 + 32*step + lane]",                            // 14
    "  load xv : b128 from x[min(8*nb + g, M - 1), 32*kb + 8*t]",                         // 15
    "  acc += mma.m16n8k16.b16(a, xv.b64[step])",                                         // 16
    "  store acc to y[8*nb + col, 16*rb + row] if 8*nb + col < M",                        // 17
    "  launch k grid(N/16) block(32) args(Wp, x, y, i32(M))",                             // 18
    "prove gemv",                                                                         // 19
};

std::string with(int line, const std::string& replacement) {
  std::string text;
  for (std::size_t i = 0; i < right.size(); ++i) {
    text += (static_cast<int>(i) + 1 == line ? replacement : right[i]) + "\n";
  }
  return text;
}

struct Mistake {
  int line;
  const char* replacement;
  const char* expected;
};

void expect_each(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.replacement);
    EXPECT_EQ(errors(with(mistake.line, mistake.replacement)), mistake.expected);
  }
}

TEST(KernelDiagnostics, TheRightOneIsRight) { EXPECT_EQ(errors(with(0, "")), ""); }

// Fragments that are no operand of `acc +=` and no load are refused, not misread.
TEST(KernelDiagnostics, FragmentsOfAnotherSignature) {
  expect_each({
      {16, "  acc += mma.m8n8k4.f16(a, xv.b64[step])",
       "16:3: instruction `mma.m8n8k4.f16` lacks one of its fragments `.A`, `.B`, `.C`"},
      {14, "  load a : ldmatrix.x4.addr from S[lane % 16, 8*(lane/16)]",
       "14:3: `ldmatrix.x4.addr` is no loading instruction; help: `ldmatrix.x4`, or a type as in "
       "`b128`"},
  });
}

TEST(KernelDiagnostics, Equation) {
  expect_each({
      {6, "kernel gemv computes y[m, n] += Wp[n, k] * x[m, k]",
       "6:33: a factor of a kernel is a tensor, `Wp` is a pack; help: the equation names what is "
       "multiplied, loads say "
       "where it lies"},
      {6, "kernel gemv computes y[m, n] += y[m, n] * x[m, k]",
       "6:33: `y` is the result, it cannot be a factor as well"},
      {6, "kernel gemv computes y[m, n] += W[n, n] * x[m, k]",
       "6:33: index `n` stands twice in `W`"},
      {6, "kernel gemv computes y[m, q] += W[n, k] * x[m, k]",
       "6:22: index `q` of `y` stands in neither factor\n"
       "6:33: index `n` is summed, so both factors have it; `x` does not"},
      {6, "kernel gemv computes y[m, n] += W[n, k] * x[m]",
       "6:43: `x` has 2 dimensions, 1 index given"},
      {6, "kernel gemv computes y[m, n] += W[k, n] * x[m, k]",
       "6:33: index `n` has extent N in `y` and K in `W`: it must be the same wherever it stands; "
       "help: if the sizes "
       "make them equal, say so: `require N == K`\n"
       "6:43: index `k` has extent N in `W` and K in `x`: it must be the same wherever it stands; "
       "help: if the sizes "
       "make them equal, say so: `require N == K`"},
  });
  // Equal as polynomials, by a let, or by a require.
  EXPECT_EQ(errors(with(3, "let twice = 2*K\ntensor x[M, twice - K] : bf16")), "");
  std::string required = with(6, "kernel gemv computes y[m, n] += W[k, n] * x[m, k]");
  required.insert(0, "size L\n");
  required.insert(required.find("  require"), "  require M > 0 && K == N\n");
  EXPECT_EQ(errors(required), "");
}

TEST(KernelDiagnostics, Statements) {
  expect_each({
      {7, "  require lane < 3",
       "7:11: a `require` is about sizes and tables, not about lanes and indices: `lane`"},
      {8, "  let KB = K/32 + lane/32",
       "10:16: `parallel` and `reduce` are the same for all lanes: `KB` depends on one"},
      {9, "  parallel (rb : N/16, nb : ceildiv(M, 8) where rb < lane)",
       "9:49: `parallel` and `reduce` are the same for all lanes, and `parallel` for all of "
       "`reduce`: `lane`"},
      {10, "  reduce (kb, step : 2)", "10:11: `kb` has no extent: a kernel's indices are bounded"},
      {11, "  let g = lane >> 2, t = lane & 3, row = 2",
       "11:36: `row` is already an implicit name (line 6); nothing shadows anything here: choose "
       "another name"},
      {11, "  let g = lane >> 2, t = lane & 3, u = row",
       "11:40: `row` stands for a place in the accumulator tile and can be used in `store` only"},
      {12, "  shared S[16, lane] : bf16",
       "12:16: a shared array is the same for all lanes: `lane`"},
      {13, "  for (r : 16, c : 16) S[r, c] = W[16*rb + r, 32*kb + t]",
       "13:34: a `for` line has no lanes: `t` depends on one"},
      {13, "  for (r : 16, c : 16) S[r, c] = S[r, c]", "13:34: `S` is filled from itself"},
      {13, "  for (r : 16, c : 16) W[r, c] = W[r, c]",
       "13:24: the `for` lines of a kernel fill its shared arrays; `W` is a tensor"},
      {13,
       "  shared T[16, 16] : bf16\n  for (r : 16) S[r, 0] = T[r, 0]\n  for (r : 16) T[r, 0] = S[r, "
       "0]",
       "15:26: `T` is filled from itself, by way of `S`"},
      {18, "  launch k grid(N/16) block(32) args(Wp, xx, y, M)",
       "18:3: unknown name `xx`; help: did you mean `x` (line 3)?\n"
       "18:3: `M` is a size, an argument is a tensor or pack by name; help: integers say how wide "
       "they are: `i32(M)`"},
      {18, "  launch k grid(rb) block(32) args(S)",
       "18:3: `S` is a shared array, an argument is a tensor or pack by name\n"
       "18:17: a launch is about sizes, not about lanes and indices: `rb`"},
      {18, "  launch \"k_{N}_{KB}\" grid(1) block(32) args()",
       "18:3: `{KB}` in a launch symbol stands for the value of a size, and `KB` is none"},
  });
}

TEST(KernelDiagnostics, Loads) {
  expect_each({
      {14, "  load a : ldmatrix.x4 from Wp.b128[lane]",
       "14:29: `ldmatrix.x4` reads a shared array, `Wp` is a pack"},
      {14, "  load a : ldmatrix.x4 from S[lane % 16, 8*(lane/16)] if lane < 3",
       "14:58: all lanes take part in `ldmatrix.x4`: its `if` does not depend on the lane: `lane`"},
      {14, "  load a : ldmatrix.x5 from S[lane % 16, 0]",
       "14:3: `ldmatrix.x5` is neither a type nor a loading instruction; help: did you mean "
       "`ldmatrix.x1`?"},
      {14, "  load a : stmatrix.x4 from S[lane % 16, 0]",
       "14:3: `stmatrix.x4` is no loading instruction; help: `ldmatrix.x4`, or a type as in "
       "`b128`"},
      {14, "  load a from W[0, 0].b4[0]",
       "14:3: a load is 8, 16, 32, 64 or 128 bits, this one has 4; help: say how much a lane "
       "loads: `load a : b32 from "
       "...`\n16:27: operand A of mma.m16n8k16.b16 takes 128 bits per lane, `a` has 4"},
      {14, "  load a : b48 from W[0, 0]",
       "14:3: a load is 8, 16, 32, 64 or 128 bits, this one has 48\n"
       "16:27: operand A of mma.m16n8k16.b16 takes 128 bits per lane, `a` has 48"},
      {14, "  load a from Wp.b128[row]",
       "14:23: `row` stands for a place in the accumulator tile and can be used in `store` only"},
      {15, "  load a : b128 from x[0, 0]",
       "15:3: `a` is already a load (line 14); nothing shadows anything here: choose another name\n"
       "16:30: unknown name `xv`; help: did you mean `x` (line 3)?"},
  });
}

TEST(KernelDiagnostics, Product) {
  expect_each({
      {16, "  acc += mma.m16n8k16.b16(a, xv)",
       "16:30: operand B of mma.m16n8k16.b16 takes 64 bits per lane, `xv` has 128; help: "
       "`xv.b64[...]`"},
      {16, "  acc += mma.m16n8k16.b16({a, a}, xv.b64[0])",
       "16:27: operand A of mma.m16n8k16.b16 takes 128 bits per lane, `{a, a}` has 256"},
      {16, "  acc += mma.m16n8k17.b16(a, xv.b64[0])",
       "16:3: unknown instruction `mma.m16n8k17.b16`; help: did you mean `mma.m16n8k16.b16`?"},
      {16, "  acc += ldmatrix.x4(a, xv.b64[0])", "16:3: unknown instruction `ldmatrix.x4`"},
      {16, "  acc += mma.m16n8k16.b16(g, xv.b64[0])",
       "16:27: an operand is made of loads, `g` is a let"},
      {16, "  acc += mma.m16n8k16.b16(aa, xv.b64[0])",
       "16:27: unknown name `aa`; help: did you mean `a` (line 14)?"},
      {16, "  acc += mma.m16n8k16.b16(a, {f16(xv.b8[0]), xv.b16[0], xv.b32[0]})",
       "16:31: the value has 8 bits, elements of `x` have 16: a conversion takes one whole "
       "element"},
      {16, "  acc += mma.m16n8k16.b16({f16(a.b32[0]), a.b16[0], a.b32[0], a.b64[0]}, xv.b64[0])",
       "16:28: the value has 32 bits, elements of `W` have 16: a conversion takes one whole "
       "element"},
      {16, "",
       "6:8: kernel `gemv` multiplies nothing; help: it needs one line `acc += X(a, b)`\n"
       "17:3: `acc` is no accumulator: it stands on the left of no `+=` above"},
  });
}

TEST(KernelDiagnostics, Store) {
  expect_each({
      {17, "  store acc to y[8*nb + col, 16*rb + row + 0*step]",
       "17:16: a `store` comes after the sum and uses no reduce index: `step`"},
      {17, "  let late = kb + 1\n  store acc to y[8*nb + col, 16*rb + row] if late < M",
       "18:46: a `store` comes after the sum and uses no reduce index: `late` depends on one"},
      {17, "  store acc to x[col, row]",
       "17:16: a kernel stores to the result of its equation, `y`, not to `x`"},
      {17, "  store sum to y[8*nb + col, 16*rb + row]",
       "17:3: `sum` is no accumulator: it stands on the left of no `+=` above; help: did you mean "
       "`acc`?"},
      {17, "  store acc to y[8*nb + col, 16*rb + row].b16[0]",
       "17:16: a `store` goes to one element of `y`, `y[..]`"},
      {17, "", "6:8: kernel `gemv` stores nothing; help: it needs one line `store acc to y[..]`"},
  });
}

TEST(KernelDiagnostics, Claims) {
  expect_each({
      {19, "prove gemv.pairs",
       "19:7: kernel `gemv` has no obligation `pairs`; it has bounds, storage, alignment, "
       "overflow, A.whole, B.whole, "
       "types, A.rows, B.cols, A.k, B.k, pairing, cover, output"},
      {19, "prove gemv.A.row",
       "19:7: kernel `gemv` has no obligation `A.row`; it has bounds, storage, alignment, "
       "overflow, A.whole, B.whole, "
       "types, A.rows, B.cols, A.k, B.k, pairing, cover, output; help: did you mean "
       "`gemv.A.rows`?"},
      {19, "prove coalesced(gemv.aa)",
       "19:17: kernel `gemv` has no load `aa`; it has a, xv; help: did you mean `gemv.a`?"},
      {19, "require gemv", "19:9: `gemv` speaks of a kernel, which only a claim can do"},
      {19, "prove c: gemv + 1 == 2", ""},
  });
}

}  // namespace
}  // namespace fragproof::testing
