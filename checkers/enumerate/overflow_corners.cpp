// The overflow obligation at the extremes of a kernel's indices: see overflow_corners.h.
#include "checkers/enumerate/overflow_corners.h"

#include <algorithm>

#include "checkers/enumerate/kernel_uses.h"
#include "spec/syntax.h"

namespace fragproof {
namespace {

constexpr std::int64_t point_limit = 200'000;

class Corners {
 public:
  Corners(const Evaluator& of, const Kernel& kernel)
      : kernel_(kernel),
        strict_(of.spec(), of.shape(), options(true)),
        loose_(of.spec(), of.shape(), options(false)) {}

  std::optional<Counterexample> find() {
    Batch start;
    walk(kernel_.parallel, start, [&](const Batch& tiles) {
      walk(kernel_.reduce, tiles, [&](const Batch& points) { at_points(points); });
    });
    return std::move(found_);
  }

 private:
  static Evaluator::Options options(bool check_widths) {
    Evaluator::Options options;
    options.check_widths = check_widths;
    options.corners = true;
    options.points = point_limit;
    options.image_cells = 1;  // no contents are needed
    return options;
  }

  // The points of a domain with the lets that can be evaluated there (extents of reduce may use
  // them).
  template <class Visit>
  void walk(const std::optional<Domain>& domain, const Batch& outer, const Visit& visit) {
    const Batch with_lets = bound(outer, false);
    if (!domain) {
      visit(with_lets);
      return;
    }
    (void)loose_.walk(*domain, with_lets, [&](const Batch& batch) {
      visit(batch);
      return !found_;
    });
  }

  // All bindings whose variables are known; those of lane, and of later indices, wait.
  Batch bound(const Batch& batch, bool all) {
    Batch out = batch;
    Scope scope;
    if (kernel_.parallel) scope.domains.push_back(&*kernel_.parallel);
    if (kernel_.reduce) scope.domains.push_back(&*kernel_.reduce);
    for (const Binding& binding : kernel_.bindings) {
      if (!all && !known(binding, out)) continue;
      if (all) {
        check(binding.value, out, binding.name);
        if (binding.next != nullptr && out.find(binding.variable) != nullptr)
          check(binding.next, out, binding.name);
      }
      (void)loose_.bind(binding, scope, out);
      scope.bindings.push_back(&binding);
    }
    return out;
  }
  [[nodiscard]] bool known(const Binding& binding, const Batch& batch) const {
    bool all = true;
    const auto visit = [&](const Expr& expr) {
      if (expr.kind != Expr::Kind::Variable || expr.variable->kind == Variable::Kind::Size ||
          expr.variable->kind == Variable::Kind::FileLet) {
        return;
      }
      all = all && batch.find(expr.variable) != nullptr;
    };
    for_each_inside(binding.value, visit);
    for (const DigitBinding& digit : binding.digits) for_each_inside(digit.radix, visit);
    if (binding.kind == Binding::Kind::Carry) all = all && batch.find(binding.over) != nullptr;
    return all;
  }

  void at_points(const Batch& points) {
    Int lanes = 32;
    if (kernel_.mma && kernel_.mma->a != nullptr && !kernel_.mma->a->domain.coordinates.empty()) {
      const Expr* extent = kernel_.mma->a->domain.coordinates[0].extent;
      const Scalar scalar = extent != nullptr ? loose_.scalar(*extent) : Scalar();
      if (scalar.outcome == Outcome::Ok && scalar.value > 0) lanes = scalar.value;
    }
    for (const Int lane : {Int{0}, lanes - 1}) {
      if (found_) return;
      Batch at = points;
      at.bind(kernel_.lane, lane);
      at = bound(at, true);
      for (const Load* load : kernel_.loads) {
        check(load->condition, at, "load " + load->name);
        check(load->from, at, "load " + load->name);
      }
      if (!kernel_.store) continue;
      const auto value = [&](Variable* variable, std::size_t output) {
        if (variable == nullptr || !kernel_.mma || kernel_.mma->c == nullptr) return;
        const Map& c = *kernel_.mma->c;
        const bool last = lane > 0;
        const Expr* extent = output < c.outputs.size() ? c.outputs[output].codomain : nullptr;
        const Scalar scalar = extent != nullptr ? loose_.scalar(*extent) : Scalar();
        at.bind(variable, last && scalar.outcome == Outcome::Ok && scalar.value > 0
                              ? scalar.value - 1
                              : Int{0});
      };
      value(kernel_.row, 0);
      value(kernel_.col, 1);
      if (kernel_.elem != nullptr) at.bind(kernel_.elem, Int{0});
      check(kernel_.store->condition, at, "the store");
      check(kernel_.store->to, at, "the store");
    }
  }

  void check(const Ref& ref, const Batch& batch, const std::string& where) {
    for (const Expr* index : ref.index) check(index, batch, where);
    for (const Unit& unit : ref.units) check(unit.index, batch, where);
  }
  void check(const Expr* expr, const Batch& batch, const std::string& where) {
    if (expr == nullptr || found_ || !has_width(expr)) return;
    const Values strict = strict_.evaluate(*expr, batch);
    if (strict.all_ok()) return;
    const Values loose = loose_.evaluate(*expr, batch);
    for (std::size_t p = 0; p < batch.size; ++p) {
      if (strict.at(p) != Outcome::Undefined || loose.at(p) != Outcome::Ok) continue;
      tell(*expr, batch.at(p), where);
      return;
    }
  }

  void tell(const Expr& expr, const Batch& point, const std::string& where) {
    Counterexample& why = found_.emplace();
    for (const std::optional<Domain>* domain : {&kernel_.parallel, &kernel_.reduce}) {
      if (!*domain) continue;
      for (const Coordinate& coordinate : (*domain)->coordinates) {
        if (point.find(coordinate.variable) == nullptr) continue;
        why.at.emplace_back(coordinate.name, point.value(coordinate.variable, 0));
      }
    }
    if (point.find(kernel_.lane) != nullptr)
      why.lane = static_cast<int>(point.value(kernel_.lane, 0));
    why.expected = "a value that fits";
    why.found = to_string(loose_.scalar(expr, point).value);
    why.text = where + ": " + strict_.scalar(expr, point).reason;
  }

  const Kernel& kernel_;
  Evaluator strict_;
  Evaluator loose_;
  std::optional<Counterexample> found_;
};

}  // namespace

std::optional<Counterexample> overflow_at_corners(const Evaluator& evaluator,
                                                  const Kernel& kernel) {
  return Corners(evaluator, kernel).find();
}

}  // namespace fragproof
