// The page: well formed, inert, self-contained, failures first.
#include "reports/html.h"

#include <gtest/gtest.h>

#include <regex>

#include "reports/escape.h"
#include "reports/json.h"
#include "reports/svg.h"
#include "reports/tests/sample.h"
#include "reports/tests/support.h"

namespace fragproof {
namespace {

using support::count_of;

// The page without its style and script, which are not functions of the record.
std::string body_of(const std::string& page) {
  const std::size_t from = page.find("<body>"), to = page.find("<script>");
  return page.substr(from, to - from);
}

TEST(Html, Golden) {
  Record record = sample::record();
  record.checks[1].counterexample->picture = sample::faulty_picture();
  support::expect_golden("record.html", body_of(to_html(record)));
}

TEST(Html, WellFormedWhateverTheTextsHold) {
  EXPECT_EQ(support::markup_fault(to_html(sample::record())), "");
  EXPECT_EQ(support::markup_fault(to_html(sample::hostile_record())), "");
  EXPECT_EQ(support::markup_fault(to_html(Record{})), "");
}

TEST(Html, HostileTextsAreText) {
  const std::string body = body_of(to_html(sample::hostile_record()));
  EXPECT_EQ(body.find("<script"), std::string::npos);
  EXPECT_EQ(body.find("<svg onload"), std::string::npos);
  EXPECT_EQ(body.find("]]>"), std::string::npos);
  EXPECT_EQ(valid_utf8(body), body);
}

TEST(Html, NoRequestToAnywhere) {
  const std::string page = to_html(sample::record());
  EXPECT_EQ(page.find("http://"), std::string::npos);
  EXPECT_EQ(page.find("https://"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("url("), std::string::npos);
  EXPECT_EQ(page.find("@import"), std::string::npos);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(Html, FailuresFirst) {
  const std::string page = to_html(sample::record());
  const std::regex id("data-v=\"([A-Z]+)\" data-k");
  std::vector<std::string> verdicts;
  for (std::sregex_iterator at(page.begin(), page.end(), id), end; at != end; ++at)
    verdicts.push_back((*at)[1]);
  EXPECT_EQ(verdicts, (std::vector<std::string>{"REFUTED", "VACUOUS", "UNKNOWN", "SKIPPED",
                                                "REFUTED", "PROVED"}));
}

TEST(Html, ReadableWithoutScript) {
  const std::string body = body_of(to_html(sample::record()));
  for (const char* part :
       {"1 proved, 2 refuted (1 as expected)", "N=16, K=32",
        "lane 5 (g=1, t=1), register a1, low half", "W[9, 8]", "128 of 256 slots wrong",
        "--at N=16,K=32", "Z3 4.8.12", "registers a1 and a2 swapped",
        "box \u00d71, division \u00d71", "What you trust", "2 of 3 steps by Z3"}) {
    EXPECT_NE(body.find(part), std::string::npos) << part;
  }
  EXPECT_NE(body.find("class=\"filters\" role=\"search\" hidden"), std::string::npos)
      << "no dead buttons without script";
}

TEST(Html, TwoChecksOfOneNameHaveTwoAnchors) {
  Record record = sample::record();
  record.checks[1].id = record.checks[0].id;
  const std::string page = to_html(record);
  EXPECT_EQ(count_of(page, "id=\"c-gemv/gemv.A.rows\""), 1);
  EXPECT_EQ(count_of(page, "id=\"c-gemv/gemv.A.rows~2\""), 1);
}

TEST(Html, IsAFunctionOfTheRecord) {
  const ReadResult read = record_from_json(to_json(sample::record(), {true, true}));
  ASSERT_TRUE(read.record.has_value());
  EXPECT_EQ(to_html(*read.record), to_html(sample::record()));
}

TEST(Html, ALongReportStaysSmall) {
  Record record;
  const Record some = sample::record();
  for (int i = 0; i < 10000; ++i) {
    record.checks.push_back(some.checks[i % 100 == 0 ? 1u : 0u]);
    record.checks.back().id += std::to_string(i);
  }
  const std::string page = to_html(record);
  EXPECT_LT(page.size(), 20'000'000u);
  EXPECT_EQ(count_of(page, "<details class=\"check"), 10000);
  EXPECT_EQ(support::markup_fault(page), "");
}

TEST(Svg, WellFormedAndTitled) {
  for (const Picture& picture : {sample::swapped_picture(), sample::faulty_picture()}) {
    const std::string svg = picture_svg(picture);
    EXPECT_EQ(support::markup_fault(svg), "");
    EXPECT_EQ(count_of(svg, "<g><title>"), 3 * (picture.lanes == 2 ? 8 : 256));
  }
}

TEST(Svg, EveryFaultHasAHatchOfItsOwnAndAWord) {
  const std::string svg = picture_svg(sample::faulty_picture());
  for (const char* hatch : {"\"fp-wrong\"", "\"fp-overlap\"", "\"fp-hole\"", "\"fp-extra\""}) {
    EXPECT_EQ(count_of(svg, std::string("<path class=") + hatch), 3)
        << hatch << ": found, difference, legend";
  }
  EXPECT_NE(svg.find("two elements in one slot"), std::string::npos);
  EXPECT_NE(svg.find("B[0, 1] &amp; B[4, 4]"), std::string::npos);
}

TEST(Svg, AStrayElementIsToldWhereItBelongs) {
  const std::string svg = picture_svg(sample::swapped_picture());
  EXPECT_NE(svg.find("lane 5, a1 low (element 2): found W[1, 10], which belongs in lane 5, a2 low "
                     "(element 4)"),
            std::string::npos);
}

TEST(Svg, APictureWithoutFaultsHasNoHatch) {
  Picture picture = sample::swapped_picture();
  for (PictureCell& cell : picture.cells) cell.found = cell.expected, cell.wrong = false;
  EXPECT_EQ(picture_svg(picture).find("<path"), std::string::npos);
}

TEST(Svg, OnlySoManyLanes) {
  SvgOptions options;
  options.max_lanes = 8;
  options.lane = 30;
  const std::string svg = picture_svg(sample::swapped_picture(), options);
  EXPECT_NE(svg.find("8 of 32 lanes drawn"), std::string::npos);
  EXPECT_NE(svg.find("lane 30,"), std::string::npos);
}

TEST(Svg, NonsenseSizesAreNoTrouble) {
  Picture picture;
  EXPECT_EQ(picture_svg(picture), "");
  picture.elems = picture.lanes = 2147483647;
  picture.bits = -3;
  picture.cells = {{2147483647, 2147483647, std::string(1 << 20, '<'), "b", true},
                   {-7, -1, "", "", true}};
  EXPECT_EQ(support::markup_fault(picture_svg(picture)), "");
}

}  // namespace
}  // namespace fragproof
