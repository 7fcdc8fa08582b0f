#include "fuzz/emulate/emulate.h"

#include <algorithm>

#include "checkers/enumerate/uses.h"
#include "fuzz/emulate/run.h"

namespace fragproof {
namespace {

constexpr std::size_t most_worlds = 8;

}  // namespace

const char* name_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::Undefined:
      return "undefined";
    case FaultKind::Bounds:
      return "bounds";
    case FaultKind::Storage:
      return "storage";
    case FaultKind::Alignment:
      return "alignment";
    case FaultKind::Unwritten:
      return "unwritten";
    case FaultKind::Twice:
      return "twice";
    case FaultKind::Missing:
      return "missing";
    case FaultKind::Value:
      return "value";
  }
  return "?";
}

Emulator::Emulator(const Spec& spec, const Kernel& kernel, const EmulationSetting& setting)
    : spec_(spec),
      kernel_(kernel),
      setting_(setting),
      hoist_(kernel),
      a_(kernel.mma->value_a, hoist_, kernel.loads),
      b_(kernel.mma->value_b, hoist_, kernel.loads) {
  registers_.resize(kernel.loads.size());
  rows_of_.resize(kernel.loads.size());
  for (const Load* load : kernel.loads) {
    places_.push_back(hoist_.split(load->from));
    conditions_.push_back(hoist_.split(load->condition));
  }
  fragproof::Uses uses;
  for (const Factor* factor : {&kernel.first, &kernel.second, &kernel.result}) {
    uses.add(*factor->tensor);
  }
  const auto add = [&](const Array& array) {
    if (array.kind != Array::Kind::Shared) uses.add(array);
  };
  for (const Load* load : kernel.loads) add(*load->from.array);
  for (const Array* shared : kernel.shared) {
    for (const Fill& fill : shared->fills) {
      if (fill.source) add(*fill.source->array);
    }
  }
  key_sizes_.assign(uses.sizes.begin(), uses.sizes.end());
  key_tables_.assign(uses.tables.begin(), uses.tables.end());
}

Emulator::~Emulator() = default;

Emulator::World& Emulator::world(const Shape& shape) {
  std::vector<Int> key;
  for (const Variable* size : key_sizes_) {
    for (const auto& [variable, value] : shape.sizes) {
      if (variable == size) key.push_back(value);
    }
  }
  for (const Table* table : key_tables_) {
    const auto it = shape.tables.find(table);
    if (it != shape.tables.end()) key.insert(key.end(), it->second.begin(), it->second.end());
  }
  const auto known = std::find_if(worlds_.begin(), worlds_.end(),
                                  [&](const World& world) { return world.key == key; });
  if (known != worlds_.end()) {
    worlds_.splice(worlds_.begin(), worlds_, known);
    return worlds_.front();
  }
  if (worlds_.size() == most_worlds) worlds_.pop_back();
  worlds_.emplace_front().key = std::move(key);
  return worlds_.front();
}

Emulation Emulator::run(const Shape& shape) {
  World& world = this->world(shape);
  if (world.arrays->bytes > setting_.bytes / 4) {  // large ones are not kept for long
    while (worlds_.size() > 1) worlds_.pop_back();
  }
  return Run(*this, shape, world).execute();
}

}  // namespace fragproof
