// Kernels: their statements in order, and what each may depend on.
#include <algorithm>
#include <unordered_set>

#include "spec/foreign.h"
#include "spec/resolve.h"

namespace fragproof {
namespace {

bool is_load_width(int width) {
  return width == 8 || width == 16 || width == 32 || width == 64 || width == 128;
}

// A loading instruction gives each element (lane, elem) a row `src` and a 16-bit unit `col` of it.
bool is_loading(const Map& map) {
  return map.is_fragment && map.element.width == 16 && map.domain.coordinates.size() == 2 &&
         map.outputs.size() == 2 && map.outputs[0].name == "src" && map.outputs[1].name == "col" &&
         !map.name.starts_with("stmatrix.");
}

}  // namespace

void Resolver::kernel(Kernel& kernel) {
  const bool consistent = equation(kernel);
  scopes_.push();
  const auto implicit = [&](const char* name, Variable::Kind kind, unsigned uses) {
    Variable* variable = new_variable(name, kind, kernel.where, uses);
    declare(variable, "implicit name");
    return variable;
  };
  kernel.lane = implicit("lane", Variable::Kind::Lane, uses_lane);
  kernel.row = implicit("row", Variable::Kind::Row, uses_tile);
  kernel.col = implicit("col", Variable::Kind::Col, uses_tile);
  kernel.elem = implicit("elem", Variable::Kind::Elem, uses_tile);
  for (Array* shared : kernel.shared) shared->kernel = &kernel;
  for (Kernel::Step& step : kernel.steps) kernel_step(kernel, step);
  scopes_.pop();
  kernel.fills.clear();
  if (!kernel.mma) {
    error(kernel.where, "kernel `" + kernel.name + "` multiplies nothing",
          "it needs one line `acc += X(a, b)`");
  } else if (!kernel.store) {
    error(kernel.where, "kernel `" + kernel.name + "` stores nothing",
          "it needs one line `store " + kernel.mma->accumulator + " to " + kernel.result.name +
              "[..]`");
  }
  if (consistent) equation_extents(kernel);
}

void Resolver::kernel_step(Kernel& kernel, Kernel::Step& step) {
  using Kind = Kernel::Step::Kind;
  const auto no_lane = [&](const Domain& domain, unsigned mask) {
    const std::string rule =
        "`parallel` and `reduce` are the same for all lanes" +
        std::string(mask == uses_lane ? "" : ", and `parallel` for all of `reduce`");
    for (const Coordinate& coordinate : domain.coordinates) {
      forbid(coordinate.extent, mask, rule);
      uses_[coordinate.variable] &= ~mask;  // said once, not again where the index is used
      for (const DigitBinding& digit : coordinate.digits) uses_[digit.variable] &= ~mask;
      if (coordinate.extent != nullptr) continue;
      error(coordinate.where,
            "`" + coordinate.name + "` has no extent: a kernel's indices are bounded");
    }
    forbid(domain.where, mask, rule);
  };
  switch (step.kind) {
    case Kind::Require:
      kernel_require(*kernel.requires_[step.index]);
      break;
    case Kind::Binding:
      binding(kernel.bindings[step.index]);
      break;
    case Kind::Parallel:
      domain(*kernel.parallel, uses_parallel, "parallel index");
      no_lane(*kernel.parallel, uses_lane | uses_reduce);
      break;
    case Kind::Reduce:
      domain(*kernel.reduce, uses_reduce, "reduce index");
      no_lane(*kernel.reduce, uses_lane);
      break;
    case Kind::Shared:
      kernel_shared(kernel, *kernel.shared[step.index]);
      break;
    case Kind::Fill:
      kernel_fill(kernel, kernel.fills[step.index]);
      break;
    case Kind::Load:
      kernel_load(kernel, *kernel.loads[step.index]);
      break;
    case Kind::Mma:
      mma(kernel, *kernel.mma);
      break;
    case Kind::Store:
      kernel_store(kernel, *kernel.store);
      break;
    case Kind::Launch:
      kernel_launch(kernel, kernel.launches[step.index]);
      break;
  }
}

void Resolver::kernel_require(Expr& e) {
  condition(e, "`require`");
  forbid(&e, uses_points, "a `require` is about sizes and tables, not about lanes and indices");
  charge(&e, cost(&e), e.where);
}

void Resolver::kernel_shared(Kernel&, Array& array) {
  may_name_callable(array.name, array.where);
  for (Expr* extent : array.extents) {
    number(*extent);
    check_extent(*extent, "an extent of `" + array.name + "`");
    forbid(extent, uses_lane, "a shared array is the same for all lanes");
  }
  Symbol symbol;
  symbol.kind = Symbol::Kind::Array;
  symbol.what = "shared array";
  symbol.where = array.where;
  symbol.array = &array;
  scopes_.declare(array.name, symbol);
}

bool Resolver::depends_on(const Array& array, const Array& other) const {
  std::vector<const Array*> pending = {&array};
  std::unordered_set<const Array*> seen = {&array};
  while (!pending.empty()) {
    const Array* at = pending.back();
    pending.pop_back();
    if (at == &other) return true;
    for (const Fill& fill : at->fills) {
      if (fill.source && fill.source->array != nullptr && seen.insert(fill.source->array).second) {
        pending.push_back(fill.source->array);
      }
    }
  }
  return false;
}

void Resolver::kernel_fill(Kernel& kernel, Fill& item) {
  fill(item, nullptr, true);
  Array* array = item.place.array;
  if (array == nullptr) return;
  if (array->kind != Array::Kind::Shared) {
    error(item.place.where, "the `for` lines of a kernel fill its shared arrays; `" +
                                item.place.name + "` is a " +
                                (array->kind == Array::Kind::Tensor ? "tensor" : "pack"));
    return;
  }
  const std::string rule = "a `for` line has no lanes";
  forbid(item.place, uses_lane, rule);
  if (item.source) forbid(*item.source, uses_lane, rule);
  for (const Coordinate& coordinate : item.domain.coordinates)
    forbid(coordinate.extent, uses_lane, rule);
  forbid(item.domain.where, uses_lane, rule);
  if (item.source && item.source->array != nullptr && depends_on(*item.source->array, *array)) {
    error(item.source->where,
          "`" + item.place.name + "` is filled from itself" +
              (item.source->array == array ? "" : ", by way of `" + item.source->name + "`"));
    return;
  }
  array->fills.push_back(item);
  const Cost before = costs_[array];
  const Cost now = cost(item);
  charge(array, {std::max(before.depth, now.depth), before.size + now.size}, item.where);
  (void)kernel;
}

void Resolver::kernel_load(Kernel&, Load& load) {
  const bool placed = ref(load.from);
  if (load.condition != nullptr) condition(*load.condition, "the `if` of a load");
  if (placed) charge(&load, cost(load.from), load.where);
  const std::optional<ElementType> type = find_type(load.type_name);
  if (load.type_name.empty()) {
    load.width = load.from.width;
  } else if (type) {
    load.width = type->width;
  } else if (const Map* map = scopes_.find_map(load.type_name);
             map != nullptr && is_loading(*map)) {
    load.instruction = map;
    const Expr* elems = map->domain.coordinates[1].extent;
    const std::optional<Int> count = elems == nullptr ? std::nullopt : constant(*elems);
    if (!count || *count > 8) {
      error(load.where,
            "`" + load.type_name + "` does not say how many 16-bit elements a lane gets, 2 to 8");
    } else {
      load.width = 16 * static_cast<int>(*count);
    }
    if (placed && load.from.array->kind != Array::Kind::Shared) {
      error(load.from.where,
            "`" + load.type_name + "` reads a shared array, `" + load.from.name + "` is a " +
                (load.from.array->kind == Array::Kind::Tensor ? "tensor" : "pack"));
    }
    forbid(load.condition, uses_lane,
           "all lanes take part in `" + load.type_name + "`: its `if` does not depend on the lane");
  } else if (map != nullptr) {
    error(load.where, "`" + load.type_name + "` is no loading instruction",
          "`ldmatrix.x4`, or a type as in `b128`");
  } else {
    const std::optional<Suggestion> near =
        scopes_.suggest(load.type_name, {"b8", "b16", "b32", "b64", "b128"});
    std::string pasted = foreign_instruction(load.type_name);
    if (pasted.empty()) pasted = foreign_type_help(load.type_name);
    error(load.where, "`" + load.type_name + "` is neither a type nor a loading instruction",
          !pasted.empty() ? pasted
          : near          ? "did you mean `" + near->name + "`?"
                          : "");
  }
  if (load.width != 0 && !is_load_width(load.width)) {
    error(load.where,
          "a load is 8, 16, 32, 64 or 128 bits, this one has " + std::to_string(load.width),
          load.type_name.empty()
              ? "say how much a lane loads: `load " + load.name + " : b32 from ...`"
              : "");
  }
  Symbol symbol;
  symbol.kind = Symbol::Kind::Load;
  symbol.what = "load";
  symbol.where = load.where;
  symbol.load = &load;
  scopes_.declare(load.name, symbol);
}

void Resolver::kernel_store(Kernel& kernel, Store& store) {
  const Found accumulator = scopes_.find(store.accumulator);
  if (accumulator.symbol == nullptr || accumulator.symbol->kind != Symbol::Kind::Accumulator) {
    const std::string help = kernel.mma ? "did you mean `" + kernel.mma->accumulator + "`?" : "";
    error(store.where,
          "`" + store.accumulator + "` is no accumulator: it stands on the left of no `+=` above",
          help);
  }
  in_store_ = true;
  const bool placed = ref(store.to);
  if (store.condition != nullptr) condition(*store.condition, "the `if` of a store");
  in_store_ = false;
  const std::string rule = "a `store` comes after the sum and uses no reduce index";
  forbid(store.to, uses_reduce, rule);
  forbid(store.condition, uses_reduce, rule);
  if (!placed) return;
  charge(&store, cost(store.to), store.where);
  if (kernel.result.tensor != nullptr && store.to.array != kernel.result.tensor) {
    error(store.to.where, "a kernel stores to the result of its equation, `" + kernel.result.name +
                              "`, not to `" + store.to.name + "`");
    return;
  }
  whole_element(kernel, store);
}

// `y.b32[i]` of 32-bit elements is the element with the flat index i: written out as y[i/N, i % N].
void Resolver::whole_element(Kernel&, Store& store) {
  Ref& to = store.to;
  if (to.units.empty()) return;
  if (!to.index.empty() || to.units.size() != 1 || to.width != to.array->element.width) {
    error(to.where, "a `store` goes to one element of `" + to.name + "`, `" + to.name + "[..]`");
    return;
  }
  const std::vector<Expr*>& extents = to.array->extents;
  Expr* flat = to.units[0].index;
  const auto operation = [&](Binary op, Expr* a, Expr* b) {
    Expr* e = arena_.make<Expr>();
    e->kind = Expr::Kind::Binary;
    e->binary = op;
    e->args = {a, b};
    e->where = to.where;
    e->type = {Type::Kind::Number, 1, 0, {}};
    return e;
  };
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::vector<Expr*> inner(extents.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                   extents.end());
    Expr* digit = inner.empty() ? flat : operation(Binary::Div, flat, product(inner, to.where));
    if (i > 0) digit = operation(Binary::Mod, digit, extents[i]);
    to.index.push_back(digit);
  }
  to.units.clear();
}

void Resolver::kernel_launch(Kernel&, Launch& launch) {
  const std::string rule = "a launch is about sizes, not about lanes and indices";
  for (std::vector<Expr*>* list : {&launch.grid, &launch.block, &launch.shared}) {
    for (Expr* e : *list) {
      number(*e);
      forbid(e, uses_points, rule);
    }
  }
  for (const Launch::Argument& argument : launch.args) {
    if (argument.value != nullptr) {
      number(*argument.value);
      forbid(argument.value, uses_points, rule);
      continue;
    }
    const Found found = scopes_.find(argument.name);
    if (found.symbol == nullptr) {
      unknown_name(argument.name, launch.where);
    } else if (found.symbol->array == nullptr || found.symbol->array->kind == Array::Kind::Shared) {
      if (found.symbol->kind == Symbol::Kind::Broken) continue;
      const bool is_number = found.symbol->kind == Symbol::Kind::Variable;
      error(launch.where,
            "`" + argument.name + "` is a " + found.symbol->what +
                ", an argument is a tensor or pack by name",
            is_number ? "integers say how wide they are: `i32(" + argument.name + ")`" : "");
    }
  }
  for (std::size_t at = launch.symbol.find('{'); at != std::string::npos;
       at = launch.symbol.find('{', at + 1)) {
    const std::size_t end = launch.symbol.find('}', at);
    const std::string name =
        launch.symbol.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    const Found found = scopes_.find(name);
    const bool is_size = found.symbol != nullptr && found.symbol->variable != nullptr &&
                         found.symbol->variable->kind == Variable::Kind::Size;
    if (end != std::string::npos && is_size) continue;
    error(launch.where, "`{" + name +
                            "}` in a launch symbol stands for the value of a size, and `" + name +
                            "` is none");
  }
}

}  // namespace fragproof
