// The reference: the contraction as plain loops over its indices. It knows of tensors and index
// names, of no lane, register, pack or tile.
#pragma once

#include <cstdint>
#include <vector>

#include "fuzz/emulate/blocks.h"

namespace fragproof {

// y of `y[m, n] += W[n, k] * x[m, k]`, row-major.
struct Contraction {
  std::vector<std::uint64_t> integers;  // Integers: exact, modulo 2^64
  std::vector<double> reals;            // Floats: in binary64
  std::vector<double> magnitudes;       // Floats: the sum of |product|, for the error bound
  std::int64_t terms = 0;               // products summed into one element
};

// All extents of the three tensors must be defined and the tensors small enough for memory.
[[nodiscard]] Contraction contract(Evaluator& evaluator, const Kernel& kernel, const Blocks& blocks,
                                   DataMode mode);

}  // namespace fragproof
