// One honest sentence out of an engine's reason, which may quote pages of polynomials.
#pragma once

#include <string>

namespace fragproof {

inline constexpr std::size_t longest_reason = 200;  // bytes, exclusive

// `reason` when it is short. Else the same without what it quotes in long parentheses, then without
// its last clauses (they are parted by "; "), and cut at a blank at the very last: always shorter
// than `longest_reason`, and never empty for a reason that is not.
[[nodiscard]] std::string one_sentence(const std::string& reason);

}  // namespace fragproof
