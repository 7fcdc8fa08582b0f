// Proofs replayed by fragproof-check, a program that shares no code with what wrote them; and what
// it must not accept.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "checkers/radix/radix.h"
#include "checkers/tests/examples.h"
#include "spec/load.h"

namespace fragproof {
namespace {

class RadixReplay : public testing::Test {
 protected:
  RadixReplay() {
    folder_ = std::filesystem::temp_directory_path() /
              ("fragproof_replay_" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  ~RadixReplay() override { std::filesystem::remove_all(folder_); }

  // The exit code of fragproof-check on `text`; what it prints in `output`.
  int check(const std::string& text, const std::string& options = "") {
    const std::string path = (folder_ / "a.proof").string();
    const std::string printed = (folder_ / "printed").string();
    std::ofstream(path, std::ios::binary) << text;
    const std::string command =
        std::string(FRAGPROOF_CHECK) + " " + options + " '" + path + "' > '" + printed + "' 2>&1";
    const int status = std::system(command.c_str());
    std::ifstream in(printed);
    std::ostringstream all;
    all << in.rdbuf();
    output = all.str();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string output;

 private:
  std::filesystem::path folder_;
};

std::string proof_of(const Question& question) {
  Budget budget;
  budget.replay = true;
  const Answer answer = prove_radix(question, budget);
  return answer.proof ? answer.proof->replay : "";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

TEST_F(RadixReplay, EveryProofOfTheMainFilesReplays) {
  int proofs = 0;
  for (const char* name : {"gemv", "tf32_gemm", "tile_swizzled"}) {
    const examples::Example example = examples::load(name);
    for (const Question& question : example.questions) {
      const std::string proof = proof_of(question);
      if (proof.empty()) continue;
      ++proofs;
      EXPECT_EQ(check(proof, "--claim '" + question.id + "'"), 0) << question.id << ": " << output;
      EXPECT_EQ(proof.find("evaluated by Z3 alone"), std::string::npos) << question.id;
    }
  }
  EXPECT_GE(proofs, 30);
}

// One claim with steps of most kinds.
std::string sample() {
  const examples::Example example = examples::load("gemv");
  for (const Question& question : example.questions) {
    if (question.id == "gemv/gemv.cover") return proof_of(question);
  }
  return "";
}

TEST_F(RadixReplay, AnAlteredDroppedOrMovedStepIsNotAccepted) {
  const std::vector<std::string> lines = lines_of(sample());
  ASSERT_GT(lines.size(), 20U);
  int altered = 0;
  int moved = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::istringstream in(lines[i]);
    std::string number, lemma, rest;
    in >> number >> lemma;
    std::getline(in, rest);
    if (number.find_first_not_of("0123456789") != std::string::npos) continue;
    std::vector<std::string> bad = lines;
    bad.erase(bad.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(check(joined(bad)), 2) << "without " << lines[i];
    if (lemma == "given" || lemma == "outputs" || lemma == "evaluated") continue;
    // The goal, or what is taken apart, is another by so much that no rounding hides it.
    bad = lines;
    bad[i] = number + " " + lemma + " -1000000007" + rest;
    EXPECT_EQ(check(joined(bad)), 1) << lines[i];
    ++altered;
    // Moved before what it rests on.
    const std::size_t from = lines[i].rfind(" : ");
    if (lemma == "linear" || from == std::string::npos || lines[i].size() < from + 4) continue;
    bad = lines;
    bad[i] = number + " " + lemma + rest.substr(0, rest.rfind(" : ")) + " : " + number;
    EXPECT_EQ(check(joined(bad)), 1) << lines[i];
    ++moved;
  }
  EXPECT_GT(altered, 15);
  EXPECT_GT(moved, 3);
}

TEST_F(RadixReplay, WhatIsNoProofOfThisIsRefused) {
  const std::string good = sample();
  ASSERT_EQ(check(good), 0) << output;
  EXPECT_EQ(check(good.substr(0, good.size() / 2)), 2);
  EXPECT_EQ(check(good.substr(0, good.size() - 1)), 2);
  EXPECT_EQ(check(good + "end 1\n"), 2);
  EXPECT_EQ(check("fragproof-proof 2" + good.substr(17)), 2);
  EXPECT_EQ(check(good, "--claim gemv/gemv.output"), 2);
  EXPECT_EQ(check(""), 2);
  EXPECT_EQ(check(std::string(100'000, 'x')), 2);
  EXPECT_EQ(check("fragproof-proof 1\nclaim c\ncase\nend 0\n"), 2);
}

struct Forged {
  const char* what;
  const char* steps;
  int code;
};

// Small proofs by hand: each lemma with one premise too few, one number too many.
TEST_F(RadixReplay, ForgedStepsAreNotAccepted) {
  const std::string head =
      "fragproof-proof 1\nclaim c\ncase\nsymbol 0 integer 1 ; N\nsymbol 1 digit 1*0 ; v\n"
      "symbol 2 bit ; b\nsymbol 3 atom ; a\nsymbol 4 digit 8 ; l\nsymbol 5 integer 0 ; h\n";
  const Forged cases[] = {
      {"a range", "0 linear 1*0 -1*1 -1 : 1 ; 1 r 1*0 -1*1 -1\nend 1\n", 0},
      {"more than the range", "0 linear 1*0 -1*1 -2 : 1 ; 1 r 1*0 -1*1 -2\nend 1\n", 1},
      {"an atom has no range", "0 linear 1*3 : 1 ; 1 r 1*3\nend 1\n", 1},
      {"a product", "0 linear 1*0*1 : 1 ; 1 r 1*0 | r 1*1\nend 1\n", 0},
      {"a product with an atom", "0 linear 1*0*3 : 1 ; 1 r 1*0 | r 1*3\nend 1\n", 1},
      {"a negative multiplier", "0 linear -1*0 : 1 ; -1 r 1*0\nend 1\n", 1},
      {"a number below 0", "0 linear -1 : 1 ; 1 n -1\nend 1\n", 1},
      {"rounded up", "0 given 2*3 -1\n1 linear 1*3 -1 : 2 ; 1 s 0\nend 2\n", 0},
      {"rounded too far", "0 given 2*3 -2\n1 linear 1*3 -2 : 2 ; 1 s 0\nend 2\n", 1},
      {"a scale of 0", "0 linear -5 : 0\nend 1\n", 1},
      {"a later step", "0 linear 1*3 : 1 ; 1 s 1\n1 given 1*3\nend 2\n", 1},
      {"bits", "0 bits 1*2 0\nend 1\n", 0},
      {"bits below 0", "0 bits 1*2 -1\nend 1\n", 1},
      {"no bits", "0 bits 1*0\nend 1\n", 1},
      {"bounds", "0 linear 1*0*0 -1 : 1 ; 1 b 1*0*0 -1\nend 1\n", 0},
      {"above bounds", "0 linear 1*0*0 -2 : 1 ; 1 b 1*0*0 -2\nend 1\n", 1},
      {"digits",
       "0 outputs 8*5 1*4 : 4 5\n1 linear 1*4 : 1 ; 1 r 1*4\n2 linear 7 -1*4 : 1 ; 1 r 7 -1*4\n"
       "3 unique 8*5 1*4 ; 8 ; 1*5 ; 1*4 : 0 1 2\nend 4\n",
       0},
      {"digits without a range",
       "0 outputs 8*5 1*4 : 4 5\n1 linear 1*4 : 1 ; 1 r 1*4\n"
       "2 unique 8*5 1*4 ; 8 ; 1*5 ; 1*4 : 0 1\nend 3\n",
       1},
      {"digits of something else",
       "0 outputs 1*5 : 4 5\n1 linear 1*4 : 1 ; 1 r 1*4\n2 linear 7 -1*4 : 1 ; 1 r 7 -1*4\n"
       "3 unique 8*5 1*4 ; 8 ; 1*5 ; 1*4 : 0 1 2\nend 4\n",
       1},
      {"a digit",
       "0 outputs 1*0*5 : 5\n1 linear 1*0 -1 : 1 ; 1 r 1*0 -1\n2 cancel 1*0*5 ; 1*0 ; 1*5 ; 0 : 0 "
       "1\n"
       "end 3\n",
       0},
      {"a factor that may be 0", "0 outputs 1*1*5 : 5\n1 cancel 1*1*5 ; 1*1 ; 1*5 ; 0 : 0\nend 2\n",
       1},
      {"a rest that differs",
       "0 outputs 1*5 1*4 : 4 5\n1 cancel 1*5 1*4 ; 1 ; 1*5 ; 1*4 : 0\nend 2\n", 1},
      {"a table", "0 outputs 1 -1*2 : 2\n1 table 1 -1*2 : 2 : 0\nend 2\n", 0},
      {"a table of one value", "0 outputs 0 : 2\n1 table 0*2 : 2 : 0\nend 2\n", 1},
      {"a table with equal values", "0 outputs 1*2*2 -1*2 : 2\n1 table 1*2 -1*2 : 2 : 0\nend 2\n",
       1},
      {"an undeclared symbol", "0 given 1*9\nend 1\n", 2},
      {"no lemma", "0 trust 1*3\nend 1\n", 2},
  };
  for (const Forged& c : cases)
    EXPECT_EQ(check(head + c.steps), c.code) << c.what << ": " << output;
}

}  // namespace
}  // namespace fragproof
