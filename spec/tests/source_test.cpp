// Texts, places in them, and how a diagnostic looks; the integers' text; near misses.
#include "spec/source.h"

#include <gtest/gtest.h>

#include "spec/integer.h"
#include "spec/suggest.h"

namespace fragproof {
namespace {

std::string shown(const std::string& text, const Span& where, const std::string& message = "wrong",
                  const std::string& help = "") {
  SourceSet sources;
  sources.add("a.layout", text);
  return render(sources, {where, message, help, Severity::Error});
}

TEST(SourceSet, LinesEndInLfOrCrlfAndTheLastMayNotEnd) {
  SourceSet sources;
  const int file = sources.add("a", "one\r\n\ntwo");
  ASSERT_EQ(sources.file(file).lines.size(), 3u);
  EXPECT_EQ(sources.line(file, 1), "one");
  EXPECT_EQ(sources.line(file, 2), "");
  EXPECT_EQ(sources.line(file, 3), "two");
  EXPECT_EQ(sources.file(sources.add("b", "x\n")).lines.size(), 1u);
  EXPECT_EQ(sources.file(sources.add("c", "")).lines.size(), 0u);
}

TEST(SourceSet, DropsAByteOrderMark) {
  SourceSet sources;
  EXPECT_EQ(sources.line(sources.add("a", "\xef\xbb\xbfsize N\n"), 1), "size N");
}

TEST(SourceSet, LinesThatAreNotThereAreEmpty) {
  SourceSet sources;
  const int file = sources.add("a", "one\n");
  EXPECT_EQ(sources.line(file, 0), "");
  EXPECT_EQ(sources.line(file, 2), "");
  EXPECT_EQ(sources.line(-1, 1), "");
  EXPECT_EQ(sources.line(7, 1), "");
}

TEST(SourceSet, TextOfASpanIsClippedToItsLine) {
  SourceSet sources;
  const int file = sources.add("a", "abc def\n");
  EXPECT_EQ(sources.text({file, 1, 5, 3}), "def");
  EXPECT_EQ(sources.text({file, 1, 5, 300}), "def");
  EXPECT_EQ(sources.text({file, 1, 50, 3}), "");
  EXPECT_EQ(sources.text({file, 1, 0, 3}), "");
  EXPECT_EQ(sources.text({-1, 0, 0, 1}), "");
}

TEST(SourceSet, FilesKeepTheirTextWhenOthersAreAdded) {
  SourceSet sources;
  const int first = sources.add("a", "short");  // a small text lives inside its string
  for (int i = 0; i < 1000; ++i) sources.add("b", "x");
  EXPECT_EQ(sources.line(first, 1), "short");
}

TEST(Render, ShowsTheLineTheCaretAndTheHelp) {
  EXPECT_EQ(shown("size N\nlet a = rb*KBB + 1\n", {0, 2, 12, 3}, "unknown name `KBB`",
                  "did you mean `KB`?"),
            "a.layout:2:12: error: unknown name `KBB`\n"
            "  let a = rb*KBB + 1\n"
            "             ^~~\n"
            "help: did you mean `KB`?\n");
}

TEST(Render, NotesSayThatTheyAreNotes) {
  SourceSet sources;
  sources.add("a", "x\n");
  EXPECT_EQ(render(sources, {{0, 1, 1, 1}, "see here", "", Severity::Note}),
            "a:1:1: note: see here\n  x\n  ^\n");
}

TEST(Render, WithoutALineThereIsNoExcerpt) {
  EXPECT_EQ(shown("x\n", {-1, 0, 0, 1}), "error: wrong\n");
  EXPECT_EQ(shown("x\n", {0, 0, 0, 1}), "a.layout: error: wrong\n");
  EXPECT_EQ(shown("x\n", {0, 9, 1, 1}), "a.layout:9:1: error: wrong\n");
}

TEST(Render, ThePlaceBehindTheLineHasACaretToo) {
  EXPECT_EQ(shown("let a =\n", {0, 1, 8, 1}),
            "a.layout:1:8: error: wrong\n  let a =\n         ^\n");
  EXPECT_EQ(shown("let a =\n", {0, 1, 800, 1}),
            "a.layout:1:800: error: wrong\n  let a =\n         ^\n");
}

TEST(Render, CaretsCountCharactersNotBytes) {
  EXPECT_EQ(
      shown("include \"\xc3\xa4\xe2\x82\xac\" x\n", {0, 1, 17, 1}),
      "a.layout:1:17: error: wrong\n  include \"\xc3\xa4\xe2\x82\xac\" x\n               ^\n");
}

TEST(Render, WhatATerminalWouldObeyIsSpeltOut) {
  const std::string text =
      shown("a\x1b[31m b\tc \xe2\x80\xae d \xff\n", {0, 1, 8, 1}, "found \x1b[0m");
  EXPECT_EQ(text,
            "a.layout:1:8: error: found \\x1b[0m\n"
            "  a\\x1b[31m b\\tc \\u{202e} d \\xff\n"
            "            ^\n");
}

TEST(Render, AControlCharacterIsUnderlinedWhole) {
  EXPECT_EQ(shown("a\tb\n", {0, 1, 2, 1}), "a.layout:1:2: error: wrong\n  a\\tb\n   ^~\n");
}

TEST(Render, LongLinesAreClippedAroundTheColumn) {
  const std::string line = std::string(500, 'x') + "HERE" + std::string(500, 'y');
  const std::string text = shown(line + "\n", {0, 1, 501, 4});
  EXPECT_LT(text.size(), 300u);
  const std::size_t row = text.find("\n  ...") + 1;
  const std::size_t carets = text.find('\n', row) + 1;
  EXPECT_EQ(text.substr(row, 5), "  ...");
  EXPECT_NE(text.find("y...\n"), std::string::npos);
  EXPECT_EQ(text.find("HERE") - row, text.find("^~~~") - carets);
}

TEST(Render, ClippingCutsNoCharacterInTwo) {
  std::string line;
  for (int i = 0; i < 300; ++i) line += "\xe2\x82\xac";
  for (int column = 1; column < 900; column += 7) {
    EXPECT_EQ(shown(line, {0, 1, column, 1}).find("\\x"), std::string::npos) << column;
  }
}

TEST(Integer, TextGoesBothWays) {
  const Int largest = ((Int{1} << 126) - 1) * 2 + 1;
  for (const Int value : {Int{0}, Int{7}, Int{-12}, largest, -largest, -largest - 1}) {
    EXPECT_EQ(parse_int(to_string(value)), std::optional<Int>(value));
  }
  EXPECT_EQ(to_string(largest), "170141183460469231731687303715884105727");
  EXPECT_EQ(to_string(-largest - 1), "-170141183460469231731687303715884105728");
}

TEST(Integer, MalformedOrTooLargeTextHasNoValue) {
  for (const char* text :
       {"", "-", "+1", "1a", " 1", "1 ", "--1", "170141183460469231731687303715884105728",
        "-170141183460469231731687303715884105729"}) {
    EXPECT_FALSE(parse_int(text).has_value()) << text;
  }
}

TEST(Closest, FindsTypingMistakes) {
  EXPECT_EQ(closest("KBB", {"K", "N", "KB"}), "KB");
  EXPECT_EQ(closest("kb", {"N", "KB"}), "KB");
  EXPECT_EQ(closest("bijectve", {"injective", "bijective"}), "bijective");
  EXPECT_EQ(closest("laod", {"load", "store"}), "load");
}

TEST(Closest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(closest("a", {"b", "c"}), "");
  EXPECT_EQ(closest("KB", {"KB"}), "");  // the name itself is no near miss
  EXPECT_EQ(closest("frobnicate", {"load", "store"}), "");
  EXPECT_EQ(closest("", {"a"}), "");
  EXPECT_EQ(closest(std::string(100000, 'a'), {std::string(100001, 'a')}), "");
}

}  // namespace
}  // namespace fragproof
