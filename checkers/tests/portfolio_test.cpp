// The portfolio with engines of our own: who is asked, in which order, and what comes of their
// answers.
#include "checkers/portfolio.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace fragproof {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;

// One file "k.layout" with a size N and a claim.
class PortfolioTest : public testing::Test {
 protected:
  PortfolioTest() {
    spec_.sources = std::make_shared<SourceSet>();
    spec_.main_file =
        spec_.sources->add("dir/k.layout", "size N\nprove c: N > 0\nrefute r: N > 1\n");
    size_.name = "N";
    spec_.sizes.push_back(&size_);
    condition_.kind = Expr::Kind::Number;
    spec_.claims.resize(2);
    for (int i = 0; i < 2; ++i) {
      Claim& claim = spec_.claims[static_cast<std::size_t>(i)];
      claim.refute = i == 1;
      claim.name = i == 1 ? "r" : "c";
      claim.condition = &condition_;
      claim.file = spec_.main_file;
      claim.where = {spec_.main_file, 2 + i, 1, 5};
    }
    options_.engines = {
        [this](const Question& q, const Budget& b) { return asked("enumerate", q, b); },
        [this](const Question& q, const NamedValues& at, const Budget& b) {
          at_ = at;
          return asked("enumerate_at", q, b);
        },
        [this](const Question& q, const Budget& b) { return asked("radix", q, b); },
        [this](const Question& q, const Budget& b) { return asked("linear", q, b); },
        [this](const Question& q, const Budget& b) { return asked("smt", q, b); }};
  }

  // What an engine answers from now on.
  void let(const std::string& engine, Verdict verdict, const std::string& reason = "") {
    Answer answer;
    answer.verdict = verdict;
    answer.reason = reason;
    if (verdict == Verdict::Refuted) {
      answer.counterexample.emplace();
      answer.counterexample->sizes = {{"N", 3}};
      answer.counterexample->text = "N = 3";
    }
    answers_[engine] = answer;
  }

  Question question(bool refute = false) const {
    Question question;
    question.spec = &spec_;
    question.claim = &spec_.claims[refute ? 1 : 0];
    question.id = refute ? "k/r" : "k/c";
    question.kind = "condition";
    question.condition = &condition_;
    return question;
  }

  Answer asked(const std::string& engine, const Question& q, const Budget& budget) {
    {
      const std::lock_guard lock(mutex_);
      calls_.push_back(engine);
      shapes_.push_back(budget.shapes);
      ids_.push_back(q.id);
    }
    if (during_) during_(engine, q, budget);
    return answers_.count(engine) != 0 ? answers_.at(engine) : Answer{};
  }

  Spec spec_;
  Variable size_;
  Expr condition_;
  PortfolioOptions options_;
  std::map<std::string, Answer> answers_;
  std::function<void(const std::string&, const Question&, const Budget&)> during_;
  std::mutex mutex_;
  std::vector<std::string> calls_, ids_;
  std::vector<std::int64_t> shapes_;
  NamedValues at_;
};

TEST_F(PortfolioTest, SmallEnumerationComesFirstAndMayDecideAlone) {
  let("enumerate", Verdict::Proved);
  const Check check = judge(question(), options_);
  EXPECT_EQ(check.verdict, Verdict::Proved);
  EXPECT_EQ(check.methods, Names{"enumerate"});
  EXPECT_EQ(calls_, Names{"enumerate"});
  EXPECT_EQ(shapes_.front(), options_.quick.shapes);
}

TEST_F(PortfolioTest, OrderForAProofIsSmallShapesRadixRestSmt) {
  const Check check = judge(question(), options_);
  EXPECT_EQ(calls_, (Names{"enumerate", "linear", "radix", "enumerate", "smt"}));
  EXPECT_EQ(shapes_[2], options_.deep.shapes);
  EXPECT_EQ(check.verdict, Verdict::Unknown);
  EXPECT_TRUE(check.methods.empty());
}

TEST_F(PortfolioTest, OrderForARefutationPutsTheWholeEnumerationBeforeRadix) {
  EXPECT_EQ(judge_all({question(true)}, options_).size(), 1u);
  EXPECT_EQ(calls_, (Names{"enumerate", "linear", "enumerate", "radix", "smt"}));
}

TEST_F(PortfolioTest, RadixEndsTheSearch) {
  let("radix", Verdict::Proved);
  const Check check = judge(question(), options_);
  EXPECT_EQ(check.verdict, Verdict::Proved);
  EXPECT_EQ(check.methods, Names{"radix"});
  EXPECT_EQ(calls_, (Names{"enumerate", "linear", "radix"}));
}

TEST_F(PortfolioTest, SmtDecidesWhatTheOthersLeave) {
  let("smt", Verdict::Proved);
  const Check check = judge(question(), options_);
  EXPECT_EQ(check.verdict, Verdict::Proved);
  EXPECT_EQ(check.methods, Names{"smt"});
}

TEST_F(PortfolioTest, ARefutationReproducesAtItsSizes) {
  let("enumerate", Verdict::Refuted);
  const Check check = judge(question(), options_);
  EXPECT_EQ(check.verdict, Verdict::Refuted);
  EXPECT_EQ(check.expected, Verdict::Proved);
  EXPECT_EQ(check.reproduce, "fragproof prove dir/k.layout --only k/c --at N=3");
  EXPECT_EQ(check.file, "dir/k.layout");
  EXPECT_EQ(check.line, 2);
  EXPECT_EQ(check.source_line, "prove c: N > 0");
  EXPECT_EQ(check.context_line, 1);
  EXPECT_EQ(check.context, (Names{"size N", "prove c: N > 0", "refute r: N > 1"}));
}

TEST_F(PortfolioTest, ARefuteExpectsRefuted) {
  let("enumerate", Verdict::Refuted);
  const Check check = judge(question(true), options_);
  EXPECT_TRUE(as_expected(check));
  EXPECT_EQ(check.reproduce, "fragproof prove dir/k.layout --only k/r --at N=3");
}

TEST_F(PortfolioTest, VacuousIsADecision) {
  let("enumerate", Verdict::Vacuous, "no shape satisfies the requires");
  const Check check = judge(question(), options_);
  EXPECT_EQ(check.verdict, Verdict::Vacuous);
  EXPECT_EQ(check.reason, "no shape satisfies the requires");
  EXPECT_EQ(calls_.size(), 1u);
}

// ---- engines that disagree
// -------------------------------------------------------------------------------

TEST_F(PortfolioTest, RadixAgainstEnumerateIsAnErrorThatNamesBoth) {
  options_.cross_check = true;
  let("enumerate", Verdict::Refuted);
  let("radix", Verdict::Proved);
  const Check check = judge(question(), options_);
  EXPECT_EQ(check.verdict, Verdict::Error);
  EXPECT_NE(check.reason.find("enumerate says REFUTED"), std::string::npos) << check.reason;
  EXPECT_NE(check.reason.find("radix says PROVED"), std::string::npos) << check.reason;
  EXPECT_TRUE(check.counterexample.has_value());
  EXPECT_NE(check.kind, "file");
}

TEST_F(PortfolioTest, SmtAgainstEnumerateIsAnError) {
  options_.cross_check = true;
  let("enumerate", Verdict::Refuted);
  let("smt", Verdict::Proved);
  const Check check = judge(question(true), options_);
  EXPECT_EQ(check.verdict, Verdict::Error);
  EXPECT_NE(check.reason.find("smt says PROVED"), std::string::npos) << check.reason;
}

TEST_F(PortfolioTest, AProofAndAVacuousAnswerDisagree) {
  options_.cross_check = true;
  let("radix", Verdict::Vacuous);
  let("smt", Verdict::Proved);
  EXPECT_EQ(judge(question(), options_).verdict, Verdict::Error);
}

TEST_F(PortfolioTest, EnginesThatAgreeAreAllNamed) {
  options_.cross_check = true;
  let("enumerate", Verdict::Proved);
  let("radix", Verdict::Proved);
  let("smt", Verdict::Proved);
  const Check check = judge(question(), options_);
  EXPECT_EQ(check.verdict, Verdict::Proved);
  EXPECT_EQ(check.methods, (Names{"enumerate", "radix", "smt"}));
}

TEST_F(PortfolioTest, RadixDoesNotRefute) {
  let("radix", Verdict::Refuted);
  const Check check = judge(question(), options_);
  EXPECT_EQ(check.verdict, Verdict::Error);
  EXPECT_NE(check.reason.find("radix"), std::string::npos);
}

TEST_F(PortfolioTest, ARefutationWithoutACounterexampleIsAnError) {
  let("enumerate", Verdict::Refuted);
  answers_["enumerate"].counterexample.reset();
  EXPECT_EQ(judge(question(), options_).verdict, Verdict::Error);
}

TEST_F(PortfolioTest, AnEngineThatThrowsIsAnError) {
  during_ = [](const std::string& engine, const Question&, const Budget&) {
    if (engine == "radix") throw std::runtime_error("index out of range");
  };
  const Check check = judge(question(), options_);
  EXPECT_EQ(check.verdict, Verdict::Error);
  EXPECT_NE(check.reason.find("radix failed: index out of range"), std::string::npos)
      << check.reason;
}

// ---- UNKNOWN
// ---------------------------------------------------------------------------------------------

TEST_F(PortfolioTest, UnknownTellsWhatStayedOpenAndHowFarItLooked) {
  let("radix", Verdict::Unknown, "open: 0 <= N*M - 3");
  let("enumerate", Verdict::Unknown, "true at the 120 smallest shapes");
  let("smt", Verdict::Unknown, "rlimit");
  EXPECT_EQ(judge(question(), options_).reason,
            "open: 0 <= N*M - 3; true at the 120 smallest shapes");
}

TEST_F(PortfolioTest, UnknownAlwaysHasAReason) {
  EXPECT_FALSE(judge(question(), options_).reason.empty());
}

TEST_F(PortfolioTest, AClaimThatMeetsItsGuardIsUnknownAndSaysSo) {
  options_.claim_seconds = 0.1;
  during_ = [](const std::string& engine, const Question&, const Budget& budget) {
    if (engine != "radix") return;
    const auto limit = std::chrono::steady_clock::now() + 20s;
    while (!budget.stop->load() && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(2ms);
  };
  const auto start = std::chrono::steady_clock::now();
  const Check check = judge(question(), options_);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
  EXPECT_EQ(check.verdict, Verdict::Unknown);
  EXPECT_NE(check.reason.find("gave up after"), std::string::npos) << check.reason;
  EXPECT_NE(check.reason.find(" s by the clock"), std::string::npos) << check.reason;  // it slept
}

TEST_F(PortfolioTest, AGuardOfProcessorTimeSaysSo) {
  options_.claim_seconds = 0.1;
  during_ = [](const std::string& engine, const Question&, const Budget& budget) {
    while (engine == "radix" && !budget.stop->load()) {
    }
  };
  // On a machine that does much else at once, the net by the clock may come first.
  for (int attempt = 0; attempt < 20; ++attempt) {
    const Check check = judge(question(), options_);
    EXPECT_NE(check.reason.find("gave up after"), std::string::npos) << check.reason;
    if (check.reason.find(" s of processor time") != std::string::npos) return;
  }
  FAIL() << "it never spoke of processor time";
}

TEST_F(PortfolioTest, ADecisionThatComesWithTheGuardStands) {
  options_.claim_seconds = 0.05;
  let("enumerate", Verdict::Proved);
  during_ = [](const std::string&, const Question&, const Budget&) {
    std::this_thread::sleep_for(150ms);
  };
  EXPECT_EQ(judge(question(), options_).verdict, Verdict::Proved);
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

TEST_F(PortfolioTest, AFileSharesItsTime) {
  options_.claim_seconds = 2;
  options_.file_seconds = 0.2;
  during_ = [](const std::string&, const Question&, const Budget& budget) {
    while (!budget.stop->load()) {  // works until it is told to stop
    }
  };
  const double start = processor_seconds();
  EXPECT_EQ(judge_all(std::vector<Question>(6, question()), options_).size(), 6u);
  EXPECT_LT(processor_seconds() - start, 6);  // without a share: six claims of 2 s
}

// ---- a point
// -----------------------------------------------------------------------------------------------

TEST_F(PortfolioTest, AtAPointOnlyTheEnumeratorIsAsked) {
  options_.at = {{"N", 16}, {"M", 5}};  // M belongs to another file of the run
  let("enumerate_at", Verdict::Proved);
  const Check check = judge(question(), options_);
  EXPECT_EQ(calls_, Names{"enumerate_at"});
  EXPECT_EQ(at_, (NamedValues{{"N", 16}}));
  EXPECT_EQ(check.verdict, Verdict::Proved);
  EXPECT_EQ(check.note, "judged at N = 16 only");
}

TEST_F(PortfolioTest, AnUnknownPointStaysUnknown) {
  options_.at = {{"N", 16}};
  let("radix", Verdict::Proved);
  EXPECT_EQ(judge(question(), options_).verdict, Verdict::Unknown);
  EXPECT_EQ(calls_, Names{"enumerate_at"});
}

// ---- many questions
// --------------------------------------------------------------------------------------------

TEST_F(PortfolioTest, ResultsArriveInOrderAndOnce) {
  std::vector<Question> questions;
  for (int i = 0; i < 40; ++i) {
    questions.push_back(question());
    questions.back().id = "k/" + std::to_string(i);
  }
  options_.workers = 4;
  during_ = [](const std::string&, const Question& q, const Budget&) {
    if (q.id.size() % 2 == 0) std::this_thread::sleep_for(1ms);
  };
  std::vector<std::size_t> order;
  const std::vector<Check> checks = judge_all(questions, options_,
                                              {[&](std::size_t i, const Check& check) {
                                                 EXPECT_EQ(check.id, questions[i].id);
                                                 order.push_back(i);
                                               },
                                               {}});
  ASSERT_EQ(order.size(), questions.size());
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  ASSERT_EQ(checks.size(), questions.size());
  for (std::size_t i = 0; i < checks.size(); ++i) EXPECT_EQ(checks[i].id, questions[i].id);
}

TEST_F(PortfolioTest, QuickLooksOfAllComeBeforeTheDeepLookOfAny) {
  options_.workers = 1;
  EXPECT_EQ(judge_all({question(), question(true)}, options_).size(), 2u);
  EXPECT_EQ(calls_, (Names{"enumerate", "linear", "radix", "enumerate", "linear", "enumerate",
                           "smt", "enumerate", "radix", "smt"}));
}

TEST_F(PortfolioTest, AnInterruptSkipsWhatIsOpen) {
  std::atomic<bool> interrupt{false};
  options_.interrupt = &interrupt;
  options_.workers = 1;
  let("enumerate", Verdict::Proved);
  during_ = [&](const std::string&, const Question&, const Budget&) { interrupt = true; };
  const std::vector<Check> checks = judge_all({question(), question()}, options_);
  EXPECT_EQ(checks[0].verdict, Verdict::Proved);
  EXPECT_EQ(checks[1].verdict, Verdict::Skipped);
  EXPECT_EQ(checks[1].reason, "interrupted");
  EXPECT_EQ(calls_.size(), 1u);
}

TEST_F(PortfolioTest, NoQuestionsNoChecks) { EXPECT_TRUE(judge_all({}, options_).empty()); }

// ---- the reproduce line
// ----------------------------------------------------------------------------------------

TEST(ShellWord, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(shell_word("gemv/gemv.A.rows"), "gemv/gemv.A.rows");
  EXPECT_EQ(shell_word("gemv/bijective(Wp)"), "'gemv/bijective(Wp)'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("$(rm)"), "'$(rm)'");
}

TEST_F(PortfolioTest, ABuiltInFileIsNotNamedInItsReproduceLine) {
  spec_.claims[0].file = spec_.sources->add("<builtin>/gemv.layout", "prove c: 1 == 1\n");
  EXPECT_EQ(reproduce_line(question(), {{"N", 16}, {"K", 32}}),
            "fragproof prove --only k/c --at N=16,K=32");
}

}  // namespace
}  // namespace fragproof
