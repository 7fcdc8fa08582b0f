// A step is an instance of its lemma or it is not: each part changed, each premise dropped.
#include "checkers/radix/steps.h"

#include <gtest/gtest.h>

#include "checkers/engine.h"
#include "checkers/radix/context.h"
#include "checkers/radix/radix.h"
#include "spec/load.h"

namespace fragproof {
namespace {

using namespace radix;

Step shows(const Poly& goal) {
  Step step;
  step.kind = Step::Kind::Linear;
  step.goal = goal;
  return step;
}

class RadixSteps : public testing::Test {
 protected:
  RadixSteps() {
    // x = 8*h + l with 0 <= l < 8, as `digits` and as `division`.
    steps = {shows(l), shows(Poly(7) - l)};
    unique.kind = Step::Kind::Instance;
    unique.lemma = Lemma::Unique;
    unique.parts = {8 * h + l, Poly(8), h, l};
    unique.premises = {0, 1};
    quotient = unique;
    quotient.lemma = Lemma::Quotient;
    quotient.parts = {8 * h + l, h, Poly(8), l};
    // N*h + l determines h where N >= 1.
    steps.push_back(shows(n - 1));
    cancel = unique;
    cancel.lemma = Lemma::Cancel;
    cancel.parts = {n * h + l, n, h, l};
    cancel.premises = {2};
  }
  Context context{100'000};
  Poly h = context.index("h", 0);
  Poly l = context.index("l", 0);
  Poly n = context.parameter("N", 1);
  std::vector<Step> steps;
  Step unique, quotient, cancel;
};

TEST_F(RadixSteps, InstancesMatch) {
  EXPECT_TRUE(matches(steps, unique));
  EXPECT_TRUE(matches(steps, quotient));
  EXPECT_TRUE(matches(steps, cancel));
}

TEST_F(RadixSteps, AChangedPartDoesNot) {
  for (const Step& good : {unique, quotient, cancel}) {
    for (std::size_t i = 0; i < good.parts.size(); ++i) {
      for (const Poly& change : {Poly(1), Poly(-1), l}) {
        Step bad = good;
        bad.parts[i] = bad.parts[i] + change;
        EXPECT_FALSE(matches(steps, bad)) << i;
      }
    }
    Step fewer = good;
    fewer.parts.pop_back();
    EXPECT_FALSE(matches(steps, fewer));
  }
}

TEST_F(RadixSteps, AMissingOrForeignPremiseDoesNot) {
  for (const Step& good : {unique, quotient, cancel}) {
    for (std::size_t i = 0; i < good.premises.size(); ++i) {
      Step bad = good;
      bad.premises.erase(bad.premises.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(matches(steps, bad));
      // A step that says nothing of a sign is no premise, whatever its goal.
      std::vector<Step> others = steps;
      others[static_cast<std::size_t>(good.premises[i])].kind = Step::Kind::Evaluated;
      EXPECT_FALSE(matches(others, good));
    }
  }
}

TEST_F(RadixSteps, TheProductLemmaStandsAlone) {
  Step step = unique;
  step.lemma = Lemma::Product;
  EXPECT_FALSE(matches(steps, step));
}

TEST_F(RadixSteps, ConstantsNeedNoPremise) {
  Step step = unique;
  step.parts = {8 * h + 3, Poly(8), h, Poly(3)};
  step.premises = {};
  EXPECT_TRUE(matches(steps, step));
  step.parts = {8 * h + 8, Poly(8), h, Poly(8)};  // a digit that is too large
  EXPECT_FALSE(matches(steps, step));
}

// What the digits of an injective map rest on is written down, down to the ranges.
TEST(RadixProof, DigitsNameTheirRanges) {
  const LoadResult loaded =
      load_text("steps.layout",
                "size K\nmap m(x : K, y : 8) -> (p : 8*K)\n  p = 8*x + y\nprove injective(m)\n");
  ASSERT_NE(loaded.spec, nullptr);
  const Answer answer = prove_radix(questions_of(*loaded.spec, "steps").front(), {});
  ASSERT_EQ(answer.verdict, Verdict::Proved) << answer.reason;
  int digits = 0;
  for (const ProofStep& step : answer.proof->steps) {
    if (step.lemma != "digits") continue;
    ++digits;
    EXPECT_TRUE(step.discharged);
    ASSERT_GE(step.premises.size(), 3U) << step.statement;
    EXPECT_EQ(answer.proof->steps.at(static_cast<std::size_t>(step.premises[0])).lemma, "given");
    for (std::size_t i = 1; i < step.premises.size(); ++i)
      EXPECT_EQ(answer.proof->steps.at(static_cast<std::size_t>(step.premises[i])).lemma, "box");
  }
  EXPECT_GE(digits, 1);
}

}  // namespace
}  // namespace fragproof
