// Places of arrays: their addresses in granules, and where the bits at a place come from.
#include "checkers/radix/solve.h"
#include "checkers/radix/symbolic.h"
#include "spec/syntax.h"

namespace fragproof::radix {

namespace {

void widths_of(const Ref& ref, Int& g);

void widths_of(const Expr* e, Int& g, int depth = 0) {
  if (e == nullptr || depth > 300) return;
  if (e->kind == Expr::Kind::Contents) widths_of(e->ref, g);
  for (const Expr* arg : e->args) widths_of(arg, g, depth + 1);
}

void widths_of(const Ref& ref, Int& g) {
  g = gcd(g, ref.width);
  if (ref.array != nullptr) g = gcd(g, ref.array->element.width);
  for (const Unit& unit : ref.units) g = gcd(g, unit.width);
}

void widths_of(const Value& value, Int& g) {
  g = gcd(g, value.width);
  for (const Unit& unit : value.units) g = gcd(g, unit.width);
  for (const Value& part : value.parts) widths_of(part, g);
}

void widths_of(const std::vector<Fill>& fills, Int& g) {
  for (const Fill& fill : fills) {
    widths_of(fill.place, g);
    if (fill.source) widths_of(*fill.source, g);
  }
}

// `p` in units of `unit` granules; places are whole units by construction of their text.
Poly in_units(const Poly& p, Int unit) {
  Poly out;
  if (!p.divide_exactly(Mono{}, unit, out))
    throw GiveUp{"a place that is no whole number of its units"};
  return out;
}

}  // namespace

int granule_of(const Spec& spec) {
  Int g = 0;
  for (const Array* array : spec.arrays) {
    g = gcd(g, array->element.width);
    widths_of(array->fills, g);
  }
  for (const Kernel* kernel : spec.kernels) {
    for (const Array* array : kernel->shared) {
      g = gcd(g, array->element.width);
      widths_of(array->fills, g);
    }
    for (const Load* load : kernel->loads) {
      g = gcd(g, load->instruction != nullptr ? 16 : load->width);
      widths_of(load->from, g);
    }
    if (kernel->mma) {
      widths_of(kernel->mma->value_a, g);
      widths_of(kernel->mma->value_b, g);
      for (const Map* map : {kernel->mma->a, kernel->mma->b}) {
        if (map != nullptr) g = gcd(g, map->element.width);
      }
    }
  }
  for (const Claim& claim : spec.claims) widths_of(claim.condition, g);
  return g == 0 ? 1 : static_cast<int>(g);
}

Poly Evaluator::granules(const Array& array) {
  Poly count(array.element.width / granule_);
  for (const Expr* extent : array.extents) count = count * number(*extent);
  return count;
}

Poly Evaluator::address(const Ref& ref) {
  const Array& array = *ref.array;
  Poly base;
  std::optional<Poly> containing;  // in bits; none: the whole array
  if (!ref.index.empty()) {
    const std::vector<Poly> index = numbers(ref.index);
    for (std::size_t i = 0; i < index.size(); ++i) {
      const Poly extent = number(*array.extents.at(i));
      need(index[i],
           "index " + std::to_string(i + 1) + " of `" + to_text(ref) + "` is not negative");
      need(extent - 1 - index[i],
           "index " + std::to_string(i + 1) + " of `" + to_text(ref) + "` is inside");
      base = base * extent + index[i];
    }
    base = base * Poly(array.element.width / granule_);
    containing = Poly(array.element.width);
  }
  for (const Unit& unit : ref.units) {
    const Poly i = number(*unit.index);
    const Poly room = containing ? *containing : granules(array) * Poly(granule_);
    need(i, "a unit of `" + to_text(ref) + "` is not negative");
    need(room - (i + 1) * Poly(unit.width), "a unit of `" + to_text(ref) + "` is inside");
    base += i * Poly(unit.width / granule_);
    containing = Poly(unit.width);
  }
  return base;
}

void Evaluator::show_conditions(const Array& array) {
  for (const fragproof::Condition& c : array.conditions) {
    if (!holds(context, condition(*c.holds))) throw GiveUp{"not shown: " + c.text};
  }
}

Origin Evaluator::origin(const Array& array, const Poly& granule) {
  if (array.kind == Array::Kind::Tensor) return {&array, granule};
  context.spend(16);
  show_conditions(array);
  std::optional<Origin> found;
  std::string why;
  for (std::size_t i = 0; i < array.fills.size(); ++i) {
    const Fill& fill = array.fills[i];
    const Int unit = fill.place.width / granule_;
    const bool outer_split = std::exchange(may_split, false);
    const BoundDomain domain =
        bind(fill.domain, "fill " + array.name + std::to_string(i) + "/", true);
    if (domain.empty) {
      may_split = outer_split;
      continue;
    }
    const std::size_t mark = context.mark();
    assume(context, domain.guard);
    const Poly place = in_units(address(fill.place), unit);
    context.release(mark);
    may_split = outer_split;
    need(granule, "a place of `" + array.name + "` is not negative");
    const auto [q, sub] = divide(context, granule, Poly(unit));
    const std::vector<Equation> equations{{place, q}};
    const auto solution = solve(context, equations);
    if (!solution)
      throw GiveUp{"what fills `" + array.name + "` there was not found digit by digit"};
    Poly open;
    const Fit fit = verified(context, equations, *solution, &open);
    if (fit == Fit::Outside) continue;
    if (fit == Fit::Open) {
      if (array.fills.size() > 1 && !context.existential(open)) throw Split{open};
      if (array.fills.size() > 1) throw Split{open};
      throw GiveUp{"not shown: `" + array.name + "` is filled there (" + context.text(open) +
                   " >= 0 stays open)"};
    }
    // One point, and no more: a coordinate that the place does not tell would write it once for
    // each of its values.
    for (const BoundCoordinate& c : domain.coordinates) {
      for (const Sym s : c.value.substitute(*solution).symbols()) {
        if (context.unknown(s))
          throw GiveUp{"not shown: one point alone fills `" + array.name + "` there"};
      }
    }
    const ConditionPtr guard = substitute(domain.guard, *solution);
    if (!holds(context, guard))
      throw GiveUp{"not shown: the `where` of what fills `" + array.name + "`"};
    if (found) throw GiveUp{"`" + array.name + "` may be written twice there"};
    if (!fill.source) {
      found = Origin{};
      continue;
    }
    for (const BoundCoordinate& c : domain.coordinates) {
      const Poly value = c.value.substitute(*solution);
      set(c.variable, value);
    }
    for (const Coordinate& c : fill.domain.coordinates) {
      if (c.digits.empty()) continue;
      Poly rest;
      for (const BoundCoordinate& bound : domain.coordinates) {
        if (bound.variable == c.variable) rest = bound.value.substitute(*solution);
      }
      bind_digits(c.digits, rest, "a digit of a fill");
    }
    const Poly source = address(*fill.source);
    found = origin(*fill.source->array, source + sub);
  }
  if (!found) throw GiveUp{"`" + array.name + "` is not filled there"};
  return *found;
}

ConditionPtr Evaluator::same_contents(const Ref& a, const Ref& b) {
  const Poly left = address(a);
  const Poly right = address(b);
  // Each comparison has an h of its own: two of them in one condition may fail at different bits.
  const Poly h = context.digit("bits " + a.array->name + Context::key_of(left) + " " +
                                   b.array->name + Context::key_of(right) + "/h",
                               Poly(a.width / granule_));
  const Origin x = origin(*a.array, left + h);
  const Origin y = origin(*b.array, right + h);
  if (x.tensor != y.tensor) return never();
  if (x.tensor == nullptr) return always();
  return zero(context, x.granule - y.granule);
}

}  // namespace fragproof::radix
