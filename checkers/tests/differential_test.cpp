// The engine for all shapes against the engine that only evaluates: over random texts, what is
// PROVED must have no counterexample, and what is VACUOUS nothing to judge.
//
// FRAGPROOF_SEEDS=FROM:COUNT runs other and more seeds.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "checkers/enumerate/enumerate.h"
#include "checkers/radix/radix.h"
#include "checkers/tests/random_layout.h"
#include "spec/load.h"

namespace fragproof {
namespace {

constexpr std::uint32_t default_seeds = 150;

TEST(Differential, NothingProvedHasACounterexample) {
  unsigned long from = 1;
  unsigned long count = default_seeds;
  if (const char* seeds = std::getenv("FRAGPROOF_SEEDS")) {
    char* rest = nullptr;
    from = std::strtoul(seeds, &rest, 10);
    if (rest != nullptr && *rest == ':') count = std::strtoul(rest + 1, nullptr, 10);
  }
  const Budget look{.points = 30'000, .shapes = 120};
  int texts = 0;
  int claims = 0;
  int proved = 0;
  int vacuous = 0;
  int refuted = 0;
  for (unsigned long seed = from; seed < from + count; ++seed) {
    const std::string text = random_layout::text_of(static_cast<std::uint32_t>(seed));
    const LoadResult loaded = load_text("random.layout", text);
    if (loaded.spec == nullptr) continue;
    ++texts;
    for (const Question& question : questions_of(*loaded.spec, "random")) {
      ++claims;
      const Answer answer = prove_radix(question, {});
      ASSERT_NE(answer.verdict, Verdict::Refuted);
      const bool decided = answer.verdict == Verdict::Proved || answer.verdict == Verdict::Vacuous;
      if (!decided && claims % 8 != 0) continue;
      const Answer judge = enumerate(question, look);
      refuted += judge.verdict == Verdict::Refuted ? 1 : 0;
      if (!decided) continue;
      (answer.verdict == Verdict::Proved ? proved : vacuous) += 1;
      EXPECT_NE(judge.verdict, Verdict::Refuted)
          << "seed " << seed << ", " << question.id << " is " << name_of(answer.verdict) << ", but "
          << (judge.counterexample ? judge.counterexample->text : judge.reason) << "\n"
          << text;
      if (answer.verdict == Verdict::Vacuous) {
        const bool judged_something =
            judge.verdict != Verdict::Vacuous && !judge.only_vacuous && judge.shapes_tried > 0;
        EXPECT_FALSE(judged_something) << "seed " << seed << ", " << question.id << " is VACUOUS\n"
                                       << text;
      }
    }
  }
  std::printf("DIFFERENTIAL texts %d claims %d proved %d vacuous %d; refuted %d of a sample\n",
              texts, claims, proved, vacuous, refuted);
  // Both verdicts are well represented, or the test sees nothing.
  EXPECT_GT(texts, static_cast<int>(count / 2));
  EXPECT_GT(proved, static_cast<int>(count / 2));
  EXPECT_GT(refuted, static_cast<int>(count / 10));
}

}  // namespace
}  // namespace fragproof
