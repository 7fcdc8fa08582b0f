// Every format: read by somebody else's reader, inert whatever the texts hold, a function of the
// record, and fast.
#include "reports/formats.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "reports/escape.h"
#include "reports/html.h"
#include "reports/json.h"
#include "reports/tests/hostile.h"
#include "reports/tests/sample.h"
#include "reports/tests/support.h"
#include "reports/write.h"

namespace fragproof {
namespace {

using support::count_of;

std::string written(const std::string& name, const Record& record) {
  for (const ReportFormat& format : report_formats()) {
    if (format.name == name) return format.write(record);
  }
  ADD_FAILURE() << "no format " << name;
  return "";
}

// ---- read by others: reports/tests/read_format.py

struct Reading {
  int code = -1;
  std::string facts;
};

Reading read_by_others(const std::string& format, const std::string& text) {
  const support::Folder folder;
  const std::string path = folder.path("report." + format);
  EXPECT_TRUE(write_file(path, text).ok);
  Reading reading;
  // A machine may have another python3 before the distribution's, without its modules.
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const std::string command = std::string(python) +
                                " '" FRAGPROOF_SOURCE_DIR "/reports/tests/read_format.py' " +
                                format + " '" + path + "' 2>&1";
    reading.facts.clear();
    FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 65536> buffer;
    for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
      reading.facts.append(buffer.data(), n);
    const int status = pclose(pipe);
    reading.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
    if (reading.code != 77 && reading.code != 127) break;
  }
  if (reading.code == 127) reading = {77, "not installed: python3\n"};
  return reading;
}

class ReadByOthers : public testing::TestWithParam<const char*> {};

TEST_P(ReadByOthers, WhateverTheTextsHold) {
  const std::string format = GetParam();
  std::vector<Record> records = {sample::record(), sample::hostile_record(), Record{},
                                 sample::long_record(300)};
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u, 5u, 6u})
    records.push_back(sample::random_record(seed));
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Reading reading = read_by_others(format, written(format, records[i]));
    if (reading.code == 77) GTEST_SKIP() << reading.facts;
    ASSERT_EQ(reading.code, 0) << "record " << i << ": " << reading.facts;
  }
}

TEST_P(ReadByOthers, ASpoiledTextIsRefused) {  // the readers can say no
  const std::string format = GetParam();
  std::string text = written(format, sample::record());
  const std::size_t at = text.rfind(format == "md" ? "</details>" : "1");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 1, format == "github" ? "1\nx" : "<script>");
  if (format == "sarif" || format == "codequality") text.erase(text.find('{'), 1);
  const Reading reading = read_by_others(format, text);
  if (reading.code == 77) GTEST_SKIP() << reading.facts;
  EXPECT_EQ(reading.code, 1) << reading.facts;
}

INSTANTIATE_TEST_SUITE_P(Formats, ReadByOthers,
                         testing::Values("junit", "sarif", "md", "codequality", "github", "svg"),
                         [](const auto& param) { return std::string(param.param); });

TEST(Foreign, TheJUnitReaderSeesWhatWeMean) {
  const Reading reading = read_by_others("junit", to_junit(sample::record()));
  if (reading.code == 77) GTEST_SKIP() << reading.facts;
  EXPECT_EQ(reading.facts,
            "failure gemv_swap gemv.A.rows | REFUTED: lane 5 (g=1, t=1), register a1, low half "
            "(element 2): expected W[9, 8], found W[1, 10]\n"
            "failure sizes empty | VACUOUS: No sizes satisfy N < 1.\n"
            "counts passed=2 failure=2 error=1 skipped=1\n");
}

TEST(Foreign, TheSarifReaderSeesWhatWeMean) {
  const Reading reading = read_by_others("sarif", to_sarif(sample::record()));
  if (reading.code == 77) GTEST_SKIP() << reading.facts;
  EXPECT_EQ(
      reading.facts,
      "result error fragproof/A.rows gemv_swap.layout 18 | gemv_swap/gemv.A.rows: REFUTED, lane 5 "
      "(g=1, t=1), register a1, low half (element 2): expected W[9, 8], found W[1, 10]. At N=16, "
      "K=32, M=1, S=1, NW=1, U=1; rb=0, nb=0, step=0 (the smallest). 128 of 256 slots wrong. Row 9 "
      "of operand "
      "A is row 9 of W in slot 0, and row 1 of W in slot 2.\n"
      "  step shape N=16, K=32, M=1, S=1, NW=1, U=1 (the smallest)\n"
      "  step at rb=0, nb=0, step=0\n"
      "  step lane 5 (g=1, t=1), register a1, low half (element 2)\n"
      "  step expected W[9, 8]\n"
      "  step found W[1, 10]\n"
      "result error fragproof/forall sizes.layout 9 | sizes/empty: VACUOUS, No sizes satisfy N < "
      "1.\n"
      "result warning fragproof/forall sizes.layout 9 | sizes/large: UNKNOWN, Z3 gave up: the "
      "rlimit of 4000000 is spent.\n"
      "counts results=3 rules=2\n");
}

TEST(Foreign, TheMarkdownRendererSeesWhatWeMean) {
  const Reading reading = read_by_others("md", to_markdown(sample::record()));
  if (reading.code == 77) GTEST_SKIP() << reading.facts;
  for (const char* fact :
       {"code gemv_swap/gemv.A.rows\n", "code gemv_swap.layout:18\n",
        "code fragproof prove gemv_swap.layout --only gemv_swap/gemv.A.rows --at N=16,K=32\n",
        "code   REFUTED, but the file says `prove`\n"}) {
    EXPECT_NE(reading.facts.find(fact), std::string::npos) << fact << reading.facts;
  }
  EXPECT_EQ(reading.facts.find("code alert"), std::string::npos);
}

TEST(Foreign, TheRunnerSeesWhatWeMean) {
  const Reading reading = read_by_others("github", to_github(sample::record()));
  if (reading.code == 77) GTEST_SKIP() << reading.facts;
  EXPECT_NE(reading.facts.find("error gemv_swap.layout 18 REFUTED gemv_swap/gemv.A.rows | lane 5"),
            std::string::npos)
      << reading.facts;
  EXPECT_NE(reading.facts.find("warning sizes.layout 9 UNKNOWN sizes/large |"), std::string::npos);
}

// ---- without anybody's help

// What a careless writer would let through, in the format's own terms; "" when nothing.
std::string fault_of(const std::string& format, const std::string& text) {
  if (valid_utf8(text) != text) return "not UTF-8";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n') || byte == 0x7f) return "a control character";
  }
  if (format == "html" || format == "svg") return support::markup_fault(text);
  if (format == "junit")
    return support::markup_fault(text.substr(text.find('\n') + 1));  // without <?xml ?>
  if (format == "sarif" || format == "codequality") {
    return nlohmann::json::accept(text) ? "" : "not JSON";
  }
  if (format == "github") {
    std::size_t from = 0;
    for (std::size_t to = 0; (to = text.find('\n', from)) != std::string::npos; from = to + 1) {
      if (text.compare(from, 2, "::") != 0) return "a line that is no command";
    }
    return from == text.size() ? "" : "no end of line";
  }
  return "";
}

TEST(Formats, InertWhateverTheTextsHold) {
  for (std::uint32_t seed = 100; seed < 170; ++seed) {
    const Record record = sample::random_record(seed);
    for (const ReportFormat& format : report_formats()) {
      ASSERT_EQ(fault_of(format.name, format.write(record)), "")
          << format.name << " of seed " << seed;
    }
    const ReadResult read = record_from_json(to_json(record, {true, true}));
    ASSERT_TRUE(read.record.has_value()) << "seed " << seed << ": " << read.error;
  }
}

TEST(Formats, AMegabyteOfName) {
  Record record = sample::record();
  for (Check& check : record.checks) {
    check.id = check.id.substr(0, 5) + std::string(1 << 20, '<');
    check.kind = check.reason = check.file = check.source_line = check.reproduce =
        std::string(1 << 20, '&');
  }
  for (const ReportFormat& format : report_formats()) {
    const std::string text = format.write(record);
    EXPECT_EQ(fault_of(format.name, text), "") << format.name;
    const bool whole = std::string(format.name) == "html" || std::string(format.name) == "text";
    EXPECT_LT(text.size(), whole ? 400'000'000u : 1'000'000u) << format.name;
  }
}

TEST(Formats, AreFunctionsOfTheRecord) {
  const ReadResult read = record_from_json(to_json(sample::record(), {true, true}));
  ASSERT_TRUE(read.record.has_value()) << read.error;
  for (const ReportFormat& format : report_formats())
    EXPECT_EQ(format.write(*read.record), format.write(sample::record())) << format.name;
}

TEST(Formats, Golden) {
  Record record = sample::record();
  record.checks[1].counterexample->picture = sample::faulty_picture();
  for (const ReportFormat& format : report_formats()) {
    if (std::string(format.name) == "html" || std::string(format.name) == "text") continue;
    support::expect_golden(std::string("record.") + format.name, format.write(record));
  }
}

TEST(Formats, ACleanRunIsWrittenToo) {
  Record record = sample::record();
  record.checks.resize(1);
  EXPECT_EQ(to_code_quality(record), "[]\n");
  EXPECT_NE(to_sarif(record).find("\"results\": []"), std::string::npos) << "closes old alerts";
  EXPECT_EQ(count_of(to_github(record), "\n"), 1);
  EXPECT_NE(to_github(record).find("::notice title=fragproof::1 proved, 0 refuted."),
            std::string::npos);
  EXPECT_EQ(count_of(to_junit(record), "<failure"), 0);
  EXPECT_NE(written("svg", record).find("No refutation of this run has a picture"),
            std::string::npos);
}

TEST(Formats, GitHubShowsTenOfAKindAndCountsTheRest) {
  Record record = sample::long_record(3000);  // 30 refuted
  for (int i = 1; i < 3000; i += 300)
    record.checks[static_cast<std::size_t>(i)].verdict = Verdict::Unknown;
  const std::string text = to_github(record);
  EXPECT_EQ(count_of(text, "::error "), 10);
  EXPECT_EQ(count_of(text, "::warning "), 10);
  EXPECT_NE(text.find("::error title=fragproof::21 more"), std::string::npos);
  EXPECT_NE(text.find("::warning title=fragproof::1 more"), std::string::npos);
}

TEST(Formats, JUnitNamesAreUniqueInASuite) {
  Record record = sample::record();
  record.checks[1].id = record.checks[0].id;
  const std::string text = to_junit(record);
  EXPECT_EQ(count_of(text, "name=\"gemv.A.rows\""), 1);
  EXPECT_EQ(count_of(text, "name=\"gemv.A.rows (2)\""), 1);
}

TEST(Formats, AStepSummaryStaysUnderGitHubsLimit) {
  Record record = sample::long_record(10'000);
  for (Check& check : record.checks) check.verdict = Verdict::Vacuous;
  const std::string text = to_markdown(record);
  EXPECT_LT(text.size(), 201'000u);
  EXPECT_NE(text.find("more are not listed here"), std::string::npos);
}

TEST(Formats, SarifPlacesAreRelativeUris) {
  Record record = sample::record();
  record.checks[1].file = "./a dir/x#y?.layout";
  EXPECT_NE(to_sarif(record).find("\"uri\": \"a%20dir/x%23y%3F.layout\""), std::string::npos);
  record.checks[1].file = "/tmp/x.layout";
  EXPECT_NE(to_sarif(record).find("\"uri\": \"file:///tmp/x.layout\""), std::string::npos);
}

TEST(Formats, AFingerprintDoesNotMoveWithTheLines) {
  Record record = sample::record();
  const std::string before = to_code_quality(record);
  record.checks[1].line += 7;
  const std::string after = to_code_quality(record);
  const auto print = [](const std::string& text) {
    return text.substr(text.find("fingerprint"), 34);
  };
  EXPECT_NE(before, after);
  EXPECT_EQ(print(before), print(after));
}

// The figure of the issue, in CPU seconds: other programs may share this machine.
TEST(Formats, TenThousandChecksInASecond) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "not under sanitizers";
#else
  const Record record = sample::long_record(10'000);
  double all = 0;
  const auto measure = [&](const char* name, const auto& write) {
    const std::clock_t start = std::clock();
    const std::size_t size = write().size();
    const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    all += took;
    std::printf("%-12s %6.0f ms %9zu bytes\n", name, took * 1000, size);
  };
  measure("json", [&] { return to_json(record); });
  for (const ReportFormat& format : report_formats())
    measure(format.name, [&] { return format.write(record); });
  std::printf("%-12s %6.0f ms\n", "all", all * 1000);
  EXPECT_LT(all, 1.0);
#endif
}

}  // namespace
}  // namespace fragproof
