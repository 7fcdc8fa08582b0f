// `header`: which declarations it writes, where to, and what it says to a wrong question. What the
// text of the header means is the business of spec/tests/cpp_header_test.cpp.
#include <gtest/gtest.h>

#include "cli/tests/run_tool.h"

namespace fragproof::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Header, AnInstructionByAnyOfItsNames) {
  const ToolRun type = run_tool({"header", "mma.m16n8k16.bf16"});
  const ToolRun width = run_tool({"header", "mma.m16n8k16.b16", "mma.m16n8k16.f16"});
  EXPECT_EQ(type.code, 0);
  EXPECT_EQ(type.err, "");
  EXPECT_EQ(type.out, width.out);
  EXPECT_TRUE(contains(type.out, "struct mma_m16n8k16_b16 {"));
  EXPECT_TRUE(contains(type.out, "using mma_m16n8k16_bf16 = mma_m16n8k16_b16;"));
  EXPECT_TRUE(contains(type.out, "const int64_t col = 8 * c + 2 * t + e;"));
  EXPECT_TRUE(contains(type.out, "PTX ISA 9.2, 9.7.14.5.8 Matrix Fragments"));
  EXPECT_TRUE(contains(type.out, "documented"));
  EXPECT_FALSE(contains(type.out, "struct mma_m16n8k8"));
}

TEST(Header, EverythingBuiltInIsTheBuildProduct) {
  const ToolRun run = run_tool({"header"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out, read_file(std::string(FRAGPROOF_BINARY_DIR) + "/fragproof_spec.h"));
  EXPECT_FALSE(contains(run.out, "Not here"));
  for (const char* part : {"struct ldmatrix_x4_trans {", "namespace fragproof::gemv {",
                           "struct Wp {", "namespace fragproof::tf32_gemm {"}) {
    EXPECT_TRUE(contains(run.out, part)) << part;
  }
}

TEST(Header, AFileWithWhatItCallsOfTheBuiltInSpec) {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "my-maps.layout",
      "size N\nmap f(lane : 32, n : N) -> (p : 16*N) = 16*n + mma.m16n8k16.bf16.C(lane, 1).row\n");
  const ToolRun run = run_tool({"header", path, "-o", folder.at("my.h")});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, "");
  const std::string text = read_file(folder.at("my.h"));
  EXPECT_TRUE(contains(text, "struct mma_m16n8k16_b16 {"));
  EXPECT_TRUE(contains(text, "namespace fragproof::my_maps {"));
  EXPECT_TRUE(contains(text, "p(int64_t lane, int64_t n, int64_t /*N*/)")) << text;
  EXPECT_TRUE(contains(text, "return 16 * n + ::fragproof::mma_m16n8k16_b16::C::row(lane, 1);"));
}

TEST(Header, BuiltInFilesByName) {
  const ToolRun run = run_tool({"header", "gemv"});
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(contains(run.out, "index(int64_t i0, int64_t i1, int64_t /*N*/, int64_t K)"));
}

TEST(Header, WhatIsLeftOutIsSaid) {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "part.layout",
      "map f(x : 4) -> (y) = (forall(i : 4) i < x) ? 1 : 0\nmap g(x : 4) -> (y) = x + 1\n");
  const ToolRun run = run_tool({"header", path});
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(contains(run.err, "left out: " + path + ": map f: it holds a `forall`")) << run.err;
  EXPECT_TRUE(contains(run.out, "struct g {"));
}

TEST(Header, WrongQuestions) {
  const TemporaryFolder folder;
  const ToolRun near = run_tool({"header", "mma.m16n8k18.bf16"});
  EXPECT_EQ(near.code, 2);
  EXPECT_TRUE(contains(near.err, "did you mean mma.m16n8k16.bf16?")) << near.err;
  EXPECT_EQ(near.out, "");
  EXPECT_EQ(run_tool({"header", folder.at("absent.layout")}).code, 2);
  EXPECT_EQ(run_tool({"header", "gemv", "-o", folder.at("no/such.h")}).code, 2);
  const std::string empty = folder.write("empty.layout", "prove t: 1 == 1\n");
  const ToolRun nothing = run_tool({"header", empty});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_TRUE(contains(nothing.err, "there is nothing to write")) << nothing.err;
  const std::string broken = folder.write("broken.layout", "map f(x : 4) -> (y) = z\n");
  const ToolRun unknown = run_tool({"header", broken, "-o", folder.at("out.h")});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.err, "unknown name `z`")) << unknown.err;
  EXPECT_FALSE(exists(folder.at("out.h")));
  // Never over what it was made from.
  const std::string own = folder.write("own.layout", "map f(x : 4) -> (y) = x\n");
  EXPECT_EQ(run_tool({"header", own, "-o", own}).code, 2);
  EXPECT_EQ(read_file(own), "map f(x : 4) -> (y) = x\n");
}

}  // namespace
}  // namespace fragproof::test
