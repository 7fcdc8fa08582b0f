// Every file of examples/: it loads, no claim gets the opposite of what it expects, and what stays
// UNKNOWN is on a list with the reason. The files that the built-in run is about are decided, all
// of them, for all sizes.
#include "checkers/tests/examples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

namespace fragproof {
namespace {

// Files whose claims must all get their verdict: nothing of them may be on the list.
bool fully_decided(const std::string& name) {
  static const std::vector<std::string> exact = {
      "builtin", "batched", "block_diagonal", "dead_columns", "operand_types", "syrk", "zero_fill"};
  return std::find(exact.begin(), exact.end(), name) != exact.end() || name.starts_with("gemv") ||
         name.starts_with("tf32") || name.starts_with("tile");
}

// id -> why it may be UNKNOWN.
const std::map<std::string, std::string>& may_be_unknown() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> ids;
    for (const auto& row : examples::read_table("expected_unknown.txt")) {
      if (row.size() != 2 || row[1].empty()) {
        ADD_FAILURE() << "expected_unknown.txt: want `id | reason`, got " << row.front();
        continue;
      }
      ids[row[0]] = row[1];
    }
    return ids;
  }();
  return all;
}

class Examples : public testing::TestWithParam<std::string> {};

TEST_P(Examples, NoClaimGetsTheOpposite) {
  const examples::Example example = examples::load(GetParam());
  ASSERT_NE(example.loaded.spec, nullptr);
  ASSERT_FALSE(example.questions.empty());
  const std::vector<Check> checks = judge_all(example.questions, examples::patient_options());
  ASSERT_EQ(checks.size(), example.questions.size());
  int proved = 0;
  int refuted = 0;
  int unknown = 0;
  for (const Check& check : checks) {
    SCOPED_TRACE(check.id + ": " + name_of(check.verdict) + " " + check.reason);
    proved += check.verdict == Verdict::Proved ? 1 : 0;
    refuted += check.verdict == Verdict::Refuted ? 1 : 0;
    if (as_expected(check)) {
      // A verdict without evidence is none.
      EXPECT_FALSE(check.methods.empty());
      EXPECT_EQ(check.counterexample.has_value(), check.verdict == Verdict::Refuted);
      EXPECT_EQ(may_be_unknown().count(check.id), 0U)
          << "is decided: take it off expected_unknown.txt";
      continue;
    }
    EXPECT_EQ(check.verdict, Verdict::Unknown);
    ++unknown;
    EXPECT_FALSE(check.reason.empty());
    EXPECT_EQ(may_be_unknown().count(check.id), 1U) << "is not on expected_unknown.txt";
  }
  // For the table of the closing note: one line a file.
  std::printf("COUNT %s proved %d refuted %d unknown %d\n", GetParam().c_str(), proved, refuted,
              unknown);
}

INSTANTIATE_TEST_SUITE_P(Files, Examples, testing::ValuesIn(examples::names()),
                         [](const auto& info) { return info.param; });

TEST(ExamplesList, AllFilesAreThere) {
  EXPECT_GE(examples::names().size(), 95U);  // the 93 of the language's author, and ours
}

TEST(ExamplesList, NothingOfTheBuiltInFilesMayBeUnknown) {
  for (const auto& [id, reason] : may_be_unknown()) {
    EXPECT_FALSE(fully_decided(id.substr(0, id.find('/')))) << id;
    EXPECT_GT(reason.size(), 15U) << id << " needs a sentence";
  }
}

TEST(ExamplesList, EveryIdOnTheListExists) {
  std::map<std::string, std::vector<std::string>> by_file;
  for (const auto& [id, reason] : may_be_unknown())
    by_file[id.substr(0, id.find('/'))].push_back(id);
  for (const auto& [name, ids] : by_file) {
    const examples::Example example = examples::load(name);
    for (const std::string& id : ids) {
      EXPECT_TRUE(std::any_of(example.questions.begin(), example.questions.end(),
                              [&](const Question& question) { return question.id == id; }))
          << id;
    }
  }
}

}  // namespace
}  // namespace fragproof
