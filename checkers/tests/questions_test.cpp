// Which questions a file makes: one a claim, one an obligation for a proved kernel; ids, kinds,
// requires.
#include <gtest/gtest.h>

#include "checkers/engine.h"
#include "spec/load.h"
#include "spec/syntax.h"

namespace fragproof {
namespace {

constexpr const char* text =
    "size N, K, M\n"
    "require N % 16 == 0 && K % 16 == 0\n"
    "require M % 8 == 0\n"
    "tensor W[N, K] : bf16\n"
    "tensor x[M, K] : bf16\n"
    "tensor y[M, N] : f32\n"
    "map f(lane : 32, i : 4) -> (p : 128) = 4*lane + i\n"
    "kernel g computes y[m, n] += W[n, k] * x[m, k]\n"
    "  require K < 1 << 20\n"
    "  parallel (rb : N/16, nb : M/8)\n"
    "  reduce (kb : K/16)\n"
    "  load a0 : b32 from W[16*rb + lane/4, 16*kb + 2*(lane % 4)]\n"
    "  load a1 : b32 from W[16*rb + lane/4 + 8, 16*kb + 2*(lane % 4)]\n"
    "  load a2 : b32 from W[16*rb + lane/4, 16*kb + 2*(lane % 4) + 8]\n"
    "  load a3 : b32 from W[16*rb + lane/4 + 8, 16*kb + 2*(lane % 4) + 8]\n"
    "  load b0 : b32 from x[8*nb + lane/4, 16*kb + 2*(lane % 4)]\n"
    "  load b1 : b32 from x[8*nb + lane/4, 16*kb + 2*(lane % 4) + 8]\n"
    "  acc += mma.m16n8k16.bf16({a0, a1, a2, a3}, {b0, b1})\n"
    "  store acc to y[8*nb + col, 16*rb + row]\n";

class QuestionsTest : public testing::Test {
 protected:
  // The questions of the file above with these claims.
  std::vector<Question> ask(const std::string& claims) {
    loaded_ = load_text("dir/k.layout", text + claims);
    for (const Diagnostic& diagnostic : loaded_.diagnostics)
      ADD_FAILURE() << render(*loaded_.sources, diagnostic);
    if (!loaded_.spec) return {};
    return questions_of(*loaded_.spec, "k");
  }
  Question one(const std::string& claim) {
    std::vector<Question> questions = ask(claim);
    EXPECT_EQ(questions.size(), 1u) << claim;
    return questions.empty() ? Question{} : questions.front();
  }
  LoadResult loaded_;
};

TEST_F(QuestionsTest, AProvedKernelIsOneQuestionAnObligation) {
  const std::vector<Question> questions = ask("prove g\n");
  const std::vector<std::string> names = {"bounds",  "storage", "alignment", "overflow", "A.whole",
                                          "B.whole", "types",   "A.rows",    "B.cols",   "A.k",
                                          "B.k",     "pairing", "cover",     "output"};
  ASSERT_EQ(questions.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(questions[i].kind, names[i]);
    EXPECT_EQ(questions[i].id, "k/g." + names[i]);
    EXPECT_EQ(questions[i].kernel, loaded_.spec->kernels[0]);
    ASSERT_TRUE(questions[i].obligation.has_value());
    EXPECT_EQ(static_cast<std::size_t>(*questions[i].obligation), i);
  }
}

TEST_F(QuestionsTest, ANamedKernelClaimCarriesItsName) {
  const std::vector<Question> questions = ask("prove small: g where K == 16\n");
  ASSERT_EQ(questions.size(), 14u);
  EXPECT_EQ(questions[7].id, "k/small.A.rows");
  EXPECT_NE(questions[7].where_clause, nullptr);
}

TEST_F(QuestionsTest, ARefutedKernelStaysOne) {
  const Question question = one("refute g\n");
  EXPECT_EQ(question.id, "k/g");
  EXPECT_EQ(question.kind, "kernel");
  EXPECT_EQ(question.kernel, nullptr);
  EXPECT_FALSE(question.obligation.has_value());
  EXPECT_TRUE(question.claim->refute);
}

TEST_F(QuestionsTest, OneObligation) {
  for (const char* verb : {"prove", "refute"}) {
    const Question question = one(std::string(verb) + " g.A.k\n");
    EXPECT_EQ(question.id, "k/g.A.k");
    EXPECT_EQ(question.kind, "A.k");
    EXPECT_EQ(question.kernel, loaded_.spec->kernels[0]);
    EXPECT_EQ(question.obligation, Obligation::AK);
  }
  EXPECT_EQ(one("prove paired: g.pairing\n").id, "k/paired");
}

TEST_F(QuestionsTest, KindsAreTheOutermostPredicate) {
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"prove bijective(f)", "bijective"},
      {"prove c: injective(f)", "injective"},
      {"prove c: total(f)", "total"},
      {"prove c: onto(f)", "onto"},
      {"prove coalesced(g.a0)", "coalesced"},
      {"prove c: coalesced(f, 4)", "coalesced"},
      {"prove c: ways(f, 4) == 1", "condition"},
      {"prove c: sectors(f, 4) <= 4", "condition"},
      {"prove c: forall(i : 8) i < 8", "forall"},
      {"prove c: !(forall(i : 8) i < 4)", "condition"},
      {"prove c: N > 0", "condition"},
      {"prove c: bijective(f) == (N > 0)", "condition"},
      {"prove c: g.A.rows && g.B.cols", "condition"}};
  for (const auto& [claim, kind] : kinds) EXPECT_EQ(one(claim + "\n").kind, kind) << claim;
}

TEST_F(QuestionsTest, AnUnnamedPredicateIsNamedByItsText) {
  EXPECT_EQ(one("prove bijective(f)\n").id, "k/bijective(f)");
}

TEST_F(QuestionsTest, RequiresOfMentionedKernelsFollowTheFile) {
  EXPECT_EQ(one("prove c: N > 0\n").requires_.size(), 2u);
  for (const char* claim : {"prove g.bounds", "refute g", "prove coalesced(g.a0)",
                            "prove c: N == 1 || g.cover", "prove c: !(g.A.rows && g.A.k)"}) {
    const Question question = one(std::string(claim) + "\n");
    ASSERT_EQ(question.requires_.size(), 3u) << claim;
    EXPECT_EQ(to_text(*question.requires_[1]), "M % 8 == 0");
    EXPECT_EQ(to_text(*question.requires_[2]), "K < 1 << 20");
  }
}

TEST_F(QuestionsTest, OrderIsTheFiles) {
  const std::vector<Question> questions = ask("prove b: N > 0\nprove g\nrefute a: N > 1\n");
  ASSERT_EQ(questions.size(), 16u);
  EXPECT_EQ(questions.front().id, "k/b");
  EXPECT_EQ(questions.back().id, "k/a");
}

TEST_F(QuestionsTest, AFileWithoutClaimsHasNone) { EXPECT_TRUE(ask("").empty()); }

}  // namespace
}  // namespace fragproof
