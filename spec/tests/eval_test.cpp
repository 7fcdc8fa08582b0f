// Evaluation: what is defined and what is not (LANGUAGE.md section 3), with the reasons; values of
// every form.
#include <gtest/gtest.h>

#include "spec/tests/eval_testing.h"

namespace fragproof {
namespace {

struct Case {
  const char* before;
  const char* expression;
  const char* expected;  // a number, or "undefined: REASON" (the beginning of it)
};

std::string outcome_of(const Case& c, const std::map<std::string, Int>& sizes) {
  Evaluated at(c.before, std::string("(") + c.expression + ") == 0", sizes);
  if (at.spec == nullptr) return "does not parse";
  const Scalar scalar = at.scalar();
  switch (scalar.outcome) {
    case Outcome::Ok:
      return to_string(scalar.value);
    case Outcome::Undefined:
      return "undefined: " + scalar.reason;
    case Outcome::Overflow:
      return "cannot say";
  }
  return "";
}

void expect_all(const std::vector<Case>& cases, const std::map<std::string, Int>& sizes) {
  for (const Case& c : cases) {
    const std::string found = outcome_of(c, sizes);
    const std::string expected = c.expected;
    if (expected.rfind("undefined", 0) == 0) {
      EXPECT_EQ(found.substr(0, expected.size()), expected) << c.before << c.expression << "\n"
                                                            << found;
    } else {
      EXPECT_EQ(found, expected) << c.before << c.expression;
    }
  }
}

const std::map<std::string, Int> sizes{{"N", 6}, {"K", 7}, {"Z", 1}};
const char* const declared = "size N, K, Z\n";

TEST(Eval, OperatorsAreMathematical) {
  expect_all(
      {
          {declared, "N + K*2 - 1", "19"},
          {declared, "1 - N", "-5"},
          {declared, "K/2 + K % 4", "6"},
          {declared, "1 << 40", "1099511627776"},
          {declared, "(1 << 62)*8", "36893488147419103232"},
          {declared, "(1 << 100)/(1 << 98)", "4"},
          {declared, "N ^ K", "1"},
          {declared, "(N + 7) & ~7", "8"},
          {declared, "-1 & 255", "255"},
          {declared, "~N", "-7"},
          {declared, "1 << 3 >> 2", "2"},
          {declared, "5 >> 200", "0"},
          {declared, "0 << 500", "0"},
          {declared, "min(N, K, 3) + max(1, K)", "10"},
          {declared, "ceildiv(K, 2)", "4"},
          {declared, "ceildiv(0, 2)", "0"},
          {declared, "(N < K) + 1", "2"},
          {declared, "N == 6 ? K : 1/(N - 6)", "7"},
      },
      sizes);
}

TEST(Eval, WhatIsUndefinedSaysWhy) {
  expect_all(
      {
          {declared, "N/(K - 7)", "undefined: 6/0 is undefined: the divisor is not positive"},
          {declared, "N % (6 - K)", "undefined: 6%(-1) is undefined: the divisor is not positive"},
          {declared, "(N - K)/2", "undefined: (-1)/2 is undefined: the left operand is negative"},
          {declared, "(N - K) % 2", "undefined: (-1)%2"},
          {declared, "1 << N - K", "undefined: 1 << (-1) is undefined: the shift is negative"},
          {declared, "N - K >> 1",
           "undefined: (-1) >> 1 is undefined: the left operand is negative"},
          {declared, "ceildiv(N - K, 2)",
           "undefined: ceildiv(-1, 2) is undefined: the dividend is negative"},
          {declared, "ceildiv(N, K - 7)",
           "undefined: ceildiv(6, 0) is undefined: the divisor is not positive"},
          {declared, "[N:6, 0:2]", "undefined: digit N = 6 is outside 0..5"},
          {declared, "[5:N, K - 8:2]", "undefined: digit K - 8 = -1 is outside 0..1"},
          {declared, "[5:N, 1:2]", "11"},
          {"size N, K, Z\nlet h = N/(K - 7)\n", "h + 1", "undefined: 6/0"},
          {"size N, K, Z\nlet h = N/(K - 7)\n", "N", "6"},
          {"size N, K, Z\nlet [a:2, b:3] = K\n", "a", "undefined"},
          {"size N, K, Z\nlet [a:2, b:4] = K\n", "10*a + b", "13"},
      },
      sizes);
}

TEST(Eval, LazyArmsNeedNotBeDefined) {
  expect_all(
      {
          {declared, "(K == 7 || N/(K - 7) == 1) + 0", "1"},
          {declared, "(K != 7 && N/(K - 7) == 1) + 0", "0"},
          {declared, "(K == 7 && N/(K - 7) == 1) + 0", "undefined: 6/0"},
          {declared, "(N/(K - 7) == 1 || K == 7) + 0", "undefined: 6/0"},
          {declared, "K != 7 ? N/(K - 7) : 3", "3"},
          {declared, "K == 7 ? N/(K - 7) : 3", "undefined: 6/0"},
          {declared, "((K == 7) | (N/(K - 7) == 1)) + 0", "undefined: 6/0"},
          // In one batch some points take one arm and some the other.
          {declared, "(forall(i : N) i == 0 || 6/i >= 1) + 0", "1"},
          {declared, "(forall(i : N) i >= 0 && (i == 0 ? 1 : 6/i) >= 1) + 0", "1"},
          {declared, "(forall(i : N) i < 0 || 6/i >= 1) + 0", "0"},
      },
      sizes);
}

TEST(Eval, WidthsCheckEachOperatorInside) {
  expect_all(
      {
          {declared, "i32(46340*46340)", "2147395600"},
          {declared, "i32((N + 46335)*46341)",
           "undefined: i32: 46341*46341 = 2147488281 does not fit"},
          {declared, "i8(N*100/100)", "undefined: i8: 6*100 = 600 does not fit"},
          {declared, "i8(N*20)", "120"},
          {declared, "u8(N - K)", "undefined: u8: 6 - 7 = -1 does not fit"},
          {declared, "u8(255)", "255"},
          {declared, "i8(255)", "undefined: i8: 255 does not fit"},
          {declared, "u32(1 << 31)", "2147483648"},
          {declared, "i32(1 << 31)", "undefined: i32: 1 << 31 = 2147483648 does not fit"},
          {declared, "i32(-2147483647 - 1)", "-2147483648"},
          {declared, "i64(1 << 62)", "4611686018427387904"},
          {declared, "i64((1 << 62)*2)",
           "undefined: i64: 4611686018427387904*2 = 9223372036854775808 does not fit"},
          {declared, "i128(1 << 126)", "85070591730234615865843651857942052864"},
          {declared, "i128((1 << 126)*2)", "undefined: i128:"},
          {declared, "i64((1 << 126)*(1 << 126))", "undefined: i64:"},
          // Names and calls count as values already computed.
          {"size N, K, Z\nlet big = N*1000\n", "i8(big/100)", "60"},
          {"size N, K, Z\nmap f(x) -> (y) = x*1000\n", "i8(f(N)/100)", "60"},
          {declared, "i8(i16(N*1000)/100)", "60"},
          {declared, "i8(min(N, 1000))", "6"},
      },
      sizes);
}

TEST(Eval, OverflowIsNeverAValue) {
  expect_all(
      {
          {declared, "(1 << 126)*2", "cannot say"},
          {declared, "(1 << 126) + (1 << 126)", "cannot say"},
          {declared, "1 << 127", "cannot say"},
          {declared, "(1 << 126)*4/(1 << 120)", "cannot say"},
          {declared, "(N/(K - 7) == 0 ? 1 : 2) + (1 << 126)*2", "undefined: 6/0"},
      },
      sizes);
}

TEST(Eval, Maps) {
  const char* const maps =
      "size N, K, Z\n"
      "map f(n : N, k : [h:K, l:2]) -> (row : N, col : 14)\n"
      "  let s = n/(5 - n)\n"
      "  row = n\n"
      "  col = [h:K, l:2]\n"
      "map swap(a, b) -> (x, y) = (b, a)\n"
      "map small(i : N where i % 2 == 0) -> (y : 3) = i\n"
      "map inner(i : N) -> (y) = 12/i\n"
      "map outer(i) -> (y) = inner(i) + 1\n";
  expect_all(
      {
          {maps, "f(2, 13).col", "13"},
          {maps, "f(2, 14).col", "undefined: f(2, 14): k = 14 is outside 0..13 (line 2)"},
          {maps, "f(6, 0).col", "undefined: f(6, 0): n = 6 is outside 0..5 (line 2)"},
          {maps, "f(-1, 0).row", "undefined: f(-1, 0): n = -1 is outside 0..5 (line 2)"},
          // Lets are strict: the output does not use s.
          {maps, "f(5, 0).row",
           "undefined: f(5, 0): 5/0 is undefined: the divisor is not positive (line 2)"},
          {maps, "swap(3, 4).x*10 + swap(swap(3, 4)).x", "43"},
          {maps, "swap(-3, 4).x", "undefined: swap(-3, 4): a = -3 is negative (line 6)"},
          {maps, "small(2)", "2"},
          {maps, "small(3)", "undefined: small(3): `where i % 2 == 0` is false (line 7)"},
          {maps, "small(4)", "undefined: small(4): y = 4 is outside 0..2 (line 7)"},
          {maps, "outer(0)",
           "undefined: inner(0): 12/0 is undefined: the divisor is not positive (line 8)"},
          {maps, "outer(3)", "5"},
      },
      sizes);
}

TEST(Eval, Inverses) {
  const char* const maps =
      "size N, K, Z\n"
      "map f(a : N, b : K) -> (y : N*K) = K*a + b\n"
      "map half(a : N) -> (y) = a/2\n"
      "map wide(a) -> (y) = a\n"
      "table T[4] : 4 = {2, 0, 3, 1}\n"
      "table S[3] = {5, 5, 6}\n";
  expect_all(
      {
          {maps, "f.inverse(9).a*10 + f.inverse(9).b", "12"},
          {maps, "f.inverse(42).a", "undefined: f.inverse(42): no such point"},
          {maps, "half.inverse(1)", "undefined: half.inverse(1): 2 points"},
          {maps, "half.inverse(7)", "undefined: half.inverse(7): no such point"},
          {maps, "wide.inverse(1)", "cannot say"},
          {maps, "T.inverse(3)", "2"},
          {maps, "S.inverse(6)", "2"},
          {maps, "S.inverse(5)", "undefined: S.inverse(5): 2 points"},
          {maps, "T[T[1]]", "2"},
          {maps, "T[4]", "undefined: T[4]: index 4 is outside 0..3"},
          {maps, "T[K - 8]", "undefined: T[-1]: index -1 is outside 0..3"},
      },
      sizes);
}

TEST(Eval, Carries) {
  const char* const maps =
      "size N, K, Z\n"
      "map powers(q) -> (y)\n"
      "  carry v over q = 1 then 3*v\n"
      "  y = v\n"
      "map sums(a, q : [h:4, l:4]) -> (y)\n"
      "  let step = l + a\n"
      "  carry v over q = 100 then v + step\n"
      "  carry w over q = 0 then w + v\n"
      "  y = 1000*w + v\n"
      "map broken(q) -> (y)\n"
      "  carry v over q = 12 then 12/(3 - q)\n"
      "  y = v\n";
  // sums(1, 5): steps 1, 2, 3, 4, 1; v = 100, 101, 103, 106, 110, 111; w = 0, 100, 201, 304, 410,
  // 520.
  expect_all(
      {
          {maps, "powers(0)", "1"},
          {maps, "powers(4)", "81"},
          {maps, "sums(1, 5)", "520111"},
          {maps, "sums(1, 0)", "100"},
          {maps, "(forall(q : 30) powers(q + 1) == 3*powers(q)) + 0", "1"},
          {maps, "broken(3)", "12"},
          {maps, "broken(4)", "undefined: broken(4): 12/0"},
          {maps, "powers(90)", "cannot say"},
      },
      sizes);
}

TEST(Eval, CuteSplitsAnIndexWithItsFirstModeFastest) {
  expect_all(
      {
          {declared, "cute(((4,8),(2,2,2)):((32,1),(16,8,128)))(5, 3)",
           "57"},  // 5 = (1, 1), 3 = (1, 1, 0)
          {declared, "cute((4,2):(1,4))(3, 1)", "7"},
          {declared, "cute((4,2):(1,4))(4, 1)",
           "undefined: cute: index 4 of mode 0 is outside 0..3"},
      },
      sizes);
}

TEST(Eval, Quantifiers) {
  expect_all(
      {
          {declared, "(forall(i : N, j : i) j < i) + 0", "1"},
          {declared, "(forall(i : N, j : i + 1) j < i) + 0", "0"},
          {declared, "(forall(i : N where i > 2) i*i > 8) + 0", "1"},
          {declared, "(forall(i : K - 7) i > 5) + 0", "1"},
          {declared, "(forall(i : K - 8) i > 5) + 0", "undefined: K - 8 is negative: no extent"},
          {declared, "(forall(i : N, j : 3 - i) j >= 0) + 0", "undefined"},
          {declared, "(forall(i : N where 6/i > 1) i < 7) + 0", "undefined: 6/0"},
          {declared, "(forall(i : N) 6/i > 0) + 0", "0"},
          {declared, "!(forall(i : N) 6/i > 0) + 0", "1"},
          {declared, "(forall(i) i >= 0) + 0", "cannot say"},
          {declared, "(forall(i) i < 5) + 0", "0"},
          {declared, "(forall(i : N) (forall(j : K) i*j <= 30)) + 0", "1"},
          {declared, "(forall(i : N) (forall(j : K) i*j < 30)) + 0", "0"},
          {declared, "(forall(x : [a:N, b:K]) x == K*a + b) + 0", "1"},
      },
      sizes);
}

TEST(Eval, TuplesAreEqualMemberByMember) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, bool>>{
           {"(N, K) == (6, 7)", true},
           {"(N, K) == (7, 6)", false},
           {"(N, K) != (6, 8)", true},
           {"(N, K, Z) == (N, (K == 7 ? 7 : 8), 1)", true},
       }) {
    Evaluated at(declared, text, sizes);
    EXPECT_EQ(at.truth().value != 0, expected) << text;
  }
}

TEST(Eval, SizesInColumnsAgreeWithSizesOneByOne) {
  Evaluated at("size N, K\nlet h = ceildiv(N, K)*K\nmap f(x : N) -> (y : 40) = 3*x\n",
               "h % 3 == 0 && f(K) >= 3", {});
  Batch batch;
  std::vector<std::int64_t> n;
  std::vector<std::int64_t> k;
  for (int a = 1; a <= 20; ++a) {
    for (int b = 1; b <= 20; ++b) {
      n.push_back(a);
      k.push_back(b);
    }
  }
  batch.size = n.size();
  batch.bind(at.spec->sizes[0], Values(Column(n)));
  batch.bind(at.spec->sizes[1], Values(Column(k)));
  ASSERT_TRUE(over_sizes(at.condition()));
  const Values many = at.evaluator->evaluate_over_sizes(at.condition(), batch);
  for (std::size_t i = 0; i < n.size(); ++i) {
    Shape shape;
    shape.sizes = {{at.spec->sizes[0], n[i]}, {at.spec->sizes[1], k[i]}};
    Evaluator one(*at.spec, shape);
    const Scalar scalar = one.scalar(at.condition());
    ASSERT_EQ(many.at(i), scalar.outcome) << n[i] << " " << k[i];
    if (scalar.outcome == Outcome::Ok) {
      EXPECT_EQ(many.members[0].at(i), scalar.value) << n[i] << " " << k[i];
    }
  }
}

TEST(Eval, ABudgetEndsAWalk) {
  Evaluated at(declared, "forall(i : 1000000, j : 1000000) i + j >= 0");
  at.evaluator->options().points = 10'000;
  EXPECT_EQ(at.truth().outcome, Outcome::Overflow);
  EXPECT_EQ(at.evaluator->undecided(), "the budget of points ran out");
  EXPECT_LT(at.evaluator->points(), 20'000);
}

TEST(Eval, CornersFindWhatFailsAtTheEnds) {
  Evaluated far(declared, "forall(i : 1 << 40, j : 1 << 40) i32(i) >= 0");
  far.evaluator->options().corners = true;
  EXPECT_EQ(far.truth().outcome, Outcome::Ok);
  EXPECT_EQ(far.truth().value, 0);
  Evaluated fine(declared, "forall(i : 1 << 40, j : 1 << 40) i + j >= 0");
  fine.evaluator->options().corners = true;
  EXPECT_EQ(fine.truth().outcome, Outcome::Overflow);  // not all points were seen
}

}  // namespace
}  // namespace fragproof
