// The engine for all shapes by its parts: the ring, signs, division, solving; and the texts that it
// once got wrong.
#include "checkers/radix/radix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>

#include "checkers/enumerate/enumerate.h"
#include "checkers/radix/arithmetic.h"
#include "checkers/radix/context.h"
#include "checkers/radix/solve.h"
#include "spec/load.h"

namespace fragproof {
namespace {

using namespace radix;

Answer answer_to(const std::string& text, const Budget& budget = {}) {
  const LoadResult loaded = load_text("radix.layout", text);
  for (const Diagnostic& diagnostic : loaded.diagnostics)
    ADD_FAILURE() << render(*loaded.sources, diagnostic);
  if (loaded.spec == nullptr) return {};
  return prove_radix(questions_of(*loaded.spec, "radix").front(), budget);
}

// ---- texts
// ---------------------------------------------------------------------------------------------------------

std::vector<std::string> regressions() {
  std::vector<std::string> all;
  const std::string folder = std::string(FRAGPROOF_SOURCE_DIR) + "/checkers/tests/regress";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".layout") all.push_back(entry.path().stem().string());
  }
  std::sort(all.begin(), all.end());
  return all;
}

class Regress : public testing::TestWithParam<std::string> {};

// `prove`: the engine proves it, and evaluation finds nothing. `refute`: evaluation refutes it, and
// the engine says neither PROVED nor VACUOUS.
TEST_P(Regress, BothEnginesSayWhatTheTextSays) {
  const LoadResult loaded = load_spec(std::string(FRAGPROOF_SOURCE_DIR) +
                                      "/checkers/tests/regress/" + GetParam() + ".layout");
  for (const Diagnostic& diagnostic : loaded.diagnostics)
    ADD_FAILURE() << render(*loaded.sources, diagnostic);
  ASSERT_NE(loaded.spec, nullptr);
  const Budget look{.points = 200'000, .shapes = 60};
  for (const Question& question : questions_of(*loaded.spec, GetParam())) {
    SCOPED_TRACE(question.id);
    const Answer answer = prove_radix(question, {});
    const Answer judge = enumerate(question, look);
    if (question.claim->refute) {
      EXPECT_EQ(answer.verdict, Verdict::Unknown);
      EXPECT_FALSE(answer.reason.empty());
      EXPECT_EQ(judge.verdict, Verdict::Refuted) << judge.reason;
      continue;
    }
    EXPECT_EQ(answer.verdict, Verdict::Proved) << answer.reason;
    EXPECT_NE(judge.verdict, Verdict::Refuted);
    ASSERT_TRUE(answer.proof.has_value());
    // What is said to be for no solver is on a short list.
    static const std::set<std::string> not_for_z3 = {
        "given",   "identity", "solution", "count",   "same",  "pairing", "output", "whole",
        "aligned", "types",    "free",     "sectors", "banks", "table",   "empty"};
    for (const ProofStep& step : answer.proof->steps)
      EXPECT_NE(step.discharged, not_for_z3.count(step.lemma) != 0)
          << step.lemma << ": " << step.statement;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Regress, testing::ValuesIn(regressions()),
                         [](const auto& info) { return info.param; });

TEST(RegressList, AllFilesAreThere) { EXPECT_GE(regressions().size(), 20U); }

TEST(Radix, ContradictoryHypothesesAreVacuous) {
  EXPECT_EQ(answer_to("size K\nrequire K >= 5 && K <= 4\nprove c: K == 7\n").verdict,
            Verdict::Vacuous);
  EXPECT_EQ(answer_to("size K\nrequire K % 4 == 5\nprove c: K == 7\n").verdict, Verdict::Vacuous);
  // One case without points is not all of them.
  EXPECT_EQ(answer_to("size K\nprove c: K >= 1 where K == 0 || K == 2\n").verdict, Verdict::Proved);
}

TEST(Radix, WhatTheSolverDoesNotDischargeIsUnknown) {
  const std::string text = "size K\nprove c: forall(v : 613*K) v <= 613*K + 90017\n";
  const Answer starved = answer_to(text, Budget{.rlimit = 1});
  EXPECT_EQ(starved.verdict, Verdict::Unknown);
  EXPECT_NE(starved.reason.find("Z3"), std::string::npos) << starved.reason;
  const Answer answer = answer_to(text);
  EXPECT_EQ(answer.verdict, Verdict::Proved) << answer.reason;
  EXPECT_GT(answer.z3_queries, 0);
}

TEST(Radix, AVerdictDoesNotDependOnTheClaimBefore) {
  const std::string claim = "prove two: ceildiv(ceildiv(K, S), W) == ceildiv(K, S*W)\n";
  const LoadResult loaded = load_text(
      "order.layout", "size K, S, W\nrefute first: (forall(v : K/32) v < K) && K >= 32\n" + claim);
  ASSERT_NE(loaded.spec, nullptr);
  const std::vector<Question> questions = questions_of(*loaded.spec, "order");
  EXPECT_EQ(prove_radix(questions[0], {}).verdict, Verdict::Unknown);
  EXPECT_EQ(prove_radix(questions[1], {}).verdict, Verdict::Proved);
}

// ---- the ring
// ------------------------------------------------------------------------------------------------------

constexpr Sym bit_a = (1U << 1U) | 1U;
constexpr Sym bit_b = (2U << 1U) | 1U;
constexpr Sym bit_c = (3U << 1U) | 1U;
constexpr Sym size_x = 4U << 1U;
constexpr Sym size_y = 5U << 1U;
const std::vector<Sym> all_symbols{bit_a, bit_b, bit_c, size_x, size_y};

Poly random_poly(std::mt19937& random) {
  Poly p;
  for (auto i = random() % 6; i > 0; --i) {
    Poly term(static_cast<int>(random() % 11) - 5);
    for (auto j = random() % 4; j > 0; --j)
      term = term * Poly::symbol(all_symbols[random() % all_symbols.size()]);
    p += term;
  }
  return p;
}

Int value_of(const Poly& p, const std::map<Sym, Poly>& at) {
  const Poly value = p.substitute(at);
  EXPECT_TRUE(value.is_constant());
  return value.constant();
}

TEST(Poly, RingIdentitiesHoldAtRandomPoints) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const Poly p = random_poly(random);
    const Poly q = random_poly(random);
    const Poly r = random_poly(random);
    std::map<Sym, Poly> at;
    for (const Sym s : all_symbols) {
      at[s] = Poly(static_cast<int>(is_bit(s) ? random() % 2 : random() % 9) - (is_bit(s) ? 0 : 4));
    }
    const Int x = value_of(p, at);
    const Int y = value_of(q, at);
    EXPECT_EQ(value_of(p + q, at), x + y);
    EXPECT_EQ(value_of(p - q, at), x - y);
    EXPECT_EQ(value_of(p * q, at), x * y);
    EXPECT_EQ(p * (q + r), p * q + p * r);
    EXPECT_EQ(p * q, q * p);
    EXPECT_TRUE((p - p).is_zero());
    Poly c;
    Poly rest;
    if (p.split(size_x, c, rest)) {
      EXPECT_EQ(c * Poly::symbol(size_x) + rest, p);
    }
    Poly quotient;
    if (p.divide_exactly(Mono(1, size_y), 2, quotient)) {
      EXPECT_EQ(quotient * Poly::symbol(size_y) * Poly(2), p);
    }
  }
}

TEST(Poly, BitsAreIdempotentAndNothingElseIs) {
  EXPECT_EQ(Poly::symbol(bit_a) * Poly::symbol(bit_a), Poly::symbol(bit_a));
  EXPECT_FALSE(Poly::symbol(size_x) * Poly::symbol(size_x) == Poly::symbol(size_x));
  // Equal functions of bits are equal polynomials: a ^ b ^ b is a.
  const auto exclusive = [](const Poly& x, const Poly& y) { return x + y - Poly(2) * x * y; };
  const Poly a = Poly::symbol(bit_a);
  const Poly b = Poly::symbol(bit_b);
  EXPECT_EQ(exclusive(exclusive(a, b), b), a);
}

TEST(Poly, InterpolateAndTabulateAreInverse) {
  std::mt19937 random(11);
  const std::vector<Sym> bits{bit_a, bit_b, bit_c};
  for (int round = 0; round < 100; ++round) {
    const Poly p = random_poly(random);
    EXPECT_EQ(interpolate(bits, tabulate(p, bits)), p);
    std::vector<Poly> table;
    for (int i = 0; i < 8; ++i) table.emplace_back(static_cast<int>(random() % 9) - 4);
    EXPECT_EQ(tabulate(interpolate(bits, table), bits), table);
  }
}

TEST(Poly, LeavingTheNumbersThrows) {
  Poly p(Int{1} << 120);
  EXPECT_THROW((void)(p * p), radix::Overflow);
}

// ---- signs
// ---------------------------------------------------------------------------------------------------------

TEST(Sign, TheBoxKnowsRangesAndNoMore) {
  Context context(100'000);
  const Poly n = context.parameter("N", 1);
  const Poly v = context.digit("q/v", Poly(4) * n);
  EXPECT_TRUE(context.box(Poly(4) * n - 1 - v));
  EXPECT_FALSE(context.box(Poly(4) * n - 2 - v));
  EXPECT_FALSE(context.box(v - 1));
  EXPECT_FALSE(context.box(n - 2));
  EXPECT_TRUE(context.nonnegative(n * v));
  EXPECT_FALSE(context.nonnegative(n - v));
}

TEST(Sign, AFactHoldsInItsScopeOnly) {
  Context context(100'000);
  const Poly n = context.parameter("N", 1);
  const std::size_t mark = context.mark();
  context.assume(n - 5);
  EXPECT_TRUE(context.nonnegative(n - 4));
  context.release(mark);
  EXPECT_FALSE(context.nonnegative(n - 4));
}

TEST(Sign, AFactOfACaseWaitsForItsIndex) {
  Context context(100'000);
  const Poly k = context.parameter("K", 1);
  const Poly v = context.digit("q/v", k);
  context.clear_attempt();
  context.set_case_facts({{v - 3, context.roots(v)}});
  // v >= 3 and v < K say K >= 4, but only where there is a v.
  EXPECT_FALSE(context.nonnegative(k - 4));
  const std::size_t mark = context.mark();
  (void)context.digit("q/v", k);
  EXPECT_TRUE(context.nonnegative(v - 3));
  context.release(mark);
  EXPECT_FALSE(context.nonnegative(v - 3));
  EXPECT_FALSE(context.nonnegative(k - 4));
}

TEST(Sign, AFalseStepIsNotDischarged) {
  Context context(100'000);
  const Poly n = context.parameter("N", 1);
  EXPECT_FALSE(context.solver().entails({context.linear(n - 1)}, context.linear(n - 2), 100'000));
  EXPECT_FALSE(context.solver().entails_zero({}, context.linear(n * n - n), 100'000));
  EXPECT_TRUE(context.solver().entails({context.linear(n - 2)}, context.linear(n - 1), 100'000));
}

TEST(Sign, SymbolsThatPrintAlikeStayApart) {
  Context context(100'000);
  const Poly n = context.parameter("N", 1);
  const Poly q = context.parameter("Q", 1);
  const Poly one = context.digit("first/x", n);
  const Poly two = context.digit("second/x", n);
  EXPECT_EQ(context.text(one), context.text(two));
  EXPECT_FALSE(context.atom("floor", Symbol::Definition::Floor, one, q) ==
               context.atom("floor", Symbol::Definition::Floor, two, q));
  EXPECT_FALSE(context.digit("w", one + 1) == context.digit("w", two + 1));
}

// ---- division
// ------------------------------------------------------------------------------------------------------

TEST(Divide, QuotientAndRestAddUp) {
  Context context(100'000);
  const Poly n = context.parameter("N", 1);
  const Poly b = context.digit("q/b", Poly(2));
  const Poly v = context.digit("q/v", Poly(8));
  const auto [q, r] = divide(context, Poly(16) * n + Poly(8) * b + v, Poly(8));
  EXPECT_EQ(q, Poly(2) * n + b);
  EXPECT_EQ(r, v);
  // What does not divide refines the digit, for good.
  EXPECT_THROW((void)divide(context, v, Poly(4)), Restart);
  const Poly again = context.digit("q/v", Poly(8));
  const auto [high, low] = divide(context, again, Poly(4));
  EXPECT_EQ(Poly(4) * high + low, again);
  EXPECT_TRUE(context.in_range(low, Poly(4)));
}

TEST(Divide, ASizeThatMayBeZeroRefinesNothing) {
  Context context(100'000);
  const Poly n = context.parameter("N", 1);
  const Poly z = context.parameter("Z", 0);
  const std::size_t mark = context.mark();
  context.assume(z - 1);
  const auto [q, r] = divide(context, n, z);
  EXPECT_EQ(z * q + r, n);
  EXPECT_TRUE(context.nonnegative(r));
  EXPECT_TRUE(context.nonnegative(z - 1 - r));
  context.release(mark);
  // Where z may be 0 nothing is known of the rest, and nothing of z.
  EXPECT_FALSE(context.nonnegative(z - 1 - r));
  EXPECT_FALSE(context.nonnegative(z - 1));
}

// ---- solving
// -------------------------------------------------------------------------------------------------------

TEST(Solve, DigitsAreReadOffAndChecked) {
  Context context(100'000);
  const Poly n = context.parameter("N", 1);
  const Poly m = context.parameter("M", 1);
  const Poly u = context.digit("s/u", m, true);
  const Poly v = context.digit("s/v", n, true);
  const Poly x = context.digit("t/x", m);
  const Poly y = context.digit("t/y", n);
  const std::vector<Equation> right{{n * u + v, n * x + y}};
  const auto solution = solve(context, right);
  ASSERT_TRUE(solution.has_value());
  EXPECT_EQ(u.substitute(*solution), x);
  EXPECT_EQ(v.substitute(*solution), y);
  EXPECT_EQ(verified(context, right, *solution, nullptr), Fit::Inside);
  // A target outside is found to be outside.
  const std::vector<Equation> outside{{n * u + v, n * m + y}};
  const auto none = solve(context, outside);
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(verified(context, outside, *none, nullptr), Fit::Outside);
}

TEST(Solve, ACoefficientThatMayBeZeroDeterminesNothing) {
  Context context(100'000);
  const Poly n = context.parameter("N", 1);
  const Poly z = context.parameter("Z", 0);
  const Poly v = context.digit("s/v", n, true);
  EXPECT_FALSE(determines(context, {z * v}, v.symbols()));
  EXPECT_TRUE(determines(context, {n * v}, v.symbols()));
}

TEST(Solve, AMinimumIsOneOfTheTwo) {
  Context context(100'000);
  const Poly n = context.parameter("N", 4);
  const Poly v = context.digit("s/v", n, true);
  const Poly least = context.atom("min", Symbol::Definition::Min, v + 2, n - v);
  const Poly x = context.digit("t/x", Poly(2));
  const Poly y = context.digit("t/y", Poly(2));
  const std::vector<Equation> equations{{least, x}, {v, y}};
  const auto solution = solve(context, equations);
  if (solution) {
    EXPECT_NE(verified(context, equations, *solution, nullptr), Fit::Inside);
  }
}

}  // namespace
}  // namespace fragproof
