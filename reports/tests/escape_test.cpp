// Foreign bytes made harmless.
#include "reports/escape.h"

#include <gtest/gtest.h>

namespace fragproof {
namespace {

const std::string replacement = "\xEF\xBF\xBD";

TEST(ValidUtf8, KeepsWhatIsWellFormed) {
  for (const std::string text :
       {"plain", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(valid_utf8(text), text);
  }
}

TEST(ValidUtf8, ReplacesEachStrayByte) {
  EXPECT_EQ(valid_utf8("a\xFFz"), "a" + replacement + "z");
  EXPECT_EQ(valid_utf8("\xC0\xAF"), replacement + replacement) << "overlong";
  EXPECT_EQ(valid_utf8("\xE0\x80\xAF"), replacement + replacement + replacement) << "overlong";
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), replacement + replacement + replacement) << "surrogate";
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80").size(), 12u) << "beyond U+10FFFF";
  EXPECT_EQ(valid_utf8("\xE2\x82"), replacement + replacement) << "cut off";
}

TEST(Visible, NoControlCharacterIsLeft) {
  EXPECT_EQ(visible("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(visible(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(visible("\x7f\xC2\x9B"), "\\x7f\\x9b") << "DEL and the one-byte CSI";
  EXPECT_EQ(visible("a\tb"), "a b");
  EXPECT_EQ(visible("a\nb"), "a\\x0ab");
  EXPECT_EQ(visible("a\nb\r", true), "a\nb\\x0d");
}

TEST(Visible, NothingReordersTheText) {
  EXPECT_EQ(visible("\xE2\x80\xAEgnp"), "\\u202egnp");
  EXPECT_EQ(visible("\xE2\x81\xA6x"), "\\u2066x");
  EXPECT_EQ(visible("\xEF\xBB\xBFx"), "\\ufeffx");
}

TEST(HtmlEscape, EveryMarkupCharacter) {
  EXPECT_EQ(html_escape("<a b='c' d=\"e\">&"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;");
}

TEST(Columns, CountCharactersNotBytes) {
  EXPECT_EQ(display_width("\xC3\xA9t\xC3\xA9"), 3u);
  EXPECT_EQ(pad_right("\xC3\xA9", 3), "\xC3\xA9  ");
  EXPECT_EQ(pad_left("12", 4), "  12");
  EXPECT_EQ(pad_left("12345", 4), "12345");
  EXPECT_EQ(shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(shorten("abcdefg", 6), "abcd..");
  EXPECT_EQ(shorten("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 4), "\xC3\xA9\xC3\xA9..")
      << "never inside a character";
}

}  // namespace
}  // namespace fragproof
