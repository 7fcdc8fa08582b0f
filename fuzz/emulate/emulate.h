// The emulated warp: executes a kernel of the language at one shape, lane by lane, through the
// spec, and compares what it stores with the contraction.
//
// Tensors hold codes, packs are packed, shared tiles staged, each load copies its bits at its
// declared width into the lanes' registers, operands are made of registers, the instruction
// multiplies, all points of reduce are summed, the accumulators are stored under the guard. Only
// addresses are evaluated (by spec/eval); everything else is bytes.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "checkers/result/result.h"
#include "fuzz/emulate/arithmetic.h"
#include "fuzz/emulate/blocks.h"
#include "fuzz/emulate/contraction.h"
#include "fuzz/emulate/registers.h"

namespace fragproof {

// What went wrong, in the order in which one explains another.
enum class FaultKind {
  Undefined,  // an index, `if`, let or extent; an iN(..) that does not fit
  Bounds,     // a load, store or fill source outside its array
  Storage,    // a fill outside, or a bit written twice
  Alignment,  // a load whose address is no multiple of its size
  Unwritten,  // bits that nobody wrote, or that a skipped load left, reach a result that is wrong
  Twice,      // an element of the result is stored twice
  Missing,    // .. or never
  Value,      // .. or wrong
};
[[nodiscard]] const char* name_of(FaultKind kind);  // "bounds", ...

struct Fault {
  FaultKind kind = FaultKind::Value;
  std::string instruction;  // "load a", "store", "mma", ""
  std::optional<int> lane;
  NamedValues at;    // parallel and reduce indices
  std::string text;  // one sentence that says it all
};

// What one execution came to.
struct Emulation {
  bool ran = false;                // false: `reason` says why it could not be executed
  std::string reason;              // "more than 4096 points of parallel and reduce at this shape"
  std::vector<Fault> faults;       // the first of each kind, most telling first; empty: it is right
  std::int64_t wrong = 0, of = 0;  // elements of the result that are wrong
  std::int64_t mmas = 0;           // instructions executed
  std::int64_t terms = 0;          // products summed into one element
  double error = 0, bound = 0;     // Floats: the largest |error|/|bound| decides; both of that one
  [[nodiscard]] bool right() const { return ran && faults.empty(); }
};

struct EmulationSetting {
  DataMode mode = DataMode::Integers;
  std::uint64_t seed = 1;                        // of the data
  std::int64_t points = 1 << 14;                 // of parallel and reduce, at most
  std::int64_t bytes = std::int64_t{256} << 20;  // of the arrays, at most
  bool hoist = true;                             // false: evaluate every index at every lane
};

// A kernel ready to be executed at many shapes; keeps tensors, packs and references of recent
// shapes.
class Emulator {
 public:
  Emulator(const Spec& spec, const Kernel& kernel, const EmulationSetting& setting = {});
  ~Emulator();
  Emulator(const Emulator&) = delete;
  Emulator& operator=(const Emulator&) = delete;

  [[nodiscard]] Emulation run(const Shape& shape);
  [[nodiscard]] const Kernel& kernel() const { return kernel_; }

 private:
  class Run;
  // What depends on few sizes: kept for shapes that agree on those.
  struct World {
    std::vector<Int> key;
    std::shared_ptr<Arrays> arrays = std::make_shared<Arrays>();
    std::optional<Contraction> reference;
  };
  World& world(const Shape& shape);

  const Spec& spec_;
  const Kernel& kernel_;
  EmulationSetting setting_;
  Hoist hoist_;
  std::vector<Ref> places_;              // of the loads, split
  std::vector<const Expr*> conditions_;  // of the loads, split
  OperandProgram a_, b_;
  std::vector<const Variable*> key_sizes_;  // that arrays and extents depend on
  std::vector<const Table*> key_tables_;
  // Of the chunk that runs, by load: registers, and the rows that ldmatrix reads. Kept for their
  // memory.
  std::vector<RegisterFile> registers_, rows_of_;
  std::unordered_map<const Map*, Grid> grids_;  // of built-in fragments
  std::list<World> worlds_;                     // most recent first
};

}  // namespace fragproof
