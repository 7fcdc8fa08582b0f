// Reasons are one sentence, whatever the engines quote.
#include "checkers/sentence.h"

#include <gtest/gtest.h>

namespace fragproof::test {
namespace {

TEST(Sentence, ShortReasonsStandAsTheyAre) {
  EXPECT_EQ(one_sentence(""), "");
  EXPECT_EQ(one_sentence("not shown: `p` (a - b)"), "not shown: `p` (a - b)");
  const std::string longest(longest_reason - 1, 'x');
  EXPECT_EQ(one_sentence(longest), longest);
}

TEST(Sentence, PagesOfPolynomialsAreLeftOut) {
  std::string page = "4*floor(n";
  for (int i = 0; i < 300; ++i) page += " + tiles.l*(n.h + " + std::to_string(i) + ")";
  page += ")";
  EXPECT_EQ(one_sentence("not shown: `local(b)` is not negative (" + page + "); true at 25 shapes"),
            "not shown: `local(b)` is not negative; true at 25 shapes");
  EXPECT_EQ(one_sentence("not shown: (" + page + "); true at 25 shapes"),
            "not shown; true at 25 shapes");
  // Never closed: cut short by whoever wrote it.
  EXPECT_EQ(one_sentence("not shown: x >= 0 (" + page.substr(0, page.size() - 1)),
            "not shown: x >= 0");
}

TEST(Sentence, ClausesGoFromTheEnd) {
  const std::string first(150, 'a'), second(100, 'b'), third(10, 'c');
  EXPECT_EQ(one_sentence(first + "; " + second + "; " + third), first);
  EXPECT_EQ(one_sentence(first + "; " + third + " (short)"), first + "; " + third + " (short)");
}

TEST(Sentence, OneLongClauseIsCutAtABlankAndInsideNoCharacter) {
  std::string words;
  for (int i = 0; i < 100; ++i) words += "word ";
  const std::string cut = one_sentence(words);
  EXPECT_LT(cut.size(), longest_reason);
  EXPECT_EQ(cut.substr(cut.size() - 7), "word ..");
  std::string accents;
  for (int i = 0; i < 150; ++i) accents += "\xc3\xa9";
  const std::string whole = one_sentence("x" + accents);
  EXPECT_LT(whole.size(), longest_reason);
  EXPECT_EQ((whole.size() - 3) % 2, 1U) << "x, whole characters, and the two dots";
}

}  // namespace
}  // namespace fragproof::test
