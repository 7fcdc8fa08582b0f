// The obligation `overflow`: every iN(..) and uN(..) of a kernel fits, wherever it is computed.

#include <algorithm>

#include "checkers/enumerate/kernel_trace.h"
#include "checkers/enumerate/kernel_uses.h"
#include "checkers/enumerate/kernel_words.h"

namespace fragproof {

namespace {

// An expression (or place) is wrong where it is defined as long as iN(e) counts as e, and undefined
// otherwise.
class Overflow {
 public:
  explicit Overflow(Trace& trace)
      : t_(trace), strict_(trace.evaluator.spec(), trace.evaluator.shape(), options()) {}

  Finding judge() {
    count_indices();
    if (!any_width()) {
      finding_.asked = true;
      finding_.note = "nothing to check: " + finding_.note;
      return finding_;
    }
    outside_of_points();
    for (const KernelPoints::Chunk& chunk : t_.points->points) {
      at_points(chunk);
      at_lanes(t_.points->with_lanes(chunk));
    }
    if (store_has_width()) {
      for (const KernelPoints::Chunk& chunk : t_.points->tiles)
        at_slots(t_.points->with_slots(chunk, t_.c));
    }
    finding_.asked = finding_.of > 0;
    finding_.failed = finding_.wrong > 0;
    if (finding_.example) {
      finding_.example->wrong = finding_.wrong;
      finding_.example->of = finding_.of;
    }
    return finding_;
  }

 private:
  Evaluator::Options options() {
    Evaluator::Options options = t_.evaluator.options();
    options.check_widths = true;
    return options;
  }

  void count_indices() {
    int all = 0, without = 0;
    const auto count = [&](const Ref& ref) {
      for (const Expr* index : ref.index) ++all, without += lacks_width(*index) ? 1 : 0;
      for (const Unit& unit : ref.units) ++all, without += lacks_width(*unit.index) ? 1 : 0;
    };
    for (const Load* load : t_.kernel.loads) count(load->from);
    for (const Array* array : t_.kernel.shared) {
      for (const Fill& fill : array->fills) {
        count(fill.place);
        if (fill.source) count(*fill.source);
      }
    }
    count(t_.kernel.store->to);
    finding_.note =
        std::to_string(without) + " of " + std::to_string(all) + " index expressions have no width";
  }

  [[nodiscard]] bool domain_has_width(const Domain& domain) const {
    bool found = has_width(domain.where);
    for (const Coordinate& coordinate : domain.coordinates)
      found = found || has_width(coordinate.extent);
    return found;
  }
  [[nodiscard]] bool fill_has_width(const Fill& fill) const {
    return domain_has_width(fill.domain) || has_width(fill.place) ||
           (fill.source && has_width(*fill.source));
  }
  [[nodiscard]] bool store_has_width() const {
    return has_width(t_.kernel.store->condition) || has_width(t_.kernel.store->to);
  }
  [[nodiscard]] bool value_has_width(const Value& value) const {
    return std::any_of(value.units.begin(), value.units.end(),
                       [](const Unit& u) { return has_width(u.index); }) ||
           std::any_of(value.parts.begin(), value.parts.end(),
                       [&](const Value& v) { return value_has_width(v); });
  }
  [[nodiscard]] bool any_width() const {
    const Kernel& kernel = t_.kernel;
    for (const Binding& binding : kernel.bindings) {
      if (has_width(binding.value) || has_width(binding.next)) return true;
    }
    for (const Load* load : kernel.loads) {
      if (has_width(load->condition) || has_width(load->from)) return true;
    }
    for (const Array* array : kernel.shared) {
      for (const Fill& fill : array->fills) {
        if (fill_has_width(fill)) return true;
      }
    }
    for (const std::optional<Domain>* domain : {&kernel.parallel, &kernel.reduce}) {
      if (*domain && domain_has_width(**domain)) return true;
    }
    for (const Launch& launch : kernel.launches) {
      for (const Launch::Argument& argument : launch.args) {
        if (argument.value != nullptr && (argument.width > 0 || has_width(argument.value)))
          return true;
      }
    }
    return store_has_width() || value_has_width(kernel.mma->value_a) ||
           value_has_width(kernel.mma->value_b);
  }

  // Counts one evaluation; true if it overflows.
  bool wrong(Outcome plain, Outcome strict) {
    if (plain == Outcome::Ok && strict == Outcome::Overflow && t_.unknown.empty()) {
      t_.unknown = "an iN(..): " + strict_.undecided();
    }
    if (plain != Outcome::Ok) return false;  // not defined anyway: `bounds` told so
    ++finding_.of;
    if (strict != Outcome::Undefined) return false;
    ++finding_.wrong;
    t_.left_out = true;
    return true;
  }

  void tell(const std::string& what, NamedValues at, std::optional<int> lane,
            const std::string& reason) {
    if (finding_.example) return;
    Counterexample example;
    example.at = std::move(at);
    example.lane = lane;
    example.found = reason;
    example.text = (lane ? lane_text(t_.a.grid, *lane) + ": " : std::string()) + what +
                   at_text(example.at) + ": " + reason;
    finding_.example = std::move(example);
  }

  // The extents of parallel and reduce, the arguments of a launch.
  void outside_of_points() {
    for (const Launch& launch : t_.kernel.launches) {
      for (const Launch::Argument& argument : launch.args) {
        if (argument.value == nullptr) continue;
        const Scalar plain = t_.evaluator.scalar(*argument.value);
        Scalar strict = strict_.scalar(*argument.value);
        if (strict.outcome == Outcome::Ok && argument.width > 0 && argument.width < 127) {
          // The argument is iN(e) itself; `value` may be e alone. Unsigned arguments may use all N
          // bits.
          const bool is_unsigned =
              argument.value->kind == Expr::Kind::Width && !argument.value->is_signed;
          const Int limit = Int{1} << (argument.width - (is_unsigned ? 0 : 1));
          if (strict.value >= limit || strict.value < (is_unsigned ? Int{0} : -limit)) {
            strict.outcome = Outcome::Undefined;
            strict.reason =
                to_string(strict.value) + " does not fit i" + std::to_string(argument.width);
          }
        }
        if (wrong(plain.outcome, strict.outcome))
          tell("launch argument", {}, std::nullopt, strict.reason);
      }
    }
    const auto extents = [&](const std::optional<Domain>& domain, const Batch& batch,
                             std::size_t first, bool outer) {
      if (!domain) return;
      for (const Coordinate& coordinate : domain->coordinates) {
        if (coordinate.extent == nullptr || !has_width(coordinate.extent)) continue;
        const Values plain = t_.evaluator.evaluate(*coordinate.extent, batch);
        const Values strict = strict_.evaluate(*coordinate.extent, batch);
        for (std::size_t i = 0; i < batch.size; ++i) {
          if (!wrong(plain.at(i), strict.at(i)) || finding_.example) continue;
          tell("extent of " + coordinate.variable->name,
               outer ? NamedValues{} : t_.points->at_tile(first + i), std::nullopt,
               strict_.scalar(*coordinate.extent, batch.at(i)).reason);
        }
      }
    };
    for (const KernelPoints::Chunk& chunk : t_.points->tiles) {
      extents(t_.kernel.parallel, chunk.batch, chunk.first, true);
      extents(t_.kernel.reduce, chunk.batch, chunk.first, false);
    }
  }

  // The fills of shared arrays.
  void at_points(const KernelPoints::Chunk& chunk) {
    for (const LoadTrace& load : t_.loads) {
      const Array& array = *load.load->from.array;
      if (array.kind != Array::Kind::Shared) continue;
      for (const Fill& fill : array.fills) {
        if (!fill_has_width(fill)) continue;
        for (std::size_t i = 0; i < chunk.batch.size; ++i) {
          if (chunk.failed[i] == 0) one_fill(array, fill, chunk.batch.at(i), chunk.first + i);
        }
      }
    }
  }

  void one_fill(const Array& array, const Fill& fill, const Batch& point, std::size_t number) {
    const auto fill_wrong = [&](std::string reason) {
      tell("a fill of " + array.name, t_.points->at_point(number), std::nullopt, reason);
      for (LoadTrace& load : t_.loads) {
        if (load.load->from.array != &array) continue;
        const auto begin = load.access.begin() + static_cast<std::ptrdiff_t>(number * t_.lanes());
        std::fill(begin, begin + static_cast<std::ptrdiff_t>(t_.lanes()), Access::Failed);
      }
    };
    const Walk walked = t_.evaluator.walk(fill.domain, point, [&](const Batch& batch) {
      for (const Ref* ref : {&fill.place, fill.source ? &*fill.source : nullptr}) {
        if (ref == nullptr || !has_width(*ref)) continue;
        const Places plain = t_.evaluator.place(*ref, batch);
        const Places strict = strict_.place(*ref, batch);
        for (std::size_t i = 0; i < batch.size; ++i) {
          if (!wrong(plain.at(i), strict.at(i))) continue;
          std::string reason;
          (void)strict_.place(*ref, batch.at(i), &reason);
          fill_wrong(std::move(reason));
        }
      }
      return true;
    });
    const Walk strict = strict_.walk(fill.domain, point, [](const Batch&) { return true; });
    const auto at = [](const Walk& walk) {
      return walk.domain.empty() ? Outcome::Ok : walk.domain[0];
    };
    if (domain_has_width(fill.domain) && wrong(at(walked), at(strict))) fill_wrong(strict.reason);
  }

  void fail_lane(std::size_t index) {
    for (LoadTrace& load : t_.loads) load.access[index] = Access::Failed;
  }

  void at_lanes(const KernelPoints::Chunk& lanes) {
    const Batch& batch = lanes.batch;
    const auto place_in = [&](std::size_t i) {
      return std::pair((lanes.first + i) / t_.lanes(),
                       static_cast<int>((lanes.first + i) % t_.lanes()));
    };
    const auto check = [&](const Expr& expr, const std::string& what, const auto& counts,
                           const auto& fail) {
      const Values plain = t_.evaluator.evaluate(expr, batch);
      const Values strict = strict_.evaluate(expr, batch);
      for (std::size_t i = 0; i < batch.size; ++i) {
        if (lanes.failed[i] != 0 || !counts(i) || !wrong(plain.at(i), strict.at(i))) continue;
        fail(lanes.first + i);
        const auto [point, lane] = place_in(i);
        if (!finding_.example) {
          tell(what, t_.points->at_point(point), lane, strict_.scalar(expr, batch.at(i)).reason);
        }
      }
    };
    const auto always = [](std::size_t) { return true; };
    const auto whole_lane = [&](std::size_t index) { fail_lane(index); };
    for (const Binding& binding : t_.kernel.bindings) {
      const Variable* variable = binding.kind == Binding::Kind::Digits
                                     ? binding.digits.front().variable
                                     : binding.variable;
      if (batch.find(variable) == nullptr) continue;  // of the store alone
      const std::string what =
          (binding.kind == Binding::Kind::Carry ? "carry " : "let ") + variable->name;
      if (has_width(binding.value)) check(*binding.value, what, always, whole_lane);
      if (binding.next == nullptr || !has_width(binding.next)) continue;
      const Values extent = extent_of(binding.over, batch);
      check(
          *binding.next, what,  // the step after the last is never taken
          [&](std::size_t i) {
            return extent.at(i) == Outcome::Ok &&
                   batch.value(binding.over, i) + 1 < extent.members[0].at(i);
          },
          whole_lane);
    }
    for (LoadTrace& load : t_.loads) {
      const auto this_load = [&](std::size_t index) { load.access[index] = Access::Failed; };
      if (has_width(load.load->condition)) {
        check(*load.load->condition, "the `if` of load " + load.load->name, always, this_load);
      }
      if (!has_width(load.load->from)) continue;
      const Places strict = strict_.place(load.load->from, batch);
      for (std::size_t i = 0; i < batch.size; ++i) {
        if (load.access[lanes.first + i] != Access::Done || !wrong(Outcome::Ok, strict.at(i)))
          continue;
        this_load(lanes.first + i);
        if (finding_.example) continue;
        const auto [point, lane] = place_in(i);
        std::string reason;
        (void)strict_.place(load.load->from, batch.at(i), &reason);
        tell("load " + load.load->name, t_.points->at_point(point), lane, reason);
      }
    }
    const auto units = [&](const auto& self, const Value& value) -> void {
      for (const Value& part : value.parts) self(self, part);
      for (const Unit& unit : value.units) {
        if (has_width(unit.index)) check(*unit.index, "a unit of an operand", always, whole_lane);
      }
    };
    units(units, t_.kernel.mma->value_a);
    units(units, t_.kernel.mma->value_b);
  }

  Values extent_of(const Variable* index, const Batch& batch) {
    for (const std::optional<Domain>* domain : {&t_.kernel.parallel, &t_.kernel.reduce}) {
      if (!*domain) continue;
      for (const Coordinate& coordinate : (*domain)->coordinates) {
        if (coordinate.variable == index && coordinate.extent != nullptr) {
          return t_.evaluator.evaluate(*coordinate.extent, batch);
        }
      }
    }
    return Values(Column(Int{INT64_MAX}));
  }

  void at_slots(const KernelPoints::Chunk& slots) {
    const Store& store = *t_.kernel.store;
    const Batch& batch = slots.batch;
    const auto fail = [&](std::size_t i, const std::string& reason) {
      const std::size_t number = slots.first + i;
      t_.store[number] = Access::Failed;
      tell("store", t_.points->at_tile(number / t_.c.size()),
           static_cast<int>(number % t_.c.size()) / t_.c.elems, reason);
    };
    if (has_width(store.condition)) {
      const Values plain = t_.evaluator.evaluate(*store.condition, batch);
      const Values strict = strict_.evaluate(*store.condition, batch);
      for (std::size_t i = 0; i < batch.size; ++i) {
        if (slots.failed[i] == 0 && wrong(plain.at(i), strict.at(i))) {
          fail(i, strict_.scalar(*store.condition, batch.at(i)).reason);
        }
      }
    }
    if (!has_width(store.to)) return;
    const Places strict = strict_.place(store.to, batch);
    for (std::size_t i = 0; i < batch.size; ++i) {
      if (t_.store[slots.first + i] != Access::Done || !wrong(Outcome::Ok, strict.at(i))) continue;
      std::string reason;
      (void)strict_.place(store.to, batch.at(i), &reason);
      fail(i, reason);
    }
  }

  Trace& t_;
  Evaluator strict_;
  Finding finding_;
};

}  // namespace

Finding judge_overflow(Trace& trace) { return Overflow(trace).judge(); }

}  // namespace fragproof
