// The one line that is argument, corpus line and reproducer.
#include "fuzz/configuration.h"

#include <gtest/gtest.h>

#include <set>

#include "fuzz/tests/support.h"

namespace fragproof::fuzz_testing {
namespace {

TEST(Configuration, IsItsOwnText) {
  for (const std::string line :
       {"gemv N=64 K=512 M=13 S=1 NW=8 U=2", "gemv.layout gemv N=64", "both M=8 T=@7", "K=32",
        "k T={2,0,1} U=@0", "gemv N=170141183460469231731687303715884105727"}) {
    const ParsedConfiguration parsed = parse_configuration(line);
    ASSERT_TRUE(parsed.configuration) << line << ": " << parsed.error;
    EXPECT_EQ(to_text(*parsed.configuration), line);
  }
  const ParsedConfiguration spaced = parse_configuration("  gemv \t M=1  T={ 3, 4 }\r");
  ASSERT_TRUE(spaced.configuration) << spaced.error;
  EXPECT_EQ(to_text(*spaced.configuration), "gemv M=1 T={3,4}");
}

TEST(Configuration, SaysWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "a configuration is like"},
      {"gemv M", "'M' is no NAME=VALUE"},
      {"gemv M=", "'M=' is no NAME=VALUE"},
      {"gemv M=x", "'x' is no number"},
      {"gemv M=0", "a size is at least 1"},
      {"gemv M=-3", "a size is at least 1"},
      {"gemv M=1 M=2", "M is given twice"},
      {"gemv T=@x", "a table is `@SEED`"},
      {"gemv T={1,x}", "a table is `@SEED`"},
      {"gemv T={1", "a table is `@SEED`"},
      {"7 M=1", "'7' is no NAME=VALUE"},
      {"M=1 gemv", "'gemv' is no NAME=VALUE"},
      {"gemv M=999999999999999999999999999999999999999999", "is no number"},
  };
  for (const auto& [line, text] : wrong) {
    const ParsedConfiguration parsed = parse_configuration(line);
    EXPECT_FALSE(parsed.configuration) << line;
    EXPECT_NE(parsed.error.find(text), std::string::npos) << line << ": " << parsed.error;
  }
}

TEST(Space, FillsInTheSmallest) {
  const Loaded gemv = load_example("gemv.layout");
  const KernelSpace space(gemv.spec(), gemv.kernel("gemv"));
  std::string error;
  Configuration part;
  part.sizes = {{"U", 2}, {"M", 5}};
  const std::optional<Shape> shape = space.shape_of(part, error);
  ASSERT_TRUE(shape) << error;
  std::string text;
  for (const auto& [size, value] : shape->sizes) text += size->name + "=" + to_string(value) + " ";
  EXPECT_EQ(text, "N=16 K=64 M=5 S=1 NW=1 U=2 ");
}

TEST(Space, NamesTheRequireThatExcludes) {
  const Loaded gemv = load_example("gemv.layout");
  const KernelSpace space(gemv.spec(), gemv.kernel("gemv"));
  EXPECT_EQ(space.excluded_by(shape_of(gemv, "N=64 K=512 M=13 S=1 NW=4 U=3")),
            "`K % (32*S*NW*U) == 0` (line 29) is false at K=512, S=1, NW=4, U=3");
  EXPECT_EQ(space.excluded_by(shape_of(gemv, "N=64 K=512 M=13 S=1 NW=4 U=2")), "");
  EXPECT_EQ(space.excluded_by(shape_of(gemv, "N=17 K=512 M=13 S=1 NW=4 U=2")),
            "`N % 16 == 0` (line 18) is false at N=17");
}

TEST(Space, SeedsTables) {
  const Loaded loaded = load_example("a04_act_order.layout");
  const KernelSpace space(loaded.spec(), loaded.kernel("both_gathered"));
  ASSERT_EQ(space.tables().size(), 1U);
  std::set<std::vector<Int>> met;
  for (int seed = 0; seed < 5; ++seed) {
    const Shape shape = shape_of(loaded, "both_gathered T=@" + std::to_string(seed));
    const std::vector<Int>& table = shape.tables.at(space.tables().front());
    EXPECT_EQ(std::set<Int>(table.begin(), table.end()).size(), table.size());  // a permutation
    EXPECT_EQ(space.excluded_by(shape), "");
    met.insert(table);
  }
  EXPECT_EQ(met.size(), 5U);
  std::string error;
  const auto wrong = parse_configuration("both_gathered T={0,1}");
  EXPECT_FALSE(space.shape_of(*wrong.configuration, error));
  EXPECT_NE(error.find("2 given"), std::string::npos) << error;
  error.clear();
  EXPECT_FALSE(space.shape_of(*parse_configuration("both_gathered Q=3").configuration, error));
  EXPECT_EQ(error, "no size named Q");
  error.clear();
  EXPECT_FALSE(space.shape_of(*parse_configuration("both_gathered Q=@3").configuration, error));
  EXPECT_EQ(error, "no open table named Q");
}

}  // namespace
}  // namespace fragproof::fuzz_testing
