// `fuzz` as its users meet it: passing and failing kernels, corpus, shards, records, bad input.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/tests/run_tool.h"

namespace fragproof::test {
namespace {

std::string example(const std::string& name) {
  return std::string(FRAGPROOF_SOURCE_DIR) + "/examples/" + name;
}

std::string broken_text() {
  std::string text = read_file(example("gemv.layout"));
  const std::string from = "+ 32*step]";
  text.replace(text.find(from), from.size(), "+ 16*step]");
  return text;
}

TEST(Fuzz, ARightKernelPassesAndItsRecordSaysSo) {
  const TemporaryFolder folder;
  const ToolRun run =
      run_tool({"fuzz", example("gemv.layout"), "--cases", "120", "--json", folder.at("r.json")});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("passed   gemv/gemv.fuzz"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("120 cases: no kernel fails"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("never"), std::string::npos) << run.out;  // N is never prime
  const auto record = nlohmann::json::parse(read_file(folder.at("r.json")));
  EXPECT_EQ(record["schema"], "fragproof-report/1");
  const auto& check = record["checks"].at(0);
  EXPECT_EQ(check["id"], "gemv/gemv.fuzz");
  EXPECT_EQ(check["kind"], "fuzz");
  EXPECT_EQ(check["verdict"], "UNKNOWN");  // trying proves nothing
  EXPECT_EQ(check["expected"], "UNKNOWN");
  EXPECT_EQ(check["shapes_tried"], 120);
  EXPECT_EQ(check["tried"]["cases"], 120);
  EXPECT_EQ(check["tried"]["classes"]["N prime"], 0);  // a class that was never tried is said
  EXPECT_GT(check["tried"]["classes"]["M prime"], 0);
  EXPECT_TRUE(record["summary"]["ok"]);
}

TEST(Fuzz, AFaultIsShrunkExplainedAndReproduced) {
  const TemporaryFolder folder;
  folder.write("broken.layout", broken_text());
  const ToolSetting here{.folder = folder.path()};
  const ToolRun run = run_tool({"fuzz", "broken.layout", "--cases", "50"}, here);
  EXPECT_EQ(run.code, 1) << run.err;
  EXPECT_NE(run.out.find("A.rows: lane 0 (g=0, t=0), register a0"), std::string::npos) << run.out;
  const std::string line = "fragproof fuzz broken.layout gemv N=16 K=32 M=1 S=1 NW=1 U=1\n";
  EXPECT_NE(run.out.find("reproduce: " + line), std::string::npos) << run.out;
  const ToolRun again = run_tool(
      {"fuzz", "broken.layout", "gemv", "N=16", "K=32", "M=1", "S=1", "NW=1", "U=1"}, here);
  EXPECT_EQ(again.code, 1);
  EXPECT_NE(again.out.find("1 cases: 1 kernel fails"), std::string::npos) << again.out;
}

TEST(Fuzz, KernelsThatTheFileRefutesMustFail) {
  const ToolRun run = run_tool({"fuzz", example("gemv_broken.layout"), "--cases", "30"});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_NE(run.out.find("no kernel fails, 4 as the file says"), std::string::npos) << run.out;
  const ToolRun types = run_tool({"fuzz", example("operand_types.layout"), "--cases", "10"});
  EXPECT_EQ(types.code, 0) << types.out;
  EXPECT_NE(types.out.find("values right, obligation types refuted"), std::string::npos);
}

TEST(Fuzz, FailuresGoToTheCorpusAndAreReplayedFirst) {
  const TemporaryFolder folder;
  folder.write("broken.layout", broken_text());
  const ToolSetting here{.folder = folder.path()};
  const ToolRun run =
      run_tool({"fuzz", "broken.layout", "--cases", "10", "--corpus", "failures"}, here);
  EXPECT_EQ(run.code, 1) << run.err;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.at("failures"))) {
    files.push_back(entry.path().string());
  }
  ASSERT_EQ(files.size(), 1U);
  EXPECT_NE(read_file(files[0]).find("\nbroken.layout gemv N=16 K=32 M=1 S=1 NW=1 U=1\n"),
            std::string::npos)
      << read_file(files[0]);
  // The corpus alone finds it again: the one case that is drawn comes after.
  const ToolRun again = run_tool({"fuzz", "broken.layout", "--replay", files[0]}, here);
  EXPECT_EQ(again.code, 1);
  EXPECT_NE(again.out.find("1 cases: 1 kernel fails"), std::string::npos) << again.out;
  // Mended, the corpus passes; a line that no longer fits is passed over.
  folder.write("broken.layout", read_file(example("gemv.layout")));
  folder.write("failures/old.txt", "broken.layout gemv N=17\n# a comment\nother.layout k M=1\n");
  const ToolRun mended =
      run_tool({"fuzz", "broken.layout", "--cases", "5", "--corpus", "failures"}, here);
  EXPECT_EQ(mended.code, 0) << mended.out;
  EXPECT_NE(mended.err.find("old.txt:1: passed over: a `require` excludes it"), std::string::npos)
      << mended.err;
  EXPECT_NE(mended.out.find("6 cases: no kernel fails"), std::string::npos) << mended.out;
}

TEST(Fuzz, ShrinksALineOfAFile) {
  const TemporaryFolder folder;
  folder.write("broken.layout", broken_text());
  folder.write("big.txt", "gemv N=64 K=512 M=13 S=2 NW=2 U=1\n");
  const ToolSetting here{.folder = folder.path()};
  const ToolRun run = run_tool({"fuzz", "broken.layout", "--shrink", "big.txt"}, here);
  EXPECT_EQ(run.code, 1) << run.err;
  EXPECT_EQ(run.out, "gemv N=16 K=32 M=1 S=1 NW=1 U=1\n");
  folder.write("broken.layout", read_file(example("gemv.layout")));
  const ToolRun right = run_tool({"fuzz", "broken.layout", "--shrink", "big.txt"}, here);
  EXPECT_EQ(right.code, 0);
  EXPECT_EQ(right.out, "# does not fail\ngemv N=64 K=512 M=13 S=2 NW=2 U=1\n");
}

// Four shards, merged, are the run of one process but for its command and times.
TEST(Fuzz, MergedShardsEqualTheWholeRun) {
  for (const char* file : {"gemv.layout", "gemv_sizes.layout"}) {
    const TemporaryFolder folder;
    std::vector<std::string> merge{"report", "--merge"};
    for (int shard = 1; shard <= 4; ++shard) {
      const std::string json = folder.at(std::to_string(shard) + ".json");
      (void)run_tool({"fuzz", example(file), "--cases", "80", "--shard",
                      std::to_string(shard) + "/4", "--json", json});
      merge.push_back(json);
    }
    (void)run_tool({"fuzz", example(file), "--cases", "80", "--json", folder.at("whole.json")});
    merge.insert(merge.end(), {"--json", folder.at("merged.json")});
    const ToolRun merged_run = run_tool(merge);
    EXPECT_EQ(merged_run.code, 0) << merged_run.err;
    auto whole = nlohmann::json::parse(read_file(folder.at("whole.json")));
    auto merged = nlohmann::json::parse(read_file(folder.at("merged.json")));
    for (auto* record : {&whole, &merged}) {
      for (auto& check : (*record)["checks"]) check.erase("time_ms");
    }
    EXPECT_EQ(whole["checks"], merged["checks"]);
    EXPECT_EQ(whole["summary"], merged["summary"]);
    EXPECT_EQ(whole["specs"], merged["specs"]);
  }
}

TEST(Fuzz, CtrlCKeepsWhatWasFound) {
  const TemporaryFolder folder;
  folder.write("broken.layout", broken_text());
  ToolSetting setting{.folder = folder.path()};
  setting.interrupt_after = 1.5;
  const ToolRun run =
      run_tool({"fuzz", "broken.layout", "--for", "1h", "--json", "r.json", "--corpus", "failures"},
               setting);
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_NE(run.out.find("(interrupted)"), std::string::npos) << run.out;
  const auto record = nlohmann::json::parse(read_file(folder.at("r.json")));
  EXPECT_TRUE(record["interrupted"]);
  EXPECT_EQ(record["checks"].at(0)["verdict"], "REFUTED");
  EXPECT_FALSE(std::filesystem::is_empty(folder.at("failures")));
}

struct BadInput {
  std::vector<std::string> arguments;
  const char* message;
};

TEST(Fuzz, BadInputIsOneMessageAndExitTwo) {
  const TemporaryFolder folder;
  folder.write("gemv.layout", read_file(example("gemv.layout")));
  folder.write("bad.txt", "gemv N=16\ngemv N=sixteen\n");
  folder.write("excluded.txt", "gemv N=16 K=33 M=1 S=1 NW=1 U=1\n");
  folder.write("file", "");
  const std::vector<BadInput> cases = {
      {{"gemv.layout", "--replay", "bad.txt"}, "bad.txt:2: 'N=sixteen': 'sixteen' is no number"},
      {{"gemv.layout", "--replay", "excluded.txt"},
       "excluded.txt:1: a `require` excludes it: `K % 32 == 0`"},
      {{"gemv.layout", "--replay", "none.txt"}, "none.txt"},
      {{"gemv.layout", "gemv", "N=64", "K=512", "M=13", "S=1", "NW=4", "U=3"},
       "a `require` excludes it: `K % (32*S*NW*U) == 0`"},
      {{"gemv.layout", "gemv", "N=1048576", "K=1048576"}, "points of parallel and reduce"},
      {{"gemv.layout", "M=3", "gemv"}, "'gemv' is no NAME=VALUE"},
      {{"gemv.layout", "--shard", "5/4"}, "--shard 5/4: the index is from 1 to 4"},
      {{"gemv.layout", "--shard", "0/4"}, "--shard 0/4: the index is from 1 to 4"},
      {{"gemv.layout", "--shard", "2"}, "--shard takes i/n like 2/4, not '2'"},
      {{"gemv.layout", "--for", "soon"}, "--for takes a time"},
      {{"gemv.layout", "--for", "-3s"}, "--for takes a time"},
      {{"gemv.layout", "--cases", "0"}, "--cases"},
      {{"gemv.layout", "--at", "Q=3"}, "no size named Q"},
      {{"gemv.layout", "--corpus", "file"}, "'file' is no folder"},
      {{"gemv.layout", "--corpus", "/proc/nothing"}, "--corpus: cannot make '/proc/nothing'"},
      {{"gemv.layout", "--json", "none/r.json"}, "none/r.json"},
      {{"none.layout"}, "none.layout"},
      {{}, "FILE is required"},
  };
  for (const BadInput& bad : cases) {
    std::vector<std::string> arguments{"fuzz"};
    arguments.insert(arguments.end(), bad.arguments.begin(), bad.arguments.end());
    const ToolRun run = run_tool(arguments, {.folder = folder.path()});
    EXPECT_EQ(run.code, 2) << bad.message << "\n" << run.out;
    EXPECT_NE(run.err.find(bad.message), std::string::npos) << run.err;
  }
}

TEST(Fuzz, AFileWithoutKernelsHasNothingToRun) {
  const ToolRun run = run_tool({"fuzz", example("b01_operand_list.layout")});
  EXPECT_EQ(run.code, 77);
  EXPECT_NE(run.err.find("has no kernel"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace fragproof::test
