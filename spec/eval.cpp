// The evaluator's frame: shapes, batches, variables, reasons; and which function evaluates which
// expression.
#include "spec/eval.h"

#include <stdexcept>

#include "spec/columns.h"
#include "spec/syntax.h"

namespace fragproof {

// ---- batches
// ----------------------------------------------------------------------------------------------

void Batch::bind(const Variable* variable, Values values) {
  for (auto& [known, old] : bound) {
    if (known == variable) {
      old = std::move(values);
      return;
    }
  }
  bound.emplace_back(variable, std::move(values));
}

const Values* Batch::find(const Variable* variable) const {
  for (const auto& [known, values] : bound) {
    if (known == variable) return &values;
  }
  return nullptr;
}

Int Batch::value(const Variable* variable, std::size_t point) const {
  const Values* values = find(variable);
  if (values == nullptr) throw std::logic_error("no value is bound to " + variable->name);
  return values->members.front().at(point);
}

Batch Batch::at(std::size_t point) const {
  const auto index = static_cast<std::uint32_t>(point);
  return select(std::span<const std::uint32_t>(&index, 1));
}

Batch Batch::select(std::span<const std::uint32_t> points) const {
  Batch out;
  out.size = points.size();
  out.bound.reserve(bound.size());
  for (const auto& [variable, values] : bound) {
    Values picked;
    picked.piece = values.piece;
    picked.members.reserve(values.members.size());
    for (const Column& column : values.members) picked.members.push_back(gather(column, points));
    picked.outcome = gather(values.outcome, points);
    out.bound.emplace_back(variable, std::move(picked));
  }
  if (!parent.empty()) {
    out.parent.reserve(points.size());
    for (const std::uint32_t point : points) out.parent.push_back(parent[point]);
  }
  return out;
}

// ---- frame
// ------------------------------------------------------------------------------------------------

Evaluator::Evaluator(const Spec& spec, Shape shape)
    : Evaluator(spec, std::move(shape), Options()) {}

Evaluator::Evaluator(const Spec& spec, Shape shape, Options options, Atom atom)
    : spec_(&spec), shape_(std::move(shape)), options_(options), atom_(std::move(atom)) {
  for (const auto& [variable, value] : shape_.sizes) sizes_.emplace(variable, value);
  for (const Array* array : spec.arrays) {
    if (array->kind != Array::Kind::Tensor) continue;
    tensor_index_.emplace(array, static_cast<std::int64_t>(tensors_.size()));
    tensors_.push_back(array);
  }
}

Int Evaluator::size(const Variable* size) const {
  const auto found = sizes_.find(size);
  if (found == sizes_.end()) throw std::logic_error("the shape gives no value to " + size->name);
  return found->second;
}

bool Evaluator::exhausted() const {
  return points_ >= options_.points || (options_.stop != nullptr && options_.stop->load());
}

void Evaluator::explain(const std::function<std::string()>& text) {
  if (reason_ != nullptr && reason_->empty()) *reason_ = text();
}

std::string Evaluator::text_of(const Expr& expr) const { return to_text(expr); }

Values Evaluator::evaluate(const Expr& expr, const Batch& batch) {
  Values values = eval(expr, batch, nullptr);
  for (Column& column : values.members) blank(column, values.outcome, batch.size);
  return values;
}

Values Evaluator::evaluate_over_sizes(const Expr& expr, const Batch& sizes) {
  const Batch* outer = size_batch_;
  size_batch_ = &sizes;
  Batch batch;
  batch.size = sizes.size;
  Values values = eval(expr, batch, nullptr);
  size_batch_ = outer;
  return values;
}

Scalar Evaluator::scalar(const Expr& expr, const Batch& point) {
  Scalar out;
  std::string reason;
  std::string* outer = reason_;
  reason_ = &reason;
  const Values values = eval(expr, point, nullptr);
  reason_ = outer;
  out.outcome = values.at(0);
  if (out.outcome == Outcome::Undefined) {
    out.reason = reason.empty() ? text_of(expr) + " is undefined" : reason;
    return out;
  }
  if (out.outcome == Outcome::Overflow) {
    set_undecided("a value of `" + text_of(expr) + "` leaves 128 bits");
    out.reason = undecided_;
    return out;
  }
  if (values.piece != 0) {
    for (const Column& column : values.members) {
      const BitRun run = origin(static_cast<std::int64_t>(column.at(0)), values.piece);
      if (!out.contents.empty()) {  // join what continues the run before
        BitRun& last = out.contents.back();
        if (last.array == run.array && (run.array == nullptr || last.bit + last.width == run.bit)) {
          last.width += run.width;
          continue;
        }
      }
      out.contents.push_back(run);
    }
  } else if (expr.type.kind == Type::Kind::Tuple) {
    for (const Column& column : values.members) out.tuple.push_back(column.at(0));
  } else {
    out.value = values.members.front().at(0);
  }
  return out;
}

Values Evaluator::eval(const Expr& expr, const Batch& batch, const Width* width) {
  switch (expr.kind) {
    case Expr::Kind::Number:
      return Values(Column(expr.number));
    case Expr::Kind::Variable:
      return eval_variable(expr, batch);
    case Expr::Kind::Unary:
      return eval_unary(expr, batch, width);
    case Expr::Kind::Binary:
      return eval_binary(expr, batch, width);
    case Expr::Kind::Conditional:
      return eval_conditional(expr, batch, width);
    case Expr::Kind::Builtin:
      return eval_builtin(expr, batch, width);
    case Expr::Kind::Width: {
      if (!options_.check_widths) return eval(*expr.args[0], batch, nullptr);
      const Width own{expr.width, expr.is_signed};
      Values values = eval(*expr.args[0], batch, &own);
      check_width(own, batch.size, values, [&] { return to_string(values.members[0].at(0)); });
      return values;
    }
    case Expr::Kind::Apply: {
      Outcomes outcome;
      std::vector<Column> columns = arguments(expr.args, batch, outcome);
      if (nowhere_defined(outcome)) return nothing(expr.map->outputs.size(), outcome);
      for (Column& column : columns) blank(column, outcome, batch.size);
      Values values = apply(*expr.map, std::move(columns), batch.size);
      extend(outcome, values.outcome, batch.size);
      values.outcome = std::move(outcome);
      return values;
    }
    case Expr::Kind::Inverse:
      return eval_inverse(expr, batch);
    case Expr::Kind::Field: {
      Values tuple = eval(*expr.args[0], batch, nullptr);
      Values out(tuple.members.at(static_cast<std::size_t>(expr.field)));
      out.outcome = std::move(tuple.outcome);
      return out;
    }
    case Expr::Kind::Lookup:
      return eval_lookup(expr, batch);
    case Expr::Kind::Contents: {
      std::string why;
      std::string* sink = reason_ != nullptr && reason_->empty() ? &why : nullptr;
      const Places places = place(expr.ref, batch, sink);
      Values values = contents(*expr.ref.array, places, expr.ref.width, batch, nullptr, sink);
      if (sink != nullptr && !why.empty()) *reason_ = why;
      return values;
    }
    case Expr::Kind::Tuple: {
      Values out;
      for (const Expr* arg : expr.args) {
        Values part = eval(*arg, batch, nullptr);
        for (Column& column : part.members) out.members.push_back(std::move(column));
        merge(out.outcome, part.outcome, batch.size);
      }
      return out;
    }
    case Expr::Kind::Digits:
      return eval_digits(expr, batch, width);
    case Expr::Kind::Cute:
      return eval_cute(expr, batch);
    case Expr::Kind::Forall:
      return eval_forall(expr, batch);
    case Expr::Kind::Predicate:
    case Expr::Kind::Metric:
    case Expr::Kind::Kernel:
      return eval_atom(expr);
    case Expr::Kind::Name:
    case Expr::Kind::Call:
    case Expr::Kind::Index:
    case Expr::Kind::Member:
    case Expr::Kind::UnitAccess:
      break;
  }
  throw std::logic_error("an expression that resolution left over: " + text_of(expr));
}

Values Evaluator::nothing(std::size_t members, Outcomes outcome) {
  Values out;
  for (std::size_t i = 0; i < members; ++i) out.members.emplace_back(Int{0});
  out.outcome = std::move(outcome);
  return out;
}

Values Evaluator::eval_variable(const Expr& expr, const Batch& batch) {
  const Variable* variable = expr.variable;
  if (variable->kind == Variable::Kind::Size) {
    if (size_batch_ != nullptr) {
      if (const Values* values = size_batch_->find(variable)) return *values;
    }
    return Values(Column(size(variable)));
  }
  if (const Values* values = batch.find(variable)) {
    if (!values->all_ok()) {
      explain([&] {
        // A binding's own reason is found by evaluating it again, here where a reason is wanted.
        if (variable->value != nullptr) {
          const Scalar scalar = this->scalar(*variable->value, batch);
          if (!scalar.reason.empty()) return scalar.reason;
        }
        return "`" + variable->name + "` is undefined";
      });
    }
    return *values;
  }
  if (variable->value == nullptr) {
    throw std::logic_error("no value is bound to " + variable->name);
  }
  if (variable->kind != Variable::Kind::FileLet || size_batch_ != nullptr) {
    return eval(*variable->value, batch, nullptr);  // a kernel's let, used by its requires
  }
  const auto known = lets_.find(variable);
  if (known != lets_.end() && (reason_ == nullptr || known->second.all_ok())) return known->second;
  Values values = eval(*variable->value, Batch(), nullptr);
  lets_[variable] = values;
  return values;
}

Values Evaluator::eval_atom(const Expr& expr) {
  auto known = atoms_.find(&expr);
  if (known == atoms_.end()) {
    if (!atom_) throw std::logic_error("no one here can judge " + text_of(expr));
    std::string* outer = std::exchange(reason_, nullptr);
    Scalar scalar = atom_(*this, expr);
    reason_ = outer;
    if (scalar.outcome == Outcome::Overflow) set_undecided(scalar.reason);
    known = atoms_.emplace(&expr, std::move(scalar)).first;
  }
  const Scalar& scalar = known->second;
  Values values{Column(scalar.value)};
  if (scalar.outcome != Outcome::Ok) values.outcome.assign(1, scalar.outcome);
  if (scalar.outcome == Outcome::Undefined) explain([&] { return scalar.reason; });
  return values;
}

std::vector<Column> Evaluator::arguments(const std::vector<Expr*>& args, const Batch& batch,
                                         Outcomes& outcome) {
  std::vector<Column> columns;
  for (const Expr* arg : args) {
    Values part = eval(*arg, batch, nullptr);
    for (Column& column : part.members) columns.push_back(std::move(column));
    merge(outcome, part.outcome, batch.size);
  }
  return columns;
}

namespace {

bool over_sizes_all(const std::vector<Expr*>& args) {
  for (const Expr* arg : args) {
    if (!over_sizes(*arg)) return false;
  }
  return true;
}

bool over_sizes_map(const Map& map) {
  for (const Coordinate& coordinate : map.domain.coordinates) {
    if (coordinate.extent != nullptr && !over_sizes(*coordinate.extent)) return false;
    for (const DigitBinding& digit : coordinate.digits) {
      if (!over_sizes(*digit.radix)) return false;
    }
  }
  if (map.domain.where != nullptr && !over_sizes(*map.domain.where)) return false;
  for (const Binding& binding : map.bindings) {
    if (!over_sizes(*binding.value) || (binding.next != nullptr && !over_sizes(*binding.next)))
      return false;
    for (const DigitBinding& digit : binding.digits) {
      if (!over_sizes(*digit.radix)) return false;
    }
  }
  for (const OutputDef& output : map.outputs) {
    if (output.codomain != nullptr && !over_sizes(*output.codomain)) return false;
    if (output.value != nullptr && !over_sizes(*output.value)) return false;
  }
  return true;
}

}  // namespace

bool over_sizes(const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::Forall:
    case Expr::Kind::Predicate:
    case Expr::Kind::Metric:
    case Expr::Kind::Kernel:
    case Expr::Kind::Inverse:
    case Expr::Kind::Contents:
    case Expr::Kind::Lookup:
      return false;
    case Expr::Kind::Variable:
      if (expr.variable->value != nullptr && (expr.variable->kind == Variable::Kind::FileLet ||
                                              expr.variable->kind == Variable::Kind::Let)) {
        return over_sizes(*expr.variable->value);
      }
      return true;
    case Expr::Kind::Apply:
      return over_sizes_map(*expr.map) && over_sizes_all(expr.args);
    default:
      return over_sizes_all(expr.args);
  }
}

}  // namespace fragproof
