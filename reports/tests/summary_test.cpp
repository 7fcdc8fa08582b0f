// Counts, exit codes, order.
#include "reports/summary.h"

#include <gtest/gtest.h>

#include "reports/tests/sample.h"

namespace fragproof {
namespace {

Check check(Verdict verdict, Verdict expected = Verdict::Proved) {
  Check c;
  c.verdict = verdict;
  c.expected = expected;
  return c;
}

int exit_code(std::vector<Check> checks, bool interrupted = false) {
  Record record;
  record.checks = std::move(checks);
  record.interrupted = interrupted;
  return exit_code_of(record);
}

const Check good = check(Verdict::Proved),
            refuted_as_asked = check(Verdict::Refuted, Verdict::Refuted),
            refuted = check(Verdict::Refuted),
            proved_refute = check(Verdict::Proved, Verdict::Refuted),
            unknown = check(Verdict::Unknown), vacuous = check(Verdict::Vacuous),
            skipped = check(Verdict::Skipped), error = check(Verdict::Error);

TEST(ExitCode, OfOneVerdict) {
  EXPECT_EQ(exit_code({good, refuted_as_asked}), 0);
  EXPECT_EQ(exit_code({}), 0);
  EXPECT_EQ(exit_code({refuted}), 1);
  EXPECT_EQ(exit_code({proved_refute}), 1);
  EXPECT_EQ(exit_code({vacuous}), 1);
  EXPECT_EQ(exit_code({check(Verdict::Vacuous, Verdict::Refuted)}), 1);
  EXPECT_EQ(exit_code({error}), 2);
  EXPECT_EQ(exit_code({unknown}), 3);
  EXPECT_EQ(exit_code({check(Verdict::Unknown, Verdict::Refuted)}), 3);
  EXPECT_EQ(exit_code({skipped, skipped}), 77);
}

TEST(ExitCode, Precedence) {
  EXPECT_EQ(exit_code({unknown, refuted, good}), 1);
  EXPECT_EQ(exit_code({error, refuted, unknown}), 2);
  EXPECT_EQ(exit_code({skipped, unknown}), 3);
  EXPECT_EQ(exit_code({skipped, good}), 0);
  EXPECT_EQ(exit_code({good}, true), 130);
}

TEST(Summary, CountsAndSaysWhatTheyMean) {
  const Summary s = summary_of(sample::record());
  EXPECT_EQ(s.total, 6);
  EXPECT_EQ(s.opposite, 1);
  EXPECT_FALSE(s.ok);
  EXPECT_EQ(counts_text(s), "1 proved, 2 refuted (1 as expected), 1 unknown, 1 vacuous, 1 skipped");
  EXPECT_NE(meaning_text(s).find("1 claim got the opposite"), std::string::npos);
  EXPECT_NE(meaning_text(s).find("not a pass"), std::string::npos);
}

TEST(Summary, AllGoodSaysSo) {
  Record record;
  for (int i = 0; i < 12; ++i) record.checks.push_back(good);
  for (int i = 0; i < 3; ++i) record.checks.push_back(refuted_as_asked);
  EXPECT_EQ(counts_text(summary_of(record)), "12 proved, 3 refuted (as expected)");
  EXPECT_EQ(meaning_text(summary_of(record)), "Every claim that was judged got what it expects.");
  EXPECT_TRUE(summary_of(record).ok);
}

TEST(Summary, AnUnknownIsNeverGreen) {
  Record record;
  record.checks = {good, unknown};
  EXPECT_FALSE(summary_of(record).ok);
  EXPECT_EQ(meaning_text(summary_of(record)), "1 claim is undecided, which is not a pass.");
}

TEST(Summary, WhatIsBelowARefutationIsNoMysteryOfItsOwn) {
  Check below = unknown;
  below.below = "gemv/gemv.bounds";
  Record record;
  record.checks = {refuted, below, below, unknown};
  EXPECT_EQ(meaning_text(summary_of(record)),
            "1 claim got the opposite of what the file expects. 2 were not judged below a refuted "
            "one. 1 claim is undecided, which is not a pass.");
  EXPECT_EQ(exit_code_of(record), 1);
  record.checks = {good, below};
  EXPECT_EQ(exit_code_of(record), 3) << "whatever the reason, UNKNOWN is not a pass";
}

TEST(Summary, NoClaims) {
  EXPECT_EQ(counts_text(summary_of(Record{})), "no claims");
  EXPECT_EQ(meaning_text(summary_of(Record{})), "There was nothing to judge.");
}

TEST(Order, FailuresFirstThenAsGiven) {
  Record record;
  record.checks = {good,  refuted_as_asked, unknown, refuted, good, proved_refute,
                   error, vacuous,          skipped};
  EXPECT_EQ(failures_first(record), (std::vector<std::size_t>{3, 5, 7, 6, 2, 8, 1, 0, 4}));
}

TEST(Lemmas, CountedFromStepsOrTakenFromTheRecord) {
  const Record record = sample::record();
  const auto counts = lemma_counts(*record.checks[0].proof);
  ASSERT_EQ(counts.size(), 3u);
  EXPECT_EQ(counts[2].lemma, "identity");
  EXPECT_EQ(counts[2].discharged, 0);
  Proof summarised;
  summarised.lemmas = {{"box", 7, 7}};
  EXPECT_EQ(lemma_counts(summarised).at(0).steps, 7);
}

TEST(Verdicts, Names) {
  EXPECT_STREQ(name_of(Verdict::Proved), "PROVED");
  EXPECT_STREQ(name_of(Verdict::Refuted), "REFUTED");
  EXPECT_STREQ(name_of(Verdict::Unknown), "UNKNOWN");
  EXPECT_STREQ(name_of(Verdict::Vacuous), "VACUOUS");
  EXPECT_STREQ(name_of(Verdict::Skipped), "SKIPPED");
  EXPECT_STREQ(name_of(Verdict::Error), "ERROR");
}

}  // namespace
}  // namespace fragproof
