// Every mistake of LANGUAGE.md section 8, and the others that resolution finds, with place, text
// and remedy.
#include <gtest/gtest.h>

#include "spec/tests/load_testing.h"

namespace fragproof::testing {
namespace {

struct Mistake {
  const char* text;
  const char* expected;
};

void expect_each(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.text);
    EXPECT_EQ(errors(mistake.text), mistake.expected);
  }
}

TEST(Diagnostics, Names) {
  expect_each({
      {"size K\nlet KB = K/32\nmap f(rb : 8) -> (y) = rb*KBB",
       "3:27: unknown name `KBB`; help: did you mean `KB` (line 2)?"},
      {"size K\nprove c: zzzzz == 1", "2:10: unknown name `zzzzz`"},
      {"size K\nlet K = 4",
       "2:5: `K` is already a size (line 1); nothing shadows anything here: choose another name"},
      {"size K\nprove c: forall(K : 4) K == 1",
       "2:17: `K` is already a size (line 1); nothing shadows anything here: choose another name"},
      {"map f(a : 4, a : 4) -> (y) = a",
       "1:14: `a` is already a coordinate (line 1); nothing shadows anything here: choose another "
       "name"},
      {"map f(a : 4) -> (a) = a",
       "1:18: `a` is already a coordinate (line 1); nothing shadows anything here: choose another "
       "name"},
      {"map f(a : 4) -> (y) = a\nmap f(b : 4) -> (y) = b",
       "2:5: `f` is already a map (line 1); nothing shadows anything here: choose another name"},
      {"size lane",
       "1:6: `lane` is implicit in kernels and cannot be declared at file level: choose another "
       "name"},
      {"table b16[4] : 4", "1:7: `b16` is a type: maps, tables and arrays have other names"},
      {"size N\nprove c: f(N) == 1\nmap f(x) -> (y) = x",
       "2:10: unknown name `f`; help: `f` is declared below (line 3): move its declaration up"},
      {"map f(x : 4) -> (y) = f(x)",
       "1:23: unknown name `f`; help: `f` is visible only behind its own declaration"},
      {"let a = a + 1",
       "1:9: unknown name `a`; help: `a` is visible only behind its own declaration"},
      {"map f(x : 4) -> (y)\n  y = y + 1",
       "2:7: output `y` has no value yet: it can be used behind the line that defines it"},
      {"size n\nprove c: forall(i : 8) i < n where i < n",
       "2:36: unknown name `i`; help: the `where` of a claim is about sizes: `forall(i : 8 where i "
       "< n) P`"},
      {"prove c: mni(1, 2) == 1", "1:10: unknown name `mni`; help: did you mean `min`?"},
      {"prove c: threadIdx.x == 1",
       "1:10: unknown name `threadIdx.x`; help: indices are named, not taken from the hardware: "
       "`let tid = 32*warp + lane`"},
      {"prove c: int64_t(1) == 1",
       "1:10: no casts here: say in which width the whole expression is computed, `i64(rb*KB + "
       "kb)`"},
  });
}

TEST(Diagnostics, AliasesAndBuiltinNames) {
  expect_each({
      {"use mma.m16n8k16.b16 as k16\nprove c: k16.Bb(0, 0).row == 0",
       "2:10: unknown name `k16.Bb`; help: did you mean `k16.B`?"},
      {"use mma.m16n8k17.b16 as k16\nprove c: k16.B(0, 0).row == 0",
       "1:1: unknown name `mma.m16n8k17.b16`; help: did you mean `mma.m16n8k16.b16`?"},
      {"use mma.m16n8k16.b16 as k16\nprove c: k16 == 1",
       "2:10: `k16` shortens `mma.m16n8k16.b16`, which is no name by itself"},
      {"size k16\nuse mma.m16n8k16.b16 as k16",
       "2:1: `k16` is already a size (line 1); nothing shadows anything here: choose another name"},
      {"prove injective(mma.m16n8k16.f17.A)",
       "1:17: unknown name `mma.m16n8k16.f17.A`; help: did you mean `mma.m16n8k16.f16.A`?"},
  });
}

TEST(Diagnostics, Kinds) {
  expect_each({
      {"size N\nprove c: N % 16",
       "2:10: a claim needs a condition, `N % 16` is a number; help: `N % 16 == 0`?"},
      {"size x\nprove c: x & 1 == 0",
       "2:10: `&` mixes a number and a condition: as in C, `==` binds tighter; help: `(x & 1) == "
       "0`"},
      {"size x\nprove c: 1 == x & 3",
       "2:10: `&` mixes a number and a condition: as in C, `==` binds tighter; help: `1 == (x & "
       "3)`"},
      {"map f(lane : 32) -> (y) = lane & 1 ? 2 : 3",
       "1:27: `?` needs a condition, `lane & 1` is a number; help: `(lane & 1) != 0 ? 2 : 3`"},
      {"size N\nrequire N", "2:9: `require` needs a condition, `N` is a number; help: `N != 0`?"},
      {"size N\nrequire N & 1 && N == 2",
       "2:9: `&&` needs a condition, `N & 1` is a number; help: `(N & 1) != 0`?"},
      {"size N\nprove c: !N", "2:11: `!` needs a condition, `N` is a number; help: `N != 0`?"},
      {"size N\nprove c: (N == 1) == 1",
       "2:10: `==` compares two of a kind: `N == 1` is a condition, `1` is a number"},
      {"map f(x : 4) -> (a, b) = (x, x)\nprove c: f(1) == 1",
       "2:10: `==` compares two of a kind: `f(1)` is a tuple of 2, `1` is a number; help: `.a`?"},
      {"map f(x : 4) -> (a, b) = (x, x)\nprove c: f(1) == (1, 2, 3)",
       "2:10: `==` compares two of a kind: `f(1)` is a tuple of 2, `(1, 2, 3)` is a tuple of 3"},
      {"map f(x : 4) -> (a, b) = (x, x)\nprove c: f(1) + 1 == 1",
       "2:10: a number is needed here, `f(1)` is a tuple of 2; help: `.a`?"},
      {"map f(x : 4) -> (a, b) = (x, x)\nprove c: (f(1), 1) == (1, 2)",
       "2:11: the members of a tuple are numbers, `f(1)` is a tuple of 2; help: name each member: "
       "`.a`"},
      {"map f(x : 4) -> (a, b) = x == 1 ? (x, x) : 2",
       "1:26: both arms of `?:` are of one kind: `(x, x)` is a tuple of 2, `2` is a number"},
      {"map f(x : 4) -> (a, b) = x", "1:26: `f` has 2 outputs, its value is a number"},
      {"tensor W[4] : u8\ntensor V[4] : u4\nprove c: W[0] == V[0]",
       "3:10: `==` compares two of a kind: `W[0]` is the contents of 8 bits, `V[0]` is the "
       "contents of 4 bits"},
      {"tensor W[4] : u8\nprove c: W[0] + 1 == 1",
       "2:10: a number is needed here, `W[0]` is the contents of 8 bits; help: contents are "
       "compared with `==`, and with "
       "contents only"},
  });
}

TEST(Diagnostics, CallsAndIndices) {
  expect_each({
      {"size N, K\ntensor W[N, K] : u8\nprove c: forall(n : N, k : K) W[n][k] == W[n, k]",
       "3:31: `W` has 2 dimensions, 1 index given; help: `W[n, k]`"},
      {"tensor W[4] : u8\nprove c: W[1, 2] == W[1]", "2:10: `W` has 1 dimension, 2 indices given"},
      {"table T[4, 4] : 4\nprove c: T[1] == 1", "2:10: `T` has 2 dimensions, 1 index given"},
      {"map marlin(k : 4, n : 4) -> (w, v) = (k, n)\nprove c: marlin(1) == (1, 2)",
       "2:10: `marlin` takes 2 arguments (k, n), 1 given (line 1)"},
      {"map g(k : 4) -> (w) = k\nprove c: g() == 1",
       "2:10: `g` takes 1 argument (k), 0 given (line 1)"},
      {"map marlin(k : 4, n : 4) -> (w, v) = (k, n)\nprove c: marlin + 1 == 2",
       "2:10: `marlin` is a map, not a number: call it; help: `marlin(k, n)`"},
      {"map f(x : 4) -> (row, col) = (x, x)\nprove c: f(1).raw == 2",
       "2:10: `f` has no output `raw` (it has row, col); help: `.row`?"},
      {"map f(x : 4) -> (row, col) = (x, x)\nprove c: f.inverse(1, 2).y == 2",
       "2:10: `f.inverse(1, 2)` has no member `y` (it has x)"},
      {"map f(x : 4) -> (row, col) = (x, x)\nprove c: f.inverse(1) == 2",
       "2:10: `f.inverse` takes 2 arguments (row, col), 1 given (line 1)"},
      {"map f(x : 4) -> (row, col) = (x, x)\nprove c: f.reverse(1, 1) == 2",
       "2:10: `f` has no part `reverse` to call; it is a map; help: `f(..)`, `f.inverse(..)`"},
      {"map f(x : 4) -> (y) = x\nprove c: f[1] == 1", "2:10: `f` is a map: call it with `( )`"},
      {"table T[4] : 4\nprove c: T(1) == 1",
       "2:10: `T` is a table, not a map: index it with `[ ]`"},
      {"table T[4] : 4\nprove c: T == 1",
       "2:10: `T` is a table, not a number: index it; help: `T[..]`"},
      {"size N\nprove c: N(1) == 1", "2:10: `N` is a size, only maps can be called"},
      {"size N\nprove c: N[1] == 1", "2:10: `N` is a size, only arrays and tables can be indexed"},
      {"size N\nprove c: N.row == 1", "2:10: `N` is a number, it has no member `row`"},
      {"prove c: ceildiv(1) == 1", "1:10: `ceildiv` takes 2 arguments (a, b), 1 given"},
      {"prove c: cute((4,8):(8,1))(1) == 1",
       "1:10: this layout has 2 top-level modes and takes one argument each, 1 given"},
      {"prove c: f16(1) == 1",
       "1:10: `f16(..)` converts an operand, in `acc += X(..)` only; help: to say in how many bits "
       "an expression is "
       "computed: `i32(..)`"},
  });
}

TEST(Diagnostics, Claims) {
  expect_each({
      {"map swz(r, c : 64) -> (column) = c\nprove bijective(swz)",
       "2:17: output `column` of `swz` has no codomain: write `-> (column : 64)`, or ask "
       "`injective(swz)`"},
      {"map unit(i) -> (u) = i\nprove injective(unit)",
       "2:17: coordinate `i` of `unit` has no extent: a predicate needs a bounded domain"},
      {"table T[4]\nprove bijective(T)",
       "2:17: the values of `T` have no range: write `table T[..] : R`, or ask `injective(T)`"},
      {"tensor W[4] : u8\nprove injective(W)",
       "2:17: `injective` takes the name of a map, table or pack; `W` is a tensor"},
      {"map f(x : 4) -> (y) = x\nprove injective(f(1))",
       "2:17: `injective` takes the name of a map, table or pack, not an expression"},
      {"map f(lane : 32) -> (y) = 16*lane\nprove ways(f, 16) == 1",
       "2:1: give the claim a name: `prove NAME: ...` (only single predicates name themselves)"},
      {"map f(lane : 32) -> (y) = 16*lane\nrefute ways(f, 16) == 1",
       "2:1: give the claim a name: `refute NAME: ...` (only single predicates name themselves)"},
      {"map f(lane : 32) -> (y) = 16*lane\nprove c: ways(f) == 1",
       "2:10: `ways` takes a map and the bytes of an access, `ways(f, 16)`, or a load of a kernel, "
       "`ways(K.x)`; help: "
       "`ways(f, 16)`?"},
      {"map f(lane) -> (y) = 16*lane\nprove coalesced(f, 16)",
       "2:17: coordinate `lane` of `f` has no extent: the first coordinate counts the lanes of an "
       "access"},
      {"map f(lane : 32) -> (y, z) = (lane, lane)\nprove coalesced(f, 16)",
       "2:17: `coalesced` takes a map to one byte address; `f` has 2 outputs"},
      {"map f(x : 4) -> (y : 4) = x\nprove bijective(f)\nprove bijective(f)",
       "3:1: there is already a claim `bijective(f)` (line 2): give this one a name of its own, "
       "`prove NAME: ...`"},
      {"size N\nprove c: N == N where N",
       "2:23: the `where` of a claim needs a condition, `N` is a number; help: `N != 0`?"},
  });
}

TEST(Diagnostics, ConstantsAlone) {
  expect_each({
      {"prove c: 8/0 == 1", "1:12: the divisor is 0: this is undefined whatever the sizes are"},
      {"size N\nprove c: N % (4 - 4) == 1",
       "2:15: the divisor is 0: this is undefined whatever the sizes are"},
      {"let z = 0\nsize N\nprove c: ceildiv(N, z) == 1",
       "3:21: the divisor is 0: this is undefined whatever the sizes are"},
      {"tensor T[0] : u8", "1:10: an extent of `T` is 0: it must be at least 1"},
      {"map f(x : 0) -> (y) = x", "1:11: the extent of `x` is 0: it must be at least 1"},
      {"map f(x : 4) -> (y : 0) = x", "1:22: the codomain of `y` is 0: it must be at least 1"},
      {"map f(x : [a:4, b:0]) -> (y) = x",
       "1:19: the radix of digit `b` is 0: it must be at least 1"},
      {"prove c: forall(i : 4 - 5) i == 0", "1:21: the extent of `i` is -1: it must be at least 1"},
      {"size N\nprove c: [N:0] == 1", "2:13: the radix of digit `N` is 0: it must be at least 1"},
  });
  // Where it depends on sizes it is a verdict.
  EXPECT_EQ(errors("size N\nprove c: forall(i : N - 1) i/(N - 1) == 0"), "");
  EXPECT_EQ(errors("size N\ntensor T[N - 4] : u8\nprove c: N/(N - N) == 1"), "");
}

TEST(Diagnostics, MapsAndTables) {
  expect_each({
      {"map f(x : 4) -> (row, col)\n  row = x", "1:23: output `col` of `f` is never defined"},
      {"map f(x : 4) -> (row)\n  row = x\n  row = x",
       "3:3: output `row` of `f` is defined twice (line 2)"},
      {"map f(x : 4) -> (row)\n  row = x\n  z = x",
       "3:3: `z` is no output of `f` (it has row); help: a value with a name of its own is written "
       "`let z = ...`"},
      {"map f(x : 4) -> (row : x) = x",
       "1:24: a codomain is about sizes, not about coordinates: `x`"},
      {"map f(x : 4) -> (y)\n  let d = x\n  carry v over d = 1 then v + 1\n  y = v",
       "3:9: `carry` goes over a coordinate or index, `d` is a let"},
      {"map f(x : 4) -> (y)\n  carry v over z = 1 then v + 1\n  y = v", "2:9: unknown name `z`"},
      {"table T[8] : 8 = {0, 2, 4}", "1:7: 3 values for 8 entries"},
      {"table T[2] : 8 = {0, 8}", "1:22: entry 1 of `T` is 8, outside 0..7"},
      {"table T[2] = {0, 1 - 2}",
       "1:18: entry 1 of `T` is -1: the values of a table are at least 0"},
      {"size N\ntable T[2] : 8 = {0, N}", "2:22: the values of a table are constants, `N` is none"},
  });
}

TEST(Diagnostics, Arrays) {
  expect_each({
      {"size K, N\ntensor W[K, N] : u8\npack Q[K*N] : b32\n  for (k : K, n : N) Q[k].b4[0] = W[k, "
       "n]",
       "4:22: the place has 4 bits, `W[k, n]` has 8"},
      {"tensor W[4] : u8\npack Q[4] : u8\n  for (i : 4) W[i] = W[i]",
       "3:15: the `for` lines of `Q` fill `Q`, not `W`"},
      {"tensor W[4] : u8\npack Q[4] : u8\n  for (i : 4) Q[i] = Q[i]",
       "3:22: unknown name `Q`; help: `Q` is visible only behind its own declaration"},
      {"tensor W[4] : u8\npack Q[4] : u8\n  for (i) Q[i] = W[i]",
       "3:8: coordinate `i` has no extent: a `for` needs a bounded domain"},
      {"size N\npack P = N.reshape(4)", "2:6: a chain starts from a tensor or pack, `N` is a size"},
      {"tensor W[4, 4] : u8\npack P = W.permute(0, 2)",
       "2:23: there is no axis 2: the shape has axes 0..1"},
      {"tensor W[4, 4] : u8\npack P = W.permute(0, 0)",
       "2:23: axis 0 stands twice in this permute"},
      {"tensor W[4, 4] : u8\npack P = W.permute(0)", "2:12: this permute names 1 of 2 axes"},
      {"size N\ntensor W[N, 4] : u8\npack P = W.permute(N, 0)",
       "3:20: the axes of a permute are literals, `N` is none"},
      {"tensor W[4, 4] : u8\npack P = W.reshape(2, 7)",
       "2:12: this reshape has 14 elements for 16"},
      {"size N\ntensor W[N, 4] : u8\npack P = W.reshape(2, -1)",
       "3:23: no extent is inferred here: write it out; help: `N*4/(2)`"},
  });
}

TEST(Diagnostics, TwentyErrorsAreEnough) {
  std::string text;
  for (int i = 0; i < 50; ++i)
    text += "prove c" + std::to_string(i) + ": nothing_" + std::to_string(i) + " == 1\n";
  EXPECT_EQ(load(text).diagnostics.size(), 20U);
}

TEST(Diagnostics, OneMistakeIsReportedOnce) {
  // The broken declaration's name is used below it: no second error.
  EXPECT_EQ(errors("size N\ntable T[4] : = {1}\nprove c: T[0] == 1").find("unknown name"),
            std::string::npos);
  EXPECT_EQ(errors("size N\nlet a = zzz\nlet b = a + 1\nprove c: b == a"),
            "2:9: unknown name `zzz`");
  EXPECT_EQ(errors("map f(x : zzz) -> (y) = x\nprove c: f(1) == 1"), "1:11: unknown name `zzz`");
}

}  // namespace
}  // namespace fragproof::testing
