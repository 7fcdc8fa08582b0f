// Every fact of the two source texts is a claim that gets its verdict: source_facts.txt maps one to
// the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "checkers/tests/examples.h"

namespace fragproof {
namespace {

struct Fact {
  std::string text;
  std::string says;
  std::vector<std::string> ids;
  Verdict verdict = Verdict::Proved;
};

const std::vector<Fact>& facts() {
  static const std::vector<Fact> all = [] {
    std::vector<Fact> result;
    for (const auto& row : examples::read_table("source_facts.txt")) {
      if (row.size() != 4) {
        ADD_FAILURE() << "want `text | says | ids | verdict`: " << row.front() << " | "
                      << row.back();
        continue;
      }
      Fact fact{row[0], row[1], {}, row[3] == "REFUTED" ? Verdict::Refuted : Verdict::Proved};
      EXPECT_EQ(row[3], name_of(fact.verdict)) << row[1];
      std::istringstream ids(row[2]);
      for (std::string id; ids >> id;) fact.ids.push_back(id);
      EXPECT_FALSE(fact.ids.empty()) << row[1];
      result.push_back(std::move(fact));
    }
    return result;
  }();
  return all;
}

std::vector<std::string> files() {
  std::set<std::string> names;
  for (const Fact& fact : facts()) {
    for (const std::string& id : fact.ids) names.insert(id.substr(0, id.find('/')));
  }
  return {names.begin(), names.end()};
}

// A fact names a check, or a claim about a whole kernel, which is one check an obligation.
bool names(const std::string& id, const std::string& check) {
  return check == id || check.starts_with(id + ".");
}

class Sources : public testing::TestWithParam<std::string> {};

TEST_P(Sources, EveryFactGetsItsVerdict) {
  const examples::Example example = examples::load(GetParam());
  std::map<std::string, Verdict> expected;
  for (const Fact& fact : facts()) {
    for (const std::string& id : fact.ids) {
      if (id.substr(0, id.find('/')) != GetParam()) continue;
      const auto [at, fresh] = expected.emplace(id, fact.verdict);
      EXPECT_EQ(at->second, fact.verdict) << id << " is named with two verdicts";
    }
  }
  std::vector<Question> asked;
  std::vector<Verdict> wanted;
  std::set<std::string> found;
  for (const Question& question : example.questions) {
    for (const auto& [id, verdict] : expected) {
      if (!names(id, question.id)) continue;
      asked.push_back(question);
      wanted.push_back(verdict);
      found.insert(id);
      break;
    }
  }
  for (const auto& [id, verdict] : expected) EXPECT_EQ(found.count(id), 1U) << "no claim " << id;
  const std::vector<Check> checks = judge_all(asked, examples::patient_options());
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const Check& check = checks.at(i);
    EXPECT_EQ(name_of(check.verdict), std::string(name_of(wanted.at(i))))
        << check.id << ": " << check.reason;
    EXPECT_EQ(check.verdict, check.expected) << check.id << ": the file expects the other verdict";
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Sources, testing::ValuesIn(files()),
                         [](const auto& info) { return info.param; });

TEST(SourceFacts, BothTextsAreCovered) {
  int first = 0;
  int second = 0;
  for (const Fact& fact : facts()) {
    EXPECT_TRUE(fact.text == "1" || fact.text == "2") << fact.text;
    (fact.text == "1" ? first : second) += 1;
  }
  EXPECT_GE(first, 45);
  EXPECT_GE(second, 20);
}

// "The k relabelling, inferred and printed, equal to the one in the text."
TEST(SourceFacts, TheInferredPermutationIsTheOneInTheText) {
  const examples::Example example = examples::load("gemv");
  for (const Question& question : example.questions) {
    if (question.id != "gemv/gemv.pairing") continue;
    const Check check = judge(question, examples::patient_options());
    // "lane t's slots stand for the real k values 8t .. 8t+7": step s has 8t+4s+e in slot 2t+e,
    // 8t+4s+2+e in slot 8+2t+e.
    EXPECT_NE(check.note.find("2t+e -> 8t+4*step+e, 8+2t+e -> 8t+4*step+2+e"), std::string::npos)
        << check.note;
    return;
  }
  FAIL() << "no claim gemv/gemv.pairing";
}

}  // namespace
}  // namespace fragproof
