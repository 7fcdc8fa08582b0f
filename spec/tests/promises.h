// What every engine may take for granted of a resolved Spec, checked node by node.
#pragma once

#include <string>

#include "spec/ast.h"
#include "spec/syntax.h"

namespace fragproof::testing {

// Everything that resolution promises of each expression of a Spec: no form of the parser is left,
// every node has a type, and every name its meaning. The first broken promise, or "".
class Promises {
 public:
  static std::string broken(const Spec& spec) {
    Promises check;
    for (const Expr* e : spec.requires_) check.visit(e);
    for (const Table* table : spec.tables) {
      for (const Expr* e : table->extents) check.visit(e);
      check.visit(table->range);
    }
    for (const Map* map : spec.maps) check.visit(*map);
    for (const Array* array : spec.arrays) check.visit(*array);
    for (const Kernel* kernel : spec.kernels) check.visit(*kernel);
    for (const Claim& claim : spec.claims) {
      check.say(claim.name.empty(), "a claim without a name");
      check.say(claim.condition->type.kind != Type::Kind::Condition,
                "a claim that is no condition");
      check.visit(claim.condition);
      check.visit(claim.where_clause);
    }
    return check.broken_;
  }

 private:
  void say(bool broken, const std::string& what) {
    if (broken && broken_.empty()) broken_ = what;
  }
  void visit(const Expr* e) {
    if (e == nullptr) return;
    using Kind = Expr::Kind;
    say(e->kind == Kind::Name || e->kind == Kind::Call || e->kind == Kind::Index ||
            e->kind == Kind::Member || e->kind == Kind::UnitAccess,
        "left as parsed: " + to_text(*e));
    say(e->type.kind == Type::Kind::Unknown, "no type: " + to_text(*e));
    say(e->kind == Kind::Variable && (e->variable == nullptr || e->variable->index < 0),
        "no variable");
    say(e->kind == Kind::Apply && e->map == nullptr, "no map");
    say(e->kind == Kind::Lookup && e->table == nullptr, "no table");
    say(e->kind == Kind::Metric && (e->map == nullptr) == (e->load == nullptr), "no metric");
    for (const Expr* arg : e->args) visit(arg);
    if (e->kind == Kind::Contents) visit(e->ref);
    if (e->kind == Kind::Forall) visit(e->domain);
  }
  void visit(const Ref& ref) {
    say(ref.array == nullptr || ref.width <= 0, "no array: " + ref.name);
    for (const Expr* e : ref.index) visit(e);
    for (const Unit& unit : ref.units) visit(unit.index);
  }
  void visit(const Domain& domain) {
    for (const Coordinate& c : domain.coordinates) {
      say(c.variable == nullptr, "no coordinate: " + c.name);
      visit(c.extent);
      for (const DigitBinding& digit : c.digits) {
        say(digit.variable == nullptr, "no digit: " + digit.name);
        visit(digit.radix);
      }
      say(!c.digits.empty() && c.extent == nullptr, "digits without extent: " + c.name);
    }
    visit(domain.where);
  }
  void visit(const Binding& binding) {
    say(binding.kind != Binding::Kind::Digits && binding.variable == nullptr,
        "no let: " + binding.name);
    say(binding.kind == Binding::Kind::Carry && binding.over == nullptr,
        "no steps: " + binding.name);
    visit(binding.value);
    visit(binding.next);
    for (const DigitBinding& digit : binding.digits) visit(digit.radix);
  }
  void visit(const Map& map) {
    visit(map.domain);
    for (const Binding& binding : map.bindings) visit(binding);
    std::size_t outputs = 0;
    for (const Map::Step& step : map.steps) outputs += step.kind == Map::Step::Kind::Output ? 1 : 0;
    say(outputs != map.outputs.size(), "steps: " + map.name);
    for (const OutputDef& output : map.outputs) {
      say(output.variable == nullptr || output.value == nullptr, "no output: " + output.name);
      visit(output.codomain);
      visit(output.value);
    }
  }
  void visit(const Array& array) {
    say(array.extents.empty() || array.element.width <= 0, "no shape: " + array.name);
    say(array.kind == Array::Kind::Pack && array.fills.empty(), "never filled: " + array.name);
    for (const Expr* e : array.extents) visit(e);
    for (const Condition& condition : array.conditions) visit(condition.holds);
    for (const Fill& fill : array.fills) {
      visit(fill.domain);
      visit(fill.place);
      if (fill.source) visit(*fill.source);
    }
  }
  void visit(const Kernel& kernel) {
    if (kernel.parallel) visit(*kernel.parallel);
    if (kernel.reduce) visit(*kernel.reduce);
    for (const Binding& binding : kernel.bindings) visit(binding);
    for (const Expr* e : kernel.requires_) visit(e);
    for (const Array* array : kernel.shared) visit(*array);
    for (const Load* load : kernel.loads) {
      say(load->width <= 0, "no width: " + load->name);
      visit(load->from);
      visit(load->condition);
    }
    say(!kernel.mma || kernel.mma->a == nullptr || kernel.mma->value_a.width <= 0,
        "no product: " + kernel.name);
    say(!kernel.store || kernel.store->to.index.empty(), "no store: " + kernel.name);
    if (kernel.store) visit(kernel.store->to);
    if (kernel.store) visit(kernel.store->condition);
    say(kernel.lane == nullptr || kernel.elem == nullptr, "no lanes: " + kernel.name);
  }

  std::string broken_;
};

}  // namespace fragproof::testing
