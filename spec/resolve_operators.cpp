// The type rules of C's operators, as far as conditions are kept apart from numbers.
#include "spec/resolve.h"

namespace fragproof {
namespace {

bool plain(const Type& type) {
  return type.kind == Type::Kind::Number || type.kind == Type::Kind::Condition;
}
bool known(const Expr& e) { return e.type.kind != Type::Kind::Unknown; }

bool is_comparison(const Expr& e) {
  return e.kind == Expr::Kind::Binary && precedence_of(e.binary) >= precedence_of(Binary::Equal) &&
         precedence_of(e.binary) <= precedence_of(Binary::Less);
}

}  // namespace

void Resolver::unary(Expr& e) {
  Expr& operand = *e.args[0];
  if (e.unary == Unary::Not) {
    condition(operand, "`!`");
    if (operand.type.kind == Type::Kind::Condition) e.type = operand.type;
    return;
  }
  number(operand);
  if (plain(operand.type)) e.type.kind = Type::Kind::Number, e.type.arity = 1;
}

void Resolver::binary(Expr& e) {
  Expr& a = *e.args[0];
  Expr& b = *e.args[1];
  const Type number_type{Type::Kind::Number, 1, 0, {}};
  const Type condition_type{Type::Kind::Condition, 1, 0, {}};
  switch (e.binary) {
    case Binary::Add:
    case Binary::Sub:
    case Binary::Mul:
    case Binary::Div:
    case Binary::Mod:
    case Binary::ShiftLeft:
    case Binary::ShiftRight:
      number(a);
      number(b);
      if (e.binary == Binary::Div || e.binary == Binary::Mod) check_divisor(b);
      if (plain(a.type) && plain(b.type)) e.type = number_type;
      break;
    case Binary::Less:
    case Binary::LessEqual:
    case Binary::Greater:
    case Binary::GreaterEqual:
      number(a);
      number(b);
      if (plain(a.type) && plain(b.type)) e.type = condition_type;
      break;
    case Binary::And:
    case Binary::Or:
    case Binary::Xor:
      bitwise(e);
      break;
    case Binary::Equal:
    case Binary::NotEqual:
      equality(e);
      break;
    case Binary::LogicalAnd:
    case Binary::LogicalOr: {
      const std::string of = std::string("`") + symbol_of(e.binary) + "`";
      condition(a, of);
      condition(b, of);
      if (a.type.kind == Type::Kind::Condition && b.type.kind == Type::Kind::Condition)
        e.type = condition_type;
      break;
    }
  }
}

void Resolver::bitwise(Expr& e) {
  Expr& a = *e.args[0];
  Expr& b = *e.args[1];
  number(a);
  number(b);
  if (!plain(a.type) || !plain(b.type)) return;
  if (a.type.kind == b.type.kind) {
    e.type = {a.type.kind, 1, 0, {}};
    return;
  }
  const std::string op = symbol_of(e.binary);
  std::string text = "`" + op + "` mixes a number and a condition";
  std::string help;
  // `x & 1 == 0` was meant as `(x & 1) == 0`.
  const Expr& compared = a.type.kind == Type::Kind::Condition ? a : b;
  if (is_comparison(compared)) {
    const std::string symbol = symbol_of(compared.binary);
    text += ": as in C, `" + symbol + "` binds tighter";
    const auto meant = [&](const Expr& left, const Expr& right) {
      return "(" + to_text(left) + " " + op + " " + to_text(right) + ")";
    };
    help = &compared == &b ? meant(a, *b.args[0]) + " " + symbol + " " + to_text(*b.args[1])
                           : to_text(*a.args[0]) + " " + symbol + " " + meant(*a.args[1], b);
    help = help.size() <= 72 ? "`" + help + "`" : "";
  }
  error(e.where, text, help);
}

void Resolver::equality(Expr& e) {
  Expr& a = *e.args[0];
  Expr& b = *e.args[1];
  resolve(a);
  resolve(b);
  if (!known(a) || !known(b)) return;
  if (a.type.kind == b.type.kind && a.type.arity == b.type.arity && a.type.width == b.type.width) {
    e.type = {Type::Kind::Condition, 1, 0, {}};
    return;
  }
  std::string help;
  const Expr* tuple = a.type.kind == Type::Kind::Tuple   ? &a
                      : b.type.kind == Type::Kind::Tuple ? &b
                                                         : nullptr;
  if (tuple != nullptr && a.type.kind != b.type.kind && !tuple->type.names.empty()) {
    help = "`." + tuple->type.names.front() + "`?";
  }
  error(e.where,
        std::string("`") + symbol_of(e.binary) + "` compares two of a kind: " + quote(a) + " is " +
            describe(a.type) + ", " + quote(b) + " is " + describe(b.type),
        help);
}

}  // namespace fragproof
