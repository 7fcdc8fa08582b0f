// Which requires a proof for all shapes rests on: what it says it did not need can be dropped, and
// what it says it needed cannot where evaluation shows why.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "checkers/enumerate/enumerate.h"
#include "checkers/radix/radix.h"
#include "checkers/radix/sizes.h"
#include "checkers/tests/examples.h"
#include "spec/load.h"

namespace fragproof {
namespace {

std::string text_of(const Question& question, const Expr& e) {
  return std::string(question.spec->sources->text(e.where));
}

// `question` without what `dropped` names, whole requires or parts of them.
Question without(const Question& question, const std::vector<std::string>& dropped) {
  const auto is_dropped = [&](const Expr& e) {
    return std::find(dropped.begin(), dropped.end(), text_of(question, e)) != dropped.end();
  };
  Question out = question;
  out.requires_.clear();
  for (const Expr* require : question.requires_) {
    if (is_dropped(*require)) continue;
    for (const Expr* part : radix::conjuncts_of(*require)) {
      if (!is_dropped(*part)) out.requires_.push_back(part);
    }
  }
  return out;
}

class RadixNeeds : public testing::TestWithParam<std::string> {};

TEST_P(RadixNeeds, WhatIsUnusedCanBeDropped) {
  const examples::Example example = examples::load(GetParam());
  ASSERT_NE(example.loaded.spec, nullptr);
  int dropped = 0;
  for (const Question& question : example.questions) {
    SCOPED_TRACE(question.id);
    const Answer answer = prove_radix(question, {});
    if (answer.verdict != Verdict::Proved) continue;
    std::size_t named = 0;
    for (const Expr* require : question.requires_) named += radix::conjuncts_of(*require).size();
    const std::size_t left = without(question, answer.unused).requires_.size();
    // Each part of each require is said to be one or the other.
    EXPECT_EQ(without(question, answer.needs).requires_.size() + left, named);
    if (answer.unused.empty()) continue;
    const Question weaker = without(question, answer.unused);
    const Answer again = prove_radix(weaker, {});
    EXPECT_EQ(again.verdict, Verdict::Proved) << again.reason;
    EXPECT_NE(enumerate(weaker, {.points = 20'000, .shapes = 30}).verdict, Verdict::Refuted);
    dropped += static_cast<int>(answer.unused.size());
  }
  std::printf("NEEDS %s dropped %d\n", GetParam().c_str(), dropped);
}

INSTANTIATE_TEST_SUITE_P(Files, RadixNeeds, testing::ValuesIn(examples::names()),
                         [](const auto& info) { return info.param; });

struct NeededCase {
  const char* file;
  const char* id;
  std::vector<std::string> needs;
  std::vector<std::string> unused;
  std::vector<std::string> refuted;  // of the needs: the claim is false without it
};

// What a proof rests on may follow from other requires (K % 32 == 0 does); what does not is refuted
// without it.
TEST(RadixNeeds, WhatIsNeededCannotBeDropped) {
  const std::vector<std::string> divisible{"N % 16 == 0 && K % 32 == 0"};
  const std::string split = "K % (32*S*NW*U) == 0";
  const std::string small = "N < 1 << 31 && K < 1 << 31 && M < 1 << 31";
  const NeededCase cases[] = {
      {"gemv", "gemv/pack_bijective", divisible, {}, divisible},
      {"gemv", "gemv/gemv.cover", {divisible[0], split}, {small}, {split}},
      {"gemv",
       "gemv/gemv.overflow",
       {divisible[0], split, "N < 1 << 31", "K < 1 << 31"},
       {"M < 1 << 31"},
       {"N < 1 << 31", "K < 1 << 31"}},
      {"gemv", "gemv/gemv.types", {}, {divisible[0], split, small}, {}},
  };
  for (const NeededCase& c : cases) {
    SCOPED_TRACE(c.id);
    const examples::Example example = examples::load(c.file);
    const auto question = std::find_if(example.questions.begin(), example.questions.end(),
                                       [&](const Question& q) { return q.id == c.id; });
    ASSERT_NE(question, example.questions.end());
    const Answer answer = prove_radix(*question, {});
    EXPECT_EQ(answer.verdict, Verdict::Proved);
    EXPECT_EQ(answer.needs, c.needs);
    EXPECT_EQ(answer.unused, c.unused);
    for (const std::string& need : c.refuted) {
      const Answer judge = enumerate(without(*question, {need}), {});
      EXPECT_EQ(judge.verdict, Verdict::Refuted) << need << ": " << judge.reason;
    }
  }
}

struct TextCase {
  const char* text;
  std::vector<std::string> needs;
  std::vector<std::string> unused;
};

TEST(RadixNeeds, EachKindOfHypothesisIsFollowed) {
  const TextCase cases[] = {
      // A fact of a linear instance, and one that speaks of the same size and is not needed.
      {"size A, B\nrequire A >= B + 3\nrequire A <= 50\nprove c: forall(x : A) A*B >= B*B\n",
       {"A >= B + 3"},
       {"A <= 50"}},
      // A value, and what was read with it in hand.
      {"size A, B\nrequire A == 8\nrequire B % A == 0\nprove c: B % 4 == 0\n",
       {"A == 8", "B % A == 0"},
       {}},
      // A definition that another require goes through.
      {"size K, S\nrequire K % 8 == 0\nrequire S % 2 == 0\nrequire K >= 40\nprove c: K % 4 == 0\n",
       {"K % 8 == 0"},
       {"S % 2 == 0", "K >= 40"}},
      // A choice of values, one case each.
      {"size A, B\nrequire A == 2 || A == 6\nrequire B <= 9\nprove c: A % 2 == 0\n",
       {"A == 2 || A == 6"},
       {"B <= 9"}},
      // What makes a case empty.
      {"size A, B\nrequire A <= 1\nrequire B > 4\nprove c: forall(x : B) A == 1 || x > 7\n",
       {"A <= 1"},
       {"B > 4"}},
      // A table.
      {"size A\ntable T[A] : A\ntable U[A] : A\nrequire injective(T)\nrequire injective(U)\n"
       "map m(x : A) -> (y : A)\n  y = T[x]\nprove c: injective(m)\n",
       {"injective(T)"},
       {"injective(U)"}},
      // Nothing but what defines another require.
      {"size A, B\nrequire A >= 4\nrequire (A - 4) / B <= 100\nprove c: A + B >= 2\n",
       {"A >= 4"},
       {"(A - 4) / B <= 100"}},
  };
  for (const TextCase& c : cases) {
    SCOPED_TRACE(c.text);
    const LoadResult loaded = load_text("needs.layout", c.text);
    for (const Diagnostic& d : loaded.diagnostics) ADD_FAILURE() << render(*loaded.sources, d);
    ASSERT_NE(loaded.spec, nullptr);
    const Question question = questions_of(*loaded.spec, "needs").front();
    const Answer answer = prove_radix(question, {});
    EXPECT_EQ(answer.verdict, Verdict::Proved) << answer.reason;
    EXPECT_EQ(answer.needs, c.needs);
    EXPECT_EQ(answer.unused, c.unused);
  }
}

}  // namespace
}  // namespace fragproof
