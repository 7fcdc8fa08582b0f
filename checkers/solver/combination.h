// A linear instance that holds, as numbers that anyone can add up: which facts, how often.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "checkers/solver/linear.h"

namespace fragproof {

// scale*goal == sum of multipliers[i]*facts[i] + a constant > -scale: the goal is >= 0 over the
// integers wherever the facts are.
struct Combination {
  Int scale = 1;                 // >= 1
  std::vector<Int> multipliers;  // one a fact, each >= 0
};

// Found by Z3 over the rationals; nothing where there is none, within `rlimit`, that fits 128 bits.
// An instance that only holds over the integers may have none. The caller checks the sum.
[[nodiscard]] std::optional<Combination> combination(const std::vector<Linear>& facts,
                                                     const Linear& goal, std::int64_t rlimit);

}  // namespace fragproof
