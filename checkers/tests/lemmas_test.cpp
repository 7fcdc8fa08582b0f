// The nonlinear lemmas that the guided proof rests on, each proved by Z3 for all integers, and each
// with a false twin (one hypothesis weakened) that must have a model: a solver that called
// everything unsatisfiable would be noticed. Those that a step of a proof is an instance of stand
// in checkers/radix/lemmas.cpp; the others are behind what the engine composes.
#include <gtest/gtest.h>

#include "checkers/radix/lemmas.h"
#include "checkers/solver/solve_text.h"

namespace fragproof {
namespace {

constexpr std::int64_t plenty = 50'000'000;
constexpr unsigned net_ms = 60'000;

using radix::Lemma;
using radix::LemmaText;

const LemmaText composed[] = {
    // Digits in range make a number in range.
    {Lemma::Product, "range", "H L A B", "(<= 0 H) (< H A) (<= 0 L) (< L B)",
     "(<= 0 H) (<= H A) (<= 0 L) (< L B)", "(and (<= 0 (+ (* H B) L)) (< (+ (* H B) L) (* A B)))"},
    // A number in range has digits in range.
    {Lemma::Product, "split", "v q r A B",
     "(>= B 1) (<= 0 v) (< v (* A B)) (= v (+ (* B q) r)) (<= 0 r) (< r B)",
     "(>= B 1) (<= 0 v) (<= v (* A B)) (= v (+ (* B q) r)) (<= 0 r) (< r B)",
     "(and (<= 0 q) (< q A))"},
};

std::vector<LemmaText> all_lemmas() {
  std::vector<LemmaText> all(std::begin(composed), std::end(composed));
  for (const Lemma lemma : {Lemma::Product, Lemma::Unique, Lemma::Cancel, Lemma::Quotient})
    all.push_back(radix::text_of(lemma));
  return all;
}

class Lemmas : public testing::TestWithParam<LemmaText> {};

TEST_P(Lemmas, Holds) {
  EXPECT_EQ(solve_text(radix::query_of(GetParam()), plenty, net_ms), Satisfiable::No);
}

TEST_P(Lemmas, TwinIsFalse) {
  EXPECT_EQ(solve_text(radix::query_of(GetParam(), true), plenty, net_ms), Satisfiable::Yes);
}

INSTANTIATE_TEST_SUITE_P(All, Lemmas, testing::ValuesIn(all_lemmas()),
                         [](const auto& info) { return std::string(info.param.name); });

// The step from `div` to C's operators: for a divisor >= 1 Z3's div and mod are such a quotient and
// remainder.
TEST(Lemmas, DivAndModAreAQuotientAndItsRemainder) {
  const std::string head = "(declare-const p Int)(declare-const B Int)(assert (>= B 1))";
  const std::string claim =
      "(assert (not (and (= p (+ (* B (div p B)) (mod p B))) (<= 0 (mod p B)) (< (mod p B) B))))";
  const std::string twin =
      "(assert (not (and (= p (+ (* B (div p B)) (mod p B))) (< (mod p B) (- B 1)))))";
  EXPECT_EQ(solve_text(head + claim, plenty, net_ms), Satisfiable::No);
  EXPECT_EQ(solve_text(head + twin, plenty, net_ms), Satisfiable::Yes);
}

TEST(Lemmas, AskedOnceTheyAreProved) {
  for (const Lemma lemma : {Lemma::Product, Lemma::Unique, Lemma::Cancel, Lemma::Quotient}) {
    EXPECT_EQ(radix::text_of(lemma).lemma, lemma);
    EXPECT_TRUE(radix::proved(lemma));
    EXPECT_TRUE(radix::proved(lemma));
  }
}

TEST(SolveText, GivingUpAndNonsenseAreUnknown) {
  const std::string hard = radix::query_of(radix::text_of(Lemma::Unique));
  EXPECT_EQ(solve_text(hard, 1), Satisfiable::Unknown);
  EXPECT_EQ(solve_text("(assert (this is no SMT-LIB", plenty), Satisfiable::Unknown);
  EXPECT_EQ(solve_text("(declare-const x Int)(assert (= x x))", plenty), Satisfiable::Yes);
}

// A sum of three cubes: nothing that Z3 settles soon, whatever steps it is allowed.
TEST(SolveText, TheTimeLimitIsKept) {
  const std::string cubes =
      "(declare-const x Int)(declare-const y Int)(declare-const z Int)"
      "(assert (= (+ (* x x x) (* y y y) (* z z z)) 42))";
  EXPECT_EQ(solve_text(cubes, 4'000'000'000, 200), Satisfiable::Unknown);
}

}  // namespace
}  // namespace fragproof
