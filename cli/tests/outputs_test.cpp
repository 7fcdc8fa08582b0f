// Output files: none destroys an input or another output, whatever it is called; pipes, devices and
// full disks.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/tests/run_tool.h"

namespace fragproof::test {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* good = "prove same: forall(a : 8) a == a\n";

class Outputs : public testing::Test {
 protected:
  Outputs() { folder_.write("good.layout", good); }
  ToolRun run(std::vector<std::string> arguments, ToolSetting setting = {}) {
    setting.folder = folder_.path();
    setting.limit = 20;
    return run_tool(arguments, setting);
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& message) {
    const std::size_t before = files();
    const ToolRun refused = run(arguments);
    EXPECT_EQ(refused.code, 2) << refused.out << refused.err;
    EXPECT_EQ(refused.out, "");
    EXPECT_TRUE(contains(refused.err, message)) << refused.err;
    EXPECT_EQ(files(), before);
  }
  TemporaryFolder folder_;
};

TEST_F(Outputs, AnInputIsAnInputUnderEveryName) {
  fs::create_symlink("good.layout", folder_.at("link"));
  fs::create_hard_link(folder_.at("good.layout"), folder_.at("hard"));
  fs::create_directory(folder_.at("sub"));
  for (const std::string& name :
       {std::string("./good.layout"), std::string("link"), std::string("hard"),
        std::string("sub/../good.layout"), folder_.at("good.layout")}) {
    for (const char* option : {"--json", "--html"}) {
      expect_refused({"prove", "good.layout", option, name},
                     "is 'good.layout', which this run reads");
    }
    expect_refused({"show", "good.layout", "--csv=" + name}, "which this run reads");
  }
  EXPECT_EQ(read_file(folder_.at("good.layout")), good);
}

TEST_F(Outputs, WhatAFileReadsIsAnInputToo) {
  folder_.write("inner/part.layout", "size N\n");
  folder_.write("t.csv", "1, 0\n");
  folder_.write("outer.layout",
                "include \"inner/part.layout\"\ntable T[2] : 2 = file \"t.csv\"\n"
                "map f(a : 2) -> (p : 2) = T[a]\nprove bijective(f)\n");
  EXPECT_EQ(run({"prove", "outer.layout"}).code, 0) << run({"prove", "outer.layout"}).err;
  expect_refused({"prove", "outer.layout", "--json", "inner/part.layout"}, "which this run reads");
  expect_refused({"prove", "outer.layout", "--html", "./t.csv"}, "which this run reads");
  expect_refused({"show", "outer.layout", "f", "--csv", "t.csv"}, "which this run reads");
  EXPECT_EQ(read_file(folder_.at("t.csv")), "1, 0\n");
}

TEST_F(Outputs, TwoOutputsNeedTwoFiles) {
  fs::create_symlink("target", folder_.at("dangling"));
  expect_refused({"prove", "good.layout", "--json", "a", "--html", "./a"}, "the output of --html");
  expect_refused({"prove", "good.layout", "--json", "target", "--html", "dangling"},
                 "the output of --html");
  expect_refused({"prove", "good.layout", "--json", "-", "--html", "/dev/stdout"},
                 "stdout has the output of --html already");
  expect_refused({"show", "ldmatrix.x4", "--json", "-", "--csv"}, "stdout has the output of");
  EXPECT_EQ(run({"prove", "good.layout", "--json", "/dev/null", "--html", "/dev/null"}).code, 0);
}

TEST_F(Outputs, TheFileThatStdoutGoesToIsTaken) {
  const ToolRun taken =
      run({"prove", "good.layout", "--json", "r"}, {.stdout_path = folder_.at("r")});
  EXPECT_EQ(taken.code, 2);
  EXPECT_TRUE(contains(taken.err, "the file that stdout goes to")) << taken.err;
  // ... but by its own name stdout may be asked for, and gets what it asks for.
  for (const char* name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    EXPECT_EQ(run({"prove", "good.layout", "--json", name}, {.stdout_path = folder_.at("r")}).code,
              0);
    EXPECT_EQ(nlohmann::json::parse(read_file(folder_.at("r")))["checks"].size(), 1u) << name;
  }
}

TEST_F(Outputs, APipeWithoutAReaderIsAnErrorAndOneWithAReaderWorks) {
  const std::string pipe = folder_.at("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const ToolRun alone = run({"prove", "good.layout", "--json", "pipe"});
  EXPECT_EQ(alone.code, 2);
  EXPECT_TRUE(contains(alone.err, "cannot write 'pipe': nobody reads this pipe")) << alone.err;
  EXPECT_LT(alone.seconds, 10);
  std::string text;
  std::thread reader([&] { text = read_file(pipe); });
  EXPECT_EQ(run({"prove", "good.layout", "--json", "pipe"}).code, 0);
  reader.join();
  EXPECT_EQ(nlohmann::json::parse(text)["checks"].size(), 1u);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(Outputs, AFileThatMayNotGrowLeavesNothingBehind) {
  const std::size_t before = files();
  folder_.write("old.json", "old");
  const ToolRun cut = run({"prove", "good.layout", "--json", "old.json", "--html", "page.html"},
                          {.file_limit = 512});
  EXPECT_EQ(cut.code, 2) << cut.err;
  EXPECT_TRUE(contains(cut.err, "File too large")) << cut.err;
  EXPECT_EQ(read_file(folder_.at("old.json")), "old");
  EXPECT_EQ(files(), before + 1);
}

TEST_F(Outputs, OneThatFailsDoesNotCostTheOther) {
  const ToolRun run_ = run({"prove", "good.layout", "--json", "/dev/full", "--html", "page.html"});
  EXPECT_EQ(run_.code, 2);
  EXPECT_TRUE(contains(run_.err, "/dev/full")) << run_.err;
  EXPECT_TRUE(contains(read_file(folder_.at("page.html")), "</html>"));
}

TEST_F(Outputs, AFolderOrADiskIsNoFile) {
  expect_refused({"prove", "good.layout", "--json", "."}, "Is a directory");
  expect_refused({"show", "ldmatrix.x4", "--csv=" + folder_.path()}, "Is a directory");
}

// ---- the terminal

TEST_F(Outputs, ProgressAndColourOnlyWhereTheyAreWelcome) {
  std::string text;
  for (int i = 0; i < 30; ++i) {
    text += "prove c" + std::to_string(i) + ": forall(x : 1000) x*" + std::to_string(i) + " >= 0\n";
  }
  folder_.write("many.layout", text);
  const auto shown = [&](const char* term, const char* no_colour) {
    return run({"prove", "many.layout"},
               {.environment = {{"TERM", term}, {"NO_COLOR", no_colour}}, .terminal = true})
        .out;
  };
  const std::string fine = shown("xterm", "");
  EXPECT_TRUE(contains(fine, "\x1b[K")) << fine;
  EXPECT_TRUE(contains(fine, "[0/30]")) << fine;
  for (const std::string& plain : {shown("dumb", ""), shown("xterm", "1"), shown("", "")}) {
    EXPECT_FALSE(contains(plain, "\x1b")) << plain;
    EXPECT_FALSE(contains(plain, "[0/30]")) << plain;
    EXPECT_TRUE(contains(plain, "30 proved")) << plain;
  }
}

}  // namespace
}  // namespace fragproof::test
