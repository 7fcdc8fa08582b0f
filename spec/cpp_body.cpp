// The locals of a generated C++ function, in order, and no more than it needs.
#include "spec/cpp_body.h"

#include <algorithm>

#include "spec/cpp_names.h"

namespace fragproof {

void CppMentions::add(const Ref& ref) {
  for (const Expr* index : ref.index) add(*index);
  for (const Unit& unit : ref.units) add(*unit.index);
}

void CppMentions::add(const Domain& domain) {
  for (const Coordinate& coordinate : domain.coordinates) {
    if (coordinate.extent != nullptr) add(*coordinate.extent);
    for (const DigitBinding& digit : coordinate.digits) add(*digit.radix);
  }
  if (domain.where != nullptr) add(*domain.where);
}

void CppMentions::add(const Expr& expr) {
  if (expr.kind == Expr::Kind::Variable) variables.push_back(expr.variable);
  if (expr.map != nullptr) maps.push_back(expr.map);
  if (expr.table != nullptr) {
    tables.push_back(expr.table);
    for (const Expr* extent : expr.table->extents) add(*extent);
  }
  for (const Expr* arg : expr.args) add(*arg);
  if (expr.kind == Expr::Kind::Contents) add(expr.ref);
  if (expr.kind == Expr::Kind::Forall) add(expr.domain);
}

CppFrame cpp_frame(const Map& map) {
  CppFrame frame;
  frame.domains.push_back(&map.domain);
  for (const Map::Step& step : map.steps) {
    if (step.kind == Map::Step::Kind::Binding) {
      frame.steps.push_back({&map.bindings[step.index], nullptr});
    } else {
      frame.steps.push_back({nullptr, &map.outputs[step.index]});
    }
  }
  return frame;
}

CppBody::CppBody(const CppFrame& frame, CppScope scope) : scope_(std::move(scope)) {
  for (const auto& [variable, name] : scope_.names) taken_.insert(name);
  for (const auto& [table, name] : scope_.pointers) taken_.insert(name);
  for (const Domain* domain : frame.domains) {
    for (const Coordinate& coordinate : domain->coordinates) add(coordinate.variable);
  }
  for (const Domain* domain : frame.domains) {
    for (const Coordinate& coordinate : domain->coordinates) {
      digits(coordinate.digits, coordinate.variable, nullptr);
    }
  }
  for (const CppFrame::Step& step : frame.steps) {
    if (step.output != nullptr) {
      Origin from;
      from.output = step.output;
      origin(step.output->variable, from);
    } else if (step.binding->kind == Binding::Kind::Digits) {
      digits(step.binding->digits, nullptr, step.binding);
    } else {
      Origin from;
      from.binding = step.binding;
      origin(step.binding->variable, from);
    }
  }
}

void CppBody::add(const Variable* variable) {
  std::string name = cpp_identifier(variable->name);
  while (!taken_.insert(name).second) name += name.back() == '_' ? "x" : "_";
  scope_.names[variable] = name;
}

void CppBody::origin(const Variable* variable, Origin from) {
  if (variable == nullptr) return;
  add(variable);
  origins_[variable] = from;
  order_.push_back(variable);
}

void CppBody::digits(const std::vector<DigitBinding>& digits, const Variable* of,
                     const Binding* binding) {
  for (std::size_t i = 0; i < digits.size(); ++i) {
    Origin from;
    from.digits = &digits;
    from.position = i;
    from.of = of;
    from.of_binding = binding;
    origin(digits[i].variable, from);
  }
}

void CppBody::need(const Expr& expr) {
  CppMentions mentions;
  mentions.add(expr);
  for (const Variable* variable : mentions.variables) need(variable);
}

void CppBody::need(const Variable* variable) {
  if (needed_.contains(variable)) return;
  if (variable->kind == Variable::Kind::FileLet && !origins_.contains(variable)) {
    needed_.insert(variable);
    need(*variable->value);  // its own lets come first
    Origin from;
    from.file_let = true;
    origins_[variable] = from;
    add(variable);
    // Lets of the file come in their own order and before all that is bound here.
    const auto later = std::find_if(order_.begin(), order_.end(), [&](const Variable* other) {
      return !origins_.at(other).file_let || other->index > variable->index;
    });
    order_.insert(later, variable);
    return;
  }
  const auto known = origins_.find(variable);
  if (known == origins_.end()) return;  // a parameter
  needed_.insert(variable);
  const Origin& from = known->second;
  if (from.digits != nullptr) {
    for (std::size_t i = from.position; i < from.digits->size(); ++i) {
      need(*(*from.digits)[i].radix);
    }
    if (from.of_binding != nullptr) need(*from.of_binding->value);
  }
  if (from.binding != nullptr) {
    need(*from.binding->value);
    if (from.binding->next != nullptr) need(*from.binding->next);
    if (from.binding->over != nullptr) need(from.binding->over);
  }
  if (from.output != nullptr) need(*from.output->value);
}

void CppBody::let(const Variable* variable, const Expr& value, const CppScope& scope,
                  Lines& lines) const {
  const std::string& name = scope.names.at(variable);
  if (value.type.kind == Type::Kind::Tuple) {
    for (int i = 0; i < value.type.arity; ++i) {
      lines.push_back("const int64_t " + name + "_" + cpp_member_name(value.type, i) + " = " +
                      cpp_member(value, i, scope) + ";");
    }
  } else if (value.type.kind == Type::Kind::Condition && variable->kind != Variable::Kind::Output) {
    lines.push_back("const bool " + name + " = " + cpp_condition(value, scope) + ";");
  } else {
    lines.push_back("const int64_t " + name + " = " + cpp_number(value, scope) + ";");
  }
}

void CppBody::declare(const Variable* variable, const CppScope& scope, Lines& lines) const {
  const Origin& from = origins_.at(variable);
  if (from.digits != nullptr) {
    const std::vector<DigitBinding>& digits = *from.digits;
    std::vector<const Expr*> below;
    for (std::size_t i = from.position + 1; i < digits.size(); ++i)
      below.push_back(digits[i].radix);
    std::string text =
        from.of != nullptr ? scope.names.at(from.of) : cpp_product({from.of_binding->value}, scope);
    const std::string divisor = cpp_product(below, scope);
    if (divisor != "1") text += " / " + divisor;
    if (from.position > 0) text += " % " + cpp_product({digits[from.position].radix}, scope);
    lines.push_back("const int64_t " + scope.names.at(variable) + " = " + text + ";");
  } else if (from.output != nullptr) {
    let(variable, *from.output->value, scope, lines);
  } else if (from.file_let) {
    let(variable, *variable->value, scope, lines);
  } else if (from.binding->kind == Binding::Kind::Carry) {
    carry(*from.binding, scope, lines);
  } else {
    let(variable, *from.binding->value, scope, lines);
  }
}

bool CppBody::depends(const Expr& expr, const Variable* on) const {
  CppMentions mentions;
  mentions.add(expr);
  return std::any_of(mentions.variables.begin(), mentions.variables.end(),
                     [&](const Variable* variable) { return depends(variable, on); });
}

bool CppBody::depends(const Variable* variable, const Variable* on) const {
  if (variable == on) return true;
  const auto known = origins_.find(variable);
  if (known == origins_.end() || known->second.file_let) return false;
  const Origin& from = known->second;
  if (from.of == on) return true;
  if (from.of_binding != nullptr) return depends(*from.of_binding->value, on);
  if (from.binding != nullptr && from.binding->over == on) return true;
  if (from.binding != nullptr) return depends(*from.binding->value, on);
  return from.output != nullptr && depends(*from.output->value, on);
}

// What `for_what` needs of the names that move with the counter of a carry, at step `step`, under
// names of their own.
CppBody::Lines CppBody::again(const Binding& carry, const Expr& for_what, const std::string& step,
                              CppScope& scope, const std::string& suffix) const {
  CppBody inner = *this;
  inner.needed_.clear();
  inner.need(for_what);
  scope.names[carry.over] = step;
  Lines lines;
  for (const Variable* variable : order_) {
    if (variable == carry.variable) break;
    if (!inner.needed_.contains(variable) || !depends(variable, carry.over)) continue;
    const Origin& from = origins_.at(variable);
    if (from.binding != nullptr && from.binding->kind == Binding::Kind::Carry) {
      throw CppUnsupported("a `carry` inside a `carry`");
    }
    scope.names[variable] += suffix;
    declare(variable, scope, lines);
  }
  return lines;
}

void CppBody::carry(const Binding& binding, const CppScope& scope, Lines& lines) const {
  const std::string& name = scope.names.at(binding.variable);
  CppScope first = scope;
  const Lines before = again(binding, *binding.value, "int64_t{0}", first, "_first");
  lines.insert(lines.end(), before.begin(), before.end());
  lines.push_back("int64_t " + name + " = " + cpp_number(*binding.value, first) + ";");
  CppScope next = scope;
  const std::string step = name + "_step";
  const Lines inside = again(binding, *binding.next, step, next, "_next");
  lines.push_back("for (int64_t " + step + " = 0; " + step + " < " + scope.names.at(binding.over) +
                  "; ++" + step + ") {");
  for (const std::string& line : inside) lines.push_back("  " + line);
  lines.push_back("  " + name + " = " + cpp_number(*binding.next, next) + ";");
  lines.push_back("}");
}

std::vector<std::string> CppBody::locals() const {
  Lines lines;
  for (const Variable* variable : order_) {
    if (needed_.contains(variable)) declare(variable, scope_, lines);
  }
  return lines;
}

}  // namespace fragproof
