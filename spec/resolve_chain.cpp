// `pack P = W.reshape(..).permute(..)`: PyTorch's chain, written out as packs with one `for` line
// each.
//
// A reshape changes no bit: it only names the elements anew. A permute moves element [a0:E0, ..,
// an:En] of the flat order to the flat order of the permuted digits. So each permute is one pack,
// hidden but for the last:
//   for (a0 : E0, .., an : En) P.bW[ [a_p0:E_p0, .., a_pn:E_pn] ] = S.bW[ [a0:E0, .., an:En] ]
#include <algorithm>
#include <numeric>

#include "spec/resolve.h"

namespace fragproof {

Expr* Resolver::literal(Int value, const Span& where) {
  Expr* e = arena_.make<Expr>();
  e->kind = Expr::Kind::Number;
  e->number = value;
  e->where = where;
  e->type = {Type::Kind::Number, 1, 0, {}};
  return e;
}

Expr* Resolver::variable_use(Variable* variable, const Span& where) {
  Expr* e = arena_.make<Expr>();
  e->kind = Expr::Kind::Variable;
  e->variable = variable;
  e->text = variable->name;
  e->where = where;
  e->type = {Type::Kind::Number, 1, 0, {}};
  return e;
}

Expr* Resolver::product(const std::vector<Expr*>& factors, const Span& where) {
  Expr* all = nullptr;
  for (Expr* factor : factors) {
    if (all == nullptr) {
      all = factor;
      continue;
    }
    Expr* times = arena_.make<Expr>();
    times->kind = Expr::Kind::Binary;
    times->binary = Binary::Mul;
    times->args = {all, factor};
    times->where = where;
    times->type = {Type::Kind::Number, 1, 0, {}};
    all = times;
  }
  return all == nullptr ? literal(1, where) : all;
}

void Resolver::chain(Array& pack) {
  const Found found = scopes_.find(pack.chain_source);
  if (found.symbol == nullptr) {
    unknown_name(pack.chain_source, pack.where);
    scopes_.poison(pack.name);
    return;
  }
  if (found.symbol->kind != Symbol::Kind::Array) {
    if (found.symbol->kind != Symbol::Kind::Broken) {
      error(pack.where, "a chain starts from a tensor or pack, `" + pack.chain_source + "` is a " +
                            found.symbol->what);
    }
    return;
  }
  Array* source = found.symbol->array;
  pack.element = source->element;
  std::vector<Expr*> shape = source->extents;
  std::size_t permutes = 0;
  for (const Array::ChainStep& step : pack.chain) permutes += step.op == "permute" ? 1 : 0;
  std::size_t done = 0;
  for (const Array::ChainStep& step : pack.chain) {
    if (step.op == "reshape") {
      if (!chain_shape(step, shape, pack)) return;
      shape = step.args;
    } else if (step.op == "permute") {
      std::vector<std::size_t> order;
      if (!chain_permutation(step, shape.size(), order)) return;
      Array* target = &pack;
      if (++done < permutes) {
        target = arena_.make<Array>();
        target->name = pack.name + "#" + std::to_string(done);
        target->kind = Array::Kind::Pack;
        target->element = pack.element;
        target->hidden = true;
        target->where = step.where;
      }
      chain_fill(*target, *source, shape, order);
      std::vector<Expr*> permuted;
      for (const std::size_t axis : order) permuted.push_back(shape[axis]);
      shape = permuted;
      target->extents = shape;
      if (target != &pack) spec_.arrays.push_back(target);
      source = target;
    }
  }
  if (permutes == 0) {
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    chain_fill(pack, *source, shape, order);
  }
  pack.extents = shape;
}

bool Resolver::chain_permutation(const Array::ChainStep& step, std::size_t rank,
                                 std::vector<std::size_t>& order) {
  std::vector<char> seen(rank);
  for (Expr* arg : step.args) {
    number(*arg);
    const std::optional<Int> axis =
        arg->type.kind == Type::Kind::Unknown ? std::nullopt : constant(*arg);
    if (!axis) {
      if (arg->type.kind != Type::Kind::Unknown) {
        error(arg->where, "the axes of a permute are literals, " + quote(*arg) + " is none");
      }
      return false;
    }
    if (*axis < 0 || *axis >= static_cast<Int>(rank)) {
      error(arg->where, "there is no axis " + to_string(*axis) + ": the shape has axes 0.." +
                            std::to_string(rank - 1));
      return false;
    }
    const std::size_t at = static_cast<std::size_t>(*axis);
    if (seen[at] != 0) {
      error(arg->where, "axis " + to_string(*axis) + " stands twice in this permute");
      return false;
    }
    seen[at] = 1;
    order.push_back(at);
  }
  if (order.size() == rank) return true;
  error(step.where, "this permute names " + std::to_string(order.size()) + " of " +
                        std::to_string(rank) + " axes");
  return false;
}

bool Resolver::chain_shape(const Array::ChainStep& step, const std::vector<Expr*>& before,
                           Array& pack) {
  const Expr* open = nullptr;
  std::string others;
  for (Expr* arg : step.args) {
    number(*arg);
    if (arg->type.kind == Type::Kind::Unknown) return false;
    if (const std::optional<Int> value = constant(*arg); value && *value == -1 && open == nullptr) {
      open = arg;
      continue;
    }
    const bool loose = arg->kind == Expr::Kind::Binary || arg->kind == Expr::Kind::Conditional;
    others += (others.empty() ? "" : "*") + (loose ? "(" + to_text(*arg) + ")" : to_text(*arg));
  }
  Expr* elements = product(before, step.where);
  if (open != nullptr) {
    std::string missing = to_text(*elements);
    if (!others.empty()) missing += "/(" + others + ")";
    error(open->where, "no extent is inferred here: write it out",
          missing.size() > 72 ? "" : "`" + missing + "`");
    return false;
  }
  for (const Expr* arg : step.args) {
    check_extent(*arg, "an extent of this reshape");
    if (const std::optional<Int> value = constant(*arg); value && *value < 1) return false;
  }
  Expr* now = product(step.args, step.where);
  const std::optional<Int> old_count = constant(*elements), new_count = constant(*now);
  if (old_count && new_count && *old_count != *new_count) {
    error(step.where,
          "this reshape has " + to_string(*new_count) + " elements for " + to_string(*old_count));
    return false;
  }
  Expr* same = arena_.make<Expr>();
  same->kind = Expr::Kind::Binary;
  same->binary = Binary::Equal;
  same->args = {now, elements};
  same->where = step.where;
  same->type = {Type::Kind::Condition, 1, 0, {}};
  std::string shape;
  for (const Expr* arg : step.args) shape += (shape.empty() ? "" : " * ") + to_text(*arg);
  pack.conditions.push_back(
      {same, "reshape: " + shape + " elements for " + to_text(*elements), step.where});
  return true;
}

void Resolver::chain_fill(Array& target, Array& source, const std::vector<Expr*>& shape,
                          const std::vector<std::size_t>& order) {
  Fill fill;
  fill.where = target.where;
  fill.domain.span = target.where;
  std::vector<Variable*> axes;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    Coordinate axis;
    axis.name = "a" + std::to_string(i);
    axis.variable = new_variable(axis.name, Variable::Kind::Coordinate, target.where, uses_local);
    axis.extent = shape[i];
    axis.where = target.where;
    axes.push_back(axis.variable);
    fill.domain.coordinates.push_back(std::move(axis));
  }
  const auto place = [&](Array& array, const std::vector<std::size_t>& digits) {
    Expr* flat = arena_.make<Expr>();
    flat->kind = Expr::Kind::Digits;
    flat->where = target.where;
    flat->type = {Type::Kind::Number, 1, 0, {}};
    for (const std::size_t axis : digits) {
      flat->args.push_back(variable_use(axes[axis], target.where));
      flat->args.push_back(shape[axis]);
    }
    Ref ref;
    ref.name = array.name;
    ref.array = &array;
    ref.units.push_back({array.element.width, flat, target.where});
    ref.width = array.element.width;
    ref.where = target.where;
    return ref;
  };
  std::vector<std::size_t> in_order(shape.size());
  std::iota(in_order.begin(), in_order.end(), std::size_t{0});
  fill.place = place(target, order);
  fill.source = place(source, in_order);
  target.fills.push_back(std::move(fill));
  charge(&target, cost(target.fills.back()), target.where);
}

}  // namespace fragproof
