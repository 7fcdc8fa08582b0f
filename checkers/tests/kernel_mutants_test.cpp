// Mistakes that people make in kernels, as edits of the example files: each is refuted at the right
// lane, register, expected and found element. Exchanged permute axes are checked against an
// emulation written out here by hand.

#include <gtest/gtest.h>

#include <array>

#include "checkers/tests/kernel_fixture.h"

namespace fragproof::kernel_tests {
namespace {

struct Mutant {
  const char* name;
  const char* file;
  const char* kernel;
  std::vector<std::pair<const char*, const char*>> edits;
  Obligation obligation;
  Sizes sizes;
  const char*
      expected;  // brief(verdict) at these sizes, the smallest that are admitted and refuted
};

class KernelMutant : public testing::TestWithParam<Mutant> {};

TEST_P(KernelMutant, IsRefutedWithItsLane) {
  const Mutant& mutant = GetParam();
  const std::string name = std::string("examples/") + mutant.file + ".layout";
  const Subject right(example(mutant.file), name);
  ASSERT_TRUE(right.ok());
  EXPECT_TRUE(right.judge(mutant.kernel, std::nullopt, mutant.sizes).holds)
      << "without the mistake";
  std::string text = example(mutant.file);
  for (const auto& [from, to] : mutant.edits) text = edited(text, from, to);
  const Subject wrong(text, name);
  ASSERT_TRUE(wrong.ok());
  EXPECT_EQ(brief(wrong.judge(mutant.kernel, mutant.obligation, mutant.sizes)), mutant.expected);
}

const Sizes small = {{"N", 16}, {"K", 32}};

INSTANTIATE_TEST_SUITE_P(
    Table, KernelMutant,
    testing::Values(
        // Registers a1 and a2 exchanged: still a bijection, still every byte in place.
        Mutant{"registers_swapped",
               "gemv",
               "gemv",
               {{"mma.m16n8k16.b16(a, xv",
                 "mma.m16n8k16.b16({a.b32[0], a.b32[2], a.b32[1], a.b32[3]}, xv"}},
               Obligation::ARows,
               small,
               "lane 0 a1 low 2: expected W[8, 0], found W[0, 2], 256 of 512"},
        // Registers b0 and b1 exchanged: only the pairing sees it.
        Mutant{"b_registers_swapped",
               "gemv",
               "gemv",
               {{"mma.m16n8k16.b16(a, xv.b64[step])",
                 "mma.m16n8k16.b16(a, {xv.b64[step].b32[1], xv.b64[step].b32[0]})"}},
               Obligation::Pairing,
               small,
               "lane 0 a0 low 0: expected W[0, 2], found W[0, 0], 512 of 512"},
        Mutant{"row_stride",
               "gemv",
               "gemv",
               {{"*64 + 32*step]", "*64 + 31*step]"}},
               Obligation::ARows,
               small,
               "lane 0 a0 low 0: expected W[0, 4], found W[7, 24], 64 of 512"},
        Mutant{"step_offset_16",
               "gemv",
               "gemv",
               {{"+ 32*step]", "+ 16*step]"}},
               Obligation::ARows,
               small,
               "lane 0 a0 low 0: expected W[0, 4], found W[4, 0], 256 of 512"},
        Mutant{"g_and_t_swapped",
               "gemv",
               "gemv",
               {{"g = lane >> 2, t = lane & 3", "g = lane & 7, t = lane >> 3"}},
               Obligation::BCols,
               {{"N", 16}, {"K", 32}, {"M", 2}},
               "lane 1 b0 low 0: expected x[0, 8], found x[1, 0], 24 of 64"},
        // x keeps the order of the mma's slots, W has the relabelled one.
        Mutant{"relabelled_one_side",
               "gemv",
               "gemv",
               {{"load xv : b128 from x[tok, kb0*32 + t*8 + (i*U + u)*32]",
                 "load x0 : b32 from x[tok, kb0*32 + 16*step + 2*t + (i*U + u)*32]\n"
                 "  load x1 : b32 from x[tok, kb0*32 + 16*step + 8 + 2*t + (i*U + u)*32]"},
                {"xv.b64[step]", "{x0, x1}"},
                {"sectors(gemv.xv)", "sectors(gemv.x0)"}},
               Obligation::Pairing,
               small,
               "lane 0 a2 low 4: expected W[0, 8], found W[0, 2], 384 of 512"},
        Mutant{"kb_is_k_over_16",
               "gemv",
               "gemv",
               {{"let KB = K/32, KBS = KB/S", "let KB = K/16, KBS = K/32/S"}},
               Obligation::Bounds,
               {{"N", 32}, {"K", 32}},
               "lane 0: expected Wp.b128[0..127], found Wp.b128[128], 64 of 1440"},
        Mutant{"clamp_missing",
               "gemv",
               "gemv",
               {{"min(nb*8 + g, M - 1)", "nb*8 + g"}},
               Obligation::Bounds,
               small,
               "lane 4: expected x[0..0, 0..31], found x[1, 0], 56 of 720"},
        Mutant{"clamp_off_by_one",
               "gemv",
               "gemv",
               {{"min(nb*8 + g, M - 1)", "min(nb*8 + g, M)"}},
               Obligation::Bounds,
               small,
               "lane 4: expected x[0..0, 0..31], found x[1, 0], 56 of 720"},
        Mutant{"guard_not_strict",
               "gemv",
               "gemv",
               {{"if 8*nb + col < M", "if 8*nb + col <= M"}},
               Obligation::Bounds,
               small,
               "lane 0 c1 1: expected y[0..0, 0..15], found y[1, 0], 16 of 736"},
        Mutant{"guard_too_strict",
               "gemv",
               "gemv",
               {{"if 8*nb + col < M", "if 8*nb + col < M - 1"}},
               Obligation::Output,
               {{"N", 16}, {"K", 32}, {"M", 2}},
               "expected y[1, 0], found nothing, 16 of 32"},
        Mutant{"zeroed_lane",
               "gemv",
               "gemv",
               {{"*64 + 32*step]", "*64 + 32*step] if lane != 5 else 0"}},
               Obligation::Cover,
               small,
               "lane 5 a0 low 0: expected k = 8 once in y[0, 1], found zero, 2 of 16"},
        Mutant{"wrong_element_type",
               "gemv",
               "gemv",
               {{"tensor x[M, K] : bf16", "tensor x[M, K] : f16"}},
               Obligation::Types,
               small,
               "lane 0 b0 low 0: expected x[0, 0] : bf16, found x[0, 0] : f16, 32 of 32"},
        Mutant{"integer_result",
               "gemv",
               "gemv",
               {{"tensor y[M, N] : f32", "tensor y[M, N] : s32"}},
               Obligation::Types,
               small,
               "expected y : a float type, found y : s32, 1 of 1"},
        Mutant{"transposed_store",
               "gemv",
               "gemv",
               {{"y[8*nb + col, 16*rb + row]", "y[8*nb + col, 16*rb + 15 - row]"}},
               Obligation::Output,
               small,
               "lane 0 c0 0: expected y[0, 0], found y[0, 15], 16 of 16"},
        Mutant{"store_forgets_block",
               "gemv",
               "gemv",
               {{"16*rb + row]", "row]"}},
               Obligation::Output,
               {{"N", 32}, {"K", 32}},
               "lane 0 c0 0: expected y[0, 16], found y[0, 0], 16 of 32"},
        // Only B is of another batch: what A names is what is stored.
        Mutant{"batch_of_b",
               "batched",
               "batched",
               {{"B[b, 8*nt + g, 16*kt + 2*t", "B[0, 8*nt + g, 16*kt + 2*t"}},
               Obligation::Output,
               {{"R", 2}, {"M", 16}, {"N", 8}, {"K", 16}},
               "lane 0 c0 0: expected C[1, 0, 0], found C[0, 0, 0], 128 of 256"},
        // The writer swizzles with the unit's row, the reader with half of it.
        Mutant{"swizzle_disagrees",
               "tile_swizzled",
               "gemm",
               {{"load a : ldmatrix.x4 from As[ra, swz(ra, ca)]",
                 "load a : ldmatrix.x4 from As[ra, swz(ra/2, ca)]"}},
               Obligation::AK,
               {{"M", 32}, {"N", 32}, {"K", 64}},
               "lane 0 a1 low 2: expected A[8, 0], found A[8, 32], 7168 of 8192"},
        Mutant{"reader_forgets_padding",
               "tf32_gemm",
               "gemm_nk",
               {{"shared Bs[32, 20] : tf32", "shared Bs[32, 18] : tf32"}},
               Obligation::Alignment,
               {{"M", 32}, {"N", 32}, {"K", 16}},
               "lane 1: expected a multiple of 16 bytes, found byte 72, 256 of 1024"},
        Mutant{"b_transposed",
               "tf32_gemm",
               "gemm_nk",
               {{"load b : ldmatrix.x2 from Bs", "load b : ldmatrix.x2.trans from Bs"}},
               Obligation::BWhole,
               {{"M", 32}, {"N", 32}, {"K", 16}},
               "lane 0 b0 0: expected bits 0..15 of Bn[0, 0], found bits 0..15 of Bn[1, 0], 1024 "
               "of 1024"},
        Mutant{"a_half_swapped",
               "tf32_gemm",
               "gemm_nk",
               {{"8*ks + 4*(lane/16)]", "8*ks + 4*(1 - lane/16)]"}},
               Obligation::Pairing,
               {{"M", 32}, {"N", 32}, {"K", 16}},
               "lane 0 a0 0: expected A[0, 0], found A[0, 4], 2048 of 2048"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(KernelMutants, IntegerOffsetsWrap) {
  // 32-bit element offsets: the last row block of a matrix of 2^31 elements and more. A small width
  // shows the same.
  const Subject subject(edited(example("gemv"), "let woff = i64((rb*KB + kb0)*64 + lane)",
                               "let woff = i8((rb*KB + kb0)*64 + lane)"),
                        "examples/gemv.layout");
  EXPECT_EQ(brief(subject.judge("gemv", Obligation::Overflow, {{"N", 16}, {"K", 64}})), "holds");
  const KernelVerdict verdict = subject.judge("gemv", Obligation::Overflow, {{"N", 32}, {"K", 64}});
  ASSERT_TRUE(verdict.counterexample);
  EXPECT_EQ(verdict.counterexample->lane, 0);
  EXPECT_NE(verdict.counterexample->text.find("let woff"), std::string::npos);
  EXPECT_NE(verdict.counterexample->text.find("128"), std::string::npos)
      << verdict.counterexample->text;
  // All else counts iN(e) as e; only the lanes that overflow are judged no further.
  EXPECT_TRUE(subject.judge("gemv", Obligation::Bounds, {{"N", 32}, {"K", 64}}).holds);
  EXPECT_TRUE(subject.judge("gemv", Obligation::ARows, {{"N", 32}, {"K", 64}}).holds);
}

TEST(KernelMutants, LaunchArgumentsCountAsWidths) {
  const Subject subject(
      edited(example("gemv"), "i32(M), i32(N), i32(K))", "i32(M), i8(N), i32(K))"),
      "examples/gemv.layout");
  EXPECT_TRUE(subject.judge("gemv", Obligation::Overflow, {{"N", 112}, {"K", 32}}).holds);
  EXPECT_FALSE(subject.judge("gemv", Obligation::Overflow, {{"N", 128}, {"K", 32}}).holds);
}

// ---- every pair of axes of the pack's permute, against an emulation
// ------------------------------------------------

struct Held {
  int row = 0, k = 0;
};

// W.reshape(N/16, 2, 8, K/32, 4, 2, 2, 2).permute(order) as a flat list of (row, k).
std::vector<Held> packed(int n, int k, const std::array<int, 8>& order) {
  const std::array<int, 8> extent = {n / 16, 2, 8, k / 32, 4, 2, 2, 2};
  std::vector<Held> flat;
  std::array<int, 8> at{};
  const auto next = [&](const auto& self, std::size_t axis) -> void {
    if (axis == 8) {
      const int row = (at[0] * 2 + at[1]) * 8 + at[2];
      const int column = (((at[3] * 4 + at[4]) * 2 + at[5]) * 2 + at[6]) * 2 + at[7];
      flat.push_back({row, column});
      return;
    }
    const auto own = static_cast<std::size_t>(order[axis]);
    for (at[own] = 0; at[own] < extent[own]; ++at[own]) self(self, axis + 1);
    at[own] = 0;
  };
  next(next, 0);
  return flat;
}

struct Expected {
  std::string
      obligation;  // the first that fails: "A.rows", "A.k", "pairing", "output", or "" if none
  std::string brief;
};

// Emulates the kernel's loads at M = 1 and says what is wrong first.
Expected emulate(int n, int k, const std::array<int, 8>& order) {
  const std::vector<Held> flat = packed(n, k, order);
  const int tiles = n / 16, steps = 2 * (k / 32);
  struct Slot {
    int point, lane, elem, row, slot, x_k;
    Held held;
  };
  std::vector<std::vector<Slot>> slots(static_cast<std::size_t>(tiles));
  for (int rb = 0; rb < tiles; ++rb) {
    for (int r = 0; r < steps; ++r) {
      for (int lane = 0; lane < 32; ++lane) {
        for (int elem = 0; elem < 8; ++elem) {
          const int g = lane / 4, t = lane % 4, e = elem % 2, h = elem / 2 % 2, c = elem / 4;
          const int unit = (rb * (k / 32) + r / 2) * 64 + 32 * (r % 2) + lane;
          slots[static_cast<std::size_t>(rb)].push_back(
              {r, lane, elem, 8 * h + g, 8 * c + 2 * t + e,
               32 * (r / 2) + 8 * t + 4 * (r % 2) + 2 * c + e,
               flat[static_cast<std::size_t>(unit * 8 + elem)]});
        }
      }
    }
  }
  const auto element = [](int row, int column) {
    return "W[" + std::to_string(row) + ", " + std::to_string(column) + "]";
  };
  const auto told = [&](const char* obligation, const Slot& slot, int row, int column, int wrong,
                        int of) {
    return Expected{obligation,
                    "lane " + std::to_string(slot.lane) + " a" + std::to_string(slot.elem / 2) +
                        (slot.elem % 2 == 0 ? " low " : " high ") + std::to_string(slot.elem) +
                        ": expected " + element(row, column) + ", found " +
                        element(slot.held.row, slot.held.k) + ", " + std::to_string(wrong) +
                        " of " + std::to_string(of)};
  };
  const int all = tiles * steps * 256;
  // A.rows: a row of a tile must be one row of W; where it is not, the stored row is right.
  std::map<std::pair<int, int>, std::pair<int, bool>> rows;  // (tile, row) -> first, bad
  for (int rb = 0; rb < tiles; ++rb) {
    for (const Slot& slot : slots[static_cast<std::size_t>(rb)]) {
      const auto it = rows.try_emplace({rb, slot.row}, slot.held.row, false).first;
      it->second.second = it->second.second || it->second.first != slot.held.row;
    }
  }
  const Slot* first = nullptr;
  int wrong = 0, first_row = 0;
  for (int rb = 0; rb < tiles; ++rb) {
    for (const Slot& slot : slots[static_cast<std::size_t>(rb)]) {
      if (!rows[{rb, slot.row}].second || slot.held.row == 16 * rb + slot.row) continue;
      if (first == nullptr) first = &slot, first_row = 16 * rb + slot.row;
      ++wrong;
    }
  }
  if (first != nullptr) return told("A.rows", *first, first_row, first->x_k, wrong, all);
  // A.k: a slot must be one k over all rows of the tile; where it is not, x's is right.
  std::map<std::array<int, 3>, std::pair<int, bool>> ks;
  for (int rb = 0; rb < tiles; ++rb) {
    for (const Slot& slot : slots[static_cast<std::size_t>(rb)]) {
      const auto it = ks.try_emplace({rb, slot.point, slot.slot}, slot.held.k, false).first;
      it->second.second = it->second.second || it->second.first != slot.held.k;
    }
  }
  for (int rb = 0; rb < tiles; ++rb) {
    for (const Slot& slot : slots[static_cast<std::size_t>(rb)]) {
      if (!ks[{rb, slot.point, slot.slot}].second || slot.held.k == slot.x_k) continue;
      if (first == nullptr) first = &slot;
      ++wrong;
    }
  }
  if (first != nullptr) return told("A.k", *first, first->held.row, first->x_k, wrong, all);
  for (int rb = 0; rb < tiles; ++rb) {
    for (const Slot& slot : slots[static_cast<std::size_t>(rb)]) {
      if (slot.held.k == slot.x_k) continue;
      if (first == nullptr) first = &slot;
      ++wrong;
    }
  }
  if (first != nullptr) return told("pairing", *first, first->held.row, first->x_k, wrong, all);
  // Rows in another order than the one they are stored in.
  for (int rb = 0; rb < tiles; ++rb) {
    for (const auto& [key, row] : rows) {
      if (key.first == rb && row.first != 16 * rb + key.second) return {"output", ""};
    }
  }
  return {};
}

TEST(KernelMutants, EveryPairOfPermuteAxes) {
  const std::array<int, 8> right = {0, 3, 5, 2, 4, 6, 1, 7};
  int refuted = 0, by_output = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = i + 1; j < 8; ++j) {
      std::array<int, 8> order = right;
      std::swap(order[i], order[j]);
      std::string axes;
      for (const int axis : order) axes += (axes.empty() ? "" : ", ") + std::to_string(axis);
      SCOPED_TRACE(axes);
      const Subject subject(
          edited(example("gemv"), "permute(0, 3, 5, 2, 4, 6, 1, 7)", "permute(" + axes + ")"),
          "examples/gemv.layout");
      ASSERT_TRUE(subject.ok());
      const Expected expected = emulate(32, 64, order);
      Evaluator evaluator(subject.spec(), subject.shape({{"N", 32}, {"K", 64}}));
      KernelJudge judge(evaluator, subject.kernel("gemv"));
      std::string first;
      KernelVerdict verdict;
      for (int o = 0; o < obligation_count && first.empty(); ++o) {
        verdict = judge.judge(static_cast<Obligation>(o));
        if (!verdict.holds) first = name_of(static_cast<Obligation>(o));
      }
      EXPECT_EQ(first, expected.obligation);
      EXPECT_NE(first, "") << "an exchange that changes nothing";
      if (!expected.brief.empty()) {
        EXPECT_EQ(brief(verdict), expected.brief);
      }
      refuted += verdict.holds ? 0 : 1;
      by_output += first == "output" ? 1 : 0;
    }
  }
  EXPECT_EQ(refuted, 28);
  EXPECT_LT(by_output, 28);
}

TEST(KernelMutants, TheEmulationAcceptsTheRightOrder) {
  EXPECT_EQ(emulate(32, 64, {0, 3, 5, 2, 4, 6, 1, 7}).obligation, "");
}

}  // namespace
}  // namespace fragproof::kernel_tests
