// All that a kernel does at one shape, as plain tables: what each lane's loads fetch, which tensor
// element each operand slot holds, where each accumulator goes. The obligations are judged on these
// tables, in the order of LANGUAGE.md section 6; what fails one is marked and left out of those
// below.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkers/enumerate/kernel_memory.h"
#include "checkers/enumerate/kernel_points.h"
#include "checkers/result/result.h"
#include "spec/eval.h"

namespace fragproof {

// What became of a lane's load, or of a store of one slot.
enum class Access : std::uint8_t { Done, Skipped, Zeroed, Failed };

// One load over all points and lanes: index point*lanes + lane.
struct LoadTrace {
  const Load* load = nullptr;
  int bits = 0;  // fetched at one address: a row of 128 for ldmatrix, else the load's width
  Grid grid;     // of ldmatrix: (lane, elem) -> (src, col)
  std::vector<Access> access;
  std::vector<std::int64_t> address;  // in bits from the array's start, where Done
  std::vector<std::uint8_t> broken;   // a point: its array fails `storage` there
};

// A factor of the equation as numbers: which of its coordinates are summed, what an element is
// called.
struct FactorTrace {
  const Factor* factor = nullptr;
  int width = 0;                   // bits of an element
  std::int64_t base = 0, end = 0;  // codes of its bits
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> stride;  // of each coordinate, in elements
  std::vector<std::int64_t>
      outer_stride;  // of each coordinate in the number of its outer indices; 0: summed
  std::vector<std::int64_t> k_stride;  // of each coordinate in the number of k; 0: not summed
  std::vector<int> result_position;    // of each coordinate among y's indices; -1: summed
};

enum class Held : std::uint8_t { Zero, Whole, Bad };

// One operand over all points: cell (point*lanes + lane)*elems + elem.
struct Operand {
  Grid grid;
  const Value* value = nullptr;
  int factor = 0;  // which factor it holds
  int granule = 1;
  std::size_t per = 1;              // granules a slot
  std::vector<std::int64_t> codes;  // [cell*per + g]
  std::vector<Held> held;
  std::vector<std::uint8_t> out;  // left out
  std::vector<std::uint8_t>
      in_factor;                       // of a Whole cell: bit f set if it is an element of factor f
  std::vector<std::int64_t> outer, k;  // of a Whole cell of the held factor
  bool is_a = true;
  // Index of the row (A) or column (B) that a grid position belongs to, and of its k slot.
  [[nodiscard]] std::int32_t line(std::size_t slot) const {
    return is_a ? grid.row[slot] : grid.col[slot];
  }
  [[nodiscard]] std::int32_t slot_k(std::size_t slot) const {
    return is_a ? grid.col[slot] : grid.row[slot];
  }
};

// What became of one obligation. `asked`: something was left to judge (or there is nothing to check
// at all).
struct Finding {
  bool asked = false;
  bool failed = false;
  std::int64_t wrong = 0, of = 0;
  std::optional<Counterexample> example;
  std::string note;
};

struct Trace {
  Trace(Evaluator& of, const Kernel& kernel);

  // Lays out the points, the grids and the factors. False: cannot be enumerated, `unknown` says
  // why.
  bool prepare();

  [[nodiscard]] std::size_t lanes() const { return static_cast<std::size_t>(a.grid.lanes); }
  [[nodiscard]] std::size_t m() const { return static_cast<std::size_t>(rows); }
  [[nodiscard]] std::size_t n() const { return static_cast<std::size_t>(cols); }
  // Number of tile `t`, row i, column j among all pairs.
  [[nodiscard]] std::size_t pair(std::size_t tile, std::size_t i, std::size_t j) const {
    return (tile * m() + i) * n() + j;
  }
  [[nodiscard]] Operand& operand(bool is_a) { return is_a ? a : b; }
  [[nodiscard]] const FactorTrace& held(const Operand& operand) const {
    return factors[static_cast<std::size_t>(operand.factor)];
  }

  Evaluator evaluator;  // counts iN(e) as e
  const Kernel& kernel;
  KernelPoints* points = nullptr;
  std::unique_ptr<KernelPoints> owned_points;
  Memories memories;
  Operand a, b;
  Grid c;
  int rows = 0, cols = 0, depth = 0;  // of the instruction
  std::array<FactorTrace, 2> factors;
  bool same_tensor = false;
  FactorTrace result;        // y; its strides only
  std::int64_t k_count = 1;  // how many k there are
  std::vector<std::pair<std::string, std::int64_t>>
      summed;                        // names and extents, most significant first
  std::vector<LoadTrace> loads;      // as in the kernel
  std::vector<Access> store;         // [tile*slots + slot], slot = lane*elems + elem of C
  std::vector<std::int64_t> stored;  // element of y, where Done
  std::vector<std::int64_t>
      target;  // [pair]: element of y that is stored there, -1: not stored (dead)
  std::vector<std::uint8_t> live_row, live_col;  // [tile*m + i], [tile*n + j]
  std::vector<std::uint8_t> pair_out;            // [pair]: failed `cover`
  std::vector<ElementType> conversions;
  bool left_out = false;           // anything of the kernel
  std::optional<Finding> storage;  // found on the way, by `bounds`
  std::string undefined;           // why no point can be judged: fails `bounds`
  std::string unknown;
};

// The obligations, in order. Each judges, and marks what is left out below.
[[nodiscard]] Finding judge_bounds(Trace& trace);
[[nodiscard]] Finding judge_storage(Trace& trace);
[[nodiscard]] Finding judge_alignment(Trace& trace);
[[nodiscard]] Finding judge_overflow(Trace& trace);
// A and B side by side: findings of A, then of B.
[[nodiscard]] std::array<Finding, 2> judge_whole(Trace& trace);
[[nodiscard]] Finding judge_types(Trace& trace);
[[nodiscard]] std::array<Finding, 2> judge_lines(Trace& trace);  // A.rows, B.cols
[[nodiscard]] std::array<Finding, 2> judge_k(Trace& trace);
[[nodiscard]] Finding judge_pairing(Trace& trace);
[[nodiscard]] Finding judge_cover(Trace& trace);
[[nodiscard]] Finding judge_output(Trace& trace);

// Fills the operands' cells from the loads (after `overflow`, before `whole`).
void assemble(Trace& trace);
// The bits of one load at one point and lane, in granules of `granule` bits.
void load_codes(Trace& trace, const LoadTrace& load, const Batch& points,
                std::size_t point_in_chunk, std::size_t point, int granule,
                std::vector<std::int64_t>& out);
// The smallest granule that the bits of a load need.
[[nodiscard]] int load_granule(Trace& trace, const Load& load);

// A code of a bit of a converted element: `conversion` numbers Trace::conversions, `source` is the
// code of the element's first bit, `bit` the bit of the result. The parts of such a code. It rests
// on the codes of spec/eval.h being a tensor's number above 48 bits of bit address.
inline constexpr std::int64_t address_bits = (std::int64_t{1} << 48) - 1;
inline constexpr std::int64_t largest_tensor = std::int64_t{1} << 41;  // in bits
inline constexpr std::int64_t most_tensors = 512;
inline constexpr std::size_t most_conversions = 32;
[[nodiscard]] constexpr std::int64_t converted(std::size_t conversion, std::int64_t source,
                                               int bit) {
  return (std::int64_t{1} << 62) | (static_cast<std::int64_t>(conversion) << 57) |
         (source & ~address_bits) | (source & address_bits) << 7 | bit;
}
[[nodiscard]] constexpr bool is_converted(std::int64_t code) { return code >> 62 == 1; }
[[nodiscard]] constexpr std::size_t conversion_of(std::int64_t code) {
  return static_cast<std::size_t>(code >> 57 & (most_conversions - 1));
}
[[nodiscard]] constexpr std::int64_t source_of(std::int64_t code) {
  return (code & ((most_tensors - 1) << 48)) | (code & address_bits) >> 7;
}

}  // namespace fragproof
