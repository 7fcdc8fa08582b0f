// What the parser says about text that is wrong, where it goes on, and that nothing makes it crash
// or hang.
#include <gtest/gtest.h>

#include <random>

#include "spec/tests/syntax_testing.h"

namespace fragproof {
namespace {

using testing::Parsed;

struct Mistake {
  const char* text;
  int line, column;
  const char* message;  // a part of it
  const char* help;     // a part of it; "" when there is none
};

void expect_mistake(const Mistake& m) {
  const Parsed parsed(m.text);
  ASSERT_EQ(parsed.diagnostics.size(), 1u) << m.text << "\n" << parsed.rendered();
  const Diagnostic& d = parsed.diagnostics[0];
  EXPECT_EQ(d.where.line, m.line) << parsed.rendered();
  EXPECT_EQ(d.where.column, m.column) << parsed.rendered();
  EXPECT_NE(d.text.find(m.message), std::string::npos) << parsed.rendered();
  if (*m.help == '\0') {
    EXPECT_EQ(d.help, "") << parsed.rendered();
  } else {
    EXPECT_NE(d.help.find(m.help), std::string::npos) << parsed.rendered();
  }
}

TEST(ParseError, WhatTheReferencePromises) {
  const char* chain =
      "comparisons do not chain (C and Python read them differently): use `&&` or parentheses";
  const char* cast =
      "no casts here: say in which width the whole expression is computed, `i64(rb*KB + kb)`";
  for (const Mistake& m : std::initializer_list<Mistake>{
           {"let a = n // 16\n", 1, 11, "`//` is neither an operator nor a comment: write `/`", ""},
           {"require x != 256 == 0\n", 1, 18, chain, ""},
           {"require a == b == c\n", 1, 16, chain, ""},
           {"require a < b < c\n", 1, 15, chain, ""},
           {"require a && b < c <= d\n", 1, 20, chain, ""},
           {"let a = (size_t)rb * KB\n", 1, 9, cast, ""},
           {"let a = (rb_t)rb * KB\n", 1, 9, cast, ""},
           {"let a = (unsigned int)rb\n", 1, 9, cast, ""},
           {"let a = (int)(rb + 1)\n", 1, 9, cast, ""},
           {"let a = (int)~rb\n", 1, 9, cast, ""},
           {"let a = int64_t(x)\n", 1, 9, cast, ""},
           {"let a = static_cast<int>(x)\n", 1, 9, cast, ""},
           {"let\ta = 1\n", 1, 4, "tabs are not allowed", "spaces"},
           {"map f(x) -> (y)\n  = x\n", 2, 3, "a `=` that opens an indented line",
            "put the `=` at the end of line 1"},
           {"map f(x) -> (y) = x\n  let b = 3\n", 2, 3, "expected the end of the line, found `let`",
            "this line continues the one above: align it with line 1 to make it a statement"},
           {"map f(x) -> (y)\n  let a = x\n    y = a\n", 3, 5, "found `y`", "align it with line 2"},
           {"let a = 1\n  b = 2\n", 2, 3, "found `b`", "align it with line 1"},
       }) {
    expect_mistake(m);
  }
}

TEST(ParseError, NoCastIsSeenWhereThereIsNone) {
  for (const char* text :
       {"let a = (b)*c", "let a = (b) - c", "let a = (f)(c)", "prove x: (a) where b == 1",
        "map long(x) -> (y) = x\nlet a = long(3)", "require (a) && b", "let int = 3, b = int + 1",
        "map f(x) -> (y)\n  let a = (x)\n  y = a\n", "let a = (b)\nprove c: a == 1\n"}) {
    EXPECT_TRUE(Parsed(text).diagnostics.empty()) << Parsed(text).rendered();
  }
}

TEST(ParseError, Lines) {
  for (const Mistake& m : std::initializer_list<Mistake>{
           {"  size N\n", 1, 3, "a declaration starts in column 1", ""},
           {"  load a from x[0]\n", 1, 3, "a declaration starts in column 1",
            "below the header of a kernel"},
           {"load a from x[0]\n", 1, 1, "`load` is a statement: indent it below the header", ""},
           {"sise N\n", 1, 1, "expected a declaration, found `sise`", "did you mean `size`?"},
           {"42\n", 1, 1, "expected a declaration, found `42`", ""},
           {"map f(x) -> (y)\n    let a = x\n  y = a\n", 3, 3,
            "indented by 2, the statements above it by 4", ""},
           {"map f(x) -> (y)\nsize N\n", 1, 5, "`f` has no definition", "`y = ...`"},
           {"pack P[3] : b32\n", 1, 6, "`P` is never filled", "for ("},
           {"kernel k computes y[m] += a[m] * b[m]\nsize N\n", 1, 8, "`k` has no statements", ""},
           {"tensor W[N] : b32\n  for (n : N) W[n] = 0\n", 2, 3,
            "expected the end of the line, found `for`", "align it with line 1"},
           {"size N K\n", 1, 8, "expected the end of the line, found `K`", ""},
           {"size\n", 1, 5, "expected the name of a size, found the end of the file", ""},
           {"let a =\n", 1, 8, "expected an expression, found the end of the file", ""},
           {"let a =\nlet b = 1\n", 1, 8, "expected an expression, found the end of the line", ""},
       }) {
    expect_mistake(m);
  }
}

TEST(ParseError, Brackets) {
  for (const Mistake& m : std::initializer_list<Mistake>{
           {"let a = (3 + 4\nlet b = 1\n", 1, 9, "`(` is never closed", ""},
           {"let a = f(3, [1:2\n", 1, 14, "`[` is never closed", ""},
           {"kernel k computes y[m] += a[m] * b[m]\n  let a = (1\n  load b from a[0]\n", 2, 11,
            "`(` is never closed", ""},
           {"let a = f(x]\n", 1, 12, "expected `,` or `)`, found `]`", ""},
           {"let a = f(x,\n  y z)\n", 2, 5, "expected `,` or `)`, found `z`",
            "the `(` of line 1 is still open"},
           {"let a = x)\n", 1, 10, "expected the end of the line, found `)`", ""},
           {"let a = ()\n", 1, 10, "expected an expression, found `)`", ""},
           {"let a = T[]\n", 1, 11, "expected an expression, found `]`", ""},
           {"let a = (1, )\n", 1, 13, "expected an expression, found `)`", ""},
       }) {
    expect_mistake(m);
  }
}

TEST(ParseError, Words) {
  for (const Mistake& m : std::initializer_list<Mistake>{
           {"size forall\n", 1, 6, "`forall` is a reserved word: choose another name", ""},
           {"map min(x) -> (y) = x\n", 1, 5, "`min` is a reserved word", ""},
           {"let a = f.load(x)\n", 1, 11, "`load` is a reserved word", ""},
           {"let a = min + 1\n", 1, 9, "`min` is built in: it needs arguments, `min(..)`", ""},
           {"let a = if\n", 1, 9, "expected an expression, found `if`", ""},
           {"require a and b\n", 1, 11, "found `and`", "write `&&`"},
           {"require a or b\n", 1, 11, "found `or`", "write `||`"},
           {"require not a\n", 1, 9, "found `not`", "write `!`"},
           {"require N = 16\n", 1, 11, "expected the end of the line, found `=`", "`==` compares"},
           {"require a && forall(i : 8) i < 3\n", 1, 14, "a `forall` here needs parentheses",
            "(forall(..) P)"},
           {"require forall i < 3\n", 1, 16, "expected `(` and coordinates", ""},
           {"require forall() 1\n", 1, 16, "expected the name of a coordinate, found `)`", ""},
           {"let a = b ? c\n", 1, 14, "expected `:` and what holds otherwise", ""},
           {"let a = +b\n", 1, 9, "expected an expression, found `+`", "no unary `+`"},
           {"let a = {1, 2}\n", 1, 9, "expected an expression, found `{`", "braces"},
           {"let a = \"x\"\n", 1, 9, "expected an expression, found a string", ""},
           {"let a = b.3\n", 1, 11, "expected a name behind the `.`, found `3`", ""},
           {"let a = x.b0[1]\n", 1, 11, "a unit has 1 to 128 bits, `b0` has not", ""},
           {"let a = x.b129[1]\n", 1, 11, "a unit has 1 to 128 bits, `b129` has not", ""},
           {"let a = [1, 2]\n", 1, 11, "expected `:` and the radix of this digit", ""},
           {"let a = cute((2,2):(1))(i)\n", 1, 9, "not nested alike", ""},
           {"let a = cute(0:1)(i)\n", 1, 14, "a shape is at least 1", ""},
           {"let a = cute(N:1)(i)\n", 1, 14, "expected a number or `(`", ""},
           {"let a = cute(4:1) + 1\n", 1, 19, "expected `(` and the coordinates", ""},
       }) {
    expect_mistake(m);
  }
}

TEST(ParseError, Declarations) {
  for (const Mistake& m : std::initializer_list<Mistake>{
           {"include gemv.layout\n", 1, 9, "expected the path of a file", ""},
           {"include \"gemv\n", 1, 9, "this string is not closed", "in its own line"},
           {"use mma.b16 k\n", 1, 13, "expected `as`, found `k`", ""},
           {"use mma.b16 as a.b\n", 1, 17, "expected the end of the line, found `.`", ""},
           {"let [a, b] = 3\n", 1, 7, "expected `:` and the radix of this digit", ""},
           {"let 3 = a\n", 1, 5, "expected a name, or digits", ""},
           {"table T = {1}\n", 1, 9, "expected `[` and the extents", ""},
           {"table T[2] = 1\n", 1, 14, "expected `{` and values, or `file", ""},
           {"table T[2] = {}\n", 1, 15, "expected an expression, found `}`", ""},
           {"table T[2, 2] = {{1, 2}, {3}}\n", 1, 26, "has 1 members, the one before it has 2", ""},
           {"table T[2, 2] = {{1, 2}, 3}\n", 1, 26, "not nested alike", ""},
           {"table T[2, 2] = {1, {2}, 3}\n", 1, 21, "not nested alike", ""},
           {"table T[2, 2] = {{{1}, {2}}}\n", 1, 17,
            "`T` has 2 dimensions, its values are nested 3 deep", "row by row"},
           {"table T[4, 1] = {{1, 2}, {3, 4}}\n", 1, 9, "dimension 0 of `T` is 4, its lists have 2",
            ""},
           {"tensor W : b32\n", 1, 10, "expected `[` and the extents", ""},
           {"tensor W[N]\n", 1, 12, "expected `:` and the type of an element", ""},
           {"tensor W[N] : bf61\n", 1, 15, "unknown type `bf61`", "did you mean `bf16`?"},
           {"tensor W[N] : half\n", 1, 15, "unknown type `half`", "write `f16`"},
           {"map f[x] -> (y) = x\n", 1, 6, "expected `(` and coordinates", "in parentheses"},
           {"map f(x) = x\n", 1, 10, "expected `->` and the outputs", ""},
           {"map f(x) -> y = x\n", 1, 13, "expected `(` and the outputs", ""},
           {"map f(x : ) -> (y) = x\n", 1, 11, "expected an expression", ""},
           {"map f(x) -> (y)\n  load a from x[0]\n", 2, 3,
            "expected `let`, `carry` or `OUTPUT = ...`", ""},
           {"map f(x) -> (y)\n  carry v over x = 1\n", 2, 21, "expected `then`", ""},
           {"fragment f(lane : 32, elem : 2) -> (r : 64)\n  r = 1\n", 1, 44,
            "expected `:` and the type of an element, found the end of the line", ""},
           {"map f(x)\n  y = x\n", 1, 9,
            "expected `->` and the outputs, as in `-> (row : 16, col : 8)`, found the end", ""},
           {"pack P[3]\n  for (n : N) P[n] = 0\n", 1, 10,
            "expected `:` and the type of an element, found the end", ""},
           {"pack P = W.fold(3)\n", 1, 12,
            "a pack knows `reshape`, `permute` and `contiguous` only", ""},
           {"pack P = W.permut(3)\n", 1, 12, "a pack knows", "did you mean `permute`?"},
           {"pack P = W.reshape()\n", 1, 12, "`reshape` needs the new shape", ""},
           {"pack P = W.contiguous(1)\n", 1, 12, "`contiguous` takes no arguments", ""},
           {"pack P[3] : b32\n  for (n : N) P[n] = 1\n", 2, 22,
            "with the contents of a place, or with 0", ""},
           {"pack P[3] : b32\n  for (n : N) P = W[n]\n", 2, 15, "`P` is a whole array", ""},
           {"pack P[3] : b32\n  P[0] = W[0]\n", 2, 3, "expected `for (..) PLACE = SOURCE`", ""},
           {"tensor W[N, K] : b8\npack P[3] : b32\n  for (n : N) P[n] = W[n][k + 1]\n", 3, 26,
            "`W` has 2 dimensions, 1 index given", "`W[n, k + 1]`"},
           {"pack P[3] : b32\n  for (n : N) P[n] = Z[n][k]\n", 2, 26, "one pair of brackets",
            "`Z[n, k]`"},
           {"prove\n", 1, 6, "expected an expression", ""},
           {"prove a:\n", 1, 9, "expected an expression", ""},
           {"prove let: a\n", 1, 7, "`let` is a reserved word", ""},
           {"prove a where\n", 1, 14, "expected an expression", ""},
       }) {
    expect_mistake(m);
  }
}

TEST(ParseError, Kernels) {
  const std::string head = "kernel k computes y[m] += a[m] * b[m]\n  ";
  struct Statement {
    const char* text;
    int column;
    const char* message;
    const char* help;
  };
  for (const Statement& s : std::initializer_list<Statement>{
           {"lod a from x[0]", 3, "expected a statement of a kernel, found `lod`",
            "did you mean `load`?"},
           {"prove a", 3, "expected a statement of a kernel, found `prove`", ""},
           {"a = 3", 5, "a kernel's own names are declared: write `let a = ...`", ""},
           {"load a from x", 15, "`x` is a whole array: name a place in it, `x[..]` or `x.bN[..]`",
            ""},
           {"load a x[0]", 10, "expected `from` and a place", ""},
           {"load a from x[0] if g else 1", 30, "expected 0, found `1`", "else 0"},
           {"load a from x.y[0]", 16, "expected a unit", ""},
           {"store acc y[0]", 13, "expected `to` and a place", ""},
           {"store acc to y[0] if g else 0", 26, "expected the end of the line, found `else`",
            "stores nothing"},
           {"acc += mma.x(a)", 17, "expected `,` and the second operand", ""},
           {"acc += mma.x(a, b, c)", 20, "expected `)`, found `,`", ""},
           {"acc += mma.x(a[0], b)", 17, "expected `,` or the end of the value", "v.b32[i]"},
           {"acc += mma.x(a.low, b)", 17, "expected a unit", ""},
           {"acc += mma.x(hull(a), b)", 16, "unknown type `hull`", "types are"},
           {"acc += mma.x({a, }, b)", 20, "expected a load", ""},
           {"shared S : b16", 12, "expected `[` and the extents", ""},
           {"parallel (a)\n  parallel (b)", 3,
            "a kernel has one `parallel`; this one has it in line 2", ""},
           {"store acc to y[0]\n  store acc to y[1]", 3, "a kernel has one `store`", ""},
           {"acc += m(a, b)\n  acc += m(a, b)", 3,
            "a kernel has one product; this one has it in line 2", ""},
           {"launch f grid() block(1) args()", 12, "`grid` takes 1 to 3 numbers", ""},
           {"launch f grid(1) args()", 20, "expected `block`, found `args`", ""},
           {"launch f grid(1) block(1) args(f(3))", 34, "an argument is an array's name", ""},
           {"launch f grid(1) block(1) args(i3(3))", 34, "an argument is an array's name", ""},
           {"launch f grid(1) block(1) args(a, )", 37, "expected an argument", ""},
       }) {
    const Parsed parsed(head + s.text + "\n");
    ASSERT_EQ(parsed.diagnostics.size(), 1u) << s.text << "\n" << parsed.rendered();
    EXPECT_EQ(parsed.diagnostics[0].where.column, s.column) << parsed.rendered();
    EXPECT_NE(parsed.diagnostics[0].text.find(s.message), std::string::npos) << parsed.rendered();
    EXPECT_NE(parsed.diagnostics[0].help.find(s.help), std::string::npos) << parsed.rendered();
  }
}

TEST(ParseError, TheEquationOfAKernel) {
  for (const Mistake& m : std::initializer_list<Mistake>{
           {"kernel k computes y[m] = a[m] * b[m]\n", 1, 24, "expected `+=`, found `=`",
            "a kernel sums"},
           {"kernel k computes y[m + 1] += a[m] * b[m]\n", 1, 23, "expected `,` or `]`",
            "plain names"},
           {"kernel k computes y[0] += a[m] * b[m]\n", 1, 21, "indices are plain names", ""},
           {"kernel k computes y += a[m] * b[m]\n", 1, 21, "expected `[` and the indices", ""},
           {"kernel k computes y[m] += a[m]\n", 1, 31, "expected `*` and the second factor", ""},
           {"kernel k computes y[m] += a[m] * b[m] * c[m]\n", 1, 39,
            "expected the end of the line, found `*`", ""},
           {"kernel k\n", 1, 9, "expected `computes`", ""},
           {"kernel k computes y[m] += a[m]\n  reduce (k : 3)\n", 1, 31,
            "expected `*` and the second factor, found the end of the line", ""},
       }) {
    expect_mistake(m);
  }
}

TEST(ParseRecovery, GoesOnAtTheNextLineInColumnOne) {
  const Parsed parsed(
      "let a = )\n  junk ] here\n    more\nlet b = 2\nkernel k computes oops\n  load x\nlet c = "
      "(\nsize N\n");
  EXPECT_EQ(parsed.diagnostics.size(), 3u) << parsed.rendered();
  ASSERT_EQ(parsed.tree.declarations.size(), 2u);
  EXPECT_EQ(parsed.tree.declarations[0].lets.at(0).name, "b");
  EXPECT_EQ(parsed.tree.declarations[1].sizes.at(0)->name, "N");
}

TEST(ParseRecovery, ALineThatOnlyClosesBracketsIsPartOfTheMistake) {
  const Parsed parsed("let a = f(\n  ;\n)\nsize N\n");
  EXPECT_EQ(parsed.diagnostics.size(), 1u) << parsed.rendered();
  EXPECT_EQ(parsed.tree.declarations.size(), 1u);
}

TEST(ParseRecovery, StopsAfterTwentyErrorsAndSaysSo) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "let a = )\n";
  const Parsed parsed(text);
  ASSERT_EQ(parsed.diagnostics.size(), 21u);
  EXPECT_EQ(parsed.diagnostics[20].severity, Severity::Note);
  EXPECT_EQ(parsed.diagnostics[20].text, "after 20 errors the rest of the file was not read");
  EXPECT_EQ(parsed.diagnostics[20].where.line, 21);
  EXPECT_EQ(Parsed(text.substr(0, 20 * 10)).diagnostics.size(), 20u) << "nothing was left unread";
}

TEST(ParseRecovery, ErrorsOfOtherFilesCountToo) {
  SourceSet sources;
  Arena arena;
  std::vector<Diagnostic> diagnostics(19);
  const int file = sources.add("t", "let a = )\nlet b = )\nlet c = )\n");
  (void)parse(sources, file, arena, diagnostics);
  ASSERT_EQ(diagnostics.size(), 21u);
  EXPECT_EQ(diagnostics[19].severity, Severity::Error);
  EXPECT_EQ(diagnostics[20].severity, Severity::Note);
}

std::string repeated(const std::string& unit, int times) {
  std::string text;
  text.reserve(unit.size() * static_cast<std::size_t>(times));
  for (int i = 0; i < times; ++i) text += unit;
  return text;
}

TEST(ParseLimits, DeepNestingIsAnErrorNotACrash) {
  const std::string kernel = "kernel k computes y[m] += a[m] * b[m]\n  acc += x(";
  for (const std::string& text :
       {"let a = " + repeated("(", 100000), "let a = " + repeated("[", 100000),
        "let a = " + repeated("-", 100000), "let a = " + repeated("!", 100000) + "b",
        "let a = " + repeated("f(", 100000), "let a = " + repeated("1 ? 2 : ", 100000) + "3",
        "let a = " + repeated("1 ? ", 100000),
        "let a = " + repeated("forall(i : 2) ", 100000) + "1",
        "let a = cute(" + repeated("(", 100000), "let a = T[" + repeated("T[", 100000),
        "let a = x" + repeated(".b4[x", 100000), "table t[1] = " + repeated("{", 100000),
        kernel + repeated("{", 100000), kernel + repeated("f16(", 100000)}) {
    const Parsed parsed(text + "\nsize N\n");
    ASSERT_EQ(parsed.diagnostics.size(), 1u);
    EXPECT_EQ(parsed.diagnostics[0].text, "this is nested more than 200 levels deep")
        << text.substr(0, 50);
    EXPECT_EQ(parsed.tree.declarations.size(), 1u) << "what follows is read";
  }
}

TEST(ParseLimits, TwoHundredLevelsAreFine) {
  for (const auto& [open, close] :
       {std::pair{"(", ")"}, std::pair{"[1:", "]"}, std::pair{"f(", ")"}}) {
    const Parsed parsed("let a = " + repeated(open, 199) + "1" + repeated(close, 199) + "\n");
    EXPECT_TRUE(parsed.diagnostics.empty()) << parsed.rendered().substr(0, 300);
  }
}

TEST(ParseLimits, TallExpressionsAreAnErrorNotAStackOverflowOfWhoWalksThem) {
  for (const char* unit : {"1 + ", "a && ", "f(1)*"}) {
    EXPECT_TRUE(Parsed("let a = " + repeated(unit, 500) + "1\n").diagnostics.empty()) << unit;
    const Parsed parsed("let a = " + repeated(unit, 100000) + "1\n");
    ASSERT_EQ(parsed.diagnostics.size(), 1u);
    EXPECT_NE(parsed.diagnostics[0].text.find("more than 1000 operators"), std::string::npos);
  }
  EXPECT_EQ(Parsed("let a = f" + repeated("(1)", 100000)).diagnostics.size(), 1u);
  EXPECT_EQ(Parsed("let a = f(1)" + repeated(".x", 100000)).diagnostics.size(), 1u);
  EXPECT_EQ(Parsed("let a = f" + repeated(".x", 100000)).diagnostics.size(), 1u);
  EXPECT_EQ(Parsed("pack P = W" + repeated(".contiguous()", 100000)).diagnostics.size(), 1u);
}

TEST(ParseLimits, WideExpressionsAreFine) {
  EXPECT_TRUE(Parsed("let a = f(" + repeated("x, ", 50000) + "x)\n").diagnostics.empty());
  EXPECT_TRUE(Parsed("let a = min(" + repeated("x\n, ", 50000) + "x)\n").diagnostics.empty());
}

TEST(ParseLimits, ALongTableIsReadInOneGo) {
  const Parsed parsed("table T[200000] : 10 = {" + repeated("1, 2, 3, 4, ", 49999) +
                      "1, 2, 3, 4}\n");
  ASSERT_TRUE(parsed.diagnostics.empty()) << parsed.rendered();
  EXPECT_EQ(parsed.tree.declarations.at(0).table->values.size(), 200000u);
}

TEST(ParseLimits, WhatIsNoTextIsOneClearError) {
  for (const std::string& text :
       {std::string("size N\n\0\0\0", 10),
        std::string("\x7f"
                    "ELF\x02\x01\x01\0\0",
                    9),
        std::string("size N\n# \xff\xfe\n"), std::string("\xff\xfes\0i\0", 6)}) {
    const Parsed parsed(text);
    EXPECT_EQ(parsed.diagnostics.size(), 1u) << parsed.rendered();
    EXPECT_TRUE(parsed.tree.declarations.empty());
    EXPECT_NE(parsed.rendered().find("this is not"), std::string::npos);
  }
}

// Each file of examples/ with a few bytes changed, removed, doubled or cut off: whatever comes of
// it, the parser ends, keeps to its limits, and names places that exist.
TEST(ParseFuzz, DamagedFilesNeverBreakTheParser) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::string alphabet = "()[]{}.,:=<>!&|^~+-*/%?#\"' \n\t0123456789abflN\x01\xc3";
  for (const auto& path : testing::layout_files("examples")) {
    const std::string original = testing::read_file(path);
    for (int round = 0; round < 12; ++round) {
      std::string text = original;
      for (std::size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
        const std::size_t at = below(text.size());
        switch (below(5)) {
          case 0:
            text[at] = alphabet[below(alphabet.size())];
            break;
          case 1:
            text.erase(at, 1 + below(3));
            break;
          case 2:
            text.insert(at, 1, alphabet[below(alphabet.size())]);
            break;
          case 3:
            text.insert(at, text.substr(below(text.size()), below(40)));
            break;
          default:
            text.resize(at);
            break;
        }
      }
      const Parsed parsed(text, path.filename().string());
      ASSERT_LE(parsed.diagnostics.size(), 21u);
      for (const Diagnostic& d : parsed.diagnostics) {
        const auto lines = parsed.sources.file(0).lines.size();
        ASSERT_GE(d.where.line, 1);
        ASSERT_LE(static_cast<std::size_t>(d.where.line), lines + 1);
        ASSERT_GE(d.where.column, 1);
        ASSERT_FALSE(d.text.empty());
        const std::string shown = render(parsed.sources, d);
        ASSERT_EQ(shown.find('\x01'), std::string::npos);
      }
      testing::each_expression(parsed.tree,
                               [](const Expr& e) { ASSERT_FALSE(to_text(e).empty()); });
    }
  }
}

}  // namespace
}  // namespace fragproof
