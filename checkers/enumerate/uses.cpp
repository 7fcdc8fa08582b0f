// What a condition speaks of: see uses.h.
#include "checkers/enumerate/uses.h"

#include <algorithm>

namespace fragproof {

void Uses::add(const Expr* expr) {
  if (expr == nullptr) return;
  switch (expr->kind) {
    case Expr::Kind::Variable:
      if (expr->variable->kind == Variable::Kind::Size) {
        sizes.insert(expr->variable);
      } else if (expr->variable->value != nullptr && seen_.insert(expr->variable).second) {
        add(expr->variable->value);
      }
      break;
    case Expr::Kind::Number:
      numbers.insert(expr->number);
      break;
    case Expr::Kind::Width:
      has_width = true;
      break;
    case Expr::Kind::Forall:
    case Expr::Kind::Predicate:
    case Expr::Kind::Metric:
      has_points = true;
      break;
    case Expr::Kind::Kernel:
      has_points = true;
      break;
    default:
      break;
  }
  for (const Expr* arg : expr->args) add(arg);
  if (expr->map != nullptr) add(*expr->map);
  if (expr->table != nullptr) add(*expr->table);
  if (expr->array != nullptr) add(*expr->array);
  if (expr->kernel != nullptr) add(*expr->kernel);
  if (expr->kind == Expr::Kind::Contents) add(expr->ref);
  if (expr->kind == Expr::Kind::Forall) add(expr->domain);
}

void Uses::add(const Domain& domain) {
  for (const Coordinate& coordinate : domain.coordinates) {
    add(coordinate.extent);
    for (const DigitBinding& digit : coordinate.digits) add(digit.radix);
  }
  add(domain.where);
}

void Uses::add(const Ref& ref) {
  if (ref.array != nullptr) add(*ref.array);
  for (const Expr* index : ref.index) add(index);
  for (const Unit& unit : ref.units) add(unit.index);
}

void Uses::add(const Binding& binding) {
  add(binding.value);
  add(binding.next);
  for (const DigitBinding& digit : binding.digits) add(digit.radix);
}

void Uses::add(const Map& map) {
  if (!seen_.insert(&map).second) return;
  add(map.domain);
  for (const Binding& binding : map.bindings) add(binding);
  for (const OutputDef& output : map.outputs) {
    add(output.codomain);
    add(output.value);
  }
}

void Uses::add(const Table& table) {
  if (!seen_.insert(&table).second) return;
  if (!table.has_values) tables.insert(&table);
  for (const Expr* extent : table.extents) add(extent);
  add(table.range);
}

void Uses::add(const Fill& fill) {
  add(fill.domain);
  add(fill.place);
  if (fill.source) add(*fill.source);
}

void Uses::add(const Array& array) {
  if (!seen_.insert(&array).second) return;
  for (const Expr* extent : array.extents) add(extent);
  for (const Fill& fill : array.fills) add(fill);
  for (const Condition& condition : array.conditions) add(condition.holds);
}

void Uses::add(const Kernel& kernel) {
  has_kernel = true;
  if (!seen_.insert(&kernel).second) return;
  for (const Factor* factor : {&kernel.result, &kernel.first, &kernel.second}) {
    if (factor->tensor != nullptr) add(*factor->tensor);
  }
  if (kernel.parallel) add(*kernel.parallel);
  if (kernel.reduce) add(*kernel.reduce);
  for (const Binding& binding : kernel.bindings) add(binding);
  for (const Array* shared : kernel.shared) add(*shared);
  for (const Load* load : kernel.loads) {
    add(load->from);
    add(load->condition);
  }
  const auto value = [&](const auto& self, const Value& v) -> void {
    for (const Value& part : v.parts) self(self, part);
    for (const Unit& unit : v.units) add(unit.index);
  };
  if (kernel.mma) {
    value(value, kernel.mma->value_a);
    value(value, kernel.mma->value_b);
  }
  if (kernel.store) {
    add(kernel.store->to);
    add(kernel.store->condition);
  }
}

void split_conjuncts(const Expr* expr, std::vector<const Expr*>& out) {
  if (expr == nullptr) return;
  if (expr->kind == Expr::Kind::Binary && expr->binary == Binary::LogicalAnd) {
    split_conjuncts(expr->args[0], out);
    split_conjuncts(expr->args[1], out);
    return;
  }
  out.push_back(expr);
}

namespace {

// Surely at least `least`, for all sizes?
bool at_least(const Expr& expr, int least) {
  switch (expr.kind) {
    case Expr::Kind::Number:
      return expr.number >= least;
    case Expr::Kind::Variable:
      if (expr.variable->kind == Variable::Kind::Size) return true;  // sizes are >= 1
      return expr.variable->value != nullptr && at_least(*expr.variable->value, least);
    case Expr::Kind::Unary:
      return expr.unary == Unary::Not && least <= 0;
    case Expr::Kind::Builtin:
      return std::all_of(expr.args.begin(), expr.args.end(),
                         [&](const Expr* arg) { return at_least(*arg, least); });
    case Expr::Kind::Conditional:
      return at_least(*expr.args[1], least) && at_least(*expr.args[2], least);
    case Expr::Kind::Binary:
      break;
    default:
      return expr.type.kind == Type::Kind::Condition && least <= 0;
  }
  const Expr& a = *expr.args[0];
  const Expr& b = *expr.args[1];
  switch (expr.binary) {
    case Binary::Add:
      return (at_least(a, least) && at_least(b, 0)) || (at_least(a, 0) && at_least(b, least));
    case Binary::Mul:
    case Binary::ShiftLeft:
      return at_least(a, least) && at_least(b, expr.binary == Binary::Mul ? least : 0);
    case Binary::Div:
    case Binary::Mod:
    case Binary::ShiftRight:
      return least <= 0 && at_least(a, 0);
    case Binary::Sub:
      return false;
    default:
      return least <= 0 && at_least(a, 0) && at_least(b, 0);
  }
}

}  // namespace

bool may_be_undefined(const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::Number:
      return false;
    case Expr::Kind::Variable:
      if (expr.variable->kind == Variable::Kind::Size) return false;
      return expr.variable->value == nullptr || may_be_undefined(*expr.variable->value);
    case Expr::Kind::Unary:
    case Expr::Kind::Conditional:
    case Expr::Kind::Tuple:
    case Expr::Kind::Field:
      break;
    case Expr::Kind::Builtin:
      if (expr.builtin == Builtin::CeilDiv &&
          (!at_least(*expr.args[0], 0) || !at_least(*expr.args[1], 1))) {
        return true;
      }
      break;
    case Expr::Kind::Binary:
      switch (expr.binary) {
        case Binary::Div:
        case Binary::Mod:
          if (!at_least(*expr.args[0], 0) || !at_least(*expr.args[1], 1)) return true;
          break;
        case Binary::ShiftLeft:
        case Binary::ShiftRight:
          if (!at_least(*expr.args[0], 0) || !at_least(*expr.args[1], 0)) return true;
          break;
        default:
          break;
      }
      break;
    case Expr::Kind::Predicate: {
      // A function that is not total is "not injective", not undefined; only its domain can be
      // undefined.
      const auto bad = [](const Expr* extent) {
        return extent != nullptr && may_be_undefined(*extent);
      };
      if (expr.table != nullptr)
        return std::any_of(expr.table->extents.begin(), expr.table->extents.end(), bad);
      return true;
    }
    default:
      return true;
  }
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [](const Expr* arg) { return may_be_undefined(*arg); });
}

}  // namespace fragproof
