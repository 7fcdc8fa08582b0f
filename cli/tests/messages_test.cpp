// What a user reads when a file is wrong: what hangs on a refuted obligation says so in a few
// words, a reason is one sentence, and the words of a pairing blame no side.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/tests/run_tool.h"

namespace fragproof::test {
namespace {

// Two stages of a shared tile, read one stage too far.
const std::string stages =
    "size M, N, K\n"
    "require M % 16 == 0 && N % 8 == 0 && K % 32 == 0\n"
    "tensor A[M, K] : bf16\n"
    "tensor B[N, K] : bf16\n"
    "tensor C[M, N] : f32\n"
    "kernel stage computes C[m, n] += A[m, k] * B[n, k]\n"
    "  parallel (mb : M/16, nb : N/8)\n"
    "  reduce (kt : K/32, s : 2)\n"
    "  shared As[2, 16, 40] : bf16\n"
    "  shared Bs[2, 8, 40] : bf16\n"
    "  let buf = kt % 2\n"
    "  for (r : 16, c : 32) As[buf, r, c] = A[16*mb + r, 32*kt + c]\n"
    "  for (r : 8, c : 32) Bs[buf, r, c] = B[8*nb + r, 32*kt + c]\n"
    "  load a : ldmatrix.x4 from As[buf, lane % 16, 16*s + 8*(lane/16)]\n"
    "  load b : ldmatrix.x2 from Bs[STAGE, lane % 8, 16*s + 8*(lane/8 % 2)]\n"
    "  acc += mma.m16n8k16.bf16(a, b)\n"
    "  store acc to C[16*mb + row, 8*nb + col]\n"
    "prove stage\n";

std::string staged(const std::string& stage) {
  std::string text = stages;
  return text.replace(text.find("STAGE"), 5, stage);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Messages, TwoStagesOfASharedTileHold) {
  const TemporaryFolder folder;
  const ToolRun run = run_tool({"prove", folder.write("stage.layout", staged("buf"))});
  EXPECT_EQ(run.code, 0) << run.out;
}

TEST(Messages, WhatHangsOnARefutedObligationSaysSoAndTakesNoTime) {
  const TemporaryFolder folder;
  const std::string json = folder.at("r.json");
  const ToolRun run =
      run_tool({"prove", folder.write("stage.layout", staged("kt")), "--json", json});
  EXPECT_EQ(run.code, 1) << run.out;
  EXPECT_TRUE(has(run.out, "Bs[2, 0, 0]: index 2 is outside 0..1 of dimension")) << run.out;
  EXPECT_TRUE(has(run.out, "not judged: stage.bounds is refuted")) << run.out;
  EXPECT_TRUE(has(run.out, " were not judged below a")) << run.out;
  EXPECT_FALSE(has(run.out, "undecided")) << run.out;
  int below = 0;
  const auto record = nlohmann::json::parse(read_file(json));
  for (const auto& check : record["checks"]) {
    if (check["verdict"] != "UNKNOWN") continue;
    ++below;
    EXPECT_EQ(check["below"], "stage/stage.bounds") << check["id"];
  }
  EXPECT_GE(below, 1);
}

TEST(Messages, AReasonIsOneSentenceAndTheRestIsExplained) {
  const std::string file = std::string(FRAGPROOF_SOURCE_DIR) + "/examples/b18_work_cuts.layout";
  const ToolRun run = run_tool({"prove", file, "--only", "b18_work_cuts/repaired", "--json", "-"});
  const auto checks = nlohmann::json::parse(run.out)["checks"];
  ASSERT_EQ(checks.size(), 1U);
  if (checks[0]["verdict"] != "UNKNOWN") return;  // an engine has learnt it
  EXPECT_LT(checks[0]["reason"].get<std::string>().size(), 200U);
  EXPECT_EQ(checks[0]["note"].get<std::string>().rfind("in full: ", 0), 0U);
  const ToolRun explained = run_tool({"prove", file, "--explain", "b18_work_cuts/repaired"});
  EXPECT_TRUE(has(explained.out, "in full: ")) << explained.out;
}

TEST(Messages, APairingShowsBothOperands) {
  const TemporaryFolder folder;
  std::string moved = staged("buf");  // the other step's columns: B's k are not A's
  const std::string columns = "16*s + 8*(lane/8 % 2)";
  moved.replace(moved.find(columns), columns.size(), "16*(1 - s) + 8*(lane/8 % 2)");
  const ToolRun run = run_tool({"prove", folder.write("stage.layout", moved)});
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(has(run.out, "A holds    A[0, 0]")) << run.out;
  EXPECT_TRUE(has(run.out, "B asks     A[0, 16]")) << run.out;
  EXPECT_TRUE(has(run.out, "k = 0 meets k = 16")) << run.out;
  EXPECT_FALSE(has(run.out, "  expected ")) << run.out;
}

}  // namespace
}  // namespace fragproof::test
