// Expressions, domains and maps as Z3 terms.
#include "checkers/solver/terms.h"

#include <algorithm>

namespace fragproof {
namespace {

constexpr std::int64_t most_steps = 200'000;  // expressions evaluated for one question
constexpr std::size_t most_entries = 512;     // of a table with values

// Does the value of `expr` depend on a coordinate?
bool depends_on_a_point(const Expr& expr) {
  if (expr.kind == Expr::Kind::Variable) {
    return expr.variable->kind != Variable::Kind::Size &&
           expr.variable->kind != Variable::Kind::FileLet;
  }
  return std::ranges::any_of(expr.args, [](const Expr* arg) { return depends_on_a_point(*arg); });
}

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

// ---- maps and domains
// -----------------------------------------------------------------------------------------

void Terms::split(const std::vector<DigitBinding>& digits, const SymbolicNumber& value,
                  z3::expr& defined) {
  SymbolicNumber rest = value;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    const SymbolicNumber radix = evaluate_number(*digit->radix, defined);
    defined = arithmetic.both(
        defined, arithmetic.compare(Binary::GreaterEqual, radix, arithmetic.number(0)));
    const bool first = digit + 1 == digits.rend();  // no remainder: the value is below the product
    SymbolicNumber part = first ? rest : arithmetic.remainder(rest, radix);
    if (first) {
      part.low = std::max<Int>(part.low.value_or(0), 0);
      if (radix.high) part.high = std::min(part.high.value_or(*radix.high - 1), *radix.high - 1);
    } else {
      rest = arithmetic.quotient(rest, radix);
    }
    bind(digit->variable, {{part}, std::nullopt, arithmetic.truth(true)});
  }
}

SymbolicDomain Terms::points_of(const Domain& domain) {
  SymbolicDomain result{
      {}, {}, true, domain.where == nullptr, arithmetic.truth(true), arithmetic.truth(false)};
  const auto spoil = [&](const z3::expr& where) {
    result.undefined = arithmetic.either(result.undefined, arithmetic.both(result.inside, where));
  };
  for (const Coordinate& coordinate : domain.coordinates) {
    SymbolicNumber point = arithmetic.fresh(coordinate.name.empty() ? "x" : coordinate.name);
    z3::expr inside = arithmetic.compare(Binary::GreaterEqual, point, arithmetic.number(0));
    point.low = 0;
    if (coordinate.extent != nullptr) {
      z3::expr defined = arithmetic.truth(true);
      const SymbolicNumber extent = evaluate_number(*coordinate.extent, defined);
      spoil(arithmetic.negation(arithmetic.both(
          defined, arithmetic.compare(Binary::GreaterEqual, extent, arithmetic.number(0)))));
      inside = arithmetic.both(inside, arithmetic.compare(Binary::Less, point, extent));
      if (extent.high) point.high = *extent.high - 1;
      result.extents.push_back(extent);
      if (depends_on_a_point(*coordinate.extent)) result.plain = false;
    } else {
      result.bounded = false;
    }
    result.inside = arithmetic.both(result.inside, inside);
    bind(coordinate.variable, {{point}, std::nullopt, arithmetic.truth(true)});
    z3::expr defined = arithmetic.truth(true);
    split(coordinate.digits, point, defined);
    spoil(arithmetic.negation(defined));
    result.points.push_back(point);
  }
  if (domain.where != nullptr) {
    const Symbolic where = evaluate(*domain.where);
    spoil(arithmetic.negation(where.defined));
    result.inside = arithmetic.both(result.inside, arithmetic.both(where.defined, *where.truth));
  }
  return result;
}

Symbolic Terms::outputs_of(const Map& map) {
  Symbolic result{{}, std::nullopt, arithmetic.truth(true)};
  for (const Map::Step& step : map.steps) {
    if (step.kind == Map::Step::Kind::Binding) {
      const Binding& binding = map.bindings.at(step.index);
      switch (binding.kind) {
        case Binding::Kind::Let: {
          Symbolic value = evaluate(*binding.value);
          result.defined = arithmetic.both(result.defined, value.defined);
          value.defined = arithmetic.truth(true);
          bind(binding.variable, std::move(value));
          break;
        }
        case Binding::Kind::Digits: {
          const SymbolicNumber value = evaluate_number(*binding.value, result.defined);
          SymbolicNumber size = arithmetic.number(1);
          for (const DigitBinding& digit : binding.digits) {
            size = arithmetic.multiply(size, evaluate_number(*digit.radix, result.defined));
          }
          result.defined = arithmetic.both(result.defined, arithmetic.inside(value, size));
          split(binding.digits, value, result.defined);
          break;
        }
        case Binding::Kind::Carry:
          throw NotSpoken{"a `carry` needs induction, which is beyond the direct engine"};
      }
    } else {
      const OutputDef& output = map.outputs.at(step.index);
      SymbolicNumber value = evaluate_number(*output.value, result.defined);
      if (output.codomain != nullptr) {
        const SymbolicNumber end = evaluate_number(*output.codomain, result.defined);
        result.defined = arithmetic.both(result.defined, arithmetic.inside(value, end));
        value.low = std::max<Int>(value.low.value_or(0), 0);
        if (end.high) value.high = std::min(value.high.value_or(*end.high - 1), *end.high - 1);
      }
      bind(output.variable, {{value}, std::nullopt, arithmetic.truth(true)});
    }
  }
  for (const OutputDef& output : map.outputs) {
    result.numbers.push_back(evaluate_variable(*output.variable).numbers.front());
  }
  return result;
}

Symbolic Terms::apply(const Map& map, const std::vector<SymbolicNumber>& arguments,
                      const z3::expr& defined) {
  if (arguments.size() != map.domain.coordinates.size()) {
    throw NotSpoken{"the direct engine met `" + map.name + "` with another number of arguments"};
  }
  z3::expr inside = defined;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Coordinate& coordinate = map.domain.coordinates[i];
    SymbolicNumber value = arguments[i];
    if (coordinate.extent != nullptr) {
      const SymbolicNumber extent = evaluate_number(*coordinate.extent, inside);
      inside = arithmetic.both(inside, arithmetic.inside(value, extent));
      if (extent.high)
        value.high = std::min(value.high.value_or(*extent.high - 1), *extent.high - 1);
    } else {
      inside = arithmetic.both(
          inside, arithmetic.compare(Binary::GreaterEqual, value, arithmetic.number(0)));
    }
    value.low = std::max<Int>(value.low.value_or(0), 0);
    bind(coordinate.variable, {{value}, std::nullopt, arithmetic.truth(true)});
    split(coordinate.digits, value, inside);
  }
  if (map.domain.where != nullptr) {
    const Symbolic where = evaluate(*map.domain.where);
    inside = arithmetic.both(inside, arithmetic.both(where.defined, *where.truth));
  }
  Symbolic result = outputs_of(map);
  result.defined = arithmetic.both(inside, result.defined);
  return result;
}

// ---- tables and arrays
// ----------------------------------------------------------------------------------------

std::vector<Terms::Reading>& Terms::readings_of(const Table& table) {
  for (auto& [known, list] : readings) {
    if (known == &table) return list;
  }
  return readings.emplace_back(&table, std::vector<Reading>{}).second;
}

Symbolic Terms::look_up(const Table& table, const std::vector<SymbolicNumber>& index) {
  if (index.size() != table.extents.size())
    throw NotSpoken{"the direct engine met a table with another number of indices"};
  z3::expr inside = arithmetic.truth(true);
  SymbolicNumber flat = arithmetic.number(0), entries = arithmetic.number(1);
  for (std::size_t i = 0; i < index.size(); ++i) {
    const SymbolicNumber extent = evaluate_number(*table.extents[i], inside);
    inside = arithmetic.both(inside, arithmetic.inside(index[i], extent));
    flat = arithmetic.add(arithmetic.multiply(flat, extent), index[i]);
    entries = arithmetic.multiply(entries, extent);
  }
  z3::expr in_range = arithmetic.truth(true);
  std::optional<SymbolicNumber> range;
  if (table.range != nullptr) range = evaluate_number(*table.range, in_range);

  if (table.has_values) {
    if (!entries.known() || *entries.known() != static_cast<Int>(table.numbers.size())) {
      throw NotSpoken{"table `" + table.name +
                      "` has values, but an extent that depends on a size"};
    }
    if (table.numbers.empty() || table.numbers.size() > most_entries) {
      throw NotSpoken{"table `" + table.name + "` is too large for the direct engine"};
    }
    SymbolicNumber value = arithmetic.number(table.numbers.back());
    for (std::size_t i = table.numbers.size() - 1; i-- > 0;) {
      const z3::expr here =
          arithmetic.compare(Binary::Equal, flat, arithmetic.number(static_cast<Int>(i)));
      value = arithmetic.choose(here, arithmetic.number(table.numbers[i]), value);
    }
    z3::expr defined = inside;
    if (range)
      defined =
          arithmetic.both(defined, arithmetic.both(in_range, arithmetic.inside(value, *range)));
    return {{value}, std::nullopt, defined};
  }

  z3::context& context = session_.context();
  z3::expr_vector arguments(context);
  z3::sort_vector sorts(context);
  for (const SymbolicNumber& i : index) {
    arguments.push_back(i.term);
    sorts.push_back(context.int_sort());
  }
  const z3::expr term =
      context.function((table.name + "!table").c_str(), sorts, context.int_sort())(arguments);
  SymbolicNumber value{term, Int{0}, {}};
  z3::expr fact = term >= 0;
  if (range) {
    fact = arithmetic.both(fact, term < range->term);
    if (range->high) value.high = *range->high - 1;
  }
  facts.push_back(arithmetic.either(arithmetic.negation(inside), fact));
  readings_of(table).push_back({index, inside, term});
  return {{value}, std::nullopt, arithmetic.both(inside, in_range)};
}

SymbolicNumber Terms::bits_of(const Array& array, z3::expr& defined) {
  SymbolicNumber bits = arithmetic.number(array.element.width);
  for (const Expr* extent : array.extents) {
    const SymbolicNumber value = evaluate_number(*extent, defined);
    defined = arithmetic.both(
        defined, arithmetic.compare(Binary::GreaterEqual, value, arithmetic.number(0)));
    bits = arithmetic.multiply(bits, value);
  }
  return bits;
}

SymbolicNumber Terms::bit_of(const Ref& ref, z3::expr& defined) {
  SymbolicNumber bit = arithmetic.number(0);
  SymbolicNumber room =
      arithmetic.number(ref.array->element.width);  // bits that the next unit may take from
  if (ref.index.empty()) {
    room = bits_of(*ref.array, defined);
  } else {
    const std::vector<SymbolicNumber> index = evaluate_list(ref.index, defined);
    if (index.size() != ref.array->extents.size())
      throw NotSpoken{"the direct engine met a place with another number of indices"};
    for (std::size_t i = 0; i < index.size(); ++i) {
      const SymbolicNumber extent = evaluate_number(*ref.array->extents[i], defined);
      defined = arithmetic.both(defined, arithmetic.inside(index[i], extent));
      bit = arithmetic.add(arithmetic.multiply(bit, extent), index[i]);
    }
    bit = arithmetic.multiply(bit, room);
  }
  for (const Unit& unit : ref.units) {
    const SymbolicNumber width = arithmetic.number(unit.width);
    const SymbolicNumber start = arithmetic.multiply(evaluate_number(*unit.index, defined), width);
    defined = arithmetic.both(
        defined, arithmetic.compare(Binary::GreaterEqual, start, arithmetic.number(0)));
    defined = arithmetic.both(
        defined, arithmetic.compare(Binary::LessEqual, arithmetic.add(start, width), room));
    bit = arithmetic.add(bit, start);
    room = width;
  }
  return bit;
}

}  // namespace fragproof
