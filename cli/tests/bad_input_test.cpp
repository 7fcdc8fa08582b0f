// Hostile and broken input: one clear message, exit 2 (or a verdict where sizes decide), no crash,
// no hang.
#include <gtest/gtest.h>

#include <ostream>

#include "cli/tests/run_tool.h"

namespace fragproof::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

struct BadText {
  std::string name;
  std::string text;
  int code;
  std::string message;  // on stderr for exit 2, on stdout for a verdict; "" for any
};

void PrintTo(const BadText& text, std::ostream* out) { *out << text.name; }

class BadInput : public testing::TestWithParam<BadText> {};

TEST_P(BadInput, GetsOneMessageAndACode) {
  const TemporaryFolder folder;
  folder.write("bad.layout", GetParam().text);
  const ToolRun run =
      run_tool({"prove", "bad.layout", "--json", "r.json"}, {.folder = folder.path()});
  EXPECT_EQ(run.code, GetParam().code) << run.out.substr(0, 2000) << run.err.substr(0, 2000);
  EXPECT_TRUE(contains(run.code == 2 ? run.err : run.out, GetParam().message))
      << run.out.substr(0, 2000) << run.err.substr(0, 2000);
  EXPECT_LT(run.seconds, 20);
  EXPECT_LT(run.err.size(), 100'000u);
  EXPECT_TRUE(exists(folder.at("r.json")));  // whatever the verdicts
  EXPECT_EQ(run.code == 2, contains(run.err, "error:")) << run.err.substr(0, 2000);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadInput,
    testing::Values(
        BadText{"malformed", "prove prove prove\n", 2, "bad.layout:1:"},
        BadText{"truncated", "map f(a : 8) -> (p : 8) =", 2, "bad.layout:1:"},
        BadText{"truncated_kernel", "tensor W[8, 8] : bf16\nkernel k computes y[m", 2,
                "bad.layout:2:"},
        BadText{"unknown_name", "size KB\nprove c: KBB == 1\n", 2, "did you mean `KB`"},
        BadText{"zero_extent", "map f(a : 0) -> (p : 8) = a\nprove bijective(f)\n", 2, ""},
        BadText{"zero_digit", "map f(a : [g:0, t:4]) -> (p : 8) = t\nprove total(f)\n", 2, ""},
        BadText{"negative_extent", "map f(a : -3) -> (p : 8) = a\nprove total(f)\n", 2, ""},
        BadText{"zero_divisor", "prove c: 8/0 == 1\n", 2, ""},
        BadText{"zero_modulus", "prove c: 8 % 0 == 1\n", 2, ""},
        BadText{"divisor_may_be_zero", "size N\nprove c: 8/(N - 1) >= 0\n", 1, "REFUTED"},
        BadText{"negative_by_size", "size N\nprove c: forall(a : N - 5) a >= 0\n", 1, "REFUTED"},
        BadText{"deep_parentheses",
                "prove c: " + repeated("(", 100000) + "1" + repeated(")", 100000) + " == 1\n", 2,
                ""},
        BadText{"deep_unary", "prove c: " + repeated("-", 100000) + "1 == 1\n", 2, ""},
        BadText{"deep_conditional", "prove c: " + repeated("1 == 1 ? 1 : ", 50000) + "1 == 1\n", 2,
                ""},
        BadText{"deep_forall", "prove c: " + repeated("forall(x : 2) ", 50000) + "1 == 1\n", 2, ""},
        BadText{"binary",
                std::string("\x7f"
                            "ELF\x02\x01\x01\0\0\0\0\xff\xfe\x80",
                            14),
                2, ""},
        BadText{"nul_bytes", std::string("size N\0\nprove c: N == 1\n", 24), 2, ""},
        BadText{"utf16", std::string("\xff\xfes\0i\0z\0e\0 \0N\0", 14), 2, ""},
        BadText{"terminal_escapes", "prove c: \x1b[31mN == 1\n", 2, ""},
        BadText{"huge_number", "prove c: 1" + repeated("0", 60) + " == 1\n", 2, ""},
        BadText{"many_errors", repeated("prove prove\n", 5000), 2, ""},
        BadText{"product_overflows", "size N\nprove c: i32(N*N) >= 0\n", 1, "REFUTED"},
        BadText{"include_missing", "include \"nowhere.layout\"\nprove c: 1 == 1\n", 2,
                "nowhere.layout"},
        BadText{"include_itself", "include \"bad.layout\"\nprove c: 1 == 1\n", 0, ""},
        BadText{"include_device", "include \"/dev/zero\"\nprove c: 1 == 1\n", 2, ""},
        BadText{"empty_domain", "size N\nrequire N < 1\nprove c: N == N\n", 1, "VACUOUS"},
        BadText{"empty_forall", "prove c: forall(x : 8 where x > 9) x == 0\n", 1, "VACUOUS"},
        BadText{"huge_table", "table T[1000000000000] : 4\nprove c: T[0] < 4\n", 0, "PROVED"},
        BadText{"huge_table_open", "table T[1000000000000] : 4\nprove c: T[0] != T[1]\n", 3,
                "UNKNOWN"},
        BadText{"huge_domain",
                "prove c: forall(x : 1000000000, y : 1000000000) x*y != 123456789123\n", 3,
                "UNKNOWN"}),
    [](const testing::TestParamInfo<BadText>& info) { return info.param.name; });

TEST(BadFile, WhatIsNoFileIsAnError) {
  const TemporaryFolder folder;
  for (const std::string& path :
       {std::string("missing.layout"), folder.path(), std::string("/dev/zero")}) {
    const ToolRun run = run_tool({"prove", path}, {.folder = folder.path()});
    EXPECT_EQ(run.code, 2) << path;
    EXPECT_TRUE(contains(run.err, path)) << run.err;
    EXPECT_LT(run.seconds, 20);
  }
}

TEST(BadFile, AHugeFileIsReadOrRefusedInTime) {
  const TemporaryFolder folder;
  folder.write("long.layout",
               repeated("# a comment that goes on\n", 400'000) + "prove c: 1 == 1\n");
  EXPECT_EQ(run_tool({"prove", "long.layout"}, {.folder = folder.path()}).code, 0);
  folder.write("line.layout", "prove c: 1" + repeated(" + 1", 500'000) + " == 500001\n");
  const ToolRun line = run_tool({"prove", "line.layout"}, {.folder = folder.path()});
  EXPECT_TRUE(line.code == 0 || line.code == 2) << line.code << line.err.substr(0, 500);
  EXPECT_LT(line.seconds, 30);
  folder.write("huge.layout", std::string(70 << 20, '#'));
  const ToolRun huge = run_tool({"prove", "huge.layout"}, {.folder = folder.path()});
  EXPECT_EQ(huge.code, 2);
  EXPECT_TRUE(contains(huge.err, "huge.layout")) << huge.err.substr(0, 500);
}

TEST(BadFile, TheTerminalIsNotObeyed) {
  const TemporaryFolder folder;
  folder.write("esc.layout", "prove c: \x1b[31mN == 1\n");
  const ToolRun run = run_tool({"prove", "esc.layout"}, {.folder = folder.path()});
  EXPECT_FALSE(contains(run.out + run.err, "\x1b"));
}

}  // namespace
}  // namespace fragproof::test
