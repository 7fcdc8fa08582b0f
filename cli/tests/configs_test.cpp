// `configs`: one verdict a row; `mutate`: every mistake caught or explained.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/tests/run_tool.h"

namespace fragproof::test {
namespace {

std::string example(const std::string& name) {
  return std::string(FRAGPROOF_SOURCE_DIR) + "/examples/" + name;
}

// The first source text's lab 0: configurations that divide evenly, and some that do not. Those of
// real size are not executed: they follow from the proof for all shapes.
TEST(Configs, TheTableOfTheExamples) {
  const TemporaryFolder folder;
  const ToolRun run = run_tool({"configs", example("gemv.layout"), example("gemv_configs.csv"),
                                "--json", folder.at("r.json")});
  EXPECT_EQ(run.code, 1) << run.err;
  EXPECT_NE(run.out.find("9 of 15 configurations are right"), std::string::npos) << run.out;
  const auto record = nlohmann::json::parse(read_file(folder.at("r.json")));
  ASSERT_EQ(record["checks"].size(), 15U);
  for (std::size_t i = 0; i < 15; ++i) {
    const auto& check = record["checks"].at(i);
    EXPECT_EQ(check["id"], "gemv/gemv.line" + std::to_string(i + 4));
    EXPECT_EQ(check["verdict"], i < 9 ? "PROVED" : "REFUTED") << check;
    if (i < 4) {
      EXPECT_EQ(check["methods"].at(0), "radix") << check;
    }
  }
  EXPECT_EQ(
      record["checks"].at(9)["counterexample"]["text"],
      "a `require` excludes it: `K % (32*S*NW*U) == 0` (line 29) is false at K=512, S=1, NW=4, "
      "U=3");
}

TEST(Configs, ARowThatIsAdmittedAndWrongHasItsCounterexample) {
  const TemporaryFolder folder;
  folder.write("sizes.layout", read_file(example("gemv_broken.layout")));
  folder.write("gemv.layout", read_file(example("gemv.layout")));
  folder.write(
      "t.jsonl",
      "{\"kernel\": \"trips\", \"N\": 16, \"K\": 64, \"M\": 1, \"S\": 1, \"NW\": 1, \"U\": 1}\n"
      "\n{\"kernel\": \"trips\", \"N\": 16, \"K\": 64, \"M\": 1, \"S\": 1, \"NW\": 2, \"U\": 2}\n");
  const ToolRun run = run_tool({"configs", "sizes.layout", "t.jsonl"}, {.folder = folder.path()});
  EXPECT_EQ(run.code, 1) << run.err;
  EXPECT_NE(run.out.find("PROVED   sizes/trips.line1"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("REFUTED  sizes/trips.line3"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("bounds: lane 0 (g=0, t=0): load a"), std::string::npos) << run.out;
}

TEST(Configs, BadTablesAreOneMessageAndExitTwo) {
  const TemporaryFolder folder;
  folder.write("gemv.layout", read_file(example("gemv.layout")));
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"N,K\n16\n", "t.csv:2: 1 cells below a header of 2"},
      {"N,K\n16,x\n", "t.csv:2: 'K=x': 'x' is no number"},
      {"N,K\n16,\"32\n", "t.csv:2: a quote is not closed"},
      {"N,K\n", "t.csv has no rows"},
      {"", "t.csv has no rows"},
      {"N,Q\n16,32\n", "t.csv:2: no size named Q"},
      {"kernel,N\ngem,16\n", "t.csv:2: no kernel named gem"},
      {"N,N\n16,16\n", "t.csv:2: N is given twice"},
  };
  for (const auto& [text, message] : bad) {
    folder.write("t.csv", text);
    const ToolRun run = run_tool({"configs", "gemv.layout", "t.csv"}, {.folder = folder.path()});
    EXPECT_EQ(run.code, 2) << text;
    EXPECT_NE(run.err.find(message), std::string::npos) << run.err;
  }
  for (const std::string line : {"{\"N\": 1.5}", "[16]", "{\"N\": 16", "{\"N\": null}"}) {
    folder.write("t.jsonl", line + "\n");
    const ToolRun run = run_tool({"configs", "gemv.layout", "t.jsonl"}, {.folder = folder.path()});
    EXPECT_EQ(run.code, 2) << line;
    EXPECT_NE(run.err.find("t.jsonl:1: "), std::string::npos) << run.err;
  }
  EXPECT_EQ(run_tool({"configs", "gemv.layout", "none.csv"}, {.folder = folder.path()}).code, 2);
}

// What CI asks: over everything built in, no survivor.
TEST(Mutate, EveryMistakeInWhatIsBuiltInIsCaught) {
  for (const std::string file : {"builtin.layout", "gemv.layout", "tf32_gemm.layout"}) {
    const ToolRun run = run_tool({"mutate", example(file)}, {.limit = 240});
    EXPECT_EQ(run.code, 0) << file << "\n" << run.out;
    EXPECT_NE(run.out.find(" 0 survived: score 100.0 %"), std::string::npos) << run.out;
  }
}

TEST(Mutate, ASurvivorIsShownWithItsDiff) {
  const TemporaryFolder folder;
  folder.write("weak.layout",
               "map f(i : 8) -> (p : 16) = 2*i + 1\nprove small: forall(i : 8) f(i) < 16\n");
  const ToolRun run = run_tool({"mutate", "weak.layout", "--all"}, {.folder = folder.path()});
  EXPECT_EQ(run.code, 1) << run.out;
  EXPECT_NE(run.out.find("! survived  a dropped term in f: every claim got what it expects"),
            std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("       1 - map f(i : 8) -> (p : 16) = 2*i + 1\n"
                         "         + map f(i : 8) -> (p : 16) = (2*i)\n"),
            std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("killed"), std::string::npos) << run.out;
  const ToolRun allowed =
      run_tool({"mutate", "weak.layout", "--allow-survivors"}, {.folder = folder.path()});
  EXPECT_EQ(allowed.code, 0);
  EXPECT_EQ(run_tool({"mutate", "none.layout"}, {.folder = folder.path()}).code, 2);
}

}  // namespace
}  // namespace fragproof::test
