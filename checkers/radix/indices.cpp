// What a kernel evaluates before anything is computed: every index defined and inside, and
// something to do.
#include <algorithm>

#include "checkers/radix/operands.h"

namespace fragproof::radix {

namespace {

void reached(const Array* array, std::vector<const Array*>& out) {
  if (array == nullptr || std::find(out.begin(), out.end(), array) != out.end()) return;
  out.push_back(array);
  for (const Fill& fill : array->fills) {
    if (fill.source) reached(fill.source->array, out);
  }
}

}  // namespace

std::vector<const Array*> KernelPoint::arrays_read() const {
  std::vector<const Array*> out;
  for (const Load* load : kernel_.loads) reached(load->from.array, out);
  return out;
}

void KernelPoint::bind_without_lane(const Kernel::Step& step) {
  if (step.kind != Kernel::Step::Kind::Binding) return;
  const Binding& binding = kernel_.bindings[step.index];
  const bool later =
      std::find(lane_bindings_.begin(), lane_bindings_.end(), &binding) != lane_bindings_.end();
  if (!later) e_.bind_let(binding);
}

void KernelPoint::show_something_reduced() {
  for (const Kernel::Step& step : kernel_.steps) {
    bind_without_lane(step);
    if (step.kind == Kernel::Step::Kind::Parallel) {
      parallel_ = e_.bind(*kernel_.parallel, "parallel/", false);
      if (parallel_.empty || !enter(context_, parallel_.guard)) throw EmptyCase{};
    }
    if (step.kind != Kernel::Step::Kind::Reduce) continue;
    if (!e_.surely_some(*kernel_.reduce)) throw GiveUp{"not shown: there is something to sum over"};
    return;
  }
}

bool KernelPoint::some_point() {
  for (const Kernel::Step& step : kernel_.steps) {
    bind_without_lane(step);
    if (step.kind == Kernel::Step::Kind::Parallel && !e_.surely_some(*kernel_.parallel))
      return false;
    if (step.kind == Kernel::Step::Kind::Reduce && !e_.surely_some(*kernel_.reduce)) return false;
  }
  return true;
}

void KernelPoint::show_units(const fragproof::Value& value) {
  // The width before each unit: of the load, the conversion or the join, then of the unit before.
  int containing = 0;
  switch (value.kind) {
    case fragproof::Value::Kind::Load:
      containing = value.load->width;
      break;
    case fragproof::Value::Kind::Convert:
      containing = value.type.width;
      break;
    case fragproof::Value::Kind::Join:
      for (const fragproof::Value& part : value.parts) containing += part.width;
      break;
  }
  for (const Unit& unit : value.units) {
    const Poly i = e_.number(*unit.index);
    e_.need(i, "a part of an operand is not negative");
    e_.need(Poly(containing) - (i + 1) * Poly(unit.width), "a part of an operand is inside");
    containing = unit.width;
  }
  for (const fragproof::Value& part : value.parts) show_units(part);
}

void KernelPoint::show_fills(const Array& array) {
  e_.show_conditions(array);
  for (std::size_t i = 0; i < array.fills.size(); ++i) {
    const Fill& fill = array.fills[i];
    if (!fill.source && !e_.check_widths) continue;
    const std::size_t mark = context_.mark();
    const auto domain =
        e_.bind(fill.domain, "source " + array.name + std::to_string(i) + "/", false);
    if (!domain.empty && enter(context_, domain.guard)) {
      if (fill.source) (void)e_.address(*fill.source);
      if (e_.check_widths) (void)e_.address(fill.place);
    }
    context_.release(mark);
  }
}

void KernelPoint::show_indices() {
  const std::size_t outside = context_.mark();
  // What a pack or a store says is asked whether or not there is anything to load.
  for (const Array* array : arrays_read()) {
    if (array->kind != Array::Kind::Shared) show_fills(*array);
  }
  show_something_reduced();
  context_.release(outside);
  bind(Mode::All, Mode::All);
  const Poly lanes = e_.number(*fragment('A').domain.coordinates.at(0).extent);
  const Poly lane = context_.digit("lane/lane", lanes);
  set_lane(lane);
  for (const Load* load : kernel_.loads) {
    const std::size_t mark = context_.mark();
    if (load->condition == nullptr || enter(context_, e_.condition(*load->condition))) {
      const Poly address = e_.address(load->from);
      const int bits = load->instruction != nullptr ? 128 : load->width;
      e_.need(e_.granules(*load->from.array) - address - Poly(bits / e_.granule_bits()),
              "load `" + load->name + "` ends inside `" + load->from.array->name + "`");
    }
    context_.release(mark);
  }
  show_units(kernel_.mma->value_a);
  show_units(kernel_.mma->value_b);
  for (const Array* array : arrays_read()) {
    if (array->kind == Array::Kind::Shared) show_fills(*array);
  }
  const Map& c = fragment('C');
  const Poly elem = context_.digit("elem/elem", e_.number(*c.domain.coordinates.at(1).extent));
  const std::vector<Poly> tile = e_.apply(c, {lane, elem});
  set_lane(lane);
  e_.set(kernel_.elem, elem);
  e_.set(kernel_.row, tile.at(0));
  e_.set(kernel_.col, tile.at(1));
  const std::size_t mark = context_.mark();
  if (kernel_.store->condition == nullptr ||
      enter(context_, e_.condition(*kernel_.store->condition))) {
    (void)e_.address(kernel_.store->to);
  }
  context_.release(mark);
}

}  // namespace fragproof::radix
