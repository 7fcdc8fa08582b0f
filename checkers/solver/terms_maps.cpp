// Domains, maps, tables and arrays as Z3 terms.
#include <algorithm>
#include "checkers/solver/terms.h"

namespace fragproof {
namespace {

constexpr std::size_t most_entries = 512;  // of a table with values

// Does the value of `expr` depend on a coordinate?
bool depends_on_a_point(const Expr& expr) {
  if (expr.kind == Expr::Kind::Variable) {
    return expr.variable->kind != Variable::Kind::Size &&
           expr.variable->kind != Variable::Kind::FileLet;
  }
  return std::ranges::any_of(expr.args, [](const Expr* arg) { return depends_on_a_point(*arg); });
}

}  // namespace

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
