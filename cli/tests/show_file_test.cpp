// `show FILE.layout NAME`: loads, fragments, maps and packs of a file at a shape.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/tests/run_tool.h"

namespace fragproof::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string gemv = std::string(FRAGPROOF_SOURCE_DIR) + "/examples/gemv.layout";

TEST(ShowFile, WhatLanesZeroToFiveLoad) {
  const ToolRun run = run_tool({"show", gemv, "gemv.a", "--lanes", "0-5"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "at N=16, K=32, M=1, S=1, NW=1, U=1")) << run.out;
  EXPECT_TRUE(contains(run.out, "rb=0")) << run.out;
  // The first source text's table: lane 5 is g = 1, t = 1.
  EXPECT_TRUE(contains(
      run.out, "   0  W[0,0]   W[0,1]   W[8,0]   W[8,1]   W[0,2]   W[0,3]   W[8,2]   W[8,3]"))
      << run.out;
  EXPECT_TRUE(contains(
      run.out, "   5  W[1,8]   W[1,9]   W[9,8]   W[9,9]   W[1,10]  W[1,11]  W[9,10]  W[9,11]"))
      << run.out;
  EXPECT_EQ(run.out.find("\n   6"), std::string::npos);
  for (const std::string& line : lines_of(run.out)) EXPECT_LE(line.size(), 80u) << line;
}

TEST(ShowFile, SizesAndIndicesMayBeGiven) {
  const ToolRun run =
      run_tool({"show", gemv, "gemv.a", "--lanes", "0", "--at", "N=32,K=64,rb=1,step=1", "--csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_EQ(lines[0], "lane,elem,register,bit,content");
  EXPECT_EQ(lines[1], "0,0,r0,0,\"W[16, 4]\"");
  EXPECT_EQ(lines[8], "0,7,r3,16,\"W[24, 7]\"");
}

TEST(ShowFile, ABuiltInFileHasAName) {
  const ToolRun run = run_tool({"show", "<builtin>/gemv.layout", "gemv.xv", "--lanes", "0"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "x[0,0]")) << run.out;
}

TEST(ShowFile, MapsFragmentsAndPacks) {
  const TemporaryFolder folder;
  folder.write("m.layout",
               "size N\n"
               "require N % 2 == 0\n"
               "map f(a : N, b : [h:2, e:2]) -> (p : 4*N, q) = (4*a + b, h)\n"
               "fragment F(lane : [g:8, t:4], elem : [e:2]) -> (row : 8, col : 8) : b16\n"
               "  row = g\n"
               "  col = 2*t + e\n"
               "tensor W[N] : b8\n"
               "pack P[N] : b8\n"
               "  for (n : N) P[N - 1 - n] = W[n]\n");
  const auto show = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"show", "m.layout"});
    return run_tool(arguments, {.folder = folder.path()});
  };
  EXPECT_EQ(show({"f", "--csv"}).out,
            "a,b,p,q\n0,0,0,0\n0,1,1,0\n0,2,2,1\n0,3,3,1\n1,0,4,0\n1,1,5,0\n1,2,6,1\n1,3,7,1\n");
  EXPECT_TRUE(contains(show({"f"}).out, "at N=2"));
  EXPECT_EQ(nlohmann::json::parse(show({"f", "--json", "--at", "N=4"}).out)["rows"].size(), 16u);
  EXPECT_TRUE(contains(show({"F", "--lanes", "5", "--csv"}).out, "5,1,r0,16,1,3\n"));
  EXPECT_TRUE(contains(show({"P", "--csv"}).out, "place,content\n0,W[1]\n1,W[0]\n"));
  EXPECT_EQ(show({"f", "--svg"}).code, 2);
  EXPECT_EQ(show({"f", "--lanes", "0"}).code, 2);
  EXPECT_EQ(show({"F", "--lanes", "32"}).code, 2);
  const ToolRun odd = show({"f", "--at", "N=3"});
  EXPECT_EQ(odd.code, 2);
  EXPECT_TRUE(contains(odd.err, "no such sizes satisfy the requires")) << odd.err;
  EXPECT_EQ(show({"f", "--at", "N=0"}).code, 2);
  EXPECT_TRUE(contains(show({"f", "--at", "M=2"}).err, "no size or index named M"));
  EXPECT_TRUE(contains(show({"PP"}).err, "did you mean P?"));
  EXPECT_TRUE(contains(show({}).err, "say what to show of m.layout: it has P, f, F"));
}

TEST(ShowFile, SharedTiles) {
  const std::string examples = std::string(FRAGPROOF_SOURCE_DIR) + "/examples/";
  const auto show = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "show");
    return run_tool(arguments);
  };
  // The swizzle: unit 0 of row 1 holds unit 1 of the matrix; the second K block starts at 64.
  const ToolRun csv = show({"tile_swizzled", "gemm.As", "--csv"});
  const std::vector<std::string> lines = lines_of(csv.out);
  ASSERT_EQ(lines.size(), 32u * 64 + 1) << csv.err;
  EXPECT_EQ(lines[0], "place,index,content");
  EXPECT_EQ(lines[1], "0,\"As[0, 0]\",\"A[0, 0]\"");
  EXPECT_EQ(lines[1 + 64], "64,\"As[1, 0]\",\"A[1, 8]\"");
  EXPECT_TRUE(contains(show({"tile_swizzled", "gemm.As", "--at", "K=128,kt=1"}).out,
                       "As[1, 0]   A[1, 72]"));
  // Padding is never written.
  EXPECT_TRUE(contains(show({examples + "tile_padded.layout", "As"}).out, "never written"));
  EXPECT_TRUE(contains(show({"tile_swizzled", "As"}).err, "say gemm.As or forgot.As"));
  EXPECT_TRUE(contains(show({"tile_swizzled", "gemm.Az"}).err, "did you mean gemm.As?"));
  EXPECT_EQ(show({"tile_swizzled", "gemm.As", "--at", "kt=1"}).code, 2);
  EXPECT_EQ(show({"tile_swizzled", "gemm.As", "--lanes", "0"}).code, 2);
  EXPECT_EQ(show({"tile_swizzled", "gemm.As", "--svg"}).code, 2);
}

TEST(ShowFile, AHugeMapIsCutAndSaysSo) {
  const TemporaryFolder folder;
  folder.write("h.layout", "map f(a : 1000000, b : 1000000) -> (p) = a + b\nmap g(a) -> (p) = a\n");
  const ToolRun text = run_tool({"show", "h.layout", "f"}, {.folder = folder.path()});
  EXPECT_EQ(text.code, 0);
  EXPECT_TRUE(contains(text.out, "only the first 256 points"));
  EXPECT_EQ(run_tool({"show", "h.layout", "g"}, {.folder = folder.path()}).code, 0);
}

TEST(ShowFile, ABrokenFileIsAnError) {
  const TemporaryFolder folder;
  folder.write("b.layout", "map f(a : 8) -> (p : 8) = b\n");
  const ToolRun run = run_tool({"show", "b.layout", "f"}, {.folder = folder.path()});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(contains(run.err, "b.layout:1:27: error:")) << run.err;
  EXPECT_EQ(run_tool({"show", "missing.layout", "f"}, {.folder = folder.path()}).code, 2);
}

TEST(ShowFile, AnIndexOutsideIsAnError) {
  const ToolRun run = run_tool({"show", gemv, "gemv.a", "--at", "step=2"});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(contains(run.err, "step=2")) << run.err;
}

}  // namespace
}  // namespace fragproof::test
