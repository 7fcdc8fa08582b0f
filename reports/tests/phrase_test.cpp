// The shared wording.
#include "reports/phrase.h"

#include <gtest/gtest.h>

#include <limits>

#include "reports/tests/sample.h"

namespace fragproof {
namespace {

TEST(Phrase, WhereARefutationIs) {
  const Counterexample c = *sample::record().checks[1].counterexample;
  EXPECT_EQ(place_phrase(c), "lane 5 (g=1, t=1), register a1, low half (element 2)");
  EXPECT_EQ(difference_phrase(c), "expected W[9, 8], found W[1, 10]");
  EXPECT_EQ(count_phrase(c), "128 of 256 slots wrong");
  EXPECT_EQ(short_phrase(c),
            "N=16, K=32, M=1, S=1, NW=1, U=1; rb=0, nb=0, step=0: lane 5 (g=1, t=1), register a1, "
            "low half "
            "(element 2): expected W[9, 8], found W[1, 10]");
}

TEST(Phrase, FieldsThatDoNotApplyAreSilent) {
  EXPECT_EQ(short_phrase(Counterexample{}), "");
  EXPECT_EQ(place_phrase(Counterexample{}), "");
  EXPECT_EQ(count_phrase(Counterexample{}), "");
  Counterexample c;
  c.expected = "W[0, 0]";
  EXPECT_EQ(difference_phrase(c), "expected W[0, 0], found nothing");
  c.elem = 3;
  c.half = "byte 3";
  EXPECT_EQ(place_phrase(c), "byte 3 (element 3)");
  c.wrong = 2;
  EXPECT_EQ(count_phrase(c), "2 points wrong");
}

TEST(Phrase, LanesOfALargerGroupCountWithinTheirWarp) {
  Counterexample c;
  c.lane = 37;
  EXPECT_EQ(place_phrase(c), "lane 37 (g=1, t=1)");
  c.lane = -1;
  EXPECT_EQ(place_phrase(c), "lane -1");
}

TEST(Phrase, LongTablesAreCut) {
  Counterexample c;
  c.tables = {{"T", std::vector<Int>(20, 7)}};
  EXPECT_EQ(tables_phrase(c), "T = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, .. 20 values}");
}

TEST(Phrase, Times) {
  EXPECT_EQ(time_phrase(0.04), "0.0 ms");
  EXPECT_EQ(time_phrase(0.44), "0.4 ms");
  EXPECT_EQ(time_phrase(3.2), "3 ms");
  EXPECT_EQ(time_phrase(1250), "1.25 s");
  EXPECT_EQ(time_phrase(-1), "0.0 ms");
  EXPECT_EQ(time_phrase(std::numeric_limits<double>::quiet_NaN()), "0.0 ms");
  EXPECT_LT(time_phrase(1e300).size(), 12u);
}

TEST(Phrase, PartsOfARegister) {
  EXPECT_EQ(part_of_register(2, 16, 32), "low");
  EXPECT_EQ(part_of_register(3, 16, 32), "high");
  EXPECT_EQ(part_of_register(6, 8, 32), "byte 2");
  EXPECT_EQ(part_of_register(13, 4, 32), "nibble 5");
  EXPECT_EQ(part_of_register(1, 32, 32), "");
  EXPECT_EQ(part_of_register(1, 64, 64), "");
  EXPECT_EQ(part_of_register(-1, 16, 32), "");
  EXPECT_EQ(part_of_register(1, 0, 32), "");
  EXPECT_EQ(part_of_register(1, 6, 32), "");
}

}  // namespace
}  // namespace fragproof
