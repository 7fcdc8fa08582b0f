// What an expression leads to: how much there is to evaluate with all lets and maps written out
// (bounded, so that no file can exhaust an engine's stack or memory by doubling), and which points
// of a kernel or map it depends on.
#include <algorithm>

#include "spec/resolve.h"

namespace fragproof {
namespace {

constexpr int deepest = 2000;
constexpr std::int64_t largest = 10'000'000;

}  // namespace

void Resolver::charge(const void* owner, Cost cost, const Span& where) {
  if (cost.depth > deepest) {
    error(where, "this is too deep: with its lets and maps written out, more than " +
                     std::to_string(deepest) + " operations are nested");
    cost.depth = 1;  // one error is enough
  }
  if (cost.size > largest) {
    error(where, "this is too large: with its lets and maps written out it has more than " +
                     std::to_string(largest) + " operations");
    cost.size = 1;
  }
  costs_[owner] = cost;
}

Resolver::Cost Resolver::cost(const Expr* e) {
  if (e == nullptr) return {};
  Cost total{1, 1};
  const auto add = [&](const Cost& part) {
    total.depth = std::max(total.depth, part.depth + 1);
    total.size = std::min(total.size + part.size, largest + 1);
  };
  const auto owned = [&](const void* owner) {
    if (const auto known = costs_.find(owner); owner != nullptr && known != costs_.end())
      add(known->second);
  };
  if (e->kind == Expr::Kind::Variable) owned(e->variable);
  if (e->kind == Expr::Kind::Apply || e->kind == Expr::Kind::Inverse) owned(e->map);
  if (e->kind == Expr::Kind::Contents) add(cost(e->ref));
  if (e->kind == Expr::Kind::Forall) add(cost(e->domain));
  for (const Expr* arg : e->args) add(cost(arg));
  return total;
}

Resolver::Cost Resolver::cost(const Domain& domain) {
  Cost total;
  const auto add = [&](const Cost& part) {
    total.depth = std::max(total.depth, part.depth);
    total.size = std::min(total.size + part.size, largest + 1);
  };
  for (const Coordinate& coordinate : domain.coordinates) {
    add(cost(coordinate.extent));
    for (const DigitBinding& digit : coordinate.digits) add(cost(digit.radix));
  }
  add(cost(domain.where));
  return total;
}

Resolver::Cost Resolver::cost(const Ref& ref) {
  Cost total;
  const auto add = [&](const Cost& part) {
    total.depth = std::max(total.depth, part.depth);
    total.size = std::min(total.size + part.size, largest + 1);
  };
  for (const Expr* index : ref.index) add(cost(index));
  for (const Unit& unit : ref.units) add(cost(unit.index));
  if (ref.array == nullptr) return total;
  // A pack is filled once, whatever reads it: its depth counts, its size does not.
  if (const auto known = costs_.find(ref.array); known != costs_.end()) {
    total.depth = std::max(total.depth, known->second.depth);
  }
  return total;
}

Resolver::Cost Resolver::cost(const Binding& binding) {
  Cost total = cost(binding.value);
  const Cost next = cost(binding.next);
  total.depth = std::max(total.depth, next.depth);
  total.size += next.size;
  for (const DigitBinding& digit : binding.digits) total.size += cost(digit.radix).size;
  return total;
}

Resolver::Cost Resolver::cost(const Fill& fill) {
  Cost total = cost(fill.domain);
  const auto add = [&](const Cost& part) {
    total.depth = std::max(total.depth, part.depth + 1);
    total.size = std::min(total.size + part.size, largest + 1);
  };
  add(cost(fill.place));
  if (fill.source) add(cost(*fill.source));
  return total;
}

unsigned Resolver::uses(const Expr* e) const {
  if (e == nullptr) return 0;
  if (e->kind == Expr::Kind::Variable) {
    const auto known = uses_.find(e->variable);
    return known == uses_.end() ? 0 : known->second;
  }
  unsigned all = 0;
  for (const Expr* arg : e->args) all |= uses(arg);
  if (e->kind == Expr::Kind::Contents) all |= uses(e->ref);
  if (e->kind == Expr::Kind::Forall) {
    for (const Coordinate& coordinate : e->domain.coordinates) all |= uses(coordinate.extent);
    all |= uses(e->domain.where);
  }
  return all;
}

unsigned Resolver::uses(const Ref& ref) const {
  unsigned all = 0;
  for (const Expr* index : ref.index) all |= uses(index);
  for (const Unit& unit : ref.units) all |= uses(unit.index);
  return all;
}

const Variable* Resolver::user(const Expr* e, unsigned mask) const {
  if (e == nullptr) return nullptr;
  if (e->kind == Expr::Kind::Variable) {
    const auto known = uses_.find(e->variable);
    return known != uses_.end() && (known->second & mask) != 0 ? e->variable : nullptr;
  }
  for (const Expr* arg : e->args) {
    if (const Variable* found = user(arg, mask); found != nullptr) return found;
  }
  if (e->kind == Expr::Kind::Contents) {
    if (const Variable* found = user(e->ref, mask); found != nullptr) return found;
  }
  if (e->kind != Expr::Kind::Forall) return nullptr;
  for (const Coordinate& coordinate : e->domain.coordinates) {
    if (const Variable* found = user(coordinate.extent, mask); found != nullptr) return found;
  }
  return user(e->domain.where, mask);
}

const Variable* Resolver::user(const Ref& ref, unsigned mask) const {
  for (const Expr* index : ref.index) {
    if (const Variable* found = user(index, mask); found != nullptr) return found;
  }
  for (const Unit& unit : ref.units) {
    if (const Variable* found = user(unit.index, mask); found != nullptr) return found;
  }
  return nullptr;
}

namespace {

std::string culprit(const Variable& variable, const std::string& rule) {
  const bool itself = variable.kind != Variable::Kind::Let &&
                      variable.kind != Variable::Kind::Carry &&
                      variable.kind != Variable::Kind::Digit;
  return rule + ": `" + variable.name + "`" + (itself ? "" : " depends on one");
}

}  // namespace

void Resolver::forbid(const Expr* e, unsigned mask, const std::string& rule) {
  if (const Variable* found = user(e, mask); found != nullptr)
    error(e->where, culprit(*found, rule));
}

void Resolver::forbid(const Ref& ref, unsigned mask, const std::string& rule) {
  if (const Variable* found = user(ref, mask); found != nullptr)
    error(ref.where, culprit(*found, rule));
}

}  // namespace fragproof
