#include "fuzz/emulate/registers.h"

#include <algorithm>
#include <cstring>

#include "fuzz/emulate/number.h"
#include "spec/columns.h"

namespace fragproof {
namespace {

int base_width(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Load:
      return value.load->width;
    case Value::Kind::Convert:
      return value.type.width;
    case Value::Kind::Join:
      break;
  }
  int width = 0;
  for (const Value& part : value.parts) width += part.width;
  return width;
}

// Copies `bytes` bytes for each pair; a constant size makes it a move.
template <std::size_t size>
void copy_units(const RegisterFile& from, std::span<const std::int64_t> index, RegisterFile& to,
                std::size_t pairs) {
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const auto at = static_cast<std::size_t>(index[index.size() == 1 ? 0 : pair]) * size;
    std::memcpy(to.at(pair), from.at(pair) + at, size);
  }
}

void take_units(const RegisterFile& from, std::span<const std::int64_t> index, int width,
                RegisterFile& to, std::size_t pairs) {
  switch (width) {
    case 8:
      return copy_units<1>(from, index, to, pairs);
    case 16:
      return copy_units<2>(from, index, to, pairs);
    case 32:
      return copy_units<4>(from, index, to, pairs);
    case 64:
      return copy_units<8>(from, index, to, pairs);
    case 128:
      return copy_units<16>(from, index, to, pairs);
    default:
      break;
  }
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    copy_bits(from.at(pair), index[index.size() == 1 ? 0 : pair] * width, to.at(pair), 0, width);
  }
}

}  // namespace

OperandProgram::OperandProgram(const Value& value, Hoist& hoist, const std::vector<Load*>& loads)
    : root_(build(value, hoist, loads)) {}

OperandProgram::Node OperandProgram::build(const Value& value, Hoist& hoist,
                                           const std::vector<Load*>& loads) {
  Node node;
  node.value = &value;
  if (value.kind == Value::Kind::Load) {
    node.load =
        static_cast<std::size_t>(std::find(loads.begin(), loads.end(), value.load) - loads.begin());
  }
  for (const Value& part : value.parts) node.parts.push_back(build(part, hoist, loads));
  for (const Unit& unit : value.units) node.indices.push_back(hoist.split(unit.index));
  node.units.resize(node.indices.size());
  return node;
}

const RegisterFile& OperandProgram::run(const Chunk& chunk, std::optional<PartFault>& fault) {
  return run(root_, chunk, fault);
}

const RegisterFile& OperandProgram::run(Node& node, const Chunk& chunk,
                                        std::optional<PartFault>& fault) {
  const RegisterFile* bits = &base(node, chunk, fault);
  int width = base_width(*node.value);
  const std::size_t pairs = chunk.batch.size;
  for (std::size_t u = 0; u < node.indices.size(); ++u) {
    const Unit& unit = node.value->units[u];
    const Int count = width / unit.width;
    const Values values = chunk.evaluator.evaluate(*node.indices[u], chunk.batch);
    std::vector<std::int64_t> index;
    const Column& column = values.members[0];
    if (column.uniform() && values.all_ok() && !column.is_wide()) {
      index = column.narrow;
    } else {
      index = spread(column, pairs);
    }
    for (std::size_t i = 0; i < index.size(); ++i) {
      const bool right = values.at(i) == Outcome::Ok && index[i] >= 0 && index[i] < count;
      if (right) continue;
      // With one index for all pairs, the first pair that takes part is named.
      std::size_t pair = i;
      while (index.size() == 1 && pair + 1 < pairs && chunk.failed[pair] != 0) ++pair;
      if (chunk.failed[pair] == 0 && !fault) {
        fault = PartFault{pair, &unit, node.value, count};
      }
      index[i] = 0;
    }
    node.units[u].resize(pairs, unit.width);
    take_units(*bits, index, unit.width, node.units[u], pairs);
    bits = &node.units[u];
    width = unit.width;
  }
  return *bits;
}

const RegisterFile& OperandProgram::base(Node& node, const Chunk& chunk,
                                         std::optional<PartFault>& fault) {
  const Value& value = *node.value;
  const std::size_t pairs = chunk.batch.size;
  if (value.kind == Value::Kind::Load) return chunk.loads[node.load];
  std::vector<const RegisterFile*> parts;
  for (Node& part : node.parts) parts.push_back(&run(part, chunk, fault));
  node.own.resize(pairs, base_width(value));
  if (value.kind == Value::Kind::Join) {
    join(node, parts, pairs);
  } else {
    convert(node, *parts.front(), chunk, pairs);
  }
  return node.own;
}

void OperandProgram::join(Node& node, const std::vector<const RegisterFile*>& parts,
                          std::size_t pairs) {
  int at = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const int width = node.parts[p].value->width;
    if (at % 8 == 0 && width == 32) {  // the common case: a register
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        std::memcpy(node.own.at(pair) + at / 8, parts[p]->at(pair), 4);
      }
    } else {
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        copy_bits(parts[p]->at(pair), 0, node.own.at(pair), at, width);
      }
    }
    at += width;
  }
}

void OperandProgram::convert(Node& node, const RegisterFile& from, const Chunk& chunk,
                             std::size_t pairs) {
  const int width = node.parts.front().value->width;
  const ElementType& to = node.value->type;
  const Node* leaf = &node;
  while (!leaf->parts.empty()) leaf = &leaf->parts.front();
  const ElementType& type = node.parts.front().value->kind == Value::Kind::Convert
                                ? node.parts.front().value->type
                                : *chunk.load_types[leaf->load];
  const bool real = chunk.mode == DataMode::Floats && type.width == width;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    std::uint64_t bits = read_bits(from.at(pair), 0, std::min(width, 64));
    if (real) {
      bits = bits_of(to, value_of(type, bits));
    } else {
      bits = static_cast<std::uint64_t>(sign_extended(bits, width));
    }
    write_bits(node.own.at(pair), 0, std::min(to.width, 64), bits);
  }
}

int OperandProgram::narrowest_conversion() const {
  int narrowest = 64;
  std::vector<const Node*> open{&root_};
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (node->value->kind == Value::Kind::Convert) {
      narrowest = std::min(narrowest, node->value->type.width);
    }
    for (const Node& part : node->parts) open.push_back(&part);
  }
  return narrowest;
}

const ElementType* OperandProgram::converted_to() const {
  const Node* node = &root_;
  while (node->value->kind == Value::Kind::Join) node = &node->parts.front();
  return node->value->kind == Value::Kind::Convert ? &node->value->type : nullptr;
}

std::size_t OperandProgram::first_load() const {
  const Node* node = &root_;
  while (!node->parts.empty()) node = &node->parts.front();
  return node->load;
}

}  // namespace fragproof
