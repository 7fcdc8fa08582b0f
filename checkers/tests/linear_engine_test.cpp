// The engine for powers of two: against enumeration on small maps of random text, and alone where
// nobody could enumerate.
#include "checkers/linear/linear.h"

#include <gtest/gtest.h>

#include <random>

#include "checkers/enumerate/enumerate.h"
#include "checkers/portfolio.h"
#include "spec/load.h"

namespace fragproof {
namespace {

struct Loaded {
  std::unique_ptr<Spec> spec;
  std::vector<Question> questions;
};

Loaded load(const std::string& text) {
  LoadResult result = load_text("t.layout", text);
  for (const Diagnostic& d : result.diagnostics) ADD_FAILURE() << render(*result.sources, d);
  Loaded loaded{std::move(result.spec), {}};
  if (loaded.spec) loaded.questions = questions_of(*loaded.spec, "t");
  return loaded;
}

Answer answer(const std::string& text) {
  const Loaded loaded = load(text);
  if (loaded.questions.empty()) return {};
  return decide_linear(loaded.questions.back(), {});
}

NamedValues point(Int a, Int b) { return {{"a", a}, {"b", b}}; }

TEST(LinearEngine, ProvesWhatNobodyCouldEnumerate) {
  for (const char* claim : {
           "map f(i : 1<<60) -> (o : 1<<60) = i ^ (i >> 7)\nprove bijective(f)\n",
           "map f(a : 1<<30, b : 1<<30) -> (x : 1<<30, y : 1<<30)\n  x = a ^ b\n  y = b ^ (b >> "
           "1)\n"
           "prove c: forall(a : 1<<30, b : 1<<30) f.inverse(f(a, b)) == (a, b)\n",
           "map f(r : 1<<40, c : 128) -> (o : 1<<47) = (128*r + c) ^ ((r & 7) << 4)\n"
           "prove c: forall(r : 1<<40, c : 128) f(r, c)/128 == r && f(r, c) % 16 == c % 16\n",
           "map f(i : [h:1<<20, l:1<<20]) -> (o : 1<<40) = [l:1<<20, h ^ l:1<<20]\nprove "
           "bijective(f)\n",
       }) {
    const Answer found = answer(claim);
    EXPECT_EQ(found.verdict, Verdict::Proved) << claim << found.reason;
    ASSERT_TRUE(found.proof) << claim;
    EXPECT_EQ(found.proof->method, "linear");
  }
}

TEST(LinearEngine, ACollisionIsTheFirstThereIs) {
  const Answer found = answer(
      "map f(a : 1<<31, b : 1<<31) -> (o : 1<<62) = [a:1<<31, b ^ (b & 8) << 0:1<<31]\n"
      "prove injective(f)\n");
  ASSERT_EQ(found.verdict, Verdict::Refuted) << found.reason;
  EXPECT_EQ(found.counterexample->at, point(0, 8));
  EXPECT_EQ(found.counterexample->text, "f(0, 0) and f(0, 8) are both 0");
  EXPECT_EQ(found.counterexample->wrong, std::int64_t{1} << 61);
}

TEST(LinearEngine, AMissingValueIsTheFirstThereIs) {
  const Answer found = answer(
      "map f(a : 1<<40) -> (x : 1<<20, y : 1<<20)\n  x = a >> 20\n"
      "  y = (a % (1<<20) | 4) ^ (a & 4) ^ (a & 2)\nprove onto(f)\n");
  ASSERT_EQ(found.verdict, Verdict::Refuted) << found.reason;
  EXPECT_EQ(found.counterexample->expected, "(0, 2)");
  EXPECT_EQ(found.counterexample->of, std::int64_t{1} << 40);
}

TEST(LinearEngine, ADifferenceIsShownAtItsFirstPoint) {
  const Answer found =
      answer("prove c: forall(a : 1<<40, b : 1<<40) (a ^ (b >> 3)) % 64 == a % 64\n");
  ASSERT_EQ(found.verdict, Verdict::Refuted) << found.reason;
  EXPECT_EQ(found.counterexample->at, point(0, 8));
  EXPECT_EQ(found.counterexample->expected, "0");
  EXPECT_EQ(found.counterexample->found, "1");
}

// Whatever it does not surely understand is left to others.
TEST(LinearEngine, LeavesWhatItDoesNotKnow) {
  for (const char* claim : {
           "size N\nprove c: forall(i : N) (i ^ 0) == i\n",              // a size
           "prove c: forall(i : 1<<40) i + 1 != 0\n",                    // a carry, no equation
           "prove c: forall(i : 1<<40) (i + 1) - 1 == i\n",              // a carry
           "prove c: forall(i : 1<<40 where i % 2 == 0) (i & 1) == 0\n"  // a subset
           ,
           "map f(i : 1<<40) -> (o : 1<<39) = i ^ (i >> 1)\nprove total(f)\n",  // leaves its range
           "map f(i : 3) -> (o : 4) = i ^ 1\nprove injective(f)\n",             // no power of two
           "prove c: forall(i : 1<<40, j : 1<<40) (i & j) == (j & i)\n",        // a product
           "prove c: forall(i : 1<<40) i32(i) == i\n",                          // a width
           "prove c: forall(i : 1<<40) i - 1 == i - 1\n",                       // below zero at 0
           "prove c: forall(i : 1<<40) (i < 5) == (i < 5)\n",
       }) {
    const Answer found = answer(claim);
    EXPECT_EQ(found.verdict, Verdict::Unknown) << claim;
    EXPECT_NE(found.reason, "") << claim;
  }
}

// With requires a refutation is left to enumeration: there may be no sizes at all.
TEST(LinearEngine, DoesNotRefuteUnderRequires) {
  const char* text = "size N\nrequire N < 0\nprove c: forall(i : 1<<40) (i ^ 1) == i\n";
  EXPECT_EQ(answer(text).verdict, Verdict::Unknown);
}

std::string random_term(std::mt19937& random, int depth) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  static const char* const leaves[] = {"a", "b", "a", "b", "5", "12", "1"};
  if (depth == 0) return leaves[pick(7)];
  const std::string x = random_term(random, depth - 1), y = random_term(random, depth - 1);
  const std::string c = std::to_string(1 << pick(4));
  switch (pick(12)) {
    case 0:
    case 1:
    case 2:
      return "(" + x + " ^ " + y + ")";
    case 3:
      return "(" + x + " & " + std::to_string(pick(16)) + ")";
    case 4:
      return "(" + x + " | " + std::to_string(pick(16)) + ")";
    case 5:
      return "(" + x + " / " + c + ")";
    case 6:
      return "(" + x + " % " + c + ")";
    case 7:
      return "(" + x + " * " + std::to_string(pick(5)) + " + " + y + ")";
    case 8:
      return "(" + x + " << " + std::to_string(pick(3)) + ")";
    case 9:
      return "(" + x + " >> " + std::to_string(pick(3)) + ")";
    case 10:
      return "(" + x + " - " + y + ")";
    default:
      return "[" + x + " % 4:4, " + y + " % 8:8]";
  }
}

// Where both decide they agree, and on what is refuted they show the same point.
TEST(LinearEngine, AgreesWithEnumeration) {
  std::mt19937 random(4711);
  const char* const predicates[] = {"injective(f)", "onto(f)", "bijective(f)", "total(f)"};
  int proved = 0, refuted = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = "map f(a : 8, b : 4) -> (x, y)\n  x = " + random_term(random, 2) +
                       "\n  y = " + random_term(random, 2) + "\n";
    if (i % 3 != 0) {
      text = "map f(a : 8, b : 4) -> (x : " + std::to_string(1 << (random() % 7)) +
             ", y : " + std::to_string(1 << (random() % 7)) + text.substr(text.find(", y)") + 3);
    }
    text += i % 2 == 0 ? "prove " + std::string(predicates[random() % 4]) + "\n"
                       : "prove c: forall(a : 8, b : 4) " + random_term(random, 2) +
                             " == " + random_term(random, 2) + "\n";
    if (i % 2 == 0 && i % 3 == 0 && text.find("onto") + text.find("bijective") < 2 * text.size())
      continue;  // onto needs a codomain
    const Loaded loaded = load(text);
    ASSERT_FALSE(loaded.questions.empty()) << text;
    const Answer linear = decide_linear(loaded.questions[0], {});
    if (linear.verdict == Verdict::Unknown) continue;
    const Answer counted = enumerate(loaded.questions[0], {});
    ASSERT_STREQ(name_of(linear.verdict), name_of(counted.verdict)) << text;
    ++(linear.verdict == Verdict::Proved ? proved : refuted);
    if (linear.verdict != Verdict::Refuted) continue;
    ASSERT_TRUE(counted.counterexample) << text;
    EXPECT_EQ(linear.counterexample->at, counted.counterexample->at) << text;
    EXPECT_EQ(linear.counterexample->found, counted.counterexample->found) << text;
    EXPECT_EQ(linear.counterexample->expected, counted.counterexample->expected) << text;
    EXPECT_EQ(linear.counterexample->wrong, counted.counterexample->wrong) << text;
  }
  EXPECT_GT(proved, 50);
  EXPECT_GT(refuted, 200);
}

// In a domain that nobody can walk whole, the first of a pair is still shown, and soon.
TEST(Enumerate, ACollisionInAHugeDomainIsShown) {
  const Loaded loaded = load("map f(i : 1<<40) -> (o : 1<<40) = i/3*3\nprove injective(f)\n");
  PortfolioOptions options;
  const Check check = judge(loaded.questions.at(0), options);
  ASSERT_EQ(check.verdict, Verdict::Refuted) << check.reason;
  EXPECT_EQ(check.counterexample->text, "f(0) and f(1) are both 0");
  EXPECT_LT(check.time_ms, 20'000);
}

}  // namespace
}  // namespace fragproof
