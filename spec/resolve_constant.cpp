// What literals alone make: the values of constant expressions, and the errors that need no sizes
// to be seen.
#include <algorithm>

#include "spec/resolve.h"

namespace fragproof {

std::optional<Int> Resolver::constant(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::Number:
      return e.number;
    case Expr::Kind::Variable: {
      if (e.variable->kind != Variable::Kind::FileLet || e.variable->value == nullptr)
        return std::nullopt;
      const auto [entry, fresh] = constants_.try_emplace(e.variable);
      if (!fresh) return entry->second;
      const std::optional<Int> value = constant(*e.variable->value);
      return constants_[e.variable] = value;
    }
    case Expr::Kind::Unary: {
      const std::optional<Int> a = constant(*e.args[0]);
      if (!a) return std::nullopt;
      if (e.unary == Unary::Complement) return ~*a;
      if (e.unary == Unary::Not) return *a == 0 ? 1 : 0;
      Int negated = 0;
      return sub(0, *a, negated) ? std::optional<Int>(negated) : std::nullopt;
    }
    case Expr::Kind::Binary:
      return constant_binary(e);
    case Expr::Kind::Conditional: {
      const std::optional<Int> test = constant(*e.args[0]);
      return test ? constant(*e.args[*test != 0 ? 1 : 2]) : std::nullopt;
    }
    case Expr::Kind::Builtin: {
      std::vector<Int> values;
      for (const Expr* arg : e.args) {
        const std::optional<Int> value = constant(*arg);
        if (!value) return std::nullopt;
        values.push_back(*value);
      }
      if (values.empty()) return std::nullopt;
      if (e.builtin == Builtin::Min) return *std::min_element(values.begin(), values.end());
      if (e.builtin == Builtin::Max) return *std::max_element(values.begin(), values.end());
      if (values.size() != 2 || values[0] < 0 || values[1] <= 0) return std::nullopt;
      return values[0] / values[1] + (values[0] % values[1] != 0 ? 1 : 0);
    }
    default:
      return std::nullopt;  // everything else may be undefined: engines judge it
  }
}

std::optional<Int> Resolver::constant_binary(const Expr& e) {
  const std::optional<Int> a = constant(*e.args[0]);
  if (!a) return std::nullopt;
  if (e.binary == Binary::LogicalAnd && *a == 0) return 0;
  if (e.binary == Binary::LogicalOr && *a != 0) return 1;
  const std::optional<Int> b = constant(*e.args[1]);
  if (!b) return std::nullopt;
  Int out = 0;
  switch (e.binary) {
    case Binary::Add:
      return add(*a, *b, out) ? std::optional<Int>(out) : std::nullopt;
    case Binary::Sub:
      return sub(*a, *b, out) ? std::optional<Int>(out) : std::nullopt;
    case Binary::Mul:
      return mul(*a, *b, out) ? std::optional<Int>(out) : std::nullopt;
    case Binary::Div:
      return *a < 0 || *b <= 0 ? std::nullopt : std::optional<Int>(*a / *b);
    case Binary::Mod:
      return *a < 0 || *b <= 0 ? std::nullopt : std::optional<Int>(*a % *b);
    case Binary::ShiftLeft:
      if (*a < 0 || *b < 0 || *b > 120) return std::nullopt;
      return mul(*a, Int{1} << *b, out) ? std::optional<Int>(out) : std::nullopt;
    case Binary::ShiftRight:
      if (*a < 0 || *b < 0) return std::nullopt;
      return *b > 126 ? Int{0} : *a >> *b;
    case Binary::And:
      return *a & *b;
    case Binary::Or:
      return *a | *b;
    case Binary::Xor:
      return *a ^ *b;
    case Binary::Equal:
      return *a == *b ? 1 : 0;
    case Binary::NotEqual:
      return *a != *b ? 1 : 0;
    case Binary::Less:
      return *a < *b ? 1 : 0;
    case Binary::LessEqual:
      return *a <= *b ? 1 : 0;
    case Binary::Greater:
      return *a > *b ? 1 : 0;
    case Binary::GreaterEqual:
      return *a >= *b ? 1 : 0;
    case Binary::LogicalAnd:
    case Binary::LogicalOr:
      return *b != 0 ? 1 : 0;
  }
  return std::nullopt;
}

void Resolver::check_extent(const Expr& e, const std::string& of) {
  const std::optional<Int> value = constant(e);
  if (value && *value < 1)
    error(e.where, of + " is " + to_string(*value) + ": it must be at least 1");
}

void Resolver::check_divisor(const Expr& e) {
  const std::optional<Int> value = constant(e);
  if (value && *value == 0)
    error(e.where, "the divisor is 0: this is undefined whatever the sizes are");
}

}  // namespace fragproof
