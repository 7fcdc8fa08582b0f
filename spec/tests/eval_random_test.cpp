// Random expressions, evaluated in columns, against a dumb evaluator of one point that shares no
// code with it.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>

#include "spec/tests/eval_testing.h"

namespace fragproof {
namespace {

// An expression as the test knows it.
struct Node {
  std::string op;  // "a", "b", a number, or an operator
  std::vector<std::unique_ptr<Node>> args;
  [[nodiscard]] std::string text() const {
    if (args.empty()) return op;
    if (op == "?")
      return "(" + args[0]->text() + " ? " + args[1]->text() + " : " + args[2]->text() + ")";
    if (op == "min" || op == "max" || op == "ceildiv" || op[0] == 'i' || op[0] == 'u') {
      std::string out = op + "(";
      for (std::size_t i = 0; i < args.size(); ++i) out += (i > 0 ? ", " : "") + args[i]->text();
      return out + ")";
    }
    if (args.size() == 1) return "(" + op + " " + args[0]->text() + ")";
    return "(" + args[0]->text() + " " + op + " " + args[1]->text() + ")";
  }
};
using Tree = std::unique_ptr<Node>;

struct Result {
  Outcome outcome = Outcome::Ok;
  Int value = 0;
};

Result undefined() { return {Outcome::Undefined, 0}; }
Result overflow() { return {Outcome::Overflow, 0}; }

struct Width {
  int bits = 0;
  bool is_signed = true;
};

bool fits(Int value, const Width& width) {
  if (width.is_signed) {
    const Int half = Int{1} << (width.bits - 1);
    return value >= -half && value < half;
  }
  return value >= 0 && value < (Int{1} << width.bits);
}

Result binary(const std::string& op, Int a, Int b) {
  Int out = 0;
  if (op == "+") return add(a, b, out) ? Result{Outcome::Ok, out} : overflow();
  if (op == "-") return sub(a, b, out) ? Result{Outcome::Ok, out} : overflow();
  if (op == "*") return mul(a, b, out) ? Result{Outcome::Ok, out} : overflow();
  if (op == "/") return a < 0 || b <= 0 ? undefined() : Result{Outcome::Ok, a / b};
  if (op == "%") return a < 0 || b <= 0 ? undefined() : Result{Outcome::Ok, a % b};
  if (op == "ceildiv")
    return a < 0 || b <= 0 ? undefined() : Result{Outcome::Ok, a / b + (a % b > 0)};
  if (op == "min") return {Outcome::Ok, a < b ? a : b};
  if (op == "max") return {Outcome::Ok, a < b ? b : a};
  if (op == "&") return {Outcome::Ok, a & b};
  if (op == "|") return {Outcome::Ok, a | b};
  if (op == "^") return {Outcome::Ok, a ^ b};
  if (op == "<<") {
    if (a < 0 || b < 0) return undefined();
    Int value = a;
    for (Int i = 0; i < b && value != 0; ++i) {
      if (!mul(value, 2, value)) return overflow();
    }
    return {Outcome::Ok, value};
  }
  if (op == ">>") {
    if (a < 0 || b < 0) return undefined();
    Int value = a;
    for (Int i = 0; i < b && value != 0; ++i) value /= 2;
    return {Outcome::Ok, value};
  }
  if (op == "==") return {Outcome::Ok, a == b};
  if (op == "!=") return {Outcome::Ok, a != b};
  if (op == "<") return {Outcome::Ok, a < b};
  if (op == "<=") return {Outcome::Ok, a <= b};
  if (op == ">") return {Outcome::Ok, a > b};
  return {Outcome::Ok, a >= b};
}

bool compares(const std::string& op) {
  return op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=";
}

Result value(const Node& node, Int a, Int b, const std::optional<Width>& width) {
  if (node.args.empty()) {
    if (node.op == "a") return {Outcome::Ok, a};
    if (node.op == "b") return {Outcome::Ok, b};
    return {Outcome::Ok, *parse_int(node.op)};
  }
  if (node.op[0] == 'i' || node.op[0] == 'u') {
    const Width own{std::stoi(node.op.substr(1)), node.op[0] == 'i'};
    const Result inside = value(*node.args[0], a, b, own);
    return inside.outcome == Outcome::Ok && !fits(inside.value, own) ? undefined() : inside;
  }
  const Result x = value(*node.args[0], a, b, width);
  if (node.op == "?" || node.op == "&&" || node.op == "||") {
    if (x.outcome != Outcome::Ok) return x;
    if (node.op == "?") return value(*node.args[x.value != 0 ? 1 : 2], a, b, width);
    if ((x.value != 0) == (node.op == "||")) return x;
    return value(*node.args[1], a, b, width);
  }
  Result out;
  if (node.args.size() == 1) {
    if (x.outcome != Outcome::Ok) return x;
    if (node.op == "!") return {Outcome::Ok, x.value == 0};
    out = node.op == "-" ? binary("-", 0, x.value) : Result{Outcome::Ok, -x.value - 1};
  } else {
    const Result y = value(*node.args[1], a, b, width);
    if (x.outcome == Outcome::Undefined || y.outcome == Outcome::Undefined) return undefined();
    if (x.outcome == Outcome::Overflow || y.outcome == Outcome::Overflow) return overflow();
    out = binary(node.op, x.value, y.value);
    if (compares(node.op) || node.op == "min" || node.op == "max" || node.op == "ceildiv")
      return out;
  }
  if (width && out.outcome == Outcome::Overflow) return undefined();
  if (width && out.outcome == Outcome::Ok && !fits(out.value, *width)) return undefined();
  return out;
}

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  Tree number(int depth) {
    if (depth == 0 || pick(8) == 0) return leaf();
    switch (pick(12)) {
      case 0:
        return node("?", condition(depth - 1), number(depth - 1), number(depth - 1));
      case 1:
        return node(pick(2) == 0 ? "-" : "~", number(depth - 1));
      case 2:
        return node(one_of({"min", "max", "ceildiv"}), number(depth - 1), number(depth - 1));
      case 3:
        return node(one_of({"i8", "i32", "u8", "u32", "i64", "u64"}), number(depth - 1));
      default:
        return node(one_of({"+", "-", "*", "*", "/", "%", "<<", ">>", "&", "|", "^"}),
                    number(depth - 1), number(depth - 1));
    }
  }
  Tree condition(int depth) {
    if (depth > 0 && pick(3) == 0) {
      return node(one_of({"&&", "||"}), condition(depth - 1), condition(depth - 1));
    }
    if (depth > 0 && pick(8) == 0) return node("!", condition(depth - 1));
    return node(one_of({"==", "!=", "<", "<=", ">", ">="}), number(depth), number(depth));
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string one_of(std::vector<std::string> texts) {
    return texts[pick(static_cast<unsigned>(texts.size()))];
  }
  template <class... Args>
  static Tree node(const std::string& op, Args... args) {
    Tree out = std::make_unique<Node>();
    out->op = op;
    (out->args.push_back(std::move(args)), ...);
    return out;
  }
  Tree leaf() {
    Tree out = std::make_unique<Node>();
    switch (pick(6)) {
      case 0:
        out->op = "a";
        break;
      case 1:
      case 2:
        out->op = "b";
        break;
      case 3:
        out->op = one_of({"4294967296", "9223372036854775807", "100000000000000000000", "46341"});
        break;
      default:
        out->op = std::to_string(pick(9));
        break;
    }
    return out;
  }
  std::mt19937 random_;
};

TEST(EvalRandom, ColumnsAgreeWithTheDumbEvaluator) {
  int defined = 0, undefined_count = 0, overflows = 0, expressions = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Generator generator(seed);
    const Tree tree = generator.number(4);
    LoadResult loaded =
        load_text("random.layout", "prove t: forall(a : 9, b : 7) " + tree->text() + " == 0\n");
    if (loaded.spec == nullptr) continue;  // literals alone divide by zero: refused by resolution
    ++expressions;
    const Expr& forall = *loaded.spec->claims.at(0).condition;
    const Expr& expr = *forall.args.at(0)->args.at(0);
    Evaluator evaluator(*loaded.spec, Shape());
    (void)evaluator.walk(forall.domain, Batch(), [&](const Batch& points) {
      EXPECT_EQ(points.size, 63U);
      const Values found = evaluator.evaluate(expr, points);
      for (std::size_t p = 0; p < points.size; ++p) {
        const Int a = points.value(forall.domain.coordinates[0].variable, p);
        const Int b = points.value(forall.domain.coordinates[1].variable, p);
        const Result expected = value(*tree, a, b, std::nullopt);
        EXPECT_EQ(found.at(p), expected.outcome)
            << tree->text() << " at " << to_string(a) << ", " << to_string(b);
        (expected.outcome == Outcome::Ok          ? defined
         : expected.outcome == Outcome::Undefined ? undefined_count
                                                  : overflows)++;
        if (expected.outcome == Outcome::Ok) {
          EXPECT_EQ(to_string(found.members[0].at(p)), to_string(expected.value))
              << tree->text() << " at " << to_string(a) << ", " << to_string(b);
        }
        if (p % 16 == 0) {  // one point alone, with reasons wanted
          const Scalar scalar = evaluator.scalar(expr, points.at(p));
          EXPECT_EQ(scalar.outcome, expected.outcome) << tree->text();
          EXPECT_EQ(scalar.outcome == Outcome::Undefined,
                    !scalar.reason.empty() && scalar.outcome != Outcome::Overflow)
              << tree->text();
        }
      }
      return true;
    });
    if (HasFailure()) return;
  }
  EXPECT_GT(expressions, 1000);
  EXPECT_GT(defined, 20'000);
  EXPECT_GT(undefined_count, 10'000);
  EXPECT_GT(overflows, 50);
}

}  // namespace
}  // namespace fragproof
