#include "fuzz/emulate/hoist.h"

#include <algorithm>

#include "checkers/enumerate/kernel_uses.h"
#include "spec/columns.h"

namespace fragproof {
namespace {

// Nodes whose value is a function of their arguments' values alone, so that an argument may be
// evaluated elsewhere. Not `iN(e)`, which looks inside e, nor anything with a domain or a place.
bool is_transparent(Expr::Kind kind) {
  switch (kind) {
    case Expr::Kind::Unary:
    case Expr::Kind::Binary:
    case Expr::Kind::Conditional:
    case Expr::Kind::Builtin:
    case Expr::Kind::Apply:
    case Expr::Kind::Field:
    case Expr::Kind::Lookup:
    case Expr::Kind::Tuple:
    case Expr::Kind::Digits:
      return true;
    default:
      return false;
  }
}

// Each of `values` for `lanes` pairs in a row (a point's values), or all of them `points` times
// over (the lanes' values).
enum class Spreading { Repeat, Tile };

void bind_spread(Batch& to, const Variable* variable, const Values& values, Spreading how,
                 std::size_t points, std::size_t lanes) {
  Values out;
  for (const Column& member : values.members) {
    if (member.uniform()) {
      out.members.push_back(member);
      continue;
    }
    if (member.is_wide()) {
      std::vector<std::uint32_t> rows(points * lanes);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i] = static_cast<std::uint32_t>(how == Spreading::Repeat ? i / lanes : i % lanes);
      }
      out.members.push_back(gather(member, rows));
      continue;
    }
    Column column;
    column.narrow.reserve(points * lanes);
    for (std::size_t p = 0; p < points; ++p) {
      if (how == Spreading::Repeat) {
        column.narrow.insert(column.narrow.end(), lanes, member.narrow[p]);
      } else {
        column.narrow.insert(column.narrow.end(), member.narrow.begin(), member.narrow.end());
      }
    }
    out.members.push_back(std::move(column));
  }
  for (std::size_t i = 0; values.outcome.size() > 1 && i < points * lanes; ++i) {
    out.outcome.push_back(values.outcome[how == Spreading::Repeat ? i / lanes : i % lanes]);
  }
  if (values.outcome.size() == 1) out.outcome = values.outcome;
  to.bind(variable, std::move(out));
}

}  // namespace

Hoist::Hoist(const Kernel& kernel) : kernel_(kernel) {
  const auto note = [&](const std::optional<Domain>& domain) {
    if (!domain) return;
    for (const Coordinate& coordinate : domain->coordinates) {
      depends_[coordinate.variable] = {.point = true};
      for (const DigitBinding& digit : coordinate.digits)
        depends_[digit.variable] = {.point = true};
    }
  };
  note(kernel.parallel);
  note(kernel.reduce);
  depends_[kernel.lane] = {.lane = true};
  depends_[kernel.row] = depends_[kernel.col] =
      depends_[kernel.elem] = {.lane = true, .slot = true};
  for (const Binding& binding : kernel.bindings) {
    Depends depends = depends_of(binding.value);
    depends |= depends_of(binding.next);
    if (binding.over != nullptr) depends |= depends_[binding.over];
    for (const DigitBinding& digit : binding.digits) depends |= depends_of(digit.radix);
    if (binding.variable != nullptr) depends_[binding.variable] = depends;
    for (const DigitBinding& digit : binding.digits) depends_[digit.variable] = depends;
    if (depends.slot) continue;
    if (!depends.point) {  // of the lane, or of the sizes alone

      lane_bindings_.push_back(&binding);
    } else if (!depends.lane) {
      continue;  // KernelPoints binds it
    } else if (binding.kind == Binding::Kind::Let) {
      mixed_lets_.push_back({split(binding.value), binding.variable});
    } else {
      possible_ = false;
    }
  }
}

Hoist::Depends Hoist::depends_of(const Expr* expr) const {
  Depends depends;
  for_each_inside(expr, [&](const Expr& inside) {
    if (inside.kind != Expr::Kind::Variable) return;
    if (const auto it = depends_.find(inside.variable); it != depends_.end()) depends |= it->second;
  });
  return depends;
}

void Hoist::need(const Variable* variable) {
  const auto it = depends_.find(variable);
  if (it == depends_.end() || (it->second.point && it->second.lane)) return;
  std::vector<const Variable*>& list = it->second.lane ? lane_variables_ : point_variables_;
  if (std::find(list.begin(), list.end(), variable) == list.end()) list.push_back(variable);
}

void Hoist::need(const Expr& expr) {
  for_each_inside(&expr, [&](const Expr& inside) {
    if (inside.kind == Expr::Kind::Variable) need(inside.variable);
  });
}

const Expr* Hoist::part(const Expr& expr, std::vector<Part>& parts) {
  Variable& variable = variables_.emplace_back();
  variable.name = "part";
  variable.kind = Variable::Kind::Let;
  variable.type = expr.type;
  parts.push_back({&expr, &variable});
  Expr& node = exprs_.emplace_back();
  node.kind = Expr::Kind::Variable;
  node.variable = &variable;
  node.type = expr.type;
  node.where = expr.where;
  return &node;
}

const Expr* Hoist::split(const Expr* expr) {
  if (expr == nullptr) return nullptr;
  const Depends depends = depends_of(expr);
  const bool scalar =
      expr->type.kind == Type::Kind::Number || expr->type.kind == Type::Kind::Condition;
  if (expr->kind == Expr::Kind::Variable || expr->kind == Expr::Kind::Number ||
      (!depends.point && !depends.lane)) {
    need(*expr);
    return expr;
  }
  if (scalar && !depends.lane) return part(*expr, point_parts_);
  if (scalar && !depends.point) return part(*expr, lane_parts_);
  if (!is_transparent(expr->kind)) {
    need(*expr);
    return expr;
  }
  Expr copy = *expr;
  for (Expr*& argument : copy.args) argument = const_cast<Expr*>(split(argument));
  return &exprs_.emplace_back(std::move(copy));
}

Ref Hoist::split(const Ref& ref) {
  Ref copy = ref;
  for (Expr*& index : copy.index) index = const_cast<Expr*>(split(index));
  for (Unit& unit : copy.units) unit.index = const_cast<Expr*>(split(unit.index));
  return copy;
}

void Hoist::start(Evaluator& evaluator, int lanes) {
  lane_batch_ = Batch();
  lane_batch_.size = static_cast<std::size_t>(lanes);
  std::vector<std::int64_t> lane(lane_batch_.size);
  for (std::size_t i = 0; i < lane.size(); ++i) lane[i] = static_cast<std::int64_t>(i);
  lane_batch_.bind(kernel_.lane, Values(Column(std::move(lane))));
  lane_failed_.assign(lane_batch_.size, 0);
  const Scope scope;
  for (const Binding* binding : lane_bindings_) {
    const std::vector<Outcome> outcome = evaluator.bind(*binding, scope, lane_batch_);
    for (std::size_t i = 0; !outcome.empty() && i < lane_batch_.size; ++i) {
      if (outcome[outcome.size() == 1 ? 0 : i] != Outcome::Ok) lane_failed_[i] = 1;
    }
  }
  for (const Part& part : lane_parts_) {
    lane_batch_.bind(part.variable, evaluator.evaluate(*part.expr, lane_batch_));
  }
}

Batch Hoist::batch(Evaluator& evaluator, const KernelPoints::Chunk& points,
                   std::vector<std::uint8_t>& failed) {
  const std::size_t lanes = lane_batch_.size;
  Batch full;
  full.size = points.batch.size * lanes;
  const std::size_t count = points.batch.size;
  failed.resize(full.size);
  for (std::size_t p = 0, i = 0; p < count; ++p) {
    for (std::size_t l = 0; l < lanes; ++l, ++i) {
      failed[i] = static_cast<std::uint8_t>(points.failed[p] | lane_failed_[l]);
    }
  }
  for (const Variable* variable : point_variables_) {
    if (const Values* values = points.batch.find(variable)) {
      bind_spread(full, variable, *values, Spreading::Repeat, count, lanes);
    }
  }
  for (const Part& part : point_parts_) {
    bind_spread(full, part.variable, evaluator.evaluate(*part.expr, points.batch),
                Spreading::Repeat, count, lanes);
  }
  for (const Variable* variable : lane_variables_) {
    if (const Values* values = lane_batch_.find(variable)) {
      bind_spread(full, variable, *values, Spreading::Tile, count, lanes);
    }
  }
  for (const Part& part : lane_parts_) {
    bind_spread(full, part.variable, *lane_batch_.find(part.variable), Spreading::Tile, count,
                lanes);
  }
  for (const Part& let : mixed_lets_) {
    Values values = evaluator.evaluate(*let.expr, full);
    for (std::size_t i = 0; !values.all_ok() && i < full.size; ++i) {
      if (values.at(i) != Outcome::Ok) failed[i] = 1;
    }
    full.bind(let.variable, std::move(values));
  }
  return full;
}

void Hoist::bind_parts(Evaluator& evaluator, Batch& batch) const {
  for (const std::vector<Part>* parts : {&point_parts_, &lane_parts_}) {
    for (const Part& part : *parts) {
      batch.bind(part.variable, evaluator.evaluate(*part.expr, batch));
    }
  }
}

}  // namespace fragproof
