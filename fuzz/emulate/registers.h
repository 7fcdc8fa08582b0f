// The registers of all lanes at the points of a chunk: what loads put there, and the operand values
// made of them (units, joins, conversions).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fuzz/emulate/blocks.h"
#include "fuzz/emulate/hoist.h"

namespace fragproof {

// One value at each (point, lane) of a chunk, `stride` bytes apart.
struct RegisterFile {
  std::size_t stride = 0;
  std::vector<std::uint8_t> bytes;
  void resize(std::size_t pairs, int bits) {
    stride = static_cast<std::size_t>((bits + 7) / 8);
    bytes.resize(pairs * stride + 32);  // 8-byte reads at the last lane stay inside
  }
  [[nodiscard]] std::uint8_t* at(std::size_t pair) { return bytes.data() + pair * stride; }
  [[nodiscard]] const std::uint8_t* at(std::size_t pair) const {
    return bytes.data() + pair * stride;
  }
};

// An index that does not name a unit: of which part, at which (point, lane) of the chunk.
struct PartFault {
  std::size_t pair = 0;
  const Unit* unit = nullptr;
  const Value* value = nullptr;
  Int count = 0;  // units there are
};

// The program that makes one operand from the loads: built once a kernel.
class OperandProgram {
 public:
  // `value` as the kernel writes it; its unit indices are split by `hoist`.
  OperandProgram(const Value& value, Hoist& hoist, const std::vector<Load*>& loads);

  // What a chunk of points has before the operands are made.
  struct Chunk {
    Evaluator& evaluator;
    const Batch& batch;                       // the (point, lane) pairs
    const std::vector<std::uint8_t>& failed;  // pairs that are left out
    const std::vector<RegisterFile>& loads;   // by load of the kernel
    DataMode mode = DataMode::Integers;
    // In float mode: what a conversion reads, by load.
    const std::vector<const ElementType*>& load_types;
  };
  // The operand's registers at a chunk; they live until the next call. The first wrong unit index
  // goes to `fault` where there is none yet; an index beyond 128 bits counts as wrong.
  const RegisterFile& run(const Chunk& chunk, std::optional<PartFault>& fault);

  // Bits of the narrowest type that a whole element is converted to; 64 when there is none.
  [[nodiscard]] int narrowest_conversion() const;
  // The type that the operand's slots have: of the last conversion; null when there is none.
  [[nodiscard]] const ElementType* converted_to() const;
  // The load that the first slot comes from.
  [[nodiscard]] std::size_t first_load() const;

 private:
  struct Node {
    const Value* value = nullptr;
    std::size_t load = 0;
    std::vector<Node> parts;
    std::vector<const Expr*> indices;  // of the value's units, split
    RegisterFile own;                  // joined or converted
    std::vector<RegisterFile> units;   // after each unit
  };
  Node build(const Value& value, Hoist& hoist, const std::vector<Load*>& loads);
  const RegisterFile& run(Node& node, const Chunk& chunk, std::optional<PartFault>& fault);
  const RegisterFile& base(Node& node, const Chunk& chunk, std::optional<PartFault>& fault);
  void join(Node& node, const std::vector<const RegisterFile*>& parts, std::size_t pairs);
  void convert(Node& node, const RegisterFile& from, const Chunk& chunk, std::size_t pairs);

  Node root_;
};

}  // namespace fragproof
