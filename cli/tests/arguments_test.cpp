// The command line: values that are missing, empty or no numbers; files of formats; names and near
// misses; every command's help.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/tests/run_tool.h"

namespace fragproof::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Arguments : public testing::Test {
 protected:
  Arguments() {
    folder_.write("good.layout", "prove same: forall(a : 8) a == a\nprove other: 1 + 1 == 2\n");
  }
  ToolRun run(const std::vector<std::string>& arguments) {
    return run_tool(arguments, {.folder = folder_.path(), .limit = 20});
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& message) {
    const ToolRun refused = run(arguments);
    EXPECT_EQ(refused.code, 2) << refused.out << refused.err;
    EXPECT_EQ(refused.out, "");
    EXPECT_TRUE(contains(refused.err, message)) << refused.err;
    EXPECT_LT(refused.err.size(), 300u) << refused.err;
  }
  TemporaryFolder folder_;
};

TEST_F(Arguments, AnEmptyOrMissingValueIsNotIgnored) {
  for (const char* option : {"--json", "--html", "--at", "--only", "--explain", "--timeout"}) {
    const std::string name = option;
    expect_refused({"prove", "good.layout", name, ""}, name + " needs a value");
    expect_refused({"prove", "good.layout", name + "=", "-q"}, "`" + name + "=` has none");
    expect_refused({"prove", "good.layout", name, "--quiet"}, "not the option --quiet");
    expect_refused({"prove", "good.layout", name}, name + " needs a value");
  }
  expect_refused({"prove", ""}, "is empty");
  expect_refused({"show", "ldmatrix.x4", "--csv="}, "has none");
  expect_refused({"show", "ldmatrix.x4", "--lanes", ""}, "--lanes needs a value");
  expect_refused({"prove", "good.layout", "--json", "a", "--json", "b"}, "--json is given twice");
  EXPECT_FALSE(exists(folder_.at("-q")));
}

TEST_F(Arguments, NumbersAreNumbers) {
  const std::string digits(309, '9');
  for (const std::string& wrong :
       {std::string("nan"), std::string("inf"), std::string("-1"), std::string("1e400"),
        std::string("5s"), std::string("0x10"), digits, "-" + digits}) {
    expect_refused({"prove", "good.layout", "--timeout=" + wrong}, "takes seconds from 0 to");
    expect_refused({"prove", "good.layout", "--jobs=" + wrong}, "takes a whole number from 1 to");
    expect_refused({"prove", "good.layout", "--rlimit=" + wrong}, "takes a whole number from 1 to");
  }
  expect_refused({"where", "ldmatrix.x4", "--lane", digits, "--elem", "0"}, "a whole number");
  expect_refused({"where", "ldmatrix.x4", "--lane", "-1", "--elem", "0"}, "outside 0..31");
  expect_refused({"prove", "good.layout", "--at", "N=" + digits}, "larger than 128 bits hold");
  expect_refused({"prove", "good.layout", "--only", digits}, "no claim 999");
  EXPECT_EQ(run({"prove", "good.layout", "--timeout", "0", "-j", "1"}).code, 0);
  EXPECT_EQ(run({"prove", "good.layout", "--timeout", "0.5"}).code, 0);
}

TEST_F(Arguments, TheFileOfAFormat) {
  folder_.write("m.layout", "map f(a : 2) -> (p : 2) = a\n");
  const std::string table = "a,p\n0,0\n1,1\n";
  EXPECT_EQ(run({"show", "m.layout", "f", "--csv"}).out, table);
  EXPECT_EQ(run({"show", "m.layout", "--csv", "f"}).out, table);
  EXPECT_EQ(run({"show", "--csv", "m.layout", "f"}).out, table);
  // A word too many for WHAT and PART is the file, whatever it is called.
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"show", "m.layout", "f", "--csv", "a.out"},
        {"show", "--csv", "a.out", "m.layout", "f"},
        {"show", "m.layout", "f", "--at", "N=1", "--csv", "a.out"},
        {"show", "m.layout", "--csv=a.out", "f"}}) {
    const ToolRun written = run(words);
    if (words.size() == 7) {
      EXPECT_EQ(written.code, 2);  // no size N
      continue;
    }
    EXPECT_EQ(written.code, 0) << written.err;
    EXPECT_EQ(written.out, "");
    EXPECT_EQ(read_file(folder_.at("a.out")), table);
    folder_.write("a.out", "");
  }
  expect_refused({"show", "m.layout", "--csv", "a.txt"},
                 "If a.txt is the file to write, say --csv=a.txt.");
  expect_refused({"show", "ldmatrix.x4", "--svg", "a.txt"}, "say --svg=a.txt");
}

TEST_F(Arguments, NearMissesOfInstructions) {
  const ToolRun shape = run({"show", "mma.m16n8k16", "A"});
  EXPECT_EQ(shape.code, 2);
  EXPECT_TRUE(contains(shape.err, "needs a type or a width: mma.m16n8k16.b16,")) << shape.err;
  EXPECT_FALSE(contains(shape.err, "m16n8k8"));
  EXPECT_TRUE(contains(run({"where", "ldmatrix"}).err, "ldmatrix.x4"));
  EXPECT_TRUE(contains(run({"show", "mma.m16n8k18.bf16", "A"}).err, "mma.m16n8k16.bf16"));
}

TEST_F(Arguments, ClaimsByNameAndNearMisses) {
  EXPECT_TRUE(contains(run({"prove", "good.layout", "--only", "same"}).out, "1 proved"));
  expect_refused({"prove", "good.layout", "--only", "sam"}, "did you mean good/same?");
  const ToolRun kernel = run({"prove", "gemv", "--only", "gemv", "--at", "N=16"});
  EXPECT_TRUE(contains(kernel.out, "14 proved")) << kernel.out << kernel.err;
  EXPECT_TRUE(
      contains(run({"prove", "gemv", "--only", "gemv.A.k", "--at", "N=16"}).out, "1 proved"));
  expect_refused({"prove", "gemv", "--only", "gemv/gemv.A"},
                 "gemv/gemv.A.whole, gemv/gemv.A.rows or gemv/gemv.A.k?");
  EXPECT_TRUE(contains(run({"prove", "good.layout", "--explain", "same"}).out, "method"));
}

TEST_F(Arguments, ABuiltInFileByItsName) {
  EXPECT_TRUE(contains(run({"show", "gemv", "gemv.a", "--lanes", "0"}).out, "W[0,0]"));
  folder_.write("gemv", "prove mine: 1 == 1\n");  // a file of that name is what is meant
  EXPECT_TRUE(contains(run({"prove", "gemv"}).out, "gemv/mine"));
  expect_refused({"show", "gemvv", "gemv.a"}, "gemvv");
}

TEST_F(Arguments, AFileErrorIsToldOnce) {
  folder_.write("broken.layout", "prove c: M == 1\n");
  const ToolRun broken = run({"prove", "broken.layout"});
  EXPECT_TRUE(contains(broken.err, "unknown name `M`")) << broken.err;
  EXPECT_FALSE(contains(broken.out, "unknown name")) << broken.out;
  EXPECT_TRUE(contains(broken.out, "! ERROR")) << broken.out;
}

TEST_F(Arguments, AFileIsReadToItsEndWhateverItsSize) {
  // Files below /proc say that they are empty.
  const ToolRun version = run({"prove", "/proc/version"});
  EXPECT_EQ(version.code, 2);
  EXPECT_TRUE(contains(version.err, "/proc/version:1:1: error:")) << version.err;
}

TEST_F(Arguments, EveryCommandHasHelpWithExamples) {
  for (const char* command : {"list", "show", "where", "prove", "version"}) {
    const ToolRun help = run({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(contains(help.out, "Examples:\n  fragproof " + std::string(command))) << help.out;
  }
}

}  // namespace
}  // namespace fragproof::test
