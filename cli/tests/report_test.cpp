// `report` and the formats of `prove`: the same bytes from both, shards joined, and one message for
// a record that is none.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/tests/run_tool.h"

namespace fragproof::test {
namespace {

const char* const broken =
    "size N, K\n"
    "require N % 16 == 0 && K % 16 == 0\n"
    "tensor W[N, K] : b16\n"
    "pack P = W.reshape(N/16, 16, K/16, 16).permute(0, 2, 1, 3).contiguous()\n"
    "prove bijective(P)\n"
    "map twice(i : 8) -> (j : 8) = i / 2\n"
    "prove injective(twice)\n";

constexpr std::array<const char*, 8> formats = {"html",   "md",          "junit", "sarif",
                                                "github", "codequality", "svg",   "text"};

class Report : public testing::Test {
 protected:
  void SetUp() override { folder_.write("broken.layout", broken); }
  ToolRun run(std::vector<std::string> arguments) {
    return run_tool(arguments, {.folder = folder_.path()});
  }
  // A record of that file's claims (of one claim, with `only`).
  std::string record(const std::string& name, const std::string& only = "") {
    std::vector<std::string> arguments = {"prove", "broken.layout", "--json", name};
    if (!only.empty()) arguments.insert(arguments.end(), {"--only", only});
    const ToolRun made = run(arguments);
    EXPECT_TRUE(made.code == 0 || made.code == 1) << made.err;
    return read_file(folder_.at(name));
  }
  void expect_refused(std::vector<std::string> arguments, const std::string& reason) {
    arguments.insert(arguments.begin(), "report");
    arguments.insert(arguments.end(), {"--junit", "never.xml"});
    const ToolRun refused = run(arguments);
    EXPECT_EQ(refused.code, 2) << refused.out << refused.err;
    EXPECT_NE(refused.err.find(reason), std::string::npos) << refused.err;
    EXPECT_EQ(lines_of(refused.err).size(), 1U) << refused.err;
    EXPECT_EQ(refused.out, "");
    EXPECT_FALSE(exists(folder_.at("never.xml")));
  }
  TemporaryFolder folder_;
};

TEST_F(Report, WritesWhatProveWrote) {
  std::vector<std::string> prove = {"prove", "broken.layout", "--json", "r.json"};
  std::vector<std::string> report = {"report", "r.json"};
  for (const std::string format : formats) {
    prove.insert(prove.end(), {"--" + format, "a." + format});
    report.insert(report.end(), {"--" + format, "b." + format});
  }
  EXPECT_EQ(run(prove).code, 1);
  const ToolRun made = run(report);
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.out.find("1 proved, 1 refuted (0 as expected)"), std::string::npos) << made.out;
  for (const std::string format : formats) {
    const std::string text = read_file(folder_.at("b." + format));
    EXPECT_NE(text, "") << format;
    if (format == "html") continue;  // has the steps of the proofs, which the record leaves out
    EXPECT_EQ(read_file(folder_.at("a." + format)), text) << format;
  }
}

TEST_F(Report, PrintsTheRecordAsText) {
  record("r.json");
  const ToolRun made = run({"report", "r.json"});
  EXPECT_EQ(made.code, 0);
  EXPECT_NE(made.out.find("! REFUTED  broken/injective(twice)"), std::string::npos) << made.out;
  EXPECT_EQ(run({"report", "r.json", "--exit-code"}).code, 1);
}

TEST_F(Report, AnnotationsGoToStdoutWithoutAFile) {
  record("r.json");
  for (const auto& arguments : {std::vector<std::string>{"report", "--github", "r.json"},
                                {"report", "r.json", "--github"},
                                {"report", "r.json", "--github", "-"},
                                {"prove", "--github", "broken.layout"}}) {
    const ToolRun made = run(arguments);
    EXPECT_EQ(made.out.rfind("::error file=broken.layout,line=7,", 0), 0U) << made.out << made.err;
  }
}

TEST_F(Report, JoinsShards) {
  const std::string whole = record("whole.json");
  record("one.json", "broken/bijective(P)");
  record("two.json", "broken/injective(twice)");
  const ToolRun joined = run({"report", "--merge", "one.json", "two.json", "--json", "all.json"});
  ASSERT_EQ(joined.code, 0) << joined.err;
  const auto parsed = [](const std::string& text) { return nlohmann::json::parse(text); };
  const auto all = parsed(read_file(folder_.at("all.json"))), want = parsed(whole);
  EXPECT_EQ(all["summary"], want["summary"]);
  EXPECT_EQ(all["specs"], want["specs"]);
  ASSERT_EQ(all["checks"].size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(all["checks"][i]["id"], want["checks"][i]["id"]);
}

TEST_F(Report, RefusesToJoinWhatDoesNotBelongTogether) {
  record("one.json", "broken/bijective(P)");
  folder_.write("broken.layout", std::string(broken) + "# another text\n");
  record("two.json", "broken/injective(twice)");
  expect_refused({"--merge", "one.json", "two.json"},
                 "'one.json' and 'two.json' are records of different specs: 'broken.layout' is");
  expect_refused({"one.json", "two.json"}, "2 records: --merge joins the shards of one run");
}

TEST_F(Report, OneMessageForWhatIsNoRecord) {
  const std::string good = record("r.json");
  const auto spoiled = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return folder_.write("bad.json", text.replace(at, from.size(), to));
  };
  spoiled("fragproof-report/1", "fragproof-report/2");
  expect_refused({"bad.json"}, "the schema is \"fragproof-report/2\", this version reads");
  spoiled("\"refuted\":1", "\"refuted\":0");
  expect_refused({"bad.json"}, "summary.refuted: does not count the checks");
  spoiled("\"verdict\":\"PROVED\"", "\"verdict\":\"FINE\"");
  expect_refused({"bad.json"}, "checks[0].verdict: \"FINE\" is not a verdict");
  spoiled("\"specs\":{", "\"specs\":[{");
  expect_refused({"bad.json"}, "not JSON: line");
  folder_.write("bad.json", good.substr(0, good.size() / 2));
  expect_refused({"bad.json"}, "it was cut off");
  folder_.write("bad.json", "");
  expect_refused({"bad.json"}, "it was cut off");
  folder_.write("bad.json", std::string(2'000'000, '['));
  expect_refused({"bad.json"}, "not JSON");
  folder_.write("bad.json", "\xff\xfe binary");
  expect_refused({"bad.json"}, "not JSON");
  std::filesystem::create_directory(folder_.at("dir"));
  expect_refused({"dir"}, "cannot read 'dir'");
  expect_refused({"absent.json"}, "cannot read 'absent.json'");
}

TEST_F(Report, KeepsItsInput) {
  const std::string good = record("r.json");
  const ToolRun made = run({"report", "r.json", "--json", "r.json"});
  EXPECT_EQ(made.code, 2);
  EXPECT_NE(made.err.find("r.json"), std::string::npos) << made.err;
  EXPECT_EQ(read_file(folder_.at("r.json")), good);
}

}  // namespace
}  // namespace fragproof::test
