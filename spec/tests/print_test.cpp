// Printing an expression: as few parentheses as C needs, and the same tree when it is read again.
#include <gtest/gtest.h>

#include <cctype>
#include <random>

#include "spec/tests/syntax_testing.h"

namespace fragproof {
namespace {

using testing::dump;
using testing::Parsed;

std::string printed(const std::string& text) {
  const Parsed parsed("prove c: " + text + "\n");
  EXPECT_TRUE(parsed.diagnostics.empty()) << parsed.rendered();
  if (parsed.tree.declarations.size() != 1) return "no expression";
  return to_text(*parsed.tree.declarations[0].claim.condition);
}

// Whether reading what is printed gives the same tree.
void expect_round_trip(const Expr& e) {
  const std::string text = to_text(e);
  const Parsed again("prove c: " + text + "\n");
  ASSERT_TRUE(again.diagnostics.empty()) << again.rendered();
  ASSERT_EQ(again.tree.declarations.size(), 1u) << text;
  EXPECT_EQ(dump(*again.tree.declarations[0].claim.condition), dump(e)) << text;
}

TEST(Print, KeepsTheParenthesesThatAreNeeded) {
  for (const char* text : {"(a + b)*c",
                           "a - (b - c)",
                           "a/(b/c)",
                           "a/(b*c)",
                           "(x & 1) == 0",
                           "(a == b) == c",
                           "a == (b == c)",
                           "a < (b == c)",
                           "-(a + b)",
                           "!(a == b)",
                           "(-a).b",
                           "(a ? b : c) + 1",
                           "a << (b << c)",
                           "~(x | y)",
                           "!(forall(i : 8) i < 3)",
                           "(forall(i : 8) i < 3) == n < 2",
                           "a | b ^ c & d == e",
                           "(a | b) & c",
                           "a && (b || c)",
                           "(a ? b : c) ? d : e",
                           "(f).x",
                           "(a, b) == f(c)"}) {
    EXPECT_EQ(printed(text), text);
  }
}

TEST(Print, DropsTheOthers) {
  EXPECT_EQ(printed("((8*h)) + (g)"), "8*h + g");
  EXPECT_EQ(printed("(a && b) || (c && d)"), "a && b || c && d");
  EXPECT_EQ(printed("(a < b) == (c < d)"), "a < b == c < d");
  EXPECT_EQ(printed("(a + b) - c"), "a + b - c");
  EXPECT_EQ(printed("((a*b)/c)%d"), "a*b/c % d");
  EXPECT_EQ(printed("a ^ (b + c)"), "a ^ b + c");
  EXPECT_EQ(printed("a ? b : (c ? d : e)"), "a ? b : c ? d : e");
  EXPECT_EQ(printed("a ? (b ? c : d) : e"), "a ? b ? c : d : e");
  EXPECT_EQ(printed("-(-x)"), "--x");
  EXPECT_EQ(printed("(f)(x)"), "f(x)");
  EXPECT_EQ(printed("forall(i : 8) (forall(j : 8) (i < j))"), "forall(i : 8) forall(j : 8) i < j");
}

TEST(Print, WritesEachForm) {
  for (const char* text :
       {"f(x).row", "T[i, j]", "Q[w].b4[e].b1[0]", "mma.m16n8k16.b16.A(lane, 2*i + 1).col",
        "[a:A, b:B + 1]", "cute(((4,8),(2,2)):((32,1),(16,8)))(lane, v)", "cute(8:1)(i)",
        "cute(((2,2)):((1,2)))(i)", "min(a, b, 3)", "i32(M*N)", "f.inverse(f(x))",
        "forall(k : [kb:K/32, j:32], i, l : n + 1 where k < i) f(k) == (l, i)", "x.b128[u].b64[s]",
        "coalesced(gemv.a)", "K.A.rows", "ways(rows, 16) == 1"}) {
    EXPECT_EQ(printed(text), text);
  }
}

TEST(Print, NumbersAreDecimal) { EXPECT_EQ(printed("0x1'F + 0b11 - 10ul"), "31 + 3 - 10"); }

TEST(Print, ExtentsThatOpenWithABracketAreNoBindings) {
  EXPECT_EQ(printed("forall(i : ([a:2, b:3])) i < 6"), "forall(i : ([a:2, b:3])) i < 6");
}

TEST(Print, RoundTripsEveryExpressionOfTheExamplesAndOfTheInstructionSpec) {
  std::size_t count = 0;
  for (const char* folder : {"examples", "spec/instructions"}) {
    for (const auto& path : testing::layout_files(folder)) {
      SCOPED_TRACE(path.filename().string());
      const Parsed parsed(testing::read_file(path));
      EXPECT_TRUE(parsed.diagnostics.empty()) << parsed.rendered();
      testing::each_expression(parsed.tree, [&](const Expr& e) {
        expect_round_trip(e);
        ++count;
      });
    }
  }
  EXPECT_GT(count, 4000u);
}

// Random trees, printed, read, compared.
class RandomTree {
 public:
  RandomTree(Arena& arena, unsigned seed) : arena_(arena), random_(seed) {}

  Expr* make(int depth) {
    Expr* e = arena_.make<Expr>();
    const auto child = [&] { return make(depth - 1); };
    switch (depth == 0 ? below(2) : below(14)) {
      case 0:
        e->kind = Expr::Kind::Number;
        e->number = below(100);
        break;
      case 1:
        e->kind = Expr::Kind::Name;
        e->text = std::string(1, static_cast<char>('a' + below(20))) + (below(4) == 0 ? ".x" : "");
        break;
      case 2:
        e->kind = Expr::Kind::Conditional;
        e->args = {child(), child(), child()};
        break;
      case 3:
        e->kind = Expr::Kind::Unary;
        e->unary = static_cast<Unary>(below(3));
        e->args = {child()};
        break;
      case 4:
        e->kind = Expr::Kind::Call;
        e->args = {child(), child(), child()};
        break;
      case 5:
        e->kind = Expr::Kind::Index;
        e->args = {child(), child()};
        break;
      case 6:
        e->kind = Expr::Kind::UnitAccess;
        e->width = 1 + below(128);
        e->args = {child(), child()};
        break;
      case 7: {
        Expr* base = child();
        if (base->kind == Expr::Kind::Number) return base;  // `3.x` is no text
        e->kind = Expr::Kind::Member;
        e->text = "out";
        e->args = {base};
        break;
      }
      case 8:
        e->kind = Expr::Kind::Tuple;
        e->args = {child(), child()};
        break;
      case 9:
        e->kind = Expr::Kind::Digits;
        e->args = {child(), child(), child(), child()};
        break;
      case 10: {
        e->kind = Expr::Kind::Forall;
        Coordinate i, j;
        i.name = "i";
        i.extent = child();
        j.name = "j";
        DigitBinding digit;
        digit.name = "d";
        digit.radix = child();
        j.digits = {digit};
        e->domain.coordinates = {i, j};
        if (below(2) == 0) e->domain.where = child();
        e->args = {child()};
        break;
      }
      default:
        e->kind = Expr::Kind::Binary;
        e->binary = static_cast<Binary>(below(18));
        e->args = {child(), child()};
        break;
    }
    return e;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  Arena& arena_;
  std::mt19937 random_;
};

// A unit or index of a number, and what would read as a cast, are not written by anybody; the
// printer need not care.
bool is_writable(const Expr& e) {
  const bool postfix = e.kind == Expr::Kind::Call || e.kind == Expr::Kind::Index ||
                       e.kind == Expr::Kind::UnitAccess || e.kind == Expr::Kind::Member;
  if (postfix && e.args[0]->kind == Expr::Kind::Number) return false;
  for (const Expr* argument : e.args) {
    if (!is_writable(*argument)) return false;
  }
  for (const Coordinate& c : e.domain.coordinates) {
    if (c.extent != nullptr && !is_writable(*c.extent)) return false;
    for (const DigitBinding& d : c.digits) {
      if (!is_writable(*d.radix)) return false;
    }
  }
  return e.domain.where == nullptr || is_writable(*e.domain.where);
}

TEST(Print, RoundTripsRandomTrees) {
  Arena arena;
  RandomTree trees(arena, 20240601);
  int count = 0;
  for (int i = 0; i < 3000; ++i) {
    const Expr* e = trees.make(4);
    if (!is_writable(*e)) continue;
    expect_round_trip(*e);
    ++count;
    if (HasFailure()) break;
  }
  EXPECT_GT(count, 1000);
}

}  // namespace
}  // namespace fragproof
