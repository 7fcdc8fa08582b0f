// The terminal.
#include "reports/text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "reports/escape.h"
#include "reports/picture_text.h"
#include "reports/tests/sample.h"
#include "reports/tests/support.h"

namespace fragproof {
namespace {

std::size_t widest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.find("reproduce:") == std::string::npos)
      widest = std::max(widest, display_width(line));
  }
  return widest;
}

// `text` without its colours.
std::string plain(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      out += text[i];
    }
  }
  return out;
}

TEST(Text, Golden) { support::expect_golden("record.txt", record_text(sample::record())); }
TEST(Text, GoldenProof) {
  support::expect_golden("proof.txt", proof_text(sample::record().checks[0]));
}
TEST(Text, GoldenFaults) {
  support::expect_golden("faults.txt", picture_text(sample::faulty_picture()));
}

TEST(Text, FitsEightyColumns) { EXPECT_LE(widest_line(record_text(sample::record())), 80u); }

TEST(Text, ColourAddsNothingButColour) {
  TextOptions colour;
  colour.colour = true;
  const std::string painted = record_text(sample::record(), colour);
  EXPECT_NE(painted, record_text(sample::record()));
  EXPECT_EQ(plain(painted), record_text(sample::record()));
}

TEST(Text, TheLineOfAClaim) {
  const Record record = sample::record();
  EXPECT_EQ(check_line(record.checks[0]),
            "  PROVED   gemv/gemv.A.rows                        radix+enumerate     3 ms\n");
  EXPECT_EQ(check_line(record.checks[1]).substr(0, 2), "! ");
  EXPECT_EQ(check_line(record.checks[2]).substr(0, 11), "  REFUTED  ");
  EXPECT_EQ(check_line(record.checks[3]).substr(0, 2), "? ");
}

TEST(Text, ALongIdIsNotCutTheMethodsGo) {
  Check check = sample::record().checks[0];
  check.id = std::string(70, 'x');
  EXPECT_EQ(check_line(check), "  PROVED   " + check.id + "     3 ms\n");
}

TEST(Text, ASurpriseSaysEverything) {
  const std::string text = check_details(sample::record().checks[1]);
  for (const char* part : {"the file says `prove`", "N=16, K=32", "(the smallest)",
                           "lane 5 (g=1, t=1), register a1, low half", "W[9, 8]", "W[1, 10]",
                           "128 of 256", "gemv_swap.layout:18:3", "lane 5   expected",
                           "reproduce: fragproof prove gemv_swap.layout --only "
                           "gemv_swap/gemv.A.rows --at N=16,K=32"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST(Text, AnExpectedRefutationIsShort) {
  const std::string text = check_details(sample::record().checks[2]);
  EXPECT_NE(text.find("as expected: M=46341, N=46341"), std::string::npos);
  EXPECT_EQ(text.find("reproduce"), std::string::npos);
}

TEST(Text, AProofThatShouldHaveBeenRefutedIsASurprise) {
  Check check = sample::record().checks[0];
  check.expected = Verdict::Refuted;
  EXPECT_EQ(check_line(check)[0], '!');
  EXPECT_NE(check_details(check).find("PROVED, but the file says `refute`"), std::string::npos);
}

TEST(Text, ACounterexampleThatIsNotTheSmallestSaysSo) {
  Check check = sample::record().checks[1];
  check.counterexample->smallest = false;
  EXPECT_NE(check_details(check).find("(not shown smallest)"), std::string::npos);
}

TEST(Text, HostileTextsObeyNobody) {
  const Record record = sample::hostile_record();
  std::string text = record_text(record);
  for (const Check& check : record.checks) text += proof_text(check);
  for (const char c : text) {
    EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') break;
  }
  EXPECT_EQ(valid_utf8(text), text);
  EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos) << "U+202E";
}

TEST(Text, AColumnOutsideTheLineIsNoTrouble) {
  Check check = sample::record().checks[1];
  for (const int column : {-5, 0, 1000, 2147483647}) {
    check.column = column;
    EXPECT_FALSE(check_details(check).empty());
  }
}

TEST(ProofText, WithoutAProofItSaysWhy) {
  const Record record = sample::record();
  EXPECT_NE(proof_text(record.checks[1]).find("It is false, so there is no proof"),
            std::string::npos);
  EXPECT_NE(proof_text(record.checks[3]).find("There is no proof"), std::string::npos);
}

TEST(ProofText, EvaluationIsNotCalledZ3) {
  Check check = sample::record().checks[0];
  for (ProofStep& step : check.proof->steps) step.discharged = false;
  EXPECT_NE(proof_text(check).find("decided by evaluation alone"), std::string::npos);
  for (ProofStep& step : check.proof->steps) step.discharged = true;
  EXPECT_NE(proof_text(check).find("all discharged by Z3"), std::string::npos);
}

TEST(PictureText, TheLanesThatMatter) {
  PictureTextOptions options;
  options.lane = 29;
  options.elem = 2;
  const std::string text = picture_text(sample::swapped_picture(), options);
  EXPECT_NE(text.find("lane 29"), std::string::npos);
  EXPECT_EQ(support::count_of(text, "  lane "), 4);
  EXPECT_LE(widest_line(text), 80u);
  EXPECT_NE(text.find("112 more differ"), std::string::npos);
}

TEST(PictureText, ANarrowTerminalKeepsTheCounterexample) {
  PictureTextOptions options;
  options.width = 40;
  options.lane = 5;
  options.elem = 2;
  const std::string text = picture_text(sample::swapped_picture(), options);
  EXPECT_NE(text.find("a1.lo"), std::string::npos);
  EXPECT_NE(text.find("W[9,8]"), std::string::npos);
  EXPECT_EQ(text.find("a0.lo"), std::string::npos);
  EXPECT_NE(text.find("columns not shown"), std::string::npos);
}

TEST(PictureText, NonsenseSizesDrawOrStaySilent) {
  Picture picture;
  EXPECT_EQ(picture_text(picture), "");
  Picture labelled = sample::swapped_picture();
  labelled.expected_label = "A holds";
  labelled.found_label = "B holds";
  const std::string both = picture_text(labelled);
  EXPECT_NE(both.find("lane 0   A holds  "), std::string::npos) << both;
  EXPECT_NE(both.find("           B holds  "), std::string::npos) << both;
  EXPECT_EQ(both.find("expected"), std::string::npos) << both;
  picture.elems = picture.lanes = 2147483647;
  picture.bits = picture.register_bits = 0;
  picture.cells = {{2147483647, 2147483647, "a", "b", true}, {-7, -1, "", "", true}};
  EXPECT_NE(picture_text(picture).find("lane -7"), std::string::npos);
}

}  // namespace
}  // namespace fragproof
