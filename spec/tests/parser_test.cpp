// From text to tree: each declaration and statement, where lines end, and that all of examples/ is
// read.
#include <gtest/gtest.h>

#include "spec/tests/syntax_testing.h"

namespace fragproof {
namespace {

using testing::dump;
using testing::Parsed;

// The tree of an expression.
std::string tree(const std::string& text) {
  const Parsed parsed("let x = " + text + "\n");
  EXPECT_TRUE(parsed.diagnostics.empty()) << parsed.rendered();
  if (parsed.tree.declarations.size() != 1) return "nothing";
  return dump(*parsed.tree.declarations[0].lets.at(0).value);
}

// The only declaration of a text without errors.
const Declaration& only(const Parsed& parsed) {
  static const Declaration nothing{};
  EXPECT_TRUE(parsed.diagnostics.empty()) << parsed.rendered();
  EXPECT_EQ(parsed.tree.declarations.size(), 1u);
  return parsed.tree.declarations.empty() ? nothing : parsed.tree.declarations[0];
}

TEST(ParseExpression, PrecedenceIsThatOfC) {
  EXPECT_EQ(tree("a ^ b + c"), "(^ a (+ b c))");
  EXPECT_EQ(tree("x & 1 == 0"), "(& x (== 1 0))");
  EXPECT_EQ(tree("a || b && c | d ^ e & f == g < h << i + j * -k"),
            "(|| a (&& b (| c (^ d (& e (== f (< g (<< h (+ i (* j (neg k)))))))))))")
      << "every level once";
  EXPECT_EQ(tree("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(tree("a / b % c * d"), "(* (% (/ a b) c) d)");
  EXPECT_EQ(tree("a >> b << c"), "(<< (>> a b) c)");
  EXPECT_EQ(tree("!a == ~b"), "(== (! a) (~ b))");
  EXPECT_EQ(tree("-a.b(c)[d]"), "(neg (index (call a.b c) d))");
  EXPECT_EQ(tree("a < b == c >= d"), "(== (< a b) (>= c d))");
  EXPECT_EQ(tree("(a == b) == c"), "(== (== a b) c)");
}

TEST(ParseExpression, ConditionalsNestToTheRight) {
  EXPECT_EQ(tree("a ? b : c ? d : e"), "(? a b (? c d e))");
  EXPECT_EQ(tree("a ? b ? c : d : e"), "(? a (? b c d) e)");
  EXPECT_EQ(tree("a || b ? c + 1 : d"), "(? (|| a b) (+ c 1) d)");
}

TEST(ParseExpression, ADottedNameIsOneNameUpToAUnit) {
  EXPECT_EQ(tree("mma.m16n8k16.b16.A(lane, i).row"), "(.row (call mma.m16n8k16.b16.A lane i))");
  EXPECT_EQ(tree("Wp.b128[64]"), "(b128 Wp 64)");
  EXPECT_EQ(tree("Q[word].b4[nibble]"), "(b4 (index Q word) nibble)");
  EXPECT_EQ(tree("x.b128[i].b64[s].b16[e]"), "(b16 (b64 (b128 x i) s) e)");
  EXPECT_EQ(tree("f.inverse(f(x))"), "(call f.inverse (call f x))");
  EXPECT_EQ(tree("t.b4x[1]"), "(index t.b4x 1)");
  EXPECT_EQ(tree("mma.b16(x)"), "(call mma.b16 x)");
}

TEST(ParseExpression, TuplesDigitsAndCuteLayouts) {
  EXPECT_EQ(tree("(a, b + 1, c)"), "(tuple a (+ b 1) c)");
  EXPECT_EQ(tree("((a))"), "a");
  EXPECT_EQ(tree("[g:8, t + 1:2*A]"), "(digits g 8 (+ t 1) (* 2 A))");
  EXPECT_EQ(tree("[c ? a : b : 4]"), "(digits (? c a b) 4)");
  EXPECT_EQ(tree("cute(((4,8),2):((16,1),8))(lane, v)"), "(cute (4:16;8:1;);2:8; lane v)");
  EXPECT_EQ(tree("cute(8:1)(i)"), "(cute 8:1; i)");
}

TEST(ParseExpression, ForallReachesToTheEnd) {
  EXPECT_EQ(tree("forall(i : 8, k : [a:2, b:3], q where i < k) f(i) == k && i < 3"),
            "(forall (i:8;k[a:2][b:3];q;where (< i k)) (&& (== (call f i) k) (< i 3)))");
}

TEST(ParseExpression, WhereIsTheWholeExpressionOnItsFirstLine) {
  const Parsed parsed("let x = (a + b)*c, y = f(1,   # comment\n   2), z = [a:2] + g(k).row\n");
  const Declaration& d = only(parsed);
  const auto text = [&](const Expr& e) { return std::string(parsed.sources.text(e.where)); };
  const Expr& product = *d.lets.at(0).value;
  EXPECT_EQ(text(product), "(a + b)*c");
  EXPECT_EQ(text(*product.args[0]), "a + b");
  EXPECT_EQ(text(*product.args[1]), "c");
  EXPECT_EQ(text(*d.lets.at(1).value), "f(1,");
  EXPECT_EQ(text(*d.lets.at(2).value), "[a:2] + g(k).row");
  EXPECT_EQ(text(*d.lets.at(2).value->args[1]), "g(k).row");
  EXPECT_EQ(d.lets.at(2).value->where.line, 2);
}

TEST(ParseLines, DeeperLinesAndOpenBracketsContinue) {
  EXPECT_EQ(tree("a\n  + b\n    * c"), "(+ a (* b c))");
  EXPECT_EQ(tree("f(a,\nb,\n  c)"), "(call f a b c)");
  EXPECT_EQ(tree("a # one\n\n  # two\n  + b"), "(+ a b)");
}

TEST(ParseLines, CrlfAndAMissingLastLineEndChangeNothing) {
  const Parsed parsed("size N\r\nmap f(x : N) -> (y)\r\n  y = x\r\nlet a = 1");
  EXPECT_TRUE(parsed.diagnostics.empty()) << parsed.rendered();
  EXPECT_EQ(parsed.tree.declarations.size(), 3u);
}

TEST(ParseLines, ABodyMayHaveAnyIndentationAndCommentsInIt) {
  const Parsed parsed(
      "map f(x,\n      y) -> (z)\n     let a = x\n# note\n\n       + 1\n     z = a\n  # end\n");
  const Map& map = *only(parsed).map;
  ASSERT_EQ(map.steps.size(), 2u);
  EXPECT_EQ(dump(*map.bindings.at(0).value), "(+ x 1)");
}

TEST(ParseDeclaration, EmptyFiles) {
  EXPECT_TRUE(Parsed("").tree.declarations.empty());
  EXPECT_TRUE(Parsed("").diagnostics.empty());
  EXPECT_TRUE(Parsed("\n\n# nothing\n").diagnostics.empty());
}

TEST(ParseDeclaration, IncludeUseSizeLetRequire) {
  const Parsed parsed(
      "include \"a b.layout\"\nuse mma.m16n8k16.b16 as k16\nsize N, K\nlet a = N, [g:8, t:K] = "
      "a\nrequire N % 2 == 0\n");
  ASSERT_TRUE(parsed.diagnostics.empty()) << parsed.rendered();
  const auto& d = parsed.tree.declarations;
  ASSERT_EQ(d.size(), 5u);
  EXPECT_EQ(d[0].path, "a b.layout");
  EXPECT_EQ(d[1].name, "mma.m16n8k16.b16");
  EXPECT_EQ(d[1].alias, "k16");
  ASSERT_EQ(d[2].sizes.size(), 2u);
  EXPECT_EQ(d[2].sizes[1]->name, "K");
  EXPECT_EQ(d[2].sizes[1]->where.column, 9);
  ASSERT_EQ(d[3].lets.size(), 2u);
  EXPECT_EQ(d[3].lets[1].kind, Binding::Kind::Digits);
  EXPECT_EQ(d[3].lets[1].digits.at(1).name, "t");
  EXPECT_EQ(dump(*d[4].require), "(== (% N 2) 0)");
}

TEST(ParseDeclaration, Tables) {
  const Parsed parsed(
      "table T[K] : K\ntable p[2, 2] : 9 = {{1, 2}, {3, N + 1}}\ntable q[3] = file \"q.npy\"\n"
      "table r[2, 2] = {4, 4, 5, 4}\n");
  ASSERT_TRUE(parsed.diagnostics.empty()) << parsed.rendered();
  const auto& d = parsed.tree.declarations;
  EXPECT_FALSE(d[0].table->has_values);
  EXPECT_EQ(dump(*d[0].table->range), "K");
  ASSERT_EQ(d[1].table->values.size(), 4u);
  EXPECT_EQ(dump(*d[1].table->values[3]), "(+ N 1)");
  EXPECT_EQ(d[2].table->file, "q.npy");
  EXPECT_TRUE(d[2].table->has_values);
  ASSERT_EQ(d[3].table->values.size(), 4u);
  EXPECT_EQ(d[3].table->values[2]->number, 5);
  EXPECT_EQ(d[3].table->values[0], d[3].table->values[3]) << "equal literals are one node";
}

TEST(ParseDeclaration, MapsByFormulaAndByStatements) {
  const Parsed parsed(
      "map f(x : [a:2, b:N], y where x < y) -> (u : 2*N, v) = (x, y)\n"
      "map g.h(q) -> (u, v)\n  let [c:4, d:2] = q\n  carry o over q = 1 then o ^ d\n  v = o\n  u = "
      "v\n");
  ASSERT_TRUE(parsed.diagnostics.empty()) << parsed.rendered();
  const Map& f = *parsed.tree.declarations[0].map;
  EXPECT_EQ(f.domain.coordinates.at(0).digits.at(1).name, "b");
  EXPECT_EQ(f.domain.coordinates.at(0).extent, nullptr);
  EXPECT_EQ(f.domain.coordinates.at(1).extent, nullptr);
  EXPECT_EQ(dump(*f.domain.where), "(< x y)");
  EXPECT_EQ(dump(*f.outputs.at(0).codomain), "(* 2 N)");
  EXPECT_EQ(f.outputs.at(1).codomain, nullptr);
  EXPECT_EQ(dump(*f.formula), "(tuple x y)");
  const Map& g = *parsed.tree.declarations[1].map;
  EXPECT_EQ(g.name, "g.h");
  ASSERT_EQ(g.steps.size(), 4u);
  EXPECT_EQ(g.bindings.at(1).kind, Binding::Kind::Carry);
  EXPECT_EQ(g.bindings.at(1).over_name, "q");
  EXPECT_EQ(dump(*g.bindings.at(1).next), "(^ o d)");
  EXPECT_EQ(g.steps[2].kind, Map::Step::Kind::Output);
  EXPECT_EQ(g.written.at(g.steps[2].index).name, "v");
}

TEST(ParseDeclaration, FragmentsTakeTheProvenanceAboveThem) {
  const Parsed parsed(
      "#@ instruction: mma.sync ...: x\n#@ ptx: 7.0\n#@ types: bf16  f16\n"
      "fragment a.A(lane : [g:8, t:4], elem : 2) -> (row : 16) : b16\n  row = g\n"
      "# a comment in between\n"
      "fragment a.B(lane : 32, elem : 1) -> (row : 32) : b16 = lane\n"
      "#@ status: inferred\n"
      "fragment b.A(lane : 32, elem : 1) -> (row : 32) : b32 = lane\n");
  ASSERT_TRUE(parsed.diagnostics.empty()) << parsed.rendered();
  const auto& d = parsed.tree.declarations;
  ASSERT_EQ(d.size(), 3u);
  EXPECT_TRUE(d[0].map->is_fragment);
  EXPECT_EQ(d[0].map->element.name, "b16");
  for (int i : {0, 1}) {
    const Provenance& p = d[static_cast<std::size_t>(i)].map->provenance;
    EXPECT_EQ(p.instruction, "mma.sync ...: x");
    EXPECT_EQ(p.ptx, "7.0");
    EXPECT_EQ(p.types, (std::vector<std::string>{"bf16", "f16"}));
    EXPECT_EQ(p.status, "");
  }
  EXPECT_EQ(d[2].map->provenance.status, "inferred");
  EXPECT_EQ(d[2].map->provenance.ptx, "") << "a new block forgets the one before";
}

TEST(ParseDeclaration, ArraysAndFills) {
  const Parsed parsed(
      "tensor W[N, K/2] : bf16\n"
      "pack P[N*K] : b32\n  for (n : N) P[n].b4[n % 8] = W[n, 0]\n  for (n : N where n < 3) "
      "P.b128[n] = 0\n"
      "pack Q = W.reshape(N, 2, K)\n    .permute(1, 0, 2).contiguous()\npack R = Q\n");
  ASSERT_TRUE(parsed.diagnostics.empty()) << parsed.rendered();
  const auto& d = parsed.tree.declarations;
  EXPECT_EQ(d[0].array->kind, Array::Kind::Tensor);
  EXPECT_EQ(d[0].array->element.width, 16);
  const Array& p = *d[1].array;
  ASSERT_EQ(p.fills.size(), 2u);
  EXPECT_EQ(to_text(p.fills[0].place), "P[n].b4[n % 8]");
  EXPECT_EQ(to_text(*p.fills[0].source), "W[n, 0]");
  EXPECT_TRUE(p.fills[1].place.index.empty());
  EXPECT_FALSE(p.fills[1].source.has_value());
  const Array& q = *d[2].array;
  EXPECT_EQ(q.chain_source, "W");
  ASSERT_EQ(q.chain.size(), 3u);
  EXPECT_EQ(q.chain[1].op, "permute");
  EXPECT_EQ(q.chain[1].args.size(), 3u);
  EXPECT_TRUE(d[3].array->chain.empty());
}

TEST(ParseDeclaration, Claims) {
  const Parsed parsed(
      "prove bijective(f)\nrefute a: N == 1 where N < 3\nprove K.A.whole where N == 2\nprove K\n");
  ASSERT_TRUE(parsed.diagnostics.empty()) << parsed.rendered();
  const auto& d = parsed.tree.declarations;
  EXPECT_FALSE(d[0].claim.refute);
  EXPECT_EQ(d[0].claim.name, "");
  EXPECT_TRUE(d[1].claim.refute);
  EXPECT_EQ(d[1].claim.name, "a");
  EXPECT_EQ(dump(*d[1].claim.where_clause), "(< N 3)");
  EXPECT_EQ(dump(*d[2].claim.condition), "K.A.whole");
  EXPECT_EQ(d[3].claim.where.line, 4);
}

TEST(ParseDeclaration, AKernelWithEachStatement) {
  const Parsed parsed(
      "kernel gemm computes y[m, n] += W[n, k]\n"
      "    * x[m, k]\n"
      "  require N % 16 == 0\n"
      "  parallel (rb : N/16)\n"
      "  reduce   (kb : K/32, step : 2)\n"
      "  let [g:8, t:4] = lane, u = 3\n"
      "  carry p over kb = 0 then p + 1\n"
      "  shared S[8, 4] : b16\n"
      "  for (i : 8) S[i, 0] = W[i, 0]\n"
      "  load a from Wp.b128[p] if lane != 5 else 0\n"
      "  load b : ldmatrix.x4.trans from S[g, t]\n"
      "  load c : b32 from x[g, t] if g < 3\n"
      "  acc += mma.m16n8k16.b16({a.b32[0], c, f16(c.b16[1])}.b64[0], b)\n"
      "  store acc to y[col, row] if row < M\n"
      "  launch \"gemm_u{U}\" grid(N/16, 2) block(32) shared(4096) args(Wp, x, i32(M), u64(N*K), "
      "scratch(8*N))\n"
      "  launch reduce_it grid(1) block(32) args()\n");
  const Kernel& k = *only(parsed).kernel;
  EXPECT_EQ(k.result.name, "y");
  EXPECT_EQ(k.second.indices, (std::vector<std::string>{"m", "k"}));
  using Kind = Kernel::Step::Kind;
  std::vector<Kind> kinds;
  for (const Kernel::Step& step : k.steps) kinds.push_back(step.kind);
  EXPECT_EQ(kinds, (std::vector<Kind>{Kind::Require, Kind::Parallel, Kind::Reduce, Kind::Binding,
                                      Kind::Binding, Kind::Binding, Kind::Shared, Kind::Fill,
                                      Kind::Load, Kind::Load, Kind::Load, Kind::Mma, Kind::Store,
                                      Kind::Launch, Kind::Launch}));
  EXPECT_EQ(k.steps[9].index, 1u);
  EXPECT_EQ(k.steps[9].where.line, 11);
  EXPECT_EQ(k.shared.at(0)->kernel, &k);
  EXPECT_EQ(k.loads.at(0)->type_name, "");
  EXPECT_TRUE(k.loads.at(0)->else_zero);
  EXPECT_EQ(to_text(k.loads.at(0)->from), "Wp.b128[p]");
  EXPECT_EQ(k.loads.at(1)->type_name, "ldmatrix.x4.trans");
  EXPECT_FALSE(k.loads.at(2)->else_zero);
  EXPECT_EQ(dump(*k.loads.at(2)->condition), "(< g 3)");
  ASSERT_TRUE(k.mma.has_value());
  EXPECT_EQ(k.mma->instruction, "mma.m16n8k16.b16");
  const Value& a = k.mma->value_a;
  EXPECT_EQ(a.kind, Value::Kind::Join);
  EXPECT_EQ(a.units.at(0).width, 64);
  ASSERT_EQ(a.parts.size(), 3u);
  EXPECT_EQ(a.parts[0].name, "a");
  EXPECT_EQ(a.parts[0].units.at(0).width, 32);
  EXPECT_EQ(a.parts[2].kind, Value::Kind::Convert);
  EXPECT_EQ(a.parts[2].type.width, 16);
  EXPECT_EQ(a.parts[2].parts.at(0).name, "c");
  EXPECT_EQ(k.mma->value_b.kind, Value::Kind::Load);
  ASSERT_TRUE(k.store.has_value());
  EXPECT_EQ(k.store->accumulator, "acc");
  EXPECT_NE(k.store->condition, nullptr);
  ASSERT_EQ(k.launches.size(), 2u);
  EXPECT_EQ(k.launches[0].symbol, "gemm_u{U}");
  EXPECT_EQ(k.launches[0].grid.size(), 2u);
  ASSERT_EQ(k.launches[0].args.size(), 5u);
  EXPECT_EQ(k.launches[0].args[0].name, "Wp");
  EXPECT_EQ(k.launches[0].args[0].value, nullptr);
  EXPECT_EQ(k.launches[0].args[2].width, 32);
  EXPECT_EQ(dump(*k.launches[0].args[3].value), "(* N K)");
  EXPECT_EQ(k.launches[0].args[4].name, "scratch");
  EXPECT_EQ(k.launches[0].args[4].width, 0);
  EXPECT_TRUE(k.launches[1].args.empty());
}

TEST(ParseFiles, AllOfExamplesAndTheInstructionSpec) {
  for (const char* folder : {"examples", "spec/instructions"}) {
    const auto files = testing::layout_files(folder);
    EXPECT_FALSE(files.empty()) << folder;
    for (const auto& path : files) {
      const Parsed parsed(testing::read_file(path), path.filename().string());
      EXPECT_TRUE(parsed.diagnostics.empty()) << parsed.rendered();
      EXPECT_FALSE(parsed.tree.declarations.empty()) << path;
    }
  }
}

// The reference is code too: each ```layout block in it is a file.
TEST(ParseFiles, EachBlockOfTheLanguageReference) {
  const std::string text =
      testing::read_file(std::filesystem::path(FRAGPROOF_SOURCE_DIR) / "spec" / "grammar.md");
  const std::string open = "```layout\n";
  int blocks = 0;
  for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
    at += open.size();
    const std::size_t end = text.find("```", at);
    ASSERT_NE(end, std::string::npos);
    const Parsed parsed(text.substr(at, end - at), "grammar.md block " + std::to_string(++blocks));
    EXPECT_TRUE(parsed.diagnostics.empty()) << parsed.rendered();
    at = end;
  }
  EXPECT_GE(blocks, 10);
}

}  // namespace
}  // namespace fragproof
