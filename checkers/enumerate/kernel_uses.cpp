#include "checkers/enumerate/kernel_uses.h"

#include <algorithm>
#include <set>

namespace fragproof {

namespace {

using Visit = std::function<void(const Expr&)>;

bool any_width(const Expr* expr, std::set<const Map*>& seen) {
  bool found = false;
  for_each_inside(expr, [&](const Expr& inside) {
    if (inside.kind == Expr::Kind::Width) found = true;
    const Map* map = inside.map;
    if (found || map == nullptr || !seen.insert(map).second) return;
    for (const Binding& binding : map->bindings) {
      found = found || any_width(binding.value, seen) || any_width(binding.next, seen);
    }
    for (const OutputDef& output : map->outputs) found = found || any_width(output.value, seen);
  });
  return found;
}

}  // namespace

void for_each_inside(const Expr* expr, const Visit& visit) {
  if (expr == nullptr) return;
  visit(*expr);
  for (const Expr* arg : expr->args) for_each_inside(arg, visit);
  for_each_inside(expr->ref, visit);
  for_each_inside(expr->domain, visit);
}

void for_each_inside(const Ref& ref, const Visit& visit) {
  for (const Expr* index : ref.index) for_each_inside(index, visit);
  for (const Unit& unit : ref.units) for_each_inside(unit.index, visit);
}

void for_each_inside(const Domain& domain, const Visit& visit) {
  for (const Coordinate& coordinate : domain.coordinates) {
    for_each_inside(coordinate.extent, visit);
    for (const DigitBinding& digit : coordinate.digits) for_each_inside(digit.radix, visit);
  }
  for_each_inside(domain.where, visit);
}

void for_each_inside(const Fill& fill, const Visit& visit) {
  for_each_inside(fill.domain, visit);
  for_each_inside(fill.place, visit);
  if (fill.source) for_each_inside(*fill.source, visit);
}

void for_each_inside(const Value& value, const Visit& visit) {
  for (const Value& part : value.parts) for_each_inside(part, visit);
  for (const Unit& unit : value.units) for_each_inside(unit.index, visit);
}

std::vector<const Variable*> free_variables(const Fill& fill) {
  std::vector<const Variable*> own;
  for (const Coordinate& coordinate : fill.domain.coordinates) {
    own.push_back(coordinate.variable);
    for (const DigitBinding& digit : coordinate.digits) own.push_back(digit.variable);
  }
  std::vector<const Variable*> found;
  for_each_inside(fill, [&](const Expr& inside) {
    const Variable* variable = inside.variable;
    if (inside.kind != Expr::Kind::Variable || variable->kind == Variable::Kind::Size ||
        variable->kind == Variable::Kind::FileLet ||
        std::find(own.begin(), own.end(), variable) != own.end() ||
        std::find(found.begin(), found.end(), variable) != found.end()) {
      return;
    }
    found.push_back(variable);
  });
  return found;
}

bool has_width(const Expr* expr) {
  std::set<const Map*> seen;
  return any_width(expr, seen);
}

bool has_width(const Ref& ref) {
  const auto wide = [](const Expr* expr) { return has_width(expr); };
  return std::any_of(ref.index.begin(), ref.index.end(), wide) ||
         std::any_of(ref.units.begin(), ref.units.end(),
                     [](const Unit& unit) { return has_width(unit.index); });
}

bool lacks_width(const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::Width:
      return false;
    case Expr::Kind::Unary:
    case Expr::Kind::Binary:
    case Expr::Kind::Digits:
    case Expr::Kind::Apply:
    case Expr::Kind::Cute:
      return true;
    default:
      return std::any_of(expr.args.begin(), expr.args.end(),
                         [](const Expr* arg) { return lacks_width(*arg); });
  }
}

}  // namespace fragproof
