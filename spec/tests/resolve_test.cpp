// What resolution makes of a right text: names, types, and abbreviations written out.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "spec/tests/load_testing.h"

namespace fragproof::testing {
namespace {

// The resolved text, which must have no errors.
std::unique_ptr<Spec> good(const std::string& text) {
  LoadResult result = load(text);
  EXPECT_EQ(errors(result), "") << text;
  return std::move(result.spec);
}

TEST(Resolve, NamesBecomeVariables) {
  const auto spec = good("size N\nlet H = N/2\nprove c: forall(i : H) i < N");
  const Expr& forall = *spec->claims.at(0).condition;
  ASSERT_EQ(forall.kind, Expr::Kind::Forall);
  const Coordinate& i = forall.domain.coordinates.at(0);
  EXPECT_EQ(i.extent->variable->name, "H");
  EXPECT_EQ(i.extent->variable->kind, Variable::Kind::FileLet);
  EXPECT_EQ(i.extent->variable->value->binary, Binary::Div);
  EXPECT_EQ(forall.args[0]->args[0]->variable, i.variable);
  EXPECT_EQ(forall.args[0]->args[1]->variable, spec->sizes.at(0));
}

TEST(Resolve, EachVariableHasAnIndexOfItsOwn) {
  const auto spec =
      good("size N\nmap f(a : [b:2, c:N]) -> (d, e)\n  let g = a\n  d = g\n  e = b + c");
  const Map& map = *spec->maps.at(0);
  std::set<int> indices = {spec->sizes[0]->index, map.domain.coordinates[0].variable->index,
                           map.bindings[0].variable->index};
  for (const DigitBinding& digit : map.domain.coordinates[0].digits)
    indices.insert(digit.variable->index);
  for (const OutputDef& output : map.outputs) indices.insert(output.variable->index);
  EXPECT_EQ(indices.size(), 7U);
  EXPECT_LT(*indices.rbegin(), spec->variable_count);
  // Those of the built-in fragments, which a file's expressions use too, come before them.
  EXPECT_GE(*indices.begin(), builtin_spec().variable_count);
}

TEST(Resolve, AnExtentOfDigitsIsTheirProduct) {
  const auto spec = good("size N\nmap f(a : [b:N/2, c:2]) -> (y) = b");
  EXPECT_EQ(to_text(*spec->maps[0]->domain.coordinates[0].extent), "N/2*2");
}

TEST(Resolve, TypesOfExpressions) {
  const auto spec = good(
      "size N\ntensor W[N] : u4\nmap f(x) -> (row, col) = (x, x)\nmap g(x) -> (y) = x\n"
      "prove a: f(1) == (1, 1)\nprove b: W[0] == W[0]\nprove c: g(N == 1) == 1\nprove d: (N == 1 ^ "
      "N == 2) == (N < 3)");
  const auto side = [&](int claim) {
    return spec->claims.at(static_cast<std::size_t>(claim)).condition->args[0];
  };
  EXPECT_EQ(side(0)->type.kind, Type::Kind::Tuple);
  EXPECT_EQ(side(0)->type.arity, 2);
  EXPECT_EQ(side(0)->type.names, (std::vector<std::string>{"row", "col"}));
  EXPECT_EQ(side(1)->type.kind, Type::Kind::Contents);
  EXPECT_EQ(side(1)->type.width, 4);
  EXPECT_EQ(side(2)->type.kind, Type::Kind::Number);
  EXPECT_EQ(side(3)->type.kind, Type::Kind::Condition);
}

TEST(Resolve, ATupleArgumentStandsForItsMembers) {
  const std::string maps =
      "map f(x : 4) -> (a, b) = (x, x)\nmap g(x, y) -> (z) = x + y\ntable T[4, 4] : 9\n";
  const auto spec = good(maps + "prove c: g(f(1)) == g(1, 1)");
  EXPECT_EQ(spec->claims[0].condition->args[0]->args.size(), 1U);
  EXPECT_EQ(spec->claims[0].condition->args[1]->args.size(), 2U);
  EXPECT_EQ(errors(maps + "prove c: g(f(1), 1) == 2"),
            "4:10: `g` takes 2 arguments (x, y), 3 given (line 2)");
  EXPECT_EQ(errors(maps + "prove c: T[f(1)] == 2"),
            "4:10: `T` has 2 dimensions, 1 index given\n4:12: a number is needed here, `f(1)` is a "
            "tuple of 2; help: `.a`?");
}

TEST(Resolve, MapsByFormulaBecomeSteps) {
  const auto spec = good("map f(x : 4) -> (a, b) = (x, x + 1)\nmap g(x : 4) -> (a, b) = f(3 - x)");
  ASSERT_EQ(spec->maps[0]->steps.size(), 2U);
  EXPECT_EQ(spec->maps[0]->steps[1].kind, Map::Step::Kind::Output);
  EXPECT_EQ(to_text(*spec->maps[0]->outputs[1].value), "x + 1");
  const Expr& field = *spec->maps[1]->outputs[1].value;
  ASSERT_EQ(field.kind, Expr::Kind::Field);
  EXPECT_EQ(field.field, 1);
  EXPECT_EQ(field.args[0]->map, spec->maps[0]);
}

TEST(Resolve, StepsKeepTheirOrder) {
  const auto spec =
      good("map f(x) -> (a, b)\n  b = x\n  let c = b + 1, [d:2, e:4] = x\n  a = c + d + e");
  const Map& map = *spec->maps[0];
  ASSERT_EQ(map.steps.size(), 4U);
  EXPECT_EQ(map.outputs[map.steps[0].index].name, "b");
  EXPECT_EQ(map.bindings[map.steps[2].index].kind, Binding::Kind::Digits);
  EXPECT_EQ(map.outputs[map.steps[3].index].name, "a");
}

TEST(Resolve, TheOneOutputOfAMapIsTheNumber) {
  const auto spec = good("map f(x) -> (column) = x\nprove c: f(1).column == f.inverse(1).x");
  EXPECT_EQ(spec->claims[0].condition->args[0]->kind, Expr::Kind::Apply);
  EXPECT_EQ(spec->claims[0].condition->args[1]->kind, Expr::Kind::Inverse);
}

TEST(Resolve, DigitsAtFileLevel) {
  const auto spec = good("size N\nlet [hi:N, lo:4] = 3*N\nprove c: 4*hi + lo == 3*N");
  const Expr& hi = *spec->claims[0].condition->args[0]->args[0]->args[1];
  ASSERT_EQ(hi.kind, Expr::Kind::Variable);
  EXPECT_EQ(hi.variable->kind, Variable::Kind::FileLet);
  ASSERT_EQ(hi.variable->value->kind, Expr::Kind::Field);
  EXPECT_EQ(hi.variable->value->args[0]->kind,
            Expr::Kind::Apply);  // undefined outside 0 .. 4*N - 1
  EXPECT_TRUE(spec->maps.empty());
}

TEST(Resolve, BuiltinFragmentsByWidthTypeAndAlias) {
  const auto spec = good(
      "use mma.m16n8k16.bf16 as m\nuse m.A as operand\n"
      "prove a: m.A(0, 0) == mma.m16n8k16.b16.A(0, 0)\nprove b: operand(0, 0) == "
      "mma.m16n8k16.f16.A(0, 0)\n"
      "prove c: m.D(0, 0) == m.C(0, 0)\nprove bijective(m.B)");
  for (int i = 0; i < 3; ++i) {
    const Expr& same = *spec->claims[static_cast<std::size_t>(i)].condition;
    EXPECT_EQ(same.args[0]->map, same.args[1]->map);
    EXPECT_EQ(same.args[0]->map,
              find_builtin(i < 2 ? "mma.m16n8k16.b16.A" : "mma.m16n8k16.bf16.D"));
  }
  EXPECT_EQ(spec->claims[3].name, "bijective(m.B)");
  EXPECT_EQ(find_builtin("mma.m16n8k16.s3.A"), nullptr);
}

TEST(Resolve, AFileMayDeclareABuiltinFragmentAgain) {
  const std::string again =
      "fragment mma.m16n8k16.b16.B(lane : 32, elem : 4) -> (row : 16, col : 8) : b16\n  row = "
      "elem\n  col = lane/4\n";
  const auto spec =
      good(again + "prove a: mma.m16n8k16.bf16.B(0, 0).row == mma.m16n8k16.b16.A(0, 0).row");
  EXPECT_EQ(spec->claims[0].condition->args[0]->args[0]->map, spec->maps.at(0));
  EXPECT_NE(spec->claims[0].condition->args[1]->args[0]->map, nullptr);
  EXPECT_NE(errors(again + again).find("already a fragment (line 1)"), std::string::npos);
}

TEST(Resolve, ClaimsNameThemselves) {
  const auto spec = good(
      "map f(lane : 32) -> (y : 512) = 16*lane\nprove total( f )\nrefute bijective(f)\nprove "
      "coalesced(f, 16)\n"
      "prove f: injective(f)");
  std::vector<std::string> names;
  for (const Claim& claim : spec->claims) names.push_back(claim.name);
  EXPECT_EQ(names, (std::vector<std::string>{"total(f)", "bijective(f)", "coalesced(f, 16)", "f"}));
  EXPECT_TRUE(spec->claims[1].refute);
}

TEST(Resolve, TablesHoldTheirValues) {
  const auto spec = good("let two = 2\ntable T[2, 2] : 8 = {{0, 1}, {two + 1, 7}}\ntable U[4]");
  EXPECT_EQ(spec->tables[0]->numbers, (std::vector<Int>{0, 1, 3, 7}));
  EXPECT_FALSE(spec->tables[1]->has_values);
}

TEST(Resolve, AChainIsWrittenOut) {
  const auto spec = good(
      "size N, K\ntensor W[N, K] : u4\n"
      "pack P = W.reshape(N, K/2, 2).permute(1, 0, 2).contiguous().reshape(K/2, 2*N).permute(1, "
      "0)");
  ASSERT_EQ(spec->arrays.size(), 3U);
  const Array& hidden = *spec->arrays[1];
  const Array& pack = *spec->arrays[2];
  EXPECT_EQ(hidden.name, "P#1");
  EXPECT_TRUE(hidden.hidden);
  EXPECT_EQ(pack.element.name, "u4");
  ASSERT_EQ(pack.extents.size(), 2U);
  EXPECT_EQ(to_text(*pack.extents[0]), "2*N");
  ASSERT_EQ(pack.conditions.size(), 2U);  // one a reshape
  EXPECT_EQ(to_text(*pack.conditions[0].holds), "N*(K/2)*2 == N*K");
  EXPECT_EQ(pack.conditions[0].text, "reshape: N * K/2 * 2 elements for N*K");
  ASSERT_EQ(hidden.fills.size(), 1U);
  const Fill& fill = hidden.fills[0];
  EXPECT_EQ(to_text(fill.place), "P#1.b4[[a1:K/2, a0:N, a2:2]]");
  EXPECT_EQ(to_text(*fill.source), "W.b4[[a0:N, a1:K/2, a2:2]]");
  EXPECT_EQ(pack.fills[0].source->array, &hidden);
}

TEST(Resolve, AChainWithoutPermuteIsACopy) {
  const auto spec = good(
      "tensor W[4, 6] : u8\npack P = W.reshape(24)\npack Q = P.reshape(2, 12)\nprove c: Q[1, 0] == "
      "Q[12]");
  EXPECT_EQ(to_text(spec->arrays[1]->fills[0].place), "P.b8[[a0:24]]");
  EXPECT_EQ(to_text(*spec->arrays[1]->fills[0].source), "W.b8[[a0:24]]");
  EXPECT_EQ(spec->arrays[2]->fills[0].source->array, spec->arrays[1]);
  // One index counts the elements of a chain.
  const Ref& flat = spec->claims[0].condition->args[1]->ref;
  EXPECT_TRUE(flat.index.empty());
  EXPECT_EQ(flat.units.at(0).width, 8);
}

TEST(Resolve, Kernels) {
  const auto spec = good(
      "size N, K\nrequire N % 16 == 0\ntensor A[N, K] : f16\ntensor C[N, N] : f32\nuse "
      "mma.m16n8k16.f16 as m\n"
      "kernel k computes C[i, j] += A[i, q] * A[j, q]\n"
      "  parallel (mt : N/16, nt : N/8)\n  reduce (kt : K/16)\n  shared S[16, 16] : f16\n"
      "  for (r : 16, c : 16) S[r, c] = A[16*mt + r, 16*kt + c]\n  for (r : 1) S[15, 0] = 0\n"
      "  load a : ldmatrix.x4 from S[lane % 16, 8*(lane/16)]\n"
      "  load b : b32 from A[8*nt + lane/4, 16*kt + 2*(lane % 4)]\n"
      "  acc += m(a, {b, f16(b.b16[0]), b.b16[1]})\n"
      "  store acc to C.b32[(16*mt + row)*N + 8*nt + col]\n"
      "prove k\nrefute k.B.whole\nprove free: ways(k.a) == 1");
  const Kernel& kernel = *spec->kernels.at(0);
  EXPECT_EQ(kernel.summed, std::vector<std::string>{"q"});
  EXPECT_EQ(kernel.first.tensor, kernel.second.tensor);
  ASSERT_EQ(kernel.shared.size(), 1U);
  EXPECT_EQ(kernel.shared[0]->fills.size(), 2U);
  EXPECT_TRUE(kernel.fills.empty());
  EXPECT_EQ(kernel.loads[0]->width, 128);
  EXPECT_EQ(kernel.loads[0]->instruction, find_builtin("ldmatrix.x4"));
  EXPECT_EQ(kernel.loads[1]->width, 32);
  EXPECT_EQ(kernel.loads[1]->instruction, nullptr);
  EXPECT_EQ(kernel.mma->instruction, "mma.m16n8k16.f16");
  EXPECT_EQ(kernel.mma->type, "f16");
  EXPECT_EQ(kernel.mma->a, find_builtin("mma.m16n8k16.b16.A"));
  EXPECT_EQ(kernel.mma->value_b.width, 64);
  EXPECT_EQ(kernel.mma->value_b.parts[1].type.name, "f16");
  // A flat place of the store is an element.
  EXPECT_TRUE(kernel.store->to.units.empty());
  ASSERT_EQ(kernel.store->to.index.size(), 2U);
  EXPECT_EQ(to_text(*kernel.store->to.index[1]), "((16*mt + row)*N + 8*nt + col) % N");
  EXPECT_EQ(spec->claims[0].name, "k");
  EXPECT_EQ(spec->claims[1].name, "k.B.whole");
  EXPECT_EQ(spec->claims[1].condition->obligation, Obligation::BWhole);
  const Expr& ways = *spec->claims[2].condition->args[0];
  EXPECT_EQ(ways.load, kernel.loads[0]);
  EXPECT_EQ(ways.kernel, &kernel);
}

TEST(Resolve, CarriesAreVisibleInTheirNextValue) {
  const auto spec = good("map walk(i, q) -> (u)\n  carry o over q = i then o + q\n  u = o");
  const Binding& carry = spec->maps[0]->bindings.at(0);
  EXPECT_EQ(carry.over, spec->maps[0]->domain.coordinates[1].variable);
  EXPECT_EQ(carry.next->args[0]->variable, carry.variable);
}

// A file of a few lines must not become an expression of any size or depth.
TEST(Resolve, DoublingIsBounded) {
  std::string lets = "size N\nlet a0 = N\n", maps = "map f0(x) -> (y) = x\n",
              tuples = "map f0(x, y) -> (a, b) = (x, y)\n", chain = "size N\nlet a0 = N\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string before = std::to_string(i - 1), here = std::to_string(i);
    lets += "let a" + here + " = a" + before + " + a" + before + "\n";
    maps += "map f" + here + "(x) -> (y) = f" + before + "(x) + f" + before + "(x)\n";
    tuples += "map f" + here + "(x, y) -> (a, b) = f" + before + "(x, y)\n";
  }
  EXPECT_NE(errors(lets).find("this is too large"), std::string::npos);
  EXPECT_NE(errors(maps).find("this is too large"), std::string::npos);
  EXPECT_NE(errors(tuples).find("this is too large"), std::string::npos);
  for (int i = 1; i <= 3000; ++i)
    chain += "let a" + std::to_string(i) + " = a" + std::to_string(i - 1) + " + 1\n";
  EXPECT_NE(errors(chain).find("this is too deep"), std::string::npos);
}

}  // namespace
}  // namespace fragproof::testing
