// What Z3 has answered in this run about linear instances, up to the names of their variables: the
// proof of one obligation asks much of what the last one asked. Private to this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checkers/solver/linear.h"

namespace fragproof {

// What is asked of the facts of an instance, each >= 0.
enum class Asked : char { GoalNonnegative, GoalZero, Contradictory };

// The instance as bytes, its variables numbered in order of appearance, those of one term by
// `name`, so that two proofs which met the same symbols in different order agree. Equal keys are
// instances of equal meaning, asked with equal effort.
[[nodiscard]] std::string instance_key(Asked asked, const std::vector<Linear>& facts,
                                       const Linear& goal, std::int64_t rlimit,
                                       const std::function<const std::string&(int)>& name);

// Of all threads. Bounded: past its bound nothing more is remembered.
[[nodiscard]] std::optional<bool> answered(const std::string& key);
void remember_answer(std::string key, bool shown);

}  // namespace fragproof
