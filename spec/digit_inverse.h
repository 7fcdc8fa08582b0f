// The way back of a map that rearranges digits: formulas for its coordinates in terms of its
// outputs, found from the map's values and compared with them at every point.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/ast.h"

namespace fragproof {

// `weight * (outputs[output] / stride % radix)`; `top`: nothing is above it, `% radix` says
// nothing.
struct DigitTerm {
  std::size_t output = 0;
  Int stride = 1;
  Int radix = 1;
  bool top = false;
  Int weight = 1;
};

// For each coordinate the terms that add up to it, largest weight first; none: 0.
using DigitInverse = std::vector<std::vector<DigitTerm>>;

// `extents` are those of the coordinates, `codomains` those of the outputs (empty: unknown),
// `values` the outputs at every point in lexicographic order (empty: undefined there). Nothing when
// the map is partial or no rearrangement of digits (a digit that moves two outputs, an XOR, ..).
[[nodiscard]] std::optional<DigitInverse> digit_inverse(
    const std::vector<Int>& extents, const std::vector<Int>& codomains,
    const std::vector<std::vector<Int>>& values);

// "4*(row % 8) + col/2 % 4"; with `spaced`, "4 * (row % 8) + col / 2 % 4".
[[nodiscard]] std::string to_text(const std::vector<DigitTerm>& terms,
                                  const std::vector<std::string>& outputs, bool spaced);

}  // namespace fragproof
