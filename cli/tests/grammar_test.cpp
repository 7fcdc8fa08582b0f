// The language reference: each ```layout block in it is a file whose claims get what they expect.
#include <gtest/gtest.h>

#include "cli/tests/run_tool.h"

namespace fragproof::test {
namespace {

TEST(Grammar, EachBlockGetsItsVerdicts) {
  const TemporaryFolder folder;
  std::string block;
  bool inside = false;
  int blocks = 0;
  for (const std::string& line :
       lines_of(read_file(std::string(FRAGPROOF_SOURCE_DIR) + "/spec/grammar.md"))) {
    if (!inside) {
      inside = line == "```layout";
      block.clear();
      continue;
    }
    if (line != "```") {
      block += line + "\n";
      continue;
    }
    inside = false;
    ++blocks;
    SCOPED_TRACE(block);
    const ToolRun out = run_tool({"prove", folder.write("block.layout", block)});
    const bool has_claims =
        block.find("prove ") != std::string::npos || block.find("refute ") != std::string::npos;
    // What is beyond the engines so far; the page says so.
    const bool open = block.find("exactly_once:") != std::string::npos ||
                      block.find("advanced:") != std::string::npos;
    EXPECT_TRUE(out.code == (has_claims ? 0 : 77) || (open && out.code == 3)) << out.out << out.err;
  }
  EXPECT_FALSE(inside);
  EXPECT_GE(blocks, 14);
}

}  // namespace
}  // namespace fragproof::test
