// total, injective, onto and bijective, of maps, tables and packs, for all sizes.
#include <algorithm>

#include "checkers/radix/solve.h"
#include "checkers/radix/symbolic.h"
#include "spec/syntax.h"

namespace fragproof::radix {

namespace {

std::set<Sym> unknowns_in(const Context& context, const std::vector<Poly>& polys) {
  std::set<Sym> out;
  for (const Poly& p : polys) {
    for (const Sym s : p.symbols()) {
      if (context.unknown(s)) out.insert(s);
    }
  }
  return out;
}

std::vector<Poly> values_of(const Evaluator::BoundDomain& domain) {
  std::vector<Poly> out;
  for (const auto& c : domain.coordinates) out.push_back(c.value);
  return out;
}

// The number of points of a box whose extents do not depend on its coordinates; nothing otherwise.
std::optional<Poly> cardinality(const Context& context, const Evaluator::BoundDomain& domain) {
  if (!is_true(domain.guard)) return std::nullopt;
  Poly count(1);
  for (const auto& c : domain.coordinates) {
    if (!c.extent || !context.of_sizes(*c.extent)) return std::nullopt;
    count = count * *c.extent;
  }
  return count;
}

}  // namespace

bool Evaluator::determined(const std::vector<Poly>& outputs, const std::vector<Poly>& coordinates) {
  // An injective table gives its index away: wherever its value is determined so is what it was
  // asked for. Tried in rounds, because the index may be what the next output needs.
  std::vector<Poly> known = outputs;
  for (std::size_t round = 0; round <= table_values.size(); ++round) {
    if (determines(context, known, unknowns_in(context, coordinates))) return true;
    bool more = false;
    for (const TableValue& t : table_values) {
      const auto injective = injective_tables.find(t.table);
      if (injective == injective_tables.end() || !context.existential(t.value)) continue;
      if (!determines(context, known, unknowns_in(context, {t.value}))) continue;
      context.use(injective->second);
      for (const Poly& arg : t.args) {
        if (std::find(known.begin(), known.end(), arg) != known.end()) continue;
        known.push_back(arg);
        more = true;
      }
    }
    if (!more) return false;
  }
  return false;
}

void Evaluator::show_total(const Map& map) {
  const std::size_t mark = context.mark();
  const BoundDomain domain = bind(map.domain, path + " total " + map.name + "/", false);
  if (!domain.empty && enter(context, domain.guard)) (void)outputs(map);
  context.release(mark);
}

namespace {

// Onto: for each point of the codomain the solution is a point of the domain.
void show_onto(Evaluator& e, const Map& map, const Evaluator::BoundDomain& domain,
               const std::vector<Poly>& values) {
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const OutputDef& output = map.outputs[i];
    if (output.codomain == nullptr) throw GiveUp{"output `" + output.name + "` has no codomain"};
    const Poly extent = e.number(*output.codomain);
    e.need(extent, "the codomain of `" + output.name + "` is not negative");
    if (extent.is_zero()) return;  // no value to reach
    equations.push_back(
        {values[i], e.context.digit(e.path + " target " + map.name + "/" + output.name, extent)});
  }
  const auto solution = solve(e.context, equations);
  if (!solution) throw GiveUp{"no inverse of `" + map.name + "` was found digit by digit"};
  for (const auto& c : domain.coordinates) {
    for (const Sym s : c.value.symbols()) {
      if (e.context.unknown(s) && solution->count(s) == 0) {
        throw GiveUp{"the inverse of `" + map.name + "` is not determined"};
      }
    }
  }
  Poly open;
  if (verified(e.context, equations, *solution, &open) != Fit::Inside) {
    throw GiveUp{"not shown: each value of `" + map.name + "` is reached (" + e.context.text(open) +
                 " >= 0 stays open)"};
  }
  if (!holds(e.context, substitute(domain.guard, *solution))) {
    throw GiveUp{"not shown: the `where` of `" + map.name + "` at the point found"};
  }
}

}  // namespace

void Evaluator::show_predicate(const Expr& e) {
  if (e.array != nullptr) {
    show_pack_predicate(*e.array, e.predicate);
    return;
  }
  if (e.table != nullptr) {
    const Table& table = *e.table;
    if (table.numbers.empty()) {
      const bool injective = e.predicate == Predicate::Injective || e.predicate == Predicate::Total;
      const auto& known = injective ? injective_tables : bijective_tables;
      if (const auto it = known.find(&table); it != known.end()) {
        context.use(it->second);
        return;
      }
      throw GiveUp{"nothing is known of table `" + table.name + "`"};
    }
    throw GiveUp{"a fixed table is enumerated"};
  }
  const Map& map = *e.map;
  show_total(map);
  if (e.predicate == Predicate::Total) return;
  const std::string outer_path = std::exchange(path, path + " of " + map.name);
  const bool outer_split = std::exchange(may_split, false);
  const std::size_t mark = context.mark();
  const BoundDomain domain = bind(map.domain, path + "/", true);
  if (domain.empty) {
    if (e.predicate != Predicate::Injective)
      throw GiveUp{"`" + map.name + "` has no points in some case"};
    may_split = outer_split;
    path = outer_path;
    return;
  }
  assume(context, domain.guard);
  const std::vector<Poly> values = outputs(map);
  context.release(mark);
  bool injective = false;
  std::optional<Poly> points = cardinality(context, domain);
  if (e.predicate != Predicate::Onto || points) injective = determined(values, values_of(domain));
  if (e.predicate == Predicate::Injective) {
    if (!injective)
      throw GiveUp{"not shown: the values of `" + map.name + "` determine its coordinates"};
  } else {
    // An injection between finite sets of one size is onto, and the other way round.
    bool same_size = false;
    if (points) {
      Poly members(1);
      for (const OutputDef& output : map.outputs) {
        if (output.codomain == nullptr)
          throw GiveUp{"output `" + output.name + "` has no codomain"};
        members = members * number(*output.codomain);
      }
      same_size = *points == members;
      if (same_size) context.log_identity("count", *points, members);
    }
    if (!(injective && same_size)) {
      show_onto(*this, map, domain, values);
      if (e.predicate == Predicate::Bijective && !injective && !same_size) {
        throw GiveUp{"not shown: the values of `" + map.name + "` determine its coordinates"};
      }
    }
  }
  may_split = outer_split;
  path = outer_path;
}

void Evaluator::show_fills_apart(const Array& array) {
  show_conditions(array);
  for (std::size_t i = 0; i < array.fills.size(); ++i) {
    const Fill& fill = array.fills[i];
    const Int unit = fill.place.width / granule_;
    {
      const std::size_t mark = context.mark();
      const BoundDomain domain =
          bind(fill.domain, path + " written " + array.name + std::to_string(i) + "/", false);
      if (domain.empty || !enter(context, domain.guard)) {
        context.release(mark);
        continue;
      }
      const Poly mine = address(fill.place);  // inside
      for (std::size_t j = 0; j < i; ++j) {
        const Fill& other = array.fills[j];
        if (other.place.width != fill.place.width) throw GiveUp{"fills of different widths"};
        const BoundDomain theirs =
            bind(other.domain, "apart " + array.name + std::to_string(j) + "/", true);
        if (theirs.empty) continue;
        Poly place;
        Poly target;
        if (!address(other.place).divide_exactly(Mono{}, unit, place) ||
            !mine.divide_exactly(Mono{}, unit, target)) {
          throw GiveUp{"a place that is no whole number of its units"};
        }
        const std::vector<Equation> equations{{place, target}};
        const auto solution = solve(context, equations);
        if (!solution) throw GiveUp{"two fills of `" + array.name + "` were not told apart"};
        Poly open;
        const Fit fit = verified(context, equations, *solution, &open);
        if (fit == Fit::Outside) continue;
        if (fit == Fit::Open && !context.existential(open)) throw Split{open};
        throw GiveUp{"two fills of `" + array.name + "` may write one place"};
      }
      context.release(mark);
    }
    const bool outer_split = std::exchange(may_split, false);
    const std::size_t mark = context.mark();
    const BoundDomain domain =
        bind(fill.domain, path + " once " + array.name + std::to_string(i) + "/", true);
    if (domain.empty) {
      may_split = outer_split;
      continue;
    }
    assume(context, domain.guard);
    const Poly place = address(fill.place);
    context.release(mark);
    if (!determined({place}, values_of(domain))) {
      throw GiveUp{"not shown: no place of `" + array.name + "` is written twice"};
    }
    may_split = outer_split;
  }
}

void Evaluator::show_pack_predicate(const Array& array, Predicate predicate) {
  show_fills_apart(array);
  if (predicate == Predicate::Total || predicate == Predicate::Injective) return;
  Poly written;
  for (std::size_t i = 0; i < array.fills.size(); ++i) {
    const Fill& fill = array.fills[i];
    const BoundDomain domain =
        bind(fill.domain, path + " count " + array.name + std::to_string(i) + "/", true);
    if (domain.empty) continue;
    const auto points = cardinality(context, domain);
    if (!points) throw GiveUp{"the fills of `" + array.name + "` were not counted"};
    written += *points * Poly(fill.place.width / granule_);
  }
  const Poly room = granules(array);
  if (!(written == room)) {
    // Fewer places than room stay unwritten; more would have collided.
    throw GiveUp{"not shown: each bit of `" + array.name + "` is written (" +
                 context.text(room - written) + " granules are left)"};
  }
  context.log_identity("count", written, room);
  if (predicate == Predicate::Onto) return;
  // Each element of each source is stored exactly once: the sources are apart, and as many as the
  // tensor has.
  if (array.fills.size() != 1)
    throw GiveUp{"a pack with several fills: its sources were not counted"};
  const Fill& fill = array.fills[0];
  if (!fill.source) throw GiveUp{"a pack of zeros has no source"};
  const Array& source = *fill.source->array;
  if (fill.source->width != source.element.width) {
    // A unit of several elements or part of one: count in its own units.
    if (source.kind != Array::Kind::Tensor && source.kind != Array::Kind::Pack)
      throw GiveUp{"an unusual source"};
  }
  const bool outer_split = std::exchange(may_split, false);
  const BoundDomain domain = bind(fill.domain, path + " sources " + array.name + "/", true);
  if (domain.empty) throw GiveUp{"`" + array.name + "` is filled with nothing in some case"};
  const Poly from = address(*fill.source);
  const auto points = cardinality(context, domain);
  if (!determined({from}, values_of(domain))) {
    throw GiveUp{"not shown: no element of `" + source.name + "` is stored twice"};
  }
  may_split = outer_split;
  if (!points || !(*points * Poly(fill.source->width / granule_) == granules(source))) {
    throw GiveUp{"not shown: each element of `" + source.name + "` is stored"};
  }
  if (source.kind == Array::Kind::Pack) show_pack_predicate(source, Predicate::Bijective);
}

}  // namespace fragproof::radix
