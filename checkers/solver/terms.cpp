// Expressions as Z3 terms; the maps, tables and arrays in them stand in terms_maps.cpp.
#include "checkers/solver/terms.h"

#include <algorithm>

namespace fragproof {
namespace {

constexpr std::int64_t most_steps = 200'000;  // expressions evaluated for one question

}  // namespace

// ---- small helpers
// --------------------------------------------------------------------------------------------

SymbolicNumber Terms::as_number(const Symbolic& value) const {
  if (value.truth) {
    return arithmetic.choose(*value.truth, arithmetic.number(1), arithmetic.number(0));
  }
  if (value.numbers.size() != 1)
    throw NotSpoken{"the direct engine met a tuple where a number belongs"};
  return value.numbers.front();
}

SymbolicNumber Terms::evaluate_number(const Expr& expr, z3::expr& defined) {
  const Symbolic value = evaluate(expr);
  defined = arithmetic.both(defined, value.defined);
  return as_number(value);
}

std::vector<SymbolicNumber> Terms::evaluate_list(const std::vector<Expr*>& list,
                                                 z3::expr& defined) {
  std::vector<SymbolicNumber> numbers;
  for (const Expr* item : list) {
    const Symbolic value = evaluate(*item);
    defined = arithmetic.both(defined, value.defined);
    if (value.truth) {
      numbers.push_back(as_number(value));
    } else {
      numbers.insert(numbers.end(), value.numbers.begin(), value.numbers.end());
    }
  }
  return numbers;
}

Symbolic Terms::made(const z3::expr& truth, z3::expr defined) const {
  return {{}, truth, std::move(defined)};
}

Symbolic Terms::made(SymbolicNumber number, z3::expr defined) {
  if (width_) {
    const int value_bits = width_->bits - (width_->is_signed ? 1 : 0);
    Int low = 0;
    if (width_->is_signed) low = value_bits == 0 ? Int{-1} : -(Int{1} << (value_bits - 1)) * 2;
    defined = arithmetic.both(
        defined, arithmetic.compare(Binary::GreaterEqual, number, arithmetic.number(low)));
    if (value_bits <= 126) {
      const SymbolicNumber end = arithmetic.number(Int{1} << value_bits);
      defined = arithmetic.both(defined, arithmetic.compare(Binary::Less, number, end));
      number.high = std::min(number.high.value_or(*end.known() - 1), *end.known() - 1);
    } else {
      const z3::expr end =
          session_.context().int_val(value_bits == 127 ? "170141183460469231731687303715884105728"
                                                       : "340282366920938463463374607431768211456");
      defined = arithmetic.both(defined, number.term < end);
    }
    number.low = std::max(number.low.value_or(low), low);
  }
  return {{std::move(number)}, std::nullopt, std::move(defined)};
}

// ---- expressions
// ----------------------------------------------------------------------------------------------

Symbolic Terms::evaluate(const Expr& expr) {
  if (++steps_ > most_steps) throw NotSpoken{"the claim is too large for the direct engine"};
  switch (expr.kind) {
    case Expr::Kind::Unary:
      return evaluate_unary(expr);
    case Expr::Kind::Binary:
      return evaluate_binary(expr);
    case Expr::Kind::Conditional:
      return evaluate_conditional(expr);
    case Expr::Kind::Builtin:
      return evaluate_builtin(expr);
    case Expr::Kind::Width:
      return evaluate_width(expr);
    case Expr::Kind::Digits:
      return evaluate_digits(expr);
    case Expr::Kind::Forall:
    case Expr::Kind::Predicate:
      throw NotSpoken{"a quantifier inside an expression is beyond the direct engine"};
    case Expr::Kind::Metric:
      throw NotSpoken{"the direct engine does not speak of `ways`, `sectors` and `coalesced`"};
    case Expr::Kind::Kernel:
      throw NotSpoken{"the direct engine does not speak of kernels"};
    case Expr::Kind::Contents:
      throw NotSpoken{"the direct engine does not speak of what an array holds"};
    case Expr::Kind::Inverse:
      throw NotSpoken{
          "an inverse needs a quantifier inside an expression, which is beyond the direct engine"};
    default: {
      // A width looks at the operators that are written in it, not at what names and calls stand
      // for.
      const std::optional<Width> outside = std::exchange(width_, std::nullopt);
      Symbolic value = evaluate_call(expr);
      width_ = outside;
      return value;
    }
  }
}

Symbolic Terms::evaluate_call(const Expr& expr) {
  z3::expr defined = arithmetic.truth(true);
  switch (expr.kind) {
    case Expr::Kind::Number:
      return made(arithmetic.number(expr.number), defined);
    case Expr::Kind::Variable:
      return evaluate_variable(*expr.variable);
    case Expr::Kind::Apply: {
      const std::vector<SymbolicNumber> arguments = evaluate_list(expr.args, defined);
      return apply(*expr.map, arguments, defined);
    }
    case Expr::Kind::Field: {
      Symbolic tuple = evaluate(*expr.args.front());
      const auto field = static_cast<std::size_t>(expr.field);
      if (field >= tuple.numbers.size())
        throw NotSpoken{"the direct engine met a field of no tuple"};
      return {{tuple.numbers[field]}, std::nullopt, tuple.defined};
    }
    case Expr::Kind::Lookup: {
      const std::vector<SymbolicNumber> index = evaluate_list(expr.args, defined);
      Symbolic value = look_up(*expr.table, index);
      value.defined = arithmetic.both(defined, value.defined);
      return value;
    }
    case Expr::Kind::Tuple: {
      std::vector<SymbolicNumber> members = evaluate_list(expr.args, defined);
      return {std::move(members), std::nullopt, defined};
    }
    case Expr::Kind::Cute:
      return evaluate_cute(expr);
    default:
      throw NotSpoken{"the direct engine met an expression that it does not know"};
  }
}

Symbolic Terms::evaluate_variable(const Variable& variable) {
  if (const auto found = bound_.find(&variable); found != bound_.end()) return found->second;
  if (variable.kind == Variable::Kind::Size) {
    SymbolicNumber size{session_.context().int_const(variable.name.c_str()), Int{1}, {}};
    facts.push_back(size.term >= 1);
    sizes.push_back(size);
    bind(&variable, {{size}, std::nullopt, arithmetic.truth(true)});
  } else if (variable.kind == Variable::Kind::FileLet && variable.value != nullptr) {
    bind(&variable, evaluate(*variable.value));
  } else {
    throw NotSpoken{"the direct engine does not know the value of `" + variable.name + "`"};
  }
  return bound_.at(&variable);
}

Symbolic Terms::evaluate_unary(const Expr& expr) {
  const Symbolic operand = evaluate(*expr.args.front());
  switch (expr.unary) {
    case Unary::Not:
      if (!operand.truth) throw NotSpoken{"the direct engine met `!` of a number"};
      return made(arithmetic.negation(*operand.truth), operand.defined);
    case Unary::Negate:
      return made(arithmetic.subtract(arithmetic.number(0), as_number(operand)), operand.defined);
    case Unary::Complement:
      return made(arithmetic.subtract(arithmetic.number(-1), as_number(operand)), operand.defined);
  }
  throw NotSpoken{"the direct engine met an unknown operator"};
}

Symbolic Terms::evaluate_binary(const Expr& expr) {
  if (expr.binary == Binary::Equal || expr.binary == Binary::NotEqual)
    return evaluate_equality(expr);
  const Symbolic a = evaluate(*expr.args[0]);
  const Symbolic b = evaluate(*expr.args[1]);
  z3::expr defined = arithmetic.both(a.defined, b.defined);
  switch (expr.binary) {
    case Binary::LogicalAnd:
      // C's: b is not looked at where a is false.
      defined =
          arithmetic.both(a.defined, arithmetic.either(arithmetic.negation(*a.truth), b.defined));
      return made(arithmetic.both(*a.truth, *b.truth), defined);
    case Binary::LogicalOr:
      defined = arithmetic.both(a.defined, arithmetic.either(*a.truth, b.defined));
      return made(arithmetic.either(*a.truth, *b.truth), defined);
    case Binary::Less:
    case Binary::LessEqual:
    case Binary::Greater:
    case Binary::GreaterEqual:
      return made(arithmetic.compare(expr.binary, as_number(a), as_number(b)), defined);
    case Binary::And:
      if (a.truth && b.truth) return made(arithmetic.both(*a.truth, *b.truth), defined);
      break;
    case Binary::Or:
      if (a.truth && b.truth) return made(arithmetic.either(*a.truth, *b.truth), defined);
      break;
    case Binary::Xor:
      if (a.truth && b.truth) return made(*a.truth != *b.truth, defined);
      break;
    default:
      break;
  }
  SymbolicNumber result = arithmetic.apply(expr.binary, as_number(a), as_number(b), defined);
  return made(std::move(result), defined);
}

Symbolic Terms::evaluate_equality(const Expr& expr) {
  const Symbolic a = evaluate(*expr.args[0]);
  const Symbolic b = evaluate(*expr.args[1]);
  const z3::expr defined = arithmetic.both(a.defined, b.defined);
  z3::expr equal = arithmetic.truth(true);
  if (a.truth && b.truth) {
    equal = *a.truth == *b.truth;
  } else if (a.truth || b.truth) {
    equal = arithmetic.compare(Binary::Equal, as_number(a), as_number(b));
  } else {
    if (a.numbers.size() != b.numbers.size())
      throw NotSpoken{"the direct engine met tuples of two lengths"};
    for (std::size_t i = 0; i < a.numbers.size(); ++i) {
      equal = arithmetic.both(equal, arithmetic.compare(Binary::Equal, a.numbers[i], b.numbers[i]));
    }
  }
  return made(expr.binary == Binary::Equal ? equal : arithmetic.negation(equal), defined);
}

Symbolic Terms::evaluate_conditional(const Expr& expr) {
  const Symbolic condition = evaluate(*expr.args[0]);
  const Symbolic yes = evaluate(*expr.args[1]);
  const Symbolic no = evaluate(*expr.args[2]);
  if (!condition.truth) throw NotSpoken{"the direct engine met `?` of a number"};
  const z3::expr& c = *condition.truth;
  const z3::expr defined = arithmetic.both(
      condition.defined, arithmetic.both(arithmetic.either(arithmetic.negation(c), yes.defined),
                                         arithmetic.either(c, no.defined)));
  if (yes.truth && no.truth) {
    return made(arithmetic.either(arithmetic.both(c, *yes.truth),
                                  arithmetic.both(arithmetic.negation(c), *no.truth)),
                defined);
  }
  if (yes.truth || no.truth || yes.numbers.size() == 1) {
    return made(arithmetic.choose(c, as_number(yes), as_number(no)), defined);
  }
  if (yes.numbers.size() != no.numbers.size())
    throw NotSpoken{"the direct engine met tuples of two lengths"};
  Symbolic result{{}, std::nullopt, defined};
  for (std::size_t i = 0; i < yes.numbers.size(); ++i) {
    result.numbers.push_back(arithmetic.choose(c, yes.numbers[i], no.numbers[i]));
  }
  return result;
}

Symbolic Terms::evaluate_builtin(const Expr& expr) {
  z3::expr defined = arithmetic.truth(true);
  const std::vector<SymbolicNumber> numbers = evaluate_list(expr.args, defined);
  SymbolicNumber result = numbers.front();
  switch (expr.builtin) {
    case Builtin::Min:
      for (const SymbolicNumber& n : numbers) result = arithmetic.smallest(result, n);
      break;
    case Builtin::Max:
      for (const SymbolicNumber& n : numbers) result = arithmetic.largest(result, n);
      break;
    case Builtin::CeilDiv: {
      const SymbolicNumber& divisor = numbers.at(1);
      defined = arithmetic.both(
          defined, arithmetic.compare(Binary::GreaterEqual, result, arithmetic.number(0)));
      defined = arithmetic.both(
          defined, arithmetic.compare(Binary::GreaterEqual, divisor, arithmetic.number(1)));
      const SymbolicNumber raised =
          arithmetic.add(result, arithmetic.subtract(divisor, arithmetic.number(1)));
      const SymbolicNumber high = arithmetic.quotient(raised, divisor);
      result = high;
      break;
    }
  }
  return made(std::move(result), defined);
}

Symbolic Terms::evaluate_width(const Expr& expr) {
  const std::optional<Width> outside = std::exchange(width_, Width{expr.width, expr.is_signed});
  const Symbolic inner = evaluate(*expr.args.front());
  Symbolic value = made(as_number(inner), inner.defined);
  width_ = outside;
  return value;
}

Symbolic Terms::evaluate_digits(const Expr& expr) {
  z3::expr defined = arithmetic.truth(true);
  SymbolicNumber sum = arithmetic.number(0);
  for (std::size_t i = 0; i + 1 < expr.args.size(); i += 2) {
    const SymbolicNumber digit = evaluate_number(*expr.args[i], defined);
    const SymbolicNumber radix = evaluate_number(*expr.args[i + 1], defined);
    defined = arithmetic.both(defined, arithmetic.inside(digit, radix));
    sum = arithmetic.add(arithmetic.multiply(sum, radix), digit);
  }
  return made(std::move(sum), defined);
}

Symbolic Terms::evaluate_cute(const Expr& expr) {
  z3::expr defined = arithmetic.truth(true);
  const std::vector<SymbolicNumber> arguments = evaluate_list(expr.args, defined);
  if (arguments.size() != expr.modes.size())
    throw NotSpoken{"the direct engine met a CuTe layout with other modes"};
  SymbolicNumber sum = arithmetic.number(0);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    // The leaves of a mode count from the fastest; the last one takes all that is left, which the
    // check bounds.
    std::vector<const CuteMode*> leaves, open{&expr.modes[i]};
    while (!open.empty()) {
      const CuteMode* mode = open.back();
      open.pop_back();
      if (mode->children.empty()) leaves.push_back(mode);
      for (auto child = mode->children.rbegin(); child != mode->children.rend(); ++child)
        open.push_back(&*child);
    }
    SymbolicNumber rest = arguments[i], size = arithmetic.number(1);
    for (const CuteMode* leaf : leaves) {
      const SymbolicNumber shape = arithmetic.number(leaf->shape);
      sum = arithmetic.add(sum, arithmetic.multiply(arithmetic.remainder(rest, shape),
                                                    arithmetic.number(leaf->stride)));
      rest = arithmetic.quotient(rest, shape);
      size = arithmetic.multiply(size, shape);
    }
    defined = arithmetic.both(defined, arithmetic.inside(arguments[i], size));
  }
  return made(std::move(sum), defined);
}

}  // namespace fragproof
