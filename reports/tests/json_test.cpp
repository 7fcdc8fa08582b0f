// The master record: written, read back, refused.
#include "reports/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "reports/escape.h"
#include "reports/tests/sample.h"
#include "reports/tests/support.h"

namespace fragproof {
namespace {

constexpr JsonOptions everything{true, true};

// The error of reading the sample's JSON after one replacement in its text.
std::string error_after(const std::string& from, const std::string& to) {
  std::string text = to_json(sample::record(), everything);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const ReadResult result = record_from_json(text);
  EXPECT_FALSE(result.record.has_value()) << from << " -> " << to;
  return result.error;
}

TEST(Json, Golden) {
  support::expect_golden("record.json", to_json(sample::record(), {true, false}));
}

TEST(Json, LabelsOfAPictureAndWhatIsBelowARefutation) {
  Record record = sample::record();
  const std::string usual = to_json(record, everything);
  EXPECT_EQ(usual.find("_label"), std::string::npos) << "only where they are not the usual ones";
  EXPECT_EQ(usual.find("\"below\""), std::string::npos);
  Picture& picture = *record.checks[1].counterexample->picture;
  picture.expected_label = "A holds";
  picture.found_label = "B holds";
  record.checks[3].below = "gemv/gemv.bounds";
  const std::string text = to_json(record, everything);
  const ReadResult read = record_from_json(text);
  ASSERT_TRUE(read.record.has_value()) << read.error;
  EXPECT_EQ(read.record->checks[1].counterexample->picture->expected_label, "A holds");
  EXPECT_EQ(read.record->checks[1].counterexample->picture->found_label, "B holds");
  EXPECT_EQ(read.record->checks[3].below, "gemv/gemv.bounds");
  EXPECT_EQ(to_json(*read.record, everything), text);
}

TEST(Json, FieldsThatScriptsRelyOn) {
  const auto json = nlohmann::json::parse(to_json(sample::record()));
  EXPECT_EQ(json["schema"], "fragproof-report/1");
  ASSERT_EQ(json["checks"].size(), 6u);
  for (const auto& check : json["checks"]) {
    for (const char* key : {"id", "kind", "verdict", "expected", "methods", "needs", "time_ms",
                            "where", "reproduce"}) {
      EXPECT_TRUE(check.contains(key)) << key;
    }
    EXPECT_TRUE(check["where"].contains("file") && check["where"].contains("line"));
  }
  const auto& c = json["checks"][1]["counterexample"];
  EXPECT_EQ(c["sizes"]["N"], 16);
  EXPECT_EQ(c["at"]["rb"], 0);
  EXPECT_EQ(c["lane"], 5);
  EXPECT_EQ(c["register"], "a1");
  EXPECT_EQ(c["half"], "low");
  EXPECT_EQ(c["elem"], 2);
  EXPECT_EQ(c["expected"], "W[9, 8]");
  EXPECT_EQ(c["found"], "W[1, 10]");
  EXPECT_EQ(c["wrong"], 128);
  EXPECT_EQ(c["of"], 256);
  EXPECT_FALSE(json["checks"][0].contains("counterexample"));
  EXPECT_FALSE(json["checks"][2]["counterexample"].contains("lane"));
  EXPECT_EQ(json["summary"]["proved"], 1);
  EXPECT_EQ(json["summary"]["refuted"], 2);
  EXPECT_EQ(json["summary"]["ok"], false);
}

TEST(Json, SizesKeepTheOrderOfDeclaration) {
  const std::string text = to_json(sample::record());
  EXPECT_NE(text.find("{\"N\":16,\"K\":32,\"M\":1,\"S\":1,\"NW\":1,\"U\":1}"), std::string::npos);
}

TEST(Json, RoundTrip) {
  const std::string text = to_json(sample::record(), everything);
  const ReadResult result = record_from_json(text);
  ASSERT_TRUE(result.record.has_value()) << result.error;
  EXPECT_EQ(to_json(*result.record, everything), text);
  EXPECT_EQ(result.record->checks[1].counterexample->picture->cells.size(), 256u);
  EXPECT_EQ(result.record->checks[0].proof->steps[2].premises, (std::vector<int>{0, 1}));
  EXPECT_EQ(result.record->checks[1].context.size(), 5u);
}

TEST(Json, RoundTripWithoutStepsKeepsTheLemmas) {
  const ReadResult result = record_from_json(to_json(sample::record()));
  ASSERT_TRUE(result.record.has_value()) << result.error;
  const Proof& proof = *result.record->checks[0].proof;
  EXPECT_TRUE(proof.steps.empty());
  ASSERT_EQ(proof.lemmas.size(), 3u);
  EXPECT_EQ(proof.lemmas[0].discharged, 1);
  EXPECT_EQ(to_json(*result.record), to_json(sample::record()));
}

TEST(Json, IntegersBeyond64BitsAreTexts) {
  Record record = sample::record();
  Counterexample& c = *record.checks[1].counterexample;
  const Int high = std::numeric_limits<std::int64_t>::max(),
            low = std::numeric_limits<std::int64_t>::min();
  c.sizes = {{"a", high}, {"b", high + 1}, {"c", low}, {"d", low - 1}};
  const std::string text = to_json(record);
  EXPECT_NE(
      text.find(
          "{\"a\":9223372036854775807,\"b\":\"9223372036854775808\",\"c\":-9223372036854775808,"
          "\"d\":\"-9223372036854775809\"}"),
      std::string::npos);
  const ReadResult result = record_from_json(text);
  ASSERT_TRUE(result.record.has_value()) << result.error;
  EXPECT_EQ(result.record->checks[1].counterexample->sizes, c.sizes);
}

TEST(Json, HostileTextsComeBackAsTheyWere) {
  const std::string text = to_json(sample::hostile_record(), everything);
  EXPECT_EQ(valid_utf8(text), text);
  const ReadResult result = record_from_json(text);
  ASSERT_TRUE(result.record.has_value()) << result.error;
  EXPECT_EQ(result.record->checks[0].note, valid_utf8(sample::hostile_text));
  EXPECT_EQ(to_json(*result.record, everything), text);
}

TEST(Json, NoNaN) {
  Record record = sample::record();
  record.checks[0].time_ms = std::numeric_limits<double>::quiet_NaN();
  record.checks[1].time_ms = std::numeric_limits<double>::infinity();
  record.checks[2].time_ms = -4;
  EXPECT_TRUE(record_from_json(to_json(record)).record.has_value());
}

TEST(JsonRefuses, AnotherSchema) {
  EXPECT_EQ(error_after("fragproof-report/1", "fragproof-report/2"),
            "the schema is \"fragproof-report/2\", this version reads \"fragproof-report/1\"");
  EXPECT_EQ(error_after("\"schema\":\"fragproof-report/1\",\n", ""),
            "not a fragproof report: no \"schema\"");
  EXPECT_EQ(error_after("\"fragproof-report/1\"", "7"), "not a fragproof report: no \"schema\"");
}

TEST(JsonRefuses, WhatIsNotJson) {
  EXPECT_EQ(record_from_json("").error, "not JSON: the text ends too early, it was cut off");
  const std::string text = to_json(sample::record());
  for (const std::size_t cut : {std::size_t{1}, text.size() / 3, text.size() - 2}) {
    EXPECT_EQ(record_from_json(text.substr(0, cut)).error,
              "not JSON: the text ends too early, it was cut off");
  }
  EXPECT_EQ(record_from_json("{\"a\":1,\n b}").error, "not JSON: line 2, column 2 cannot be read");
  EXPECT_NE(record_from_json("\xff\xfe").error.find("not JSON"), std::string::npos);
  EXPECT_EQ(record_from_json(std::string(200000, '[')).error,
            "not JSON: the text ends too early, it was cut off");
}

TEST(JsonRefuses, OtherShapesOfJson) {
  for (const char* text : {"null", "[]", "7", "\"x\""}) {
    EXPECT_EQ(record_from_json(text).error, "must be an object") << text;
  }
  EXPECT_EQ(record_from_json("{}").error, "not a fragproof report: no \"schema\"");
}

TEST(JsonRefuses, HandEdits) {
  EXPECT_EQ(error_after("\"verdict\":\"PROVED\"", "\"verdict\":\"proved\""),
            "checks[0].verdict: \"proved\" is not a verdict");
  EXPECT_EQ(error_after("\"kind\":\"A.rows\"", "\"kind\":3"), "checks[0].kind: must be a text");
  EXPECT_EQ(error_after("\"kind\":\"A.rows\",", ""), "checks[0]: field \"kind\" is missing");
  EXPECT_EQ(error_after("\"kind\":", "\"kinds\":1,\"kind\":"),
            "checks[0]: unknown field \"kinds\"");
  EXPECT_EQ(error_after("\"lane\":5", "\"lane\":5.5"),
            "checks[1].counterexample.lane: must be an integer");
  EXPECT_EQ(error_after("\"lane\":5", "\"lane\":99999999999"),
            "checks[1].counterexample.lane: is out of range");
  EXPECT_EQ(error_after("\"N\":16", "\"N\":\"16x\""),
            "checks[1].counterexample.sizes.N: must be an integer (or its decimal text)");
  EXPECT_EQ(error_after("\"smallest\":true", "\"smallest\":1"),
            "checks[1].counterexample.smallest: must be true or false");
  EXPECT_EQ(error_after("\"methods\":[\"radix\",", "\"methods\":[null,"),
            "checks[0].methods[0]: must be a text");
  EXPECT_EQ(error_after("\"premises\":[0,1]", "\"premises\":[0,2]"),
            "checks[0].proof.steps[2].premises[1]: names no earlier step");
  EXPECT_EQ(error_after("\"time_ms\":3.2", "\"time_ms\":\"3\""),
            "checks[0].time_ms: must be a number");
  EXPECT_EQ(
      error_after("[0,0,\"W[0, 0]\",\"W[0, 0]\",false]", "[0,0,\"W[0, 0]\",false]"),
      "checks[1].counterexample.picture.cells[0]: must be [lane, elem, expected, found, wrong]");
}

TEST(JsonRefuses, ASummaryThatDoesNotCount) {
  EXPECT_EQ(error_after("\"proved\":1", "\"proved\":2"),
            "summary.proved: does not count the checks (there are 1)");
  EXPECT_EQ(error_after("\"ok\":false", "\"ok\":true"),
            "summary.ok: does not agree with the checks");
}

// One byte changed, here and there: an error or a record, never a crash, never an exception.
TEST(JsonRefuses, NoByteCanCrashTheReader) {
  Record record = sample::record();
  record.checks[1].counterexample->picture = sample::faulty_picture();
  const std::string text = to_json(record, everything);
  for (std::size_t at = 0; at < text.size(); at += 5) {
    std::string edited = text;
    edited[at] = static_cast<char>(edited[at] == '"' ? ',' : '"');
    const ReadResult result = record_from_json(edited);
    EXPECT_NE(result.record.has_value(), !result.error.empty());
  }
}

}  // namespace
}  // namespace fragproof
