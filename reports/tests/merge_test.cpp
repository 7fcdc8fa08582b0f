// Records of shards: joined when they belong together, refused when not.
#include "reports/merge.h"

#include <gtest/gtest.h>

#include "reports/tests/sample.h"

namespace fragproof {
namespace {

NamedRecord shard(const std::string& name, std::size_t from, std::size_t to) {
  NamedRecord shard{name, sample::record()};
  const std::vector<Check> all = shard.record.checks;
  shard.record.checks.assign(all.begin() + static_cast<std::ptrdiff_t>(from),
                             all.begin() + static_cast<std::ptrdiff_t>(to));
  return shard;
}

TEST(Merge, ShardsMakeTheWhole) {
  const MergeResult merged = merge_records({shard("a", 0, 2), shard("b", 2, 6)});
  ASSERT_TRUE(merged.record.has_value()) << merged.error;
  const Record whole = sample::record();
  ASSERT_EQ(merged.record->checks.size(), whole.checks.size());
  for (std::size_t i = 0; i < whole.checks.size(); ++i)
    EXPECT_EQ(merged.record->checks[i].id, whole.checks[i].id);
  EXPECT_EQ(merged.record->specs, whole.specs);
  EXPECT_EQ(merged.record->z3_version, "4.8.12");
  EXPECT_EQ(merged.record->command, whole.command + "; " + whole.command);
}

TEST(Merge, FilesMayDifferFromShardToShard) {
  NamedRecord a = shard("a", 0, 2), b = shard("b", 2, 6);
  a.record.specs = {{"instructions", "1"}, {"x.layout", "2"}};
  b.record.specs = {{"instructions", "1"}, {"y.layout", "3"}};
  b.record.z3_version = "5.4.1 (wheel)";
  const MergeResult merged = merge_records({a, b});
  ASSERT_TRUE(merged.record.has_value()) << merged.error;
  EXPECT_EQ(merged.record->specs.size(), 3u);
  EXPECT_EQ(merged.record->z3_version, "4.8.12; 5.4.1 (wheel)");
}

TEST(Merge, DifferentSpecsAreRefused) {
  NamedRecord a = shard("a.json", 0, 2), b = shard("b.json", 2, 6);
  b.record.specs[0].second = "f";
  EXPECT_EQ(merge_records({a, b}).error,
            "'a.json' and 'b.json' are records of different specs: 'instructions' is "
            "'0123456789abcdef' in one and 'f' in the other");
  b = shard("b.json", 2, 6);
  b.record.specs[1].second = "f";
  EXPECT_NE(merge_records({a, b}).error.find("'gemv.layout' is"), std::string::npos);
  b.record.specs.clear();
  EXPECT_EQ(merge_records({a, b}).error, "'b.json' does not say which spec it is of");
}

TEST(Merge, DifferentVersionsAreRefused) {
  NamedRecord a = shard("a", 0, 2), b = shard("b", 2, 6);
  b.record.tool_version = "9";
  EXPECT_EQ(merge_records({a, b}).error,
            "'a' and 'b' are records of different versions of fragproof");
}

TEST(Merge, ContradictionsAreRefused) {
  NamedRecord a = shard("a", 0, 2), b = shard("b", 0, 2);
  EXPECT_EQ(merge_records({a, b}).record.value().checks.size(), 2u) << "agreeing twice is once";
  b.record.checks[0].verdict = Verdict::Refuted;
  EXPECT_EQ(merge_records({a, b}).error,
            "'a' and 'b' contradict: 'gemv/gemv.A.rows' is PROVED in one and REFUTED in the other");
  b.record.checks[0].verdict = Verdict::Proved;
  b.record.checks[0].expected = Verdict::Refuted;
  EXPECT_NE(merge_records({a, b}).error.find("different claims under the id"), std::string::npos);
}

TEST(Merge, AVerdictReplacesWhatWasLeftOpen) {
  NamedRecord a = shard("a", 0, 1), b = shard("b", 0, 1);
  a.record.checks[0].verdict = Verdict::Skipped;
  a.record.interrupted = true;
  MergeResult merged = merge_records({a, b});
  ASSERT_TRUE(merged.record.has_value()) << merged.error;
  EXPECT_EQ(merged.record->checks.at(0).verdict, Verdict::Proved);
  EXPECT_FALSE(merged.record->interrupted) << "the other shard made up for it";
  b.record.checks[0].verdict = Verdict::Unknown;
  merged = merge_records({a, b});
  EXPECT_EQ(merged.record.value().checks.at(0).verdict, Verdict::Unknown);
  b.record.checks[0].verdict = Verdict::Skipped;
  EXPECT_TRUE(merge_records({a, b}).record.value().interrupted);
}

TEST(Merge, FuzzShardsAddUpAndAFailureIsKept) {
  NamedRecord a = shard("a", 3, 4), b = shard("b", 3, 4), c = shard("c", 3, 4);
  for (NamedRecord* one : {&a, &b, &c}) {
    Check& check = one->record.checks[0];
    check.kind = "fuzz", check.verdict = check.expected = Verdict::Unknown;
    check.shapes_tried = 100, check.time_ms = 5;
  }
  b.record.checks[0].verdict = Verdict::Refuted;
  c.record.checks[0].verdict = c.record.checks[0].expected = Verdict::Skipped;
  c.record.checks[0].shapes_tried = 0;
  const MergeResult merged = merge_records({a, b, c});
  ASSERT_TRUE(merged.record.has_value()) << merged.error;
  ASSERT_EQ(merged.record->checks.size(), 1u);
  EXPECT_EQ(merged.record->checks[0].verdict, Verdict::Refuted);
  EXPECT_EQ(merged.record->checks[0].shapes_tried, 200);
  EXPECT_EQ(merged.record->checks[0].time_ms, 15);
}

}  // namespace
}  // namespace fragproof
