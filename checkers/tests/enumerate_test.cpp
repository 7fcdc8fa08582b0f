// The enumerator on the example files and on small texts: verdicts, smallest points, what it says
// of them.
#include "checkers/enumerate/enumerate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "spec/load.h"

namespace fragproof {
namespace {

Budget small() {
  Budget budget;
  budget.points = 100'000;
  budget.shapes = 20;
  return budget;
}

Budget medium() {
  Budget budget;
  budget.points = 2'000'000;
  return budget;
}

bool speaks_of_kernels(const Expr& expr) {
  return expr.kind == Expr::Kind::Kernel ||
         (expr.kind == Expr::Kind::Metric && expr.load != nullptr) ||
         std::any_of(expr.args.begin(), expr.args.end(),
                     [](const Expr* arg) { return speaks_of_kernels(*arg); });
}

// Files and answers of claims without kernels.
struct Loaded {
  explicit Loaded(const char* text) : result(load_text("test.layout", text)) { check(); }
  explicit Loaded(const std::filesystem::path& path) : result(load_spec(path.string())) { check(); }
  void check() {
    for (const Diagnostic& diagnostic : result.diagnostics)
      ADD_FAILURE() << render(*result.sources, diagnostic);
    if (result.spec != nullptr) questions = questions_of(*result.spec, "t");
  }
  [[nodiscard]] Answer answer(const std::string& name, const Budget& budget = Budget()) {
    for (const Question& question : questions) {
      if (question.id == "t/" + name) return enumerate(question, budget);
    }
    ADD_FAILURE() << "no claim " << name;
    return {};
  }
  LoadResult result;
  std::vector<Question> questions;
};

std::filesystem::path example(const std::string& stem) {
  return std::filesystem::path(FRAGPROOF_SOURCE_DIR) / "examples" / (stem + ".layout");
}

std::string point_text(const Counterexample& why) {
  std::string text;
  for (const auto& [name, value] : why.sizes)
    text += (text.empty() ? "" : " ") + name + "=" + to_string(value);
  text += ":";
  for (const auto& [name, value] : why.at) text += " " + name + "=" + to_string(value);
  return text;
}

TEST(Enumerate, NoExampleGetsAWrongVerdict) {
  std::size_t files = 0;
  std::size_t claims = 0;
  for (const auto& entry : std::filesystem::directory_iterator(example("").parent_path())) {
    if (entry.path().extension() != ".layout") continue;
    ++files;
    Loaded loaded(entry.path());
    for (const Question& question : loaded.questions) {
      if (speaks_of_kernels(*question.condition)) continue;
      ++claims;
      const bool refute = question.claim->refute;
      const Answer answer = enumerate(question, refute ? medium() : small());
      if (refute) {
        EXPECT_EQ(answer.verdict, Verdict::Refuted)
            << entry.path() << " " << question.id << ": " << answer.reason;
        EXPECT_TRUE(answer.counterexample.has_value()) << question.id;
        if (answer.counterexample) {
          EXPECT_NE(answer.counterexample->text, "") << question.id;
        }
      } else {
        EXPECT_TRUE(answer.verdict == Verdict::Proved || answer.verdict == Verdict::Unknown)
            << entry.path() << " " << question.id << " " << name_of(answer.verdict) << " "
            << answer.reason
            << (answer.counterexample
                    ? point_text(*answer.counterexample) + " " + answer.counterexample->text
                    : "");
        if (answer.verdict == Verdict::Unknown) {
          EXPECT_NE(answer.reason, "") << question.id;
        }
      }
    }
  }
  EXPECT_GE(files, 93U);
  EXPECT_GE(claims, 300U);
}

struct Smallest {
  const char* file;
  const char* claim;
  const char* point;
  const char* expected;
  const char* found;
};

TEST(Enumerate, TheSmallestPointsOfTheExamples) {
  for (const Smallest& s : std::vector<Smallest>{
           {"a01_marlin_w4", "mixed_operand", "K=16 N=64: kt=0 nc=0 j=0 b=0 lane=0 i=2", "(0, 1)",
            "(0, 2)"},
           {"a11_awq_order", "own_inverse", ": i=1", "1", "4"},
           {"a12_awq_v2", "half_chunk", "N=4 K=32: n=2 k=0", "", "undefined"},
           {"a13_mixed_gemm_rows", "odd", "e=1: p=2", "", "undefined"},
           {"a15_column_interleave", "guard_w8", "R=4 C=64 e=4: v=0 c=49", "", "undefined"},
           {"a27_block_scales", "onto_ragged", "R=1 C=1:", "1", "never reached"},
           {"a29_deepgemm_scales", "unpadded", "MN=1 K=2: k=1", "0", "4"},
           {"a40_accumulator_reuse", "tf32_in_order", ": lane=0 i=1", "(8, 0)", "(0, 1)"},
           {"a45_flashinfer_smem", "from_column_2", "S=8: i=0 q=1", "4", "0"},
           {"a53_exl3_swizzle", "wide_free", "T=64: k2=0", "1", "2"},
           {"a55_awq_padding", "pad_of_4", "stride=36: r=1", "0", "8"},
           {"a62_block_remap", "flat_any", "N=3 M=1 s=1: i=2", "", "undefined"},
           {"b03_warpgroup_rows", "same_owner", ": r=64", "(0, 1, 0)", "(4, 0, 0)"},
           {"b04_two_selectors", "same_choice", "n=16 w=2:", "true", "false"},
           {"b15_grouped_raster", "any_rows", "M=1 N=2: p=1", "", "undefined"},
           {"b17_stages", "used_le_loaded", "n=1 S=2:", "<= 1", "2"},
           {"b18_work_cuts", "global_round", "T=1 tiles=1 n=1: b=1", "true", "false"},
           {"b24_eligible_splits", "no_empty_split", "n=4 s=3:", "< 4", "4"},
           {"b25_split_k_guard", "in_bounds", "IC=32 s=2: z=1 i=0", "", "undefined"},
           {"b27_guards", "group_guard", "K=192:", "0", "64"},
           {"b29_tensor_parallel", "act_order", "K=2 group=1: k=0", "< 1", "1"},
           {"b30_real_sizes", "some_tile", "K=64 N=64:", "true", "false"},
           {"b37_scale_stride", "floor_many_rows", "R=129 C=1: r=128 c=0",
            "a value that no other point has", "0"},
           {"b39_int_products", "product", "M=46341 N=46341:", "", "undefined"},
           {"b42_cache_order", "same_order", "B=2 S=1: kv=0 b=1 s=0", "2", "1"},
           {"b43_peeled_tail", "reported", "K=2044:", "2044", "2012"},
           {"b47_odd_leading_size", "any_k", "K=1: r=1", "0", "2"},
           {"b48_dropped_step", "covered", "K=64:", "64", "0"},
           {"b62_store_atom", "two_matrices", ":", "(0, 8)", "never reached"},
           {"gemv_kperm", "slot_is_k", "N=16 K=32: rb=0 kb=0 s=0 lane=0 elem=4", "W[0, 8]",
            "W[0, 2]"},
           {"gemv_walk", "loose_once",
            "N=16 K=32 S=1 NW=1 U=2: rb=0 sidx=0 warp=0 i=0 u=1 step=0 lane=0", "", "undefined"},
           {"gemv_sizes", "trips_of_3_once", "K=512 NW=4 U=3: warp=1 i=0 u=0",
            "a value that no other point has", "4"},
       }) {
    Loaded loaded(example(s.file));
    const Answer answer = loaded.answer(s.claim, medium());
    ASSERT_EQ(answer.verdict, Verdict::Refuted) << s.file << " " << s.claim << " " << answer.reason;
    const Counterexample& why = *answer.counterexample;
    EXPECT_EQ(point_text(why), s.point) << s.file << " " << s.claim;
    EXPECT_EQ(why.expected, s.expected) << s.file << " " << s.claim;
    EXPECT_EQ(why.found, s.found) << s.file << " " << s.claim;
    EXPECT_TRUE(why.smallest) << s.file << " " << s.claim;
  }
}

TEST(Enumerate, LargeSizesAreReached) {
  struct Case {
    const char* file;
    const char* claim;
    const char* text;  // the end of the explanation
  };
  for (const Case& c : std::vector<Case>{
           {"b39_int_products", "product_reported", "i32: 49152*65536 = 3221225472 does not fit"},
           {"b39_int_products", "halves", "i32: 1073741824*2 = 2147483648 does not fit"},
           {"b39_int_products", "doubled", "i32: 2*1073741824 = 2147483648 does not fit"},
           {"b39_int_products", "product", "i32: 46341*46341 = 2147488281 does not fit"},
           {"a59_exl3_slices", "product_fits", " does not fit"},
           {"gemv_broken", "overflow_32", " does not fit"},
           {"b25_split_k_guard", "real_size",
            "visited(4, 53): tile = 428 is outside 0..427 (line 10)"},
       }) {
    Loaded loaded(example(c.file));
    Budget budget;
    budget.points = 400'000;
    const Answer answer = loaded.answer(c.claim, budget);
    ASSERT_EQ(answer.verdict, Verdict::Refuted) << c.claim << " " << answer.reason;
    const std::string& text = answer.counterexample->text;
    const std::string end = c.text;
    EXPECT_EQ(text.substr(text.size() < end.size() ? 0 : text.size() - end.size()), end) << c.claim;
  }
}

TEST(Enumerate, AFoundPointOutOfOrderIsNotCalledSmallest) {
  Loaded loaded(example("b39_int_products"));
  Budget budget;
  budget.points = 100'000;
  const Answer answer = loaded.answer("halves", budget);
  ASSERT_EQ(answer.verdict, Verdict::Refuted);
  EXPECT_FALSE(answer.counterexample->smallest);
}

TEST(Enumerate, FinitelyManyShapesAreProved) {
  Loaded loaded(
      "size N, K, e\n"
      "table T[3] : 3\n"
      "map f(i : N) -> (y : N) = i*K % N\n"
      "prove bounded: bijective(f) || N % K == 0 || K % 2 == 0 where N <= 9 && K == 3\n"
      "prove listed: e*e != 17 where e == 4 || e == 8\n"
      "prove product: N + K <= 13 where N*K <= 12\n"
      "prove all_tables: forall(i : 3) T[i] < 3\n"
      "refute wrong_table: forall(i : 3) T[i] <= i\n"
      "prove no_sizes: forall(i : 8) i*i < 64\n"
      "prove unbounded: N + K >= 2\n"
      "prove endless: forall(i) i >= 0\n");
  for (const char* name : {"bounded", "listed", "product", "all_tables", "no_sizes"}) {
    const Answer answer = loaded.answer(name);
    EXPECT_EQ(answer.verdict, Verdict::Proved) << name << " " << answer.reason;
    ASSERT_TRUE(answer.proof) << name;
    EXPECT_EQ(answer.proof->method, "enumerate");
    EXPECT_EQ(answer.proof->steps.at(0).lemma, "enumerated");
  }
  EXPECT_EQ(loaded.answer("wrong_table").verdict, Verdict::Refuted);
  EXPECT_EQ(loaded.answer("unbounded", small()).verdict, Verdict::Unknown);
  const Answer endless = loaded.answer("endless");
  EXPECT_EQ(endless.verdict, Verdict::Unknown);
  EXPECT_NE(endless.reason.find("followed only to"), std::string::npos) << endless.reason;
}

TEST(Enumerate, NothingToJudgeIsVacuous) {
  Loaded loaded(
      "size N, K\n"
      "map f(i : N - 1) -> (y : N) = i\n"
      "prove contradiction: N == N where K >= 5 && K <= 4\n"
      "prove empty: forall(i : N - 1) i == 99 where N == 1\n"
      "prove empty_map: injective(f) where N == 1\n"
      "prove some: forall(i : N - 1) i < 99 where N <= 2\n"
      "refute also_empty: forall(i : N - 1) i == 99 where N == 1\n");
  EXPECT_EQ(loaded.answer("contradiction").verdict, Verdict::Vacuous);
  EXPECT_EQ(loaded.answer("empty").verdict, Verdict::Vacuous);
  EXPECT_EQ(loaded.answer("empty_map").verdict, Verdict::Vacuous);
  EXPECT_EQ(loaded.answer("some").verdict, Verdict::Proved);
  EXPECT_EQ(loaded.answer("also_empty").verdict, Verdict::Vacuous);
}

TEST(Enumerate, AnUndefinedRequireIsACounterexample) {
  Loaded loaded(
      "size N, K\n"
      "prove guarded: N >= 1 where K > 2 && N/(K - 3) >= 1\n"
      "prove excluded_first: N >= 1 where K > 3 && K <= 9 && N <= 9 && N/(K - 3) >= 1\n"
      "prove excluded_later: N >= 1 where N/(K - 3) >= 1 && K > 3 && N <= 9\n");
  const Answer guarded = loaded.answer("guarded", small());
  ASSERT_EQ(guarded.verdict, Verdict::Refuted);
  EXPECT_EQ(point_text(*guarded.counterexample), "N=1 K=3:");
  EXPECT_NE(guarded.counterexample->text.find("1/0 is undefined"), std::string::npos)
      << guarded.counterexample->text;
  EXPECT_EQ(loaded.answer("excluded_first", small()).verdict, Verdict::Proved);
  // In order: the division comes first, so its being undefined counts though a later conjunct would
  // exclude the point.
  const Answer later = loaded.answer("excluded_later", small());
  ASSERT_EQ(later.verdict, Verdict::Refuted);
  EXPECT_EQ(point_text(*later.counterexample), "N=1 K=1:");
}

TEST(Enumerate, CounterexamplesCountAndLocate) {
  Loaded loaded(
      "size N\n"
      "fragment mine.A(lane : [g:8, t:4], elem : [h:2, e:2]) -> (row : 16, col : 8) : f16\n"
      "  row = 8*h + g\n"
      "  col = 2*t + e\n"
      "map clash(i : 6) -> (y) = i % 4\n"
      "map gaps(i : 6) -> (y : 8) = i\n"
      "map out(i : 6) -> (y : 4) = i\n"
      "prove operand: forall(lane : 32, elem : 4) mine.A(lane, elem) == (lane/4 + 8*(elem % 2), "
      "2*(lane % 4) + elem/2)\n"
      "prove clashes: injective(clash)\n"
      "prove misses: onto(gaps)\n"
      "prove leaves: total(out)\n"
      "prove mixed: N >= 1 && injective(gaps) && (forall(i : 3) i < 2)\n");
  const Counterexample fragment = *loaded.answer("operand").counterexample;
  EXPECT_EQ(fragment.lane, 0);
  EXPECT_EQ(fragment.elem, 1);
  EXPECT_EQ(fragment.reg, "a0");
  EXPECT_EQ(fragment.half, "high");
  EXPECT_EQ(fragment.expected, "(8, 0)");
  EXPECT_EQ(fragment.found, "(0, 1)");
  EXPECT_EQ(fragment.wrong, 64);
  EXPECT_EQ(fragment.of, 128);
  const Counterexample clashes = *loaded.answer("clashes").counterexample;
  EXPECT_EQ(clashes.text, "clash(0) and clash(4) are both 0");
  EXPECT_EQ(clashes.wrong, 2);
  EXPECT_EQ(clashes.of, 6);
  const Counterexample misses = *loaded.answer("misses").counterexample;
  EXPECT_EQ(misses.expected, "6");
  EXPECT_EQ(misses.wrong, 2);
  EXPECT_EQ(misses.of, 8);
  const Counterexample leaves = *loaded.answer("leaves").counterexample;
  EXPECT_EQ(leaves.text, "out(4): y = 4 is outside 0..3 (line 7)");
  EXPECT_EQ(leaves.wrong, 2);
  const Counterexample mixed = *loaded.answer("mixed").counterexample;
  EXPECT_EQ(mixed.text, "i = 2: `i` is 2, expected < 2");
  EXPECT_EQ(mixed.wrong, 1);
}

TEST(Enumerate, Packs) {
  Loaded loaded(
      "size N, K\n"
      "require N % 2 == 0 && K % 2 == 0\n"
      "tensor W[N, K] : u4\n"
      "pack good = W.reshape(N/2, 2, K).permute(2, 0, 1)\n"
      "pack twice[N, K] : u4\n"
      "  for (n : N, k : K) twice[n, k/2] = W[n, k]\n"
      "pack loose[N, K + 1] : u4\n"
      "  for (n : N, k : K) loose[n, k] = W[n, k]\n"
      "pack lossy[N, K] : u4\n"
      "  for (n : N, k : K) lossy[n, k] = W[n, 0]\n"
      "pack outside[N, K] : u4\n"
      "  for (n : N, k : K) outside[n, k + 1] = W[n, k]\n"
      "prove bijective(good)\n"
      "refute injective(twice)\n"
      "prove injective(loose)\n"
      "refute onto(loose)\n"
      "prove onto(lossy)\n"
      "refute bijective(lossy)\n"
      "refute total(outside)\n");
  EXPECT_EQ(loaded.answer("bijective(good)", small()).verdict, Verdict::Unknown);
  EXPECT_EQ(loaded.answer("injective(loose)", small()).verdict, Verdict::Unknown);
  EXPECT_EQ(loaded.answer("onto(lossy)", small()).verdict, Verdict::Unknown);
  const auto text = [&](const char* name) {
    const Answer answer = loaded.answer(name, small());
    return answer.counterexample
               ? point_text(*answer.counterexample) + " " + answer.counterexample->text
               : std::string(name_of(answer.verdict));
  };
  EXPECT_EQ(text("injective(twice)"), "N=2 K=2: twice[0, 0] is written twice");
  EXPECT_EQ(text("onto(loose)"), "N=2 K=2: loose[0, 2] is never written");
  EXPECT_EQ(text("bijective(lossy)"), "N=2 K=2: W[0, 0] is stored twice in lossy");
  EXPECT_EQ(text("total(outside)"),
            "N=2 K=2: outside[0, 2]: index 2 is outside 0..1 of dimension 1, 1 past the last");
}

TEST(Enumerate, TablesThatDoNotMatterMustExist) {
  Loaded good(
      "size N\n"
      "table T[4] : 4\n"
      "require bijective(T)\n"
      "prove fine: N*N >= N where N <= 5\n"
      "refute order: forall(i : 4) T[i] == i\n"
      "refute twice: forall(i : 4) T[T[i]] == i\n"
      "prove back: forall(i : 4) T.inverse(T[i]) == i\n");
  EXPECT_EQ(good.answer("fine").verdict, Verdict::Proved) << good.answer("fine").reason;
  EXPECT_EQ(good.answer("back").verdict, Verdict::Proved);
  const Answer order = good.answer("order");
  ASSERT_EQ(order.verdict, Verdict::Refuted);
  EXPECT_EQ(order.counterexample->tables.at(0).second, (std::vector<Int>{0, 1, 3, 2}));
  EXPECT_EQ(good.answer("twice").verdict, Verdict::Refuted);
  Loaded bad(
      "size N\n"
      "table T[4] : 3\n"
      "require injective(T)\n"
      "prove fine: N*N >= N where N <= 5\n"
      "prove entries: forall(i : 4) T[i] < 3\n");
  EXPECT_EQ(bad.answer("fine").verdict, Verdict::Vacuous);
  EXPECT_EQ(bad.answer("entries").verdict, Verdict::Vacuous);
}

TEST(Enumerate, LongDomainsAreLookedAtAtTheirEnds) {
  Loaded loaded(
      "prove far: forall(i : 1 << 62) i32(i) >= 0\n"
      "prove farther: forall(i : 1 << 62) i64(i) >= 0\n");
  Budget budget;
  budget.points = 100'000;
  EXPECT_EQ(loaded.answer("far", budget).verdict, Verdict::Refuted);
  EXPECT_EQ(loaded.answer("farther", budget).verdict, Verdict::Unknown);
}

TEST(Enumerate, AnOverflowOfAKernelIsFound) {
  // The packed GEMV with a 32-bit offset where 64 bits are needed.
  std::string error;
  std::string text = read_text_file(example("gemv").string(), error).value_or("");
  const std::string right = "let woff = i64(";
  text.replace(text.find(right), right.size(), "let woff = i32(");
  Loaded loaded(text.c_str());
  for (const Question& question : loaded.questions) {
    if (question.id != "t/gemv.overflow") continue;
    Budget budget;
    budget.points = 1'000'000;
    budget.shapes = 20;
    const Answer answer = enumerate(question, budget);
    ASSERT_EQ(answer.verdict, Verdict::Refuted) << answer.reason;
    EXPECT_FALSE(answer.counterexample->smallest);
    EXPECT_NE(answer.counterexample->text.find("does not fit"), std::string::npos);
    return;
  }
  FAIL() << "no question about the overflow";
}

TEST(Enumerate, AtAPoint) {
  Loaded loaded(
      "size N, K\n"
      "require N % 4 == 0\n"
      "prove sum: N + K < 40\n");
  const Question& question = loaded.questions.at(0);
  const Answer holds = enumerate_at(question, {{"N", 8}, {"K", 3}}, Budget());
  EXPECT_EQ(holds.verdict, Verdict::Proved) << holds.reason;
  const Answer fails = enumerate_at(question, {{"N", 36}, {"K", 4}}, Budget());
  EXPECT_EQ(fails.verdict, Verdict::Refuted);
  const Answer searched = enumerate_at(question, {{"N", 36}}, Budget());
  ASSERT_EQ(searched.verdict, Verdict::Refuted);
  EXPECT_EQ(point_text(*searched.counterexample), "N=36 K=4:");
  const Answer excluded = enumerate_at(question, {{"N", 9}, {"K", 3}}, Budget());
  EXPECT_EQ(excluded.verdict, Verdict::Vacuous);
  EXPECT_EQ(excluded.reason, "N = 9, K = 3 does not satisfy the requires");
}

TEST(Enumerate, AStopIsHeeded) {
  Loaded loaded("size N\nprove slow: forall(i : N, j : N) i + j >= 0\n");
  std::atomic<bool> stop = true;
  Budget budget;
  budget.stop = &stop;
  const Answer answer = loaded.answer("slow", budget);
  EXPECT_EQ(answer.verdict, Verdict::Unknown);
  EXPECT_EQ(answer.reason, "interrupted");
}

}  // namespace
}  // namespace fragproof
