// Where two layouts differ.
#include "reports/layout_diff.h"

#include <gtest/gtest.h>

#include "reports/svg.h"
#include "reports/tests/support.h"

namespace fragproof {
namespace {

LayoutTable table(const std::string& title, std::vector<LayoutCell> cells) {
  LayoutTable made;
  made.title = title;
  made.lanes = 2;
  made.elems = 2;
  made.cells = std::move(cells);
  return made;
}

const LayoutTable left = table("left", {{0, 0, "a0", 0, {}, "W[0, 0]"},
                                        {0, 1, "a0", 16, {}, "W[0, 1]"},
                                        {1, 0, "a0", 0, {}, "W[1, 0]"}});
const LayoutTable right = table("right", {{0, 0, "a0", 0, {}, "W[0, 0]"},
                                          {0, 1, "a0", 16, {}, "W[1, 0]"},
                                          {0, 1, "a0", 16, {}, "W[0, 1]"},
                                          {1, 1, "a0", 16, {}, "W[1, 0]"}});

TEST(LayoutDiff, TheSameIsTheSame) {
  EXPECT_EQ(diff_text(left, left), "left and left are the same in all 4 slots\n");
  EXPECT_EQ(diff_line(table("", {}), table("", {})), " and  are the same in all 0 slots");
}

TEST(LayoutDiff, AnOverlapAHoleAndAnExtraAreAllDrawn) {
  EXPECT_EQ(diff_line(left, right), "left and right: 3 of 4 slots differ");
  const std::string text = diff_text(left, right);
  EXPECT_NE(text.find("W[1,0] & W[0,1]*"), std::string::npos) << text;
  EXPECT_NE(text.find("-*"), std::string::npos) << text;
  const std::string svg = picture_svg(diff_picture(left, right));
  for (const char* hatch : {"fp-overlap", "fp-hole", "fp-extra"})
    EXPECT_EQ(support::count_of(svg, std::string("<path class=\"") + hatch), 3) << hatch;
}

TEST(LayoutDiff, ThePageIsWellFormed) {
  LayoutTable hostile = right;
  hostile.title = "</title><script>";
  hostile.cells[0].text = "<&\x1b";
  EXPECT_EQ(support::markup_fault(diff_html(left, hostile)), "");
}

}  // namespace
}  // namespace fragproof
