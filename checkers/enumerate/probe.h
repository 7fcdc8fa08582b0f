// Shapes that the numbers of a text suggest: where `r/128` stands, sizes around 128 are worth a
// look.
#pragma once

#include <set>
#include <vector>

#include "checkers/enumerate/shape_search.h"

namespace fragproof {

// Admissible vectors with one or two sizes at, beside or at twice a number of `numbers`, the others
// at their least; smallest sum first. At most `limit`.
[[nodiscard]] std::vector<SizeVector> suggested_shapes(ShapeSearch& search,
                                                       const std::set<Int>& numbers,
                                                       std::size_t limit);

// The order of counterexamples: the sum of the sizes, then the sizes in order of declaration.
[[nodiscard]] Int sum_of(const SizeVector& vector);
[[nodiscard]] bool comes_before(const SizeVector& a, const SizeVector& b);

}  // namespace fragproof
