// Linear instances: what follows is found, what does not is not, and nothing counts as shown when
// Z3 gives up.
#include "checkers/solver/linear.h"

#include <gtest/gtest.h>

namespace fragproof {
namespace {

constexpr std::int64_t plenty = 400'000;

Linear linear(Int constant, std::vector<std::pair<int, Int>> terms) {
  return {constant, std::move(terms)};
}

// 0 <= v<id> < extent
std::vector<Linear> digit(int id, Int extent) {
  return {linear(0, {{id, 1}}), linear(extent - 1, {{id, -1}})};
}

std::vector<Linear> operator+(std::vector<Linear> a, const std::vector<Linear>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Linear, BoundOfTwoDigits) {
  LinearSolver solver;
  const std::vector<Linear> facts = digit(0, 8) + digit(1, 4);
  EXPECT_TRUE(solver.entails(facts, linear(31, {{0, -4}, {1, -1}}), plenty));   // 4a + b <= 31
  EXPECT_FALSE(solver.entails(facts, linear(30, {{0, -4}, {1, -1}}), plenty));  // <= 30: no
  EXPECT_EQ(solver.queries(), 2);
  EXPECT_GT(solver.rlimit_used(), 0);
}

TEST(Linear, IntegersAreRounded) {
  LinearSolver solver;
  // 1024 f >= K >= 1 gives f >= 1 over the integers only.
  const std::vector<Linear> facts = {linear(0, {{0, 1024}, {1, -1}}), linear(-1, {{1, 1}})};
  EXPECT_TRUE(solver.entails(facts, linear(-1, {{0, 1}}), plenty));
  EXPECT_FALSE(solver.entails(facts, linear(-2, {{0, 1}}), plenty));
}

TEST(Linear, ZeroNeedsBothSides) {
  LinearSolver solver;
  const std::vector<Linear> facts = {linear(-3, {{0, 1}}), linear(3, {{0, -1}})};  // v0 == 3
  EXPECT_TRUE(solver.entails_zero(facts, linear(-6, {{0, 2}}), plenty));
  EXPECT_FALSE(solver.entails_zero(facts, linear(-5, {{0, 2}}), plenty));
  EXPECT_FALSE(
      solver.entails_zero({facts.front()}, linear(-6, {{0, 2}}), plenty));  // v0 >= 3 alone
}

TEST(Linear, ContradictionIsSeen) {
  LinearSolver solver;
  EXPECT_TRUE(solver.contradictory({linear(-5, {{0, 1}}), linear(4, {{0, -1}})}, plenty));
  EXPECT_FALSE(solver.contradictory({linear(-5, {{0, 1}}), linear(5, {{0, -1}})}, plenty));
  EXPECT_FALSE(solver.contradictory({}, plenty));
}

TEST(Linear, ConstantsNeedNoVariables) {
  LinearSolver solver;
  EXPECT_TRUE(solver.entails({}, linear(0, {}), plenty));
  EXPECT_FALSE(solver.entails({}, linear(-1, {}), plenty));
  EXPECT_TRUE(solver.contradictory({linear(-1, {})}, plenty));
}

TEST(Linear, NumbersBeyond64BitsAreExact) {
  LinearSolver solver;
  const Int big = Int{1} << 120;
  EXPECT_TRUE(solver.entails({linear(-big, {{0, 1}})}, linear(-big, {{0, 1}}), plenty));
  EXPECT_FALSE(solver.entails({linear(-big, {{0, 1}})}, linear(-big - 1, {{0, 1}}), plenty));
  EXPECT_TRUE(solver.entails({linear(0, {{0, 1}})}, linear(0, {{0, big}}), plenty));
  EXPECT_FALSE(solver.entails({linear(0, {{0, 1}})}, linear(0, {{0, -big}}), plenty));
}

// Facts of an earlier query must not linger, nor those of an equal one be lost.
TEST(Linear, QueriesDoNotSeeEachOther) {
  LinearSolver solver;
  const std::vector<Linear> contradiction = {linear(-1, {{0, 1}}), linear(0, {{0, -1}})};
  const Linear goal = linear(-7, {{0, 1}});
  EXPECT_TRUE(solver.entails(contradiction, goal, plenty));
  EXPECT_FALSE(solver.entails({}, goal, plenty));
  EXPECT_FALSE(solver.entails({linear(-6, {{0, 1}})}, goal, plenty));
  EXPECT_FALSE(solver.entails({linear(-6, {{0, 1}})}, goal, plenty));
  EXPECT_TRUE(solver.entails({linear(-7, {{0, 1}})}, goal, plenty));
  EXPECT_TRUE(solver.entails(contradiction, goal, plenty));
}

TEST(Linear, VariablesOfOneNameStayApart) {
  LinearSolver solver;
  solver.name(0, "K");
  solver.name(1, "K");
  EXPECT_FALSE(solver.entails({linear(-5, {{0, 1}})}, linear(-5, {{1, 1}}), plenty));
  EXPECT_TRUE(solver.entails({linear(-5, {{0, 1}})}, linear(-5, {{0, 1}}), plenty));
}

// A claim that holds, but takes more steps than allowed, is not shown; nor does the failure spoil
// the next query.
TEST(Linear, GivingUpIsNotAProof) {
  LinearSolver solver;
  // Eight numbers of which no choice adds up to 4600: that takes a search.
  const Int weights[] = {1011, 1034, 1072, 1096, 1138, 1274, 1312, 1377};
  std::vector<Linear> facts;
  Linear at_least = linear(-4600, {}), at_most = linear(4600, {});
  for (int i = 0; i < 8; ++i) {
    facts = facts + digit(i, 2);
    at_least.terms.emplace_back(i, weights[i]);
    at_most.terms.emplace_back(i, -weights[i]);
  }
  facts.push_back(at_least);
  facts.push_back(at_most);
  EXPECT_FALSE(solver.contradictory(facts, 1));
  EXPECT_FALSE(solver.contradictory(facts, 0));  // 0 is a limit too, not "no limit"
  EXPECT_FALSE(solver.contradictory(facts, -5));
  EXPECT_TRUE(solver.contradictory(facts, plenty));
  EXPECT_TRUE(solver.entails(digit(0, 8), linear(7, {{0, -1}}), plenty));
}

TEST(Linear, TwoSolversOfOneThreadDoNotMeet) {
  LinearSolver a, b;
  EXPECT_TRUE(a.entails({linear(-5, {{0, 1}})}, linear(-4, {{0, 1}}), plenty));
  EXPECT_FALSE(b.entails({}, linear(-4, {{0, 1}}), plenty));
  EXPECT_TRUE(a.entails({linear(-5, {{0, 1}})}, linear(-5, {{0, 1}}), plenty));
}

TEST(Linear, TheVersionSaysWhereZ3IsFrom) {
  const std::string version = z3_version();
  EXPECT_GE(version.find('.'), 1U);
  EXPECT_TRUE(version.ends_with("(wheel)") || version.ends_with("(distribution)") ||
              version.ends_with("(given)"))
      << version;
}

}  // namespace
}  // namespace fragproof
