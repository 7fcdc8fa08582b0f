// Tokens: what they are, where they are, and what is wrong with a bad one.
#include "spec/lexer.h"

#include <gtest/gtest.h>

#include "spec/suggest.h"

namespace fragproof {
namespace {

struct Lexed {
  SourceSet sources;
  std::vector<Token> tokens;
  std::vector<std::string> complaints;

  explicit Lexed(std::string text) {
    Lexer lexer(sources, sources.add("t", std::move(text)));
    for (Token token = lexer.next(); token.kind != Token::Kind::End; token = lexer.next()) {
      if (token.kind == Token::Kind::Bad) complaints.push_back(lexer.complaint(token).text);
      tokens.push_back(token);
    }
  }
  [[nodiscard]] std::string joined() const {
    std::string all;
    for (const Token& token : tokens) all += std::string(token.text) + " ";
    return all;
  }
};

Int number(const std::string& text) {
  const Lexed lexed(text);
  EXPECT_EQ(lexed.tokens.size(), 1u) << text;
  if (lexed.tokens.size() != 1 || lexed.tokens[0].kind != Token::Kind::Number) return -1;
  return lexed.tokens[0].number;
}

std::string complaint(const std::string& text) {
  const Lexed lexed(text);
  return lexed.complaints.empty() ? "" : lexed.complaints[0];
}

TEST(Lexer, SplitsWordsNumbersAndSymbols) {
  EXPECT_EQ(Lexed("a1 += b.c[0x1f]*(x<<2)>=3&&!y||z->w").joined(),
            "a1 += b . c [ 0x1f ] * ( x << 2 ) >= 3 && ! y || z -> w ");
  EXPECT_EQ(Lexed("a--b").joined(), "a - - b ");
  EXPECT_EQ(Lexed("m16n8k16").tokens.size(), 1u);
}

TEST(Lexer, KnowsLinesColumnsAndTheFirstTokenOfALine) {
  const Lexed lexed("size N\n\n   # only a comment\n  let x # behind\n");
  ASSERT_EQ(lexed.tokens.size(), 4u);
  EXPECT_TRUE(lexed.tokens[0].first);
  EXPECT_FALSE(lexed.tokens[1].first);
  EXPECT_EQ(lexed.tokens[1].column, 6);
  EXPECT_TRUE(lexed.tokens[2].first);
  EXPECT_EQ(lexed.tokens[2].line, 4);
  EXPECT_EQ(lexed.tokens[2].column, 3);
  EXPECT_EQ(lexed.tokens[3].end_column(), 8);
}

TEST(Lexer, ReadsNumbersInThreeBasesWithSeparatorsAndSuffixes) {
  EXPECT_EQ(number("0"), 0);
  EXPECT_EQ(number("12"), 12);
  EXPECT_EQ(number("1'000'000"), 1000000);
  EXPECT_EQ(number("0x1f"), 31);
  EXPECT_EQ(number("0X1'F"), 31);
  EXPECT_EQ(number("0b101"), 5);
  EXPECT_EQ(number("16u"), 16);
  EXPECT_EQ(number("16ULL"), 16);
  EXPECT_EQ(number("0u"), 0);
  EXPECT_EQ(number("0x1fUL"), 31);
  EXPECT_EQ(number("170141183460469231731687303715884105727"),
            *parse_int("170141183460469231731687303715884105727"));
}

TEST(Lexer, RefusesMalformedNumbers) {
  EXPECT_EQ(complaint("010"), "`010` starts with 0: there are no octal numbers");
  EXPECT_EQ(complaint("00"), "`00` starts with 0: there are no octal numbers");
  EXPECT_EQ(complaint("1''0"), "`1''0`: a `'` stands between two digits");
  EXPECT_EQ(complaint("1'"), "`1'`: a `'` stands between two digits");
  EXPECT_EQ(complaint("0x"), "`0x` has no hexadecimal digits");
  EXPECT_EQ(complaint("0b2"),
            "`0b2` is neither a number nor a name: `2` is none of the binary digits");
  EXPECT_EQ(complaint("12ab"), "`12ab` is neither a number nor a name: `a` is none of the digits");
  EXPECT_EQ(complaint("1.5"), "numbers are integers: no fractions");
  EXPECT_EQ(complaint("170141183460469231731687303715884105728"),
            "`170141183460469231731687303715884105728` is too large: numbers have up to 127 bits");
  EXPECT_NE(complaint("0x" + std::string(1000, 'f')).find("...` is too large"), std::string::npos);
}

TEST(Lexer, RefusesWhatCIsWrittenWith) {
  EXPECT_EQ(complaint("n // 16"),
            "`//` is neither an operator nor a comment: write `/` (division is integer division), "
            "or `#` for a comment");
  EXPECT_EQ(complaint("// note"), "`//` starts no comment here");
  EXPECT_EQ(complaint("n /* note */ + 1"), "`/*` starts no comment here");
  EXPECT_EQ(complaint("x;"), "no `;` here: a statement ends with its line");
  EXPECT_EQ(complaint("\tx"), "tabs are not allowed");
  EXPECT_EQ(complaint("@"), "`@` has no meaning here");
  EXPECT_EQ(complaint("\x01"), "a control character does not belong here");
  EXPECT_EQ(complaint("a\rb"), "a control character does not belong here");
  EXPECT_EQ(complaint("\xc3\x97"), "`\xc3\x97` is not ASCII");
}

TEST(Lexer, StringsEndInTheirLine) {
  const Lexed lexed("include \"a # b.layout\" # c\n");
  ASSERT_EQ(lexed.tokens.size(), 2u);
  EXPECT_EQ(lexed.tokens[1].text, "a # b.layout");
  EXPECT_EQ(lexed.tokens[1].length, 14);
  EXPECT_EQ(complaint("\"abc\ndef\""), "this string is not closed");
}

TEST(Lexer, CommentsMayHoldAnything) {
  EXPECT_TRUE(Lexed("# \xe2\x82\xac \t @ \" // ;\n").tokens.empty());
}

TEST(Lexer, GoesOnBehindABadToken) {
  const Lexed lexed("a @ 09 b");
  ASSERT_EQ(lexed.tokens.size(), 4u);
  EXPECT_EQ(lexed.complaints.size(), 2u);
  EXPECT_EQ(lexed.tokens[3].text, "b");
}

TEST(Lexer, FindsTabsThatIndent) {
  const auto found = [](std::string text) {
    SourceSet sources;
    const Diagnostic d = find_tab_indent(sources, sources.add("t", std::move(text)));
    return d.text.empty() ? "" : std::to_string(d.where.line) + ":" + d.text;
  };
  EXPECT_EQ(found("size N\n\n  let a = 1\t# behind\n\t# a comment\n \t\n"), "");
  EXPECT_EQ(found("size N\n \tx\n"), "2:tabs are not allowed");
  EXPECT_EQ(found("k\n\tx\n  y\n\tz\n"),
            "2:tabs are not allowed: this line and 1 more is indented with them");
  EXPECT_EQ(found("k\n\tx\n\ty\n\tz\n"),
            "2:tabs are not allowed: this line and 2 more are indented with them");
}

TEST(Lexer, FindsWhatIsNoText) {
  const auto complaint_of = [](std::string text) {
    SourceSet sources;
    return find_non_text(sources, sources.add("t", std::move(text)));
  };
  EXPECT_EQ(complaint_of("size N # \xe2\x82\xac\n").text, "");
  EXPECT_EQ(complaint_of(std::string("ab\0c", 4)).text,
            "this is not a text file: it holds a NUL byte");
  const Diagnostic bad = complaint_of("x\n# \xff\n");
  EXPECT_EQ(bad.text, "this is not UTF-8 text: byte 0xff is out of place");
  EXPECT_EQ(bad.where.line, 2);
  EXPECT_EQ(bad.where.column, 3);
  EXPECT_NE(complaint_of("# \xc0\x80").text, "");          // overlong NUL
  EXPECT_NE(complaint_of("# \xed\xa0\x80").text, "");      // half a surrogate pair
  EXPECT_NE(complaint_of("# \xf4\x90\x80\x80").text, "");  // beyond Unicode
  EXPECT_NE(complaint_of("# \xe2\x82").text, "");          // cut off
}

TEST(Lexer, ResumesWhereALineStartsWithAWord) {
  SourceSet sources;
  Lexer lexer(sources, sources.add("t", "a b\n  c\n) d\n# e\nf\n"));
  EXPECT_EQ(lexer.next().text, "a");
  lexer.resume(2);
  const Token token = lexer.next();
  EXPECT_EQ(token.text, "f");
  EXPECT_EQ(token.line, 5);
  lexer.resume(6);
  EXPECT_EQ(lexer.next().kind, Token::Kind::End);
}

TEST(Words, ReservedOnesAreKnown) {
  EXPECT_TRUE(is_reserved("forall"));
  EXPECT_TRUE(is_reserved("ceildiv"));
  EXPECT_FALSE(is_reserved("lane"));
  EXPECT_FALSE(is_reserved("file"));
  EXPECT_FALSE(is_reserved("grid"));
  for (const std::string& word : declaration_words()) EXPECT_TRUE(is_reserved(word)) << word;
}

TEST(Types, HaveAWidthAndAClass) {
  const auto is = [](const char* name, const char* canonical, int width, ElementType::Class cls) {
    const std::optional<ElementType> type = find_type(name);
    ASSERT_TRUE(type.has_value()) << name;
    EXPECT_EQ(type->name, canonical);
    EXPECT_EQ(type->width, width) << name;
    EXPECT_EQ(type->cls, cls) << name;
  };
  is("bf16", "bf16", 16, ElementType::Class::Float);
  is("tf32", "tf32", 32, ElementType::Class::Float);
  is("e2m1", "e2m1", 4, ElementType::Class::Float);
  is("b1", "b1", 1, ElementType::Class::Raw);
  is("b128", "b128", 128, ElementType::Class::Raw);
  is("u4", "u4", 4, ElementType::Class::Unsigned);
  is("s8", "s8", 8, ElementType::Class::Signed);
  is("i8", "s8", 8, ElementType::Class::Signed);
  for (const char* name :
       {"", "b", "b0", "b129", "b08", "bf32", "half", "int", "x8", "u1000", "s-1"}) {
    EXPECT_FALSE(find_type(name).has_value()) << name;
  }
}

}  // namespace
}  // namespace fragproof
