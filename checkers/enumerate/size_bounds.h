// Bounds of one size that follow from a condition about sizes: `K <= 33`, `e == 4 || e == 8`,
// `tiles*n < 1 << 31`.
#pragma once

#include <optional>
#include <vector>

#include "spec/eval.h"

namespace fragproof {

struct SizeBounds {
  Int low = 1;
  std::optional<Int> high;  // none known
};

// Does the expression never fall when a size grows? (Says no when it cannot see it.) Sizes only, no
// tables.
[[nodiscard]] bool is_monotone(const Expr& expr);

// What `condition` says about `size`, given that every size is at least its bound in `known` (in
// the order of `sizes`). Never excludes a value that satisfies the condition.
[[nodiscard]] SizeBounds bounds_of(Evaluator& evaluator, const Expr& condition,
                                   const Variable* size, const std::vector<const Variable*>& sizes,
                                   const std::vector<SizeBounds>& known);

}  // namespace fragproof
