// Conditions with quantifiers, turned round.
#include "checkers/solver/opposite.h"

#include <algorithm>

namespace fragproof {

bool Opposite::quantified(const Expr& condition) const {
  switch (condition.kind) {
    case Expr::Kind::Forall:
    case Expr::Kind::Predicate:
      return true;
    case Expr::Kind::Variable:
      return condition.variable->kind == Variable::Kind::FileLet &&
             condition.variable->value != nullptr && quantified(*condition.variable->value);
    case Expr::Kind::Unary:
    case Expr::Kind::Binary:
    case Expr::Kind::Conditional:
      return std::ranges::any_of(condition.args, [&](const Expr* arg) { return quantified(*arg); });
    default:
      return false;
  }
}

z3::expr Opposite::fails(const Expr& condition) {
  if (!quantified(condition)) {
    const Symbolic value = terms_.evaluate(condition);
    if (!value.truth) throw NotSpoken{"the direct engine met a claim that is no condition"};
    return arithmetic_.either(arithmetic_.negation(value.defined),
                              arithmetic_.negation(*value.truth));
  }
  switch (condition.kind) {
    case Expr::Kind::Variable:
      return fails(*condition.variable->value);
    case Expr::Kind::Forall: {
      const z3::expr around = guard_;
      const SymbolicDomain domain = terms_.points_of(condition.domain);
      guard_ = arithmetic_.both(guard_, domain.inside);
      met(guard_);
      const z3::expr wrong = fails(*condition.args.front());
      guard_ = around;
      return arithmetic_.either(domain.undefined, arithmetic_.both(domain.inside, wrong));
    }
    case Expr::Kind::Predicate:
      return fails_predicate(condition);
    case Expr::Kind::Conditional: {
      if (quantified(*condition.args[0])) break;
      const Symbolic test = terms_.evaluate(*condition.args[0]);
      const z3::expr no = arithmetic_.negation(*test.truth);
      const z3::expr arms =
          arithmetic_.either(arithmetic_.both(*test.truth, fails(*condition.args[1])),
                             arithmetic_.both(no, fails(*condition.args[2])));
      return arithmetic_.either(arithmetic_.negation(test.defined), arms);
    }
    case Expr::Kind::Binary: {
      const Expr &left = *condition.args[0], &right = *condition.args[1];
      if (condition.binary == Binary::LogicalAnd || condition.binary == Binary::And) {
        return arithmetic_.either(fails(left), fails(right));
      }
      if (condition.binary == Binary::LogicalOr || condition.binary == Binary::Or) {
        z3::expr bad = undefined(left);
        if (condition.binary == Binary::Or) bad = arithmetic_.either(bad, undefined(right));
        return arithmetic_.either(bad, arithmetic_.both(fails(left), fails(right)));
      }
      break;
    }
    default:
      break;
  }
  throw NotSpoken{
      "the claim mixes \"for all\" and \"there is\", which is beyond the direct engine"};
}

z3::expr Opposite::undefined(const Expr& condition) {
  if (!quantified(condition)) return arithmetic_.negation(terms_.evaluate(condition).defined);
  switch (condition.kind) {
    case Expr::Kind::Variable:
      return undefined(*condition.variable->value);
    case Expr::Kind::Forall:  // false where its condition is undefined, undefined where its domain
                              // is
      return terms_.points_of(condition.domain).undefined;
    case Expr::Kind::Predicate:
      if (condition.array == nullptr) return sample(condition).undefined;
      break;
    default:
      break;
  }
  // To call a false condition undefined asks for more than the claim, never for less.
  return fails(condition);
}

// ---- predicates
// -----------------------------------------------------------------------------------------------

Opposite::Sample Opposite::sample(const Map& map) {
  SymbolicDomain domain = terms_.points_of(map.domain);
  Symbolic value = terms_.outputs_of(map);
  return {domain.inside, domain.undefined, value.defined, domain.points,
          value.numbers, domain.extents,   domain.plain,  domain.bounded};
}

Opposite::Sample Opposite::sample(const Table& table) {
  Sample result{
      arithmetic_.truth(true), arithmetic_.truth(false), arithmetic_.truth(true), {}, {}, {}};
  for (const Expr* expr : table.extents) {
    const Symbolic extent = terms_.evaluate(*expr);
    const SymbolicNumber& end = extent.numbers.front();
    const z3::expr good = arithmetic_.both(
        extent.defined, arithmetic_.compare(Binary::GreaterEqual, end, arithmetic_.number(0)));
    result.undefined = arithmetic_.either(result.undefined, arithmetic_.negation(good));
    SymbolicNumber point = arithmetic_.fresh(table.name);
    result.inside = arithmetic_.both(result.inside, arithmetic_.inside(point, end));
    point.low = 0;
    if (end.high) point.high = *end.high - 1;
    result.point.push_back(point);
    result.extents.push_back(end);
  }
  const Symbolic value = terms_.look_up(table, result.point);
  result.defined = value.defined;
  result.value = value.numbers;
  return result;
}

Opposite::Sample Opposite::sample(const Expr& predicate) {
  if (predicate.map != nullptr) return sample(*predicate.map);
  return sample(*predicate.table);
}

z3::expr Opposite::not_total(const Sample& sample) {
  met(arithmetic_.both(guard_, sample.inside));
  return arithmetic_.either(sample.undefined,
                            arithmetic_.both(sample.inside, arithmetic_.negation(sample.defined)));
}

z3::expr Opposite::differs(const Sample& a, const Sample& b) {
  z3::expr other = arithmetic_.truth(false);
  for (std::size_t i = 0; i < a.point.size(); ++i) {
    other = arithmetic_.either(other, a.point[i].term != b.point[i].term);
  }
  return other;
}

// How many points the domain has.
SymbolicNumber Opposite::count(const Sample& sample) {
  if (!sample.plain || !sample.bounded) {
    throw NotSpoken{"the direct engine can count the points of plain boxes only"};
  }
  SymbolicNumber points = arithmetic_.number(1);
  for (const SymbolicNumber& extent : sample.extents) points = arithmetic_.multiply(points, extent);
  return points;
}

z3::expr Opposite::fails_predicate(const Expr& expr) {
  if (expr.array != nullptr) return fails_pack(*expr.array, expr.predicate);
  const Sample a = sample(expr);
  const z3::expr partial = not_total(a);
  if (expr.predicate == Predicate::Total) return partial;

  // Two points of one value.
  const Sample b = sample(expr);
  z3::expr clash = arithmetic_.both(arithmetic_.both(a.inside, b.inside),
                                    arithmetic_.both(a.defined, b.defined));
  clash = arithmetic_.both(clash, differs(a, b));
  for (std::size_t i = 0; i < a.value.size(); ++i) {
    clash = arithmetic_.both(clash, arithmetic_.compare(Binary::Equal, a.value[i], b.value[i]));
  }
  const z3::expr not_injective = arithmetic_.either(partial, clash);
  if (expr.predicate == Predicate::Injective) return not_injective;

  // A finite injective map is onto iff both sides are equally large. (`onto` alone asks for less
  // than this.)
  SymbolicNumber codomain = arithmetic_.number(1);
  z3::expr defined = arithmetic_.truth(true);
  const auto times = [&](const Expr* extent) {
    if (extent == nullptr) throw NotSpoken{"the direct engine met a codomain without end"};
    const Symbolic value = terms_.evaluate(*extent);
    defined = arithmetic_.both(defined, value.defined);
    codomain = arithmetic_.multiply(codomain, value.numbers.front());
  };
  if (expr.map != nullptr) {
    for (const OutputDef& output : expr.map->outputs) times(output.codomain);
  } else {
    times(expr.table->range);
  }
  const z3::expr unequal = arithmetic_.compare(Binary::NotEqual, count(a), codomain);
  return arithmetic_.either(not_injective,
                            arithmetic_.either(arithmetic_.negation(defined), unequal));
}

// ---- packs
// ----------------------------------------------------------------------------------------------------

// A fill as a map from its points to the first bit of its place, or of its source.
Opposite::Sample Opposite::sample(const Fill& fill, bool of_source) {
  SymbolicDomain domain = terms_.points_of(fill.domain);
  z3::expr defined = arithmetic_.truth(true);
  SymbolicNumber place = terms_.bit_of(fill.place, defined);
  if (fill.source) {
    const SymbolicNumber source = terms_.bit_of(*fill.source, defined);
    if (of_source) place = source;
  }
  return {domain.inside, domain.undefined, defined,      domain.points,
          {place},       domain.extents,   domain.plain, domain.bounded};
}

z3::expr Opposite::fails_pack(const Array& pack, Predicate predicate) {
  z3::expr wrong = arithmetic_.truth(false);
  for (const Condition& condition : pack.conditions)
    wrong = arithmetic_.either(wrong, fails(*condition.holds));

  // Do bits of two points meet, of places (or sources) in one array? `total` of a pack asks for
  // this as well.
  const auto meets = [&](std::size_t i, std::size_t j, bool of_source) {
    const Fill &first = pack.fills[i], &second = pack.fills[j];
    const Sample a = sample(first, of_source), b = sample(second, of_source);
    const SymbolicNumber &x = a.value.front(), &y = b.value.front();
    const SymbolicNumber end_x = arithmetic_.add(x, arithmetic_.number(first.place.width));
    const SymbolicNumber end_y = arithmetic_.add(y, arithmetic_.number(second.place.width));
    z3::expr both = arithmetic_.both(arithmetic_.both(a.inside, b.inside),
                                     arithmetic_.both(a.defined, b.defined));
    if (i == j) both = arithmetic_.both(both, differs(a, b));
    return arithmetic_.both(both, arithmetic_.both(arithmetic_.compare(Binary::Less, x, end_y),
                                                   arithmetic_.compare(Binary::Less, y, end_x)));
  };

  SymbolicNumber written = arithmetic_.number(0);
  std::vector<std::pair<const Array*, SymbolicNumber>> stored;  // bits taken from each tensor
  for (std::size_t i = 0; i < pack.fills.size(); ++i) {
    const Fill& fill = pack.fills[i];
    const Sample here = sample(fill, false);
    wrong = arithmetic_.either(wrong, not_total(here));
    for (std::size_t j = i; j < pack.fills.size(); ++j) {
      wrong = arithmetic_.either(wrong, meets(i, j, false));
    }
    if (predicate == Predicate::Total || predicate == Predicate::Injective) continue;

    const SymbolicNumber bits =
        arithmetic_.multiply(count(here), arithmetic_.number(fill.place.width));
    written = arithmetic_.add(written, bits);
    if (predicate != Predicate::Bijective || !fill.source) continue;
    const Array* tensor = fill.source->array;
    if (tensor->kind != Array::Kind::Tensor) {
      throw NotSpoken{"the direct engine does not follow what a pack holds into another pack"};
    }
    for (std::size_t j = i; j < pack.fills.size(); ++j) {
      if (pack.fills[j].source && pack.fills[j].source->array == tensor) {
        wrong = arithmetic_.either(wrong, meets(i, j, true));
      }
    }
    const auto known =
        std::ranges::find(stored, tensor, [](const auto& entry) { return entry.first; });
    if (known == stored.end()) {
      stored.emplace_back(tensor, bits);
    } else {
      known->second = arithmetic_.add(known->second, bits);
    }
  }
  if (predicate == Predicate::Total || predicate == Predicate::Injective) return wrong;

  // Without a clash, all is written (or stored) iff as many bits are as there are.
  stored.emplace_back(&pack, written);
  for (const auto& [array, bits] : stored) {
    z3::expr defined = arithmetic_.truth(true);
    const SymbolicNumber all = terms_.bits_of(*array, defined);
    wrong = arithmetic_.either(wrong, arithmetic_.negation(defined));
    wrong = arithmetic_.either(wrong, arithmetic_.compare(Binary::NotEqual, bits, all));
  }
  return wrong;
}

}  // namespace fragproof
