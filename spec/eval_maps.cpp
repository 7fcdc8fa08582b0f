// Evaluation of maps: application with its domain and codomain, lets, digits, carries.
#include <algorithm>
#include <stdexcept>

#include "spec/columns.h"
#include "spec/eval.h"

namespace fragproof {
namespace {

constexpr std::int64_t carry_limit = std::int64_t{1} << 22;  // steps of a carry that are followed

// "marlin(16, 0)", at the first point.
std::string call_text(const std::string& name, const std::vector<Column>& arguments) {
  std::string text = name + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) text += ", ";
    text += to_string(arguments[i].at(0));
  }
  return text + ")";
}

std::string range_text(Int extent) {
  if (extent <= 0) return " is outside an empty range";
  return " is outside 0.." + to_string(extent - 1);
}

bool mentions(const Expr* expr, const std::vector<const Variable*>& names);

bool mentions(const std::vector<Expr*>& args, const std::vector<const Variable*>& names) {
  return std::any_of(args.begin(), args.end(),
                     [&](const Expr* arg) { return mentions(arg, names); });
}

bool mentions(const Ref& ref, const std::vector<const Variable*>& names) {
  return mentions(ref.index, names) ||
         std::any_of(ref.units.begin(), ref.units.end(),
                     [&](const Unit& unit) { return mentions(unit.index, names); });
}

bool mentions(const Expr* expr, const std::vector<const Variable*>& names) {
  if (expr == nullptr) return false;
  if (expr->kind == Expr::Kind::Variable) {
    return std::find(names.begin(), names.end(), expr->variable) != names.end();
  }
  for (const Coordinate& coordinate : expr->domain.coordinates) {
    if (mentions(coordinate.extent, names)) return true;
  }
  return mentions(expr->args, names) || mentions(expr->domain.where, names) ||
         mentions(expr->ref, names);
}

}  // namespace

Values Evaluator::apply(const Map& map, std::vector<Column> arguments, std::size_t size) {
  Batch frame;
  frame.size = size;
  Outcomes outcome;
  std::string own;  // the reason of a failure inside this map
  std::string* outer = reason_;
  const bool wanted = outer != nullptr && outer->empty();
  if (wanted) reason_ = &own;
  const auto finish = [&](Values values) {
    reason_ = outer;
    if (wanted && !own.empty()) {
      const bool told = own.find("(line ") != std::string::npos;  // by a map that this one applies
      if (!told) own = call_text(map.name, arguments) + ": " + own;
      if (!told && !map.is_builtin) own += " (line " + std::to_string(map.where.line) + ")";
      *outer = own;
    }
    return values;
  };

  const auto& coordinates = map.domain.coordinates;
  if (arguments.size() != coordinates.size()) {
    throw std::logic_error(map.name + " applied to a wrong number of arguments");
  }
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const Coordinate& coordinate = coordinates[i];
    Outcomes mine;
    Values extent(Column(Int{0}));
    if (coordinate.extent != nullptr) {
      extent = eval(*coordinate.extent, frame, nullptr);
      merge(mine, extent.outcome, size);
      Outcomes outside;
      mark_outside(arguments[i], extent.members[0], size, outside);
      extend(mine, outside, size);
    } else {
      Outcomes none;
      const Column negative = compute(Binary::Less, arguments[i], Column(Int{0}), size, none);
      for (std::size_t p = 0; p < negative.size(); ++p) {
        if (negative.at(p) != 0) mark(mine, p, negative.size(), Outcome::Undefined);
      }
    }
    if (!mine.empty()) {
      if (mine[0] == Outcome::Undefined && (outcome.empty() || outcome[0] == Outcome::Ok)) {
        explain([&] {
          const std::string value = coordinate.name + " = " + to_string(arguments[i].at(0));
          if (coordinate.extent == nullptr) return value + " is negative";
          return value + range_text(extent.members[0].at(0));
        });
      }
      extend(outcome, mine, size);
      if (nowhere_defined(outcome)) return finish(nothing(map.outputs.size(), outcome));
    }
    Column value = arguments[i];
    blank(value, outcome, size);
    frame.bind(coordinate.variable, Values(std::move(value)));
    bind_digits_of(coordinate, frame);
  }
  if (map.domain.where != nullptr) {
    const Values where = eval(*map.domain.where, frame, nullptr);
    Outcomes mine = where.outcome;
    const Column& holds = where.members[0];
    bool dropped = false;
    for (std::size_t p = 0; p < holds.size(); ++p) {
      if (holds.at(p) != 0 || where.at(p) != Outcome::Ok) continue;
      mark(mine, p, holds.size(), Outcome::Undefined);
      dropped = true;
    }
    if (dropped && holds.at(0) == 0) {
      explain([&] { return "`where " + text_of(*map.domain.where) + "` is false"; });
    }
    extend(outcome, mine, size);
  }

  std::vector<Binding> as_lets;  // outputs, as a carry behind them sees them
  Scope scope;
  scope.domains.push_back(&map.domain);
  const bool carries = std::any_of(map.bindings.begin(), map.bindings.end(),
                                   [](const Binding& b) { return b.kind == Binding::Kind::Carry; });
  if (carries) as_lets.reserve(map.outputs.size());
  Values out = nothing(map.outputs.size(), {});
  for (const Map::Step& step : map.steps) {
    if (nowhere_defined(outcome)) break;
    if (step.kind == Map::Step::Kind::Binding) {
      const Binding& binding = map.bindings[step.index];
      const Outcomes mine = bind(binding, scope, frame);
      extend(outcome, mine, size);  // lets are strict
      if (carries) scope.bindings.push_back(&binding);
      continue;
    }
    const OutputDef& output = map.outputs[step.index];
    Values value = eval(*output.value, frame, nullptr);
    if (output.codomain != nullptr) {
      const Values codomain = eval(*output.codomain, frame, nullptr);
      Outcomes mine = codomain.outcome;
      Outcomes outside;
      if (mark_outside(value.members[0], codomain.members[0], size, outside)) {
        const bool first = outside[0] == Outcome::Undefined && value.at(0) == Outcome::Ok &&
                           codomain.at(0) == Outcome::Ok &&
                           (outcome.empty() || outcome[0] == Outcome::Ok);
        if (first) {
          explain([&] {
            return output.name + " = " + to_string(value.members[0].at(0)) +
                   range_text(codomain.members[0].at(0));
          });
        }
        extend(mine, outside, size);
      }
      extend(value.outcome, mine, size);
    }
    extend(outcome, value.outcome, size);
    out.members[step.index] = value.members[0];
    if (output.variable != nullptr) frame.bind(output.variable, std::move(value));
    if (carries) {
      Binding& let = as_lets.emplace_back();
      let.variable = output.variable;
      let.value = output.value;
      scope.bindings.push_back(&let);
    }
  }
  out.outcome = std::move(outcome);
  return finish(std::move(out));
}

void Evaluator::bind_digits_of(const Coordinate& coordinate, Batch& batch) {
  if (coordinate.digits.empty()) return;
  const Values value = *batch.find(coordinate.variable);
  split(value, coordinate.digits, batch);
}

// Binds digits to a value that is known to be in range where its outcome is Ok.
void Evaluator::split(Values rest, const std::vector<DigitBinding>& digits, Batch& batch) {
  for (std::size_t i = digits.size(); i-- > 0;) {  // the least significant digit first
    Values digit;
    if (i == 0) {
      digit = std::move(rest);
    } else {
      const Values radix = eval(*digits[i].radix, batch, nullptr);
      Outcomes mine = rest.outcome;
      merge(mine, radix.outcome, batch.size);
      Outcomes own;
      digit.members.push_back(
          compute(Binary::Mod, rest.members[0], radix.members[0], batch.size, own));
      extend(mine, own, batch.size);
      Outcomes ignored;
      rest.members[0] =
          compute(Binary::Div, rest.members[0], radix.members[0], batch.size, ignored);
      rest.outcome = mine;
      digit.outcome = std::move(mine);
    }
    if (digits[i].variable != nullptr) batch.bind(digits[i].variable, std::move(digit));
  }
}

void Evaluator::bind_digits(const Domain& domain, Batch& batch) {
  for (const Coordinate& coordinate : domain.coordinates) bind_digits_of(coordinate, batch);
}

std::vector<Outcome> Evaluator::bind(const Binding& binding, const Scope& scope, Batch& batch) {
  switch (binding.kind) {
    case Binding::Kind::Let: {
      Values values = eval(*binding.value, batch, nullptr);
      Outcomes outcome = values.outcome;
      batch.bind(binding.variable, std::move(values));
      return outcome;
    }
    case Binding::Kind::Carry: {
      Values values = carry(binding, scope, batch);
      Outcomes outcome = values.outcome;
      batch.bind(binding.variable, std::move(values));
      return outcome;
    }
    case Binding::Kind::Digits:
      break;
  }
  Values value = eval(*binding.value, batch, nullptr);
  Values product(Column(Int{1}));
  bool has_zero = false;
  for (const DigitBinding& digit : binding.digits) {
    const Values radix = eval(*digit.radix, batch, nullptr);
    merge(product.outcome, radix.outcome, batch.size);
    product.members[0] =
        compute(Binary::Mul, product.members[0], radix.members[0], batch.size, product.outcome);
    has_zero = has_zero || (radix.members[0].uniform() && radix.members[0].at(0) <= 0);
  }
  if (has_zero) product.members[0] = Column(Int{0});
  merge(value.outcome, product.outcome, batch.size);
  Outcomes outside;
  if (mark_outside(value.members[0], product.members[0], batch.size, outside)) {
    if (outside[0] == Outcome::Undefined && value.at(0) == Outcome::Ok) {
      explain([&] {
        std::string text = "[";
        for (const DigitBinding& digit : binding.digits) {
          if (text.size() > 1) text += ", ";
          text += digit.name + ":" + text_of(*digit.radix);
        }
        return text + "] = " + to_string(value.members[0].at(0)) +
               range_text(product.members[0].at(0));
      });
    }
    extend(value.outcome, outside, batch.size);
  }
  blank(value.members[0], value.outcome, batch.size);
  Outcomes outcome = value.outcome;
  split(std::move(value), binding.digits, batch);
  return outcome;
}

// v at q: A at 0, then B from step to step. What stands before the carry and depends on q is
// evaluated anew at each step ("B, read at step q").
Values Evaluator::carry(const Binding& binding, const Scope& scope, const Batch& batch) {
  const Values* counter = batch.find(binding.over);
  if (counter == nullptr) throw std::logic_error("the carry " + binding.name + " counts nothing");
  const Column q = counter->members[0];
  Int last = 0;
  for (std::size_t p = 0; p < q.size(); ++p) {
    if (counter->at(p) == Outcome::Ok) last = std::max(last, q.at(p));
  }
  Values result(Column(Int{0}));
  result.outcome = counter->outcome;
  if (last > carry_limit || exhausted()) {
    set_undecided("`carry " + binding.name + "` would take " + to_string(last) + " steps");
    for (std::size_t p = 0; p < q.size(); ++p) mark(result.outcome, p, q.size(), Outcome::Overflow);
    return result;
  }

  // The batch with q set to one step, and all that follows from it.
  std::vector<const Variable*> moving{binding.over};
  std::vector<const Binding*> again;
  for (const Domain* domain : scope.domains) {
    for (const Coordinate& coordinate : domain->coordinates) {
      if (coordinate.variable != binding.over) continue;
      for (const DigitBinding& digit : coordinate.digits) moving.push_back(digit.variable);
    }
  }
  for (const Binding* before : scope.bindings) {
    const bool depends = mentions(before->value, moving) || mentions(before->next, moving) ||
                         (before->kind == Binding::Kind::Carry && before->over == binding.over);
    if (!depends) continue;
    again.push_back(before);
    if (before->variable != nullptr) moving.push_back(before->variable);
    for (const DigitBinding& digit : before->digits) moving.push_back(digit.variable);
  }
  const auto at_step = [&](Int step) {
    Batch moved = batch;
    moved.bind(binding.over, step);
    for (const Domain* domain : scope.domains) {
      for (const Coordinate& coordinate : domain->coordinates) {
        if (coordinate.variable == binding.over) bind_digits_of(coordinate, moved);
      }
    }
    Scope inner;
    inner.domains = scope.domains;
    for (const Binding* before : scope.bindings) {
      if (std::find(again.begin(), again.end(), before) != again.end()) bind(*before, inner, moved);
      inner.bindings.push_back(before);
    }
    return moved;
  };

  Values value = eval(*binding.value, at_step(0), nullptr);
  Outcomes taken = value.outcome;  // the outcome at each point's own step
  Column values = value.members[0];
  const bool one = q.uniform();
  for (Int step = 0; step < last; ++step) {
    points_ += static_cast<std::int64_t>(std::max(q.size(), value.members[0].size()));
    Batch moved = at_step(step);
    moved.bind(binding.variable, value);
    value = eval(*binding.next, moved, nullptr);
    if (one) continue;
    Outcomes none;
    const Column here = compute(Binary::Equal, q, Column(step + 1), batch.size, none);
    values = choose(here, value.members[0], values, batch.size);
    if (!taken.empty() || !value.outcome.empty()) {
      Outcomes next(batch.size, Outcome::Ok);
      for (std::size_t p = 0; p < batch.size; ++p) {
        const Outcomes& from = here.at(p) != 0 ? value.outcome : taken;
        next[p] = from.empty() ? Outcome::Ok : from[from.size() == 1 ? 0 : p];
      }
      taken = std::move(next);
    }
  }
  if (one) {
    values = value.members[0];
    taken = value.outcome;
  }
  result.members[0] = std::move(values);
  extend(result.outcome, taken, batch.size);
  return result;
}

}  // namespace fragproof
