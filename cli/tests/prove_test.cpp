// `prove`: ids, lines, exit codes, reports, points, interrupts.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/tests/run_tool.h"

namespace fragproof::test {
namespace {

using nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* good =
    "map f(a : [h:2, g:4]) -> (p : 8) = 4*h + g\n"
    "prove bijective(f)\n"
    "refute same: forall(a : 8) f(a) != a\n";

constexpr const char* bad =
    "size N\n"
    "map f(a : N) -> (p : N) = a/2\n"
    "prove bijective(f)\n"
    "prove fine: N >= 1\n";

constexpr const char* vacuous =
    "size N\n"
    "require N < 1\n"
    "prove never: N == 7\n";

class ProveTest : public testing::Test {
 protected:
  // The record of a run over these arguments.
  json record(std::vector<std::string> arguments, int code) {
    arguments.insert(arguments.begin(), "prove");
    arguments.insert(arguments.end(), {"--json", folder_.at("run.json")});
    run_ = run_tool(arguments, {.folder = folder_.path()});
    EXPECT_EQ(run_.code, code) << run_.out << run_.err;
    const std::string text = read_file(folder_.at("run.json"));
    return text.empty() ? json::object() : json::parse(text);
  }
  static json check(const json& record, const std::string& id) {
    for (const json& check : record["checks"]) {
      if (check["id"] == id) return check;
    }
    ADD_FAILURE() << "no check " << id << " in " << record.dump(1);
    return json::object();
  }
  TemporaryFolder folder_;
  ToolRun run_;
};

TEST_F(ProveTest, AFileThatHoldsExitsZero) {
  folder_.write("good.layout", good);
  const json run = record({"good.layout"}, 0);
  EXPECT_EQ(run["schema"], "fragproof-report/1");
  EXPECT_EQ(run["summary"]["ok"], true);
  const json bijective = check(run, "good/bijective(f)");
  EXPECT_EQ(bijective["kind"], "bijective");
  EXPECT_EQ(bijective["verdict"], "PROVED");
  EXPECT_EQ(bijective["expected"], "PROVED");
  EXPECT_EQ(bijective["where"]["file"], "good.layout");
  EXPECT_EQ(bijective["where"]["line"], 2);
  EXPECT_FALSE(bijective.contains("counterexample"));
  const json same = check(run, "good/same");
  EXPECT_EQ(same["kind"], "forall");
  EXPECT_EQ(same["verdict"], "REFUTED");
  EXPECT_EQ(same["expected"], "REFUTED");
  EXPECT_TRUE(same.contains("counterexample"));
  EXPECT_TRUE(contains(run_.out, "PROVED")) << run_.out;
  EXPECT_TRUE(contains(run_.out, "good/same"));
  EXPECT_EQ(run_.err, "");
  EXPECT_FALSE(contains(run_.out, "\x1b"));
}

TEST_F(ProveTest, ARefutationExitsOneWithTheSmallestShapeAndReproduces) {
  folder_.write("bad.layout", bad);
  const json run = record({"bad.layout"}, 1);
  const json bijective = check(run, "bad/bijective(f)");
  EXPECT_EQ(bijective["verdict"], "REFUTED");
  EXPECT_EQ(bijective["counterexample"]["sizes"]["N"], 2);
  EXPECT_EQ(bijective["reproduce"],
            "fragproof prove bad.layout --only 'bad/bijective(f)' --at N=2");
  EXPECT_EQ(check(run, "bad/fine")["verdict"], "PROVED");

  const json again = record({"bad.layout", "--only", "bad/bijective(f)", "--at", "N=2"}, 1);
  ASSERT_EQ(again["checks"].size(), 1u);
  EXPECT_EQ(again["checks"][0]["verdict"], "REFUTED");
  const json elsewhere = record({"bad.layout", "--only", "bad/bijective(f)", "--at", "N=1"}, 0);
  EXPECT_EQ(elsewhere["checks"][0]["verdict"], "PROVED");
}

TEST_F(ProveTest, VacuousExitsOne) {
  folder_.write("v.layout", vacuous);
  const json run = record({"v.layout"}, 1);
  EXPECT_EQ(check(run, "v/never")["verdict"], "VACUOUS");
}

TEST_F(ProveTest, AProvedRefuteExitsOne) {
  folder_.write("r.layout", "refute wrong: 1 + 1 == 2\n");
  EXPECT_EQ(check(record({"r.layout"}, 1), "r/wrong")["verdict"], "PROVED");
}

TEST_F(ProveTest, AFileWithoutClaimsJudgesNothing) {
  folder_.write("empty.layout", "");
  folder_.write("only_sizes.layout", "size N\n");
  record({"empty.layout"}, 77);
  record({"only_sizes.layout"}, 77);
}

TEST_F(ProveTest, AnUnreadableFileIsAnErrorAndTheOthersAreJudged) {
  folder_.write("good.layout", good);
  folder_.write("broken.layout", "size N\nprove c: M == 1\n");
  const json run = record({"broken.layout", "good.layout", "missing.layout"}, 2);
  EXPECT_EQ(check(run, "broken")["verdict"], "ERROR");
  EXPECT_EQ(check(run, "broken")["kind"], "file");
  EXPECT_EQ(check(run, "broken")["where"]["line"], 2);
  EXPECT_EQ(check(run, "missing")["verdict"], "ERROR");
  EXPECT_EQ(check(run, "good/bijective(f)")["verdict"], "PROVED");
  EXPECT_TRUE(contains(run_.err, "broken.layout:2:10: error:")) << run_.err;
  EXPECT_TRUE(contains(run_.err, "missing.layout")) << run_.err;
  EXPECT_EQ(run["summary"]["ok"], false);
}

TEST_F(ProveTest, ErrorPrecedesRefuted) {
  folder_.write("bad.layout", bad);
  record({"bad.layout", "missing.layout"}, 2);
}

TEST_F(ProveTest, FilesOfOneStemCarryTheirPaths) {
  folder_.write("one/k.layout", good);
  folder_.write("two/k.layout", good);
  folder_.write("other.layout", good);
  const json run = record({"one/k.layout", "two/k.layout", "other.layout"}, 0);
  check(run, "one/k/same");
  check(run, "two/k/same");
  check(run, "other/same");
  const json once = record({"one/k.layout", "one/k.layout"}, 0);
  EXPECT_EQ(once["checks"].size(), 2u);
}

TEST_F(ProveTest, OnlyKeepsWhatItNames) {
  folder_.write("good.layout", good);
  EXPECT_EQ(record({"good.layout", "--only", "good/same"}, 0)["checks"].size(), 1u);
  EXPECT_EQ(
      record({"good.layout", "--only", "good/same", "--only", "good/bijective(f)"}, 0)["checks"]
          .size(),
      2u);
  const ToolRun run =
      run_tool({"prove", "good.layout", "--only", "good/smae"}, {.folder = folder_.path()});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err, "fragproof: no claim good/smae, did you mean good/same?\n");
}

TEST_F(ProveTest, SizesOfAPointAreChecked) {
  folder_.write("bad.layout", bad);
  const std::vector<std::pair<std::string, std::string>> wrong = {{"M=3", "no size named M"},
                                                                  {"N=0", "at least 1"},
                                                                  {"N=-4", "at least 1"},
                                                                  {"N", "sizes like"},
                                                                  {"N=x", "sizes like"},
                                                                  {"N=2,N=3", "twice"},
                                                                  {"", ""},
                                                                  {"=3", "sizes like"},
                                                                  {"N=2,", "sizes like"},
                                                                  {"N=2;K=3", "sizes like"}};
  for (const auto& [at, message] : wrong) {
    if (at.empty()) continue;
    const ToolRun run = run_tool({"prove", "bad.layout", "--at", at}, {.folder = folder_.path()});
    EXPECT_EQ(run.code, 2) << at;
    EXPECT_TRUE(contains(run.err, message)) << at << ": " << run.err;
    EXPECT_EQ(run.out, "");
  }
}

TEST_F(ProveTest, SizesLeftOutOfAPointAreTheSmallestThatGoWithIt) {
  folder_.write("two.layout",
                "size N, K, M\n"
                "require K % N == 0 && K > 6\n"
                "prove small: K*M < 40\n"
                "prove large: N*K*M != 12\n");
  const json run = record({"two.layout", "--at", "N=5"}, 0);
  const json small = check(run, "two/small");
  EXPECT_EQ(small["verdict"], "PROVED");
  EXPECT_EQ(small["note"], "judged at N = 5, K = 10, M = 1 only");
  EXPECT_EQ(small["reproduce"], "fragproof prove two.layout --only two/small --at N=5,K=10,M=1");
  const json wrong = check(record({"two.layout", "--at", "M=1,K=12"}, 1), "two/large");
  EXPECT_EQ(wrong["counterexample"]["sizes"]["N"], 1);
  EXPECT_EQ(wrong["reproduce"], "fragproof prove two.layout --only two/large --at N=1,K=12,M=1");
  // Where nothing goes with it, no verdict is made up.
  const json none =
      check(record({"two.layout", "--at", "N=5,K=7", "--only", "two/small"}, 1), "two/small");
  EXPECT_EQ(none["verdict"], "VACUOUS") << none.dump();
}

TEST_F(ProveTest, AHugePointEndsInTime) {
  folder_.write("bad.layout", bad);
  const ToolRun run =
      run_tool({"prove", "bad.layout", "--at", "N=170141183460469231731687303715884105727"},
               {.folder = folder_.path()});
  EXPECT_TRUE(run.code == 1 || run.code == 3) << run.code << run.out << run.err;
  EXPECT_LT(run.seconds, 40);
}

TEST_F(ProveTest, QuietPrintsSurprisesOnly) {
  folder_.write("good.layout", good);
  folder_.write("bad.layout", bad);
  const ToolRun calm = run_tool({"prove", "good.layout", "-q"}, {.folder = folder_.path()});
  EXPECT_FALSE(contains(calm.out, "good/same"));
  EXPECT_FALSE(calm.out.empty());
  const ToolRun loud = run_tool({"prove", "bad.layout", "--quiet"}, {.folder = folder_.path()});
  EXPECT_TRUE(contains(loud.out, "bad/bijective(f)"));
  EXPECT_FALSE(contains(loud.out, "bad/fine"));
}

TEST_F(ProveTest, ExplainPrintsTheProof) {
  folder_.write("bad.layout", bad);
  const ToolRun run =
      run_tool({"prove", "bad.layout", "--explain", "bad/fine"}, {.folder = folder_.path()});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_TRUE(contains(run.out, "method   ")) << run.out;
  EXPECT_TRUE(contains(run.out, "discharged by Z3")) << run.out;
  EXPECT_FALSE(contains(run.out, "bijective"));
  EXPECT_EQ(
      run_tool({"prove", "bad.layout", "--explain", "bad/fien"}, {.folder = folder_.path()}).code,
      2);
}

TEST_F(ProveTest, ProofsGoToTheirFolder) {
  folder_.write("good.layout",
                "size K\nprove c: forall(x : K) x + 1 <= K\nprove d: forall(x : 4) x <= 3\n");
  const ToolRun run = run_tool({"prove", "good.layout", "--proof", folder_.at("new/proofs")},
                               {.folder = folder_.path()});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  const std::string proof = read_file(folder_.at("new/proofs/good_c.proof"));
  EXPECT_EQ(proof.rfind("fragproof-proof 1\nclaim good/c\ncase\n", 0), 0U) << proof;
  // A claim that evaluation decides has no proof for all shapes.
  EXPECT_EQ(read_file(folder_.at("new/proofs/good_d.proof")), "");
  // What is not possible is said before the work.
  folder_.write("taken", "a file");
  const ToolRun bad =
      run_tool({"prove", "good.layout", "--proof", "taken"}, {.folder = folder_.path()});
  EXPECT_EQ(bad.code, 2);
  EXPECT_TRUE(contains(bad.err, "--proof: 'taken' is no folder")) << bad.err;
  EXPECT_FALSE(contains(bad.out, "PROVED"));
}

TEST_F(ProveTest, JsonOnStdoutIsAlone) {
  folder_.write("good.layout", good);
  const ToolRun run = run_tool({"prove", "good.layout", "--json", "-"}, {.folder = folder_.path()});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(json::parse(run.out)["checks"].size(), 2u);
}

TEST_F(ProveTest, HtmlIsOnePage) {
  folder_.write("bad.layout", bad);
  const ToolRun run =
      run_tool({"prove", "bad.layout", "--html", "r.html"}, {.folder = folder_.path()});
  EXPECT_EQ(run.code, 1);
  const std::string page = read_file(folder_.at("r.html"));
  EXPECT_TRUE(contains(page, "</html>"));
  EXPECT_TRUE(contains(page, "bad/bijective(f)"));
}

TEST_F(ProveTest, ColourOnlyWhenAsked) {
  folder_.write("good.layout", good);
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"prove", "good.layout"});
    return run_tool(more, {.folder = folder_.path()});
  };
  EXPECT_TRUE(contains(run({"--color", "always"}).out, "\x1b["));
  EXPECT_FALSE(contains(run({"--color", "never"}).out, "\x1b["));
  EXPECT_EQ(run({"--color", "sometimes"}).code, 2);
}

// ---- what is built in
// -----------------------------------------------------------------------------------------

TEST_F(ProveTest, WithoutFilesTheBuiltInOnesAreJudgedFromAnyFolder) {
  const json run =
      record({"--only", "gemv/gemv", "--only", "mma/bijective(mma.m16n8k16.b16.A)"}, 0);
  EXPECT_EQ(run["checks"].size(), 15u);
  const json rows = check(run, "gemv/gemv.A.rows");
  EXPECT_EQ(rows["kind"], "A.rows");
  EXPECT_EQ(rows["verdict"], "PROVED");
  check(run, "gemv/gemv.cover");
}

TEST_F(ProveTest, ABuiltInRefutationReproducesWithoutAFile) {
  const json run = record({"--only", "gemv_broken/halves.pairing"}, 0);
  const json pairing = check(run, "gemv_broken/halves.pairing");
  EXPECT_EQ(pairing["verdict"], "REFUTED");
  EXPECT_EQ(pairing["kind"], "pairing");
  const std::string reproduce = pairing["reproduce"];
  EXPECT_EQ(reproduce.rfind("fragproof prove --only gemv_broken/halves.pairing --at ", 0), 0u)
      << reproduce;
  const std::string at = reproduce.substr(reproduce.rfind(' ') + 1);
  const json again = record({"--only", "gemv_broken/halves.pairing", "--at", at}, 0);
  EXPECT_EQ(again["checks"][0]["verdict"], "REFUTED");
  EXPECT_EQ(again["checks"][0]["counterexample"]["text"], pairing["counterexample"]["text"]);
}

// ---- outputs
// ---------------------------------------------------------------------------------------------------

TEST_F(ProveTest, AnUnwritableOutputIsRefusedBeforeTheWork) {
  folder_.write("good.layout", good);
  for (const std::string& path :
       {std::string("nowhere/r.json"), folder_.path(), std::string("good.layout/r.json")}) {
    for (const char* option : {"--json", "--html"}) {
      const ToolRun run =
          run_tool({"prove", "good.layout", option, path}, {.folder = folder_.path()});
      EXPECT_EQ(run.code, 2) << path;
      EXPECT_EQ(run.out, "") << path;
      EXPECT_TRUE(contains(run.err, "cannot write '" + path + "'")) << run.err;
    }
  }
}

TEST_F(ProveTest, AnOutputNeverReplacesAnInput) {
  const std::string path = folder_.write("good.layout", good);
  const ToolRun run =
      run_tool({"prove", "good.layout", "--json", "good.layout"}, {.folder = folder_.path()});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(read_file(path), good);
  EXPECT_EQ(
      run_tool({"prove", "good.layout", "--json", "x", "--html", "x"}, {.folder = folder_.path()})
          .code,
      2);
  EXPECT_FALSE(exists(folder_.at("x")));
}

TEST_F(ProveTest, AFullDiskIsReportedAndLeavesNoHalfFile) {
  folder_.write("good.layout", good);
  const ToolRun run =
      run_tool({"prove", "good.layout"}, {.folder = folder_.path(), .stdout_path = "/dev/full"});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(contains(run.err, "No space left")) << run.err;
  const ToolRun json_full =
      run_tool({"prove", "good.layout", "--json", "/dev/full"}, {.folder = folder_.path()});
  EXPECT_EQ(json_full.code, 2);
}

std::string many_claims(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "prove c" + std::to_string(i) + ": forall(x : 1000) (x*" + std::to_string(i) +
            ") % 1 == 0\n";
  }
  return text;
}

TEST_F(ProveTest, AClosedPipeEndsQuietly) {
  folder_.write("many.layout", many_claims(400));
  const ToolRun run =
      run_tool({"prove", "many.layout"}, {.folder = folder_.path(), .close_stdout_after = 20});
  EXPECT_EQ(run.code, 141);
  EXPECT_EQ(run.err, "");
}

TEST_F(ProveTest, AClosedPipeDoesNotCostTheReport) {
  folder_.write("many.layout", many_claims(400));
  const ToolRun run = run_tool({"prove", "many.layout", "--json", "r.json"},
                               {.folder = folder_.path(), .close_stdout_after = 20});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(json::parse(read_file(folder_.at("r.json")))["checks"].size(), 400u);
}

TEST_F(ProveTest, AnInterruptKeepsWhatThereIs) {
  // 5 is no square modulo the prime 10007, which no engine here knows: all of them work at it until
  // their budgets end.
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text += "prove c" + std::to_string(i) + ": forall(x : 100000000) (x*x + " +
            std::to_string(10007 * i) + ") % 10007 != 5\n";
  }
  folder_.write("slow.layout", text);
  const ToolRun run = run_tool({"prove", "slow.layout", "--json", "r.json"},
                               {.folder = folder_.path(), .interrupt_after = 0.7});
  EXPECT_EQ(run.code, 130) << run.out << run.err;
  const json record = json::parse(read_file(folder_.at("r.json")));
  EXPECT_EQ(record["checks"].size(), 60u);
  const json last = record["checks"].back();
  ASSERT_EQ(last["verdict"], "SKIPPED");
  EXPECT_EQ(last["reason"], "interrupted");
  EXPECT_LT(run.seconds, 10);
}

TEST_F(ProveTest, AnInterruptIsHeededInEveryEngine) {
  // An injectivity that the guided search works at for long, in one attempt with many queries.
  folder_.write("slow.layout",
                "size N, K, M\n"
                "map f(a : N, b : K) -> (p) = a*a*a + b*N*K*K + (a*b % 17)*N*N*K*K\n"
                "prove injective(f)\n"
                "prove nonlinear: N*N*N + K*K*K != M*M*M + 1000003 + N*K\n");
  for (const char* id : {"injective(f)", "nonlinear"}) {
    const ToolRun run = run_tool({"prove", "slow.layout", "--only", id, "--rlimit", "400000000",
                                  "--timeout", "0", "-j", "1"},
                                 {.folder = folder_.path(), .interrupt_after = 0.5});
    EXPECT_EQ(run.code, 130) << run.out << run.err;
    EXPECT_LT(run.seconds, 2.5) << id;
  }
}

TEST_F(ProveTest, ManyHugeMapsFitIntoMemory) {
  std::string text;
  for (int i = 0; i < 6; ++i) {
    const std::string n = std::to_string(i);
    text += "map f" + n + "(a : 1000000, b : 1000000) -> (p : 1000003000000) = 1000003*a + (" +
            std::to_string(7 + 2 * i) + "*b % 1000003)\nprove injective(f" + n + ")\n";
  }
  folder_.write("maps.layout", text);
  const ToolRun run =
      run_tool({"prove", "maps.layout", "-j", "6"}, {.folder = folder_.path(), .limit = 120});
  EXPECT_TRUE(run.code == 0 || run.code == 3) << run.code << run.out << run.err;
  EXPECT_LT(run.peak_megabytes, 1000);
}

}  // namespace
}  // namespace fragproof::test
