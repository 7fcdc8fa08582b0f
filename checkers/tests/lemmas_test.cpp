// The nonlinear lemmas that the guided proof rests on, each proved by Z3 for all integers, and each
// with a false twin (one hypothesis weakened) that must have a model: a solver that called
// everything unsatisfiable would be noticed.
#include <gtest/gtest.h>

#include "checkers/solver/solve_text.h"

namespace fragproof {
namespace {

constexpr std::int64_t plenty = 50'000'000;
constexpr unsigned net_ms = 60'000;

struct Lemma {
  const char* name;
  const char* variables;  // all of them integers
  const char* hypotheses;
  const char* weakened;  // the twin's hypotheses
  const char* conclusion;
};

const Lemma lemmas[] = {
    // Equal numbers have equal digits.
    {"uniq", "H L G M B", "(<= 0 L) (< L B) (<= 0 M) (< M B) (= (+ (* H B) L) (+ (* G B) M))",
     "(<= 0 L) (<= L B) (<= 0 M) (<= M B) (>= B 1) (= (+ (* H B) L) (+ (* G B) M))",
     "(and (= H G) (= L M))"},
    // Digits in range make a number in range.
    {"range", "H L A B", "(<= 0 H) (< H A) (<= 0 L) (< L B)", "(<= 0 H) (<= H A) (<= 0 L) (< L B)",
     "(and (<= 0 (+ (* H B) L)) (< (+ (* H B) L) (* A B)))"},
    // A number in range has digits in range.
    {"split", "v q r A B", "(>= B 1) (<= 0 v) (< v (* A B)) (= v (+ (* B q) r)) (<= 0 r) (< r B)",
     "(>= B 1) (<= 0 v) (<= v (* A B)) (= v (+ (* B q) r)) (<= 0 r) (< r B)",
     "(and (<= 0 q) (< q A))"},
    // Who finds a quotient with a remainder in range has found the quotient.
    {"div", "p q r s t B",
     "(= p (+ (* q B) r)) (<= 0 r) (< r B) (= p (+ (* s B) t)) (<= 0 t) (< t B)",
     "(= p (+ (* q B) r)) (<= 0 r) (< r B) (= p (+ (* s B) t)) (<= 0 t) (<= t B)",
     "(and (= q s) (= r t))"},
};

std::string query(const Lemma& lemma, const char* hypotheses) {
  std::string text;
  std::string name;
  for (const char* c = lemma.variables;; ++c) {
    if (*c != ' ' && *c != '\0') {
      name += *c;
      continue;
    }
    text += "(declare-const " + name + " Int)\n";
    name.clear();
    if (*c == '\0') break;
  }
  return text + "(assert (and " + hypotheses + "))\n(assert (not " + lemma.conclusion + "))\n";
}

class Lemmas : public testing::TestWithParam<Lemma> {};

TEST_P(Lemmas, Holds) {
  EXPECT_EQ(solve_text(query(GetParam(), GetParam().hypotheses), plenty, net_ms), Satisfiable::No);
}

TEST_P(Lemmas, TwinIsFalse) {
  EXPECT_EQ(solve_text(query(GetParam(), GetParam().weakened), plenty, net_ms), Satisfiable::Yes);
}

INSTANTIATE_TEST_SUITE_P(All, Lemmas, testing::ValuesIn(lemmas),
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

TEST(SolveText, GivingUpAndNonsenseAreUnknown) {
  const std::string hard = query(lemmas[0], lemmas[0].hypotheses);
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
