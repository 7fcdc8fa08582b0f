// The overflow obligation at shapes too large to visit whole: at the extremes of the kernel's
// indices only.
#pragma once

#include <optional>

#include "checkers/result/result.h"
#include "spec/eval.h"

namespace fragproof {

// A point where some iN(..) of the kernel does not fit, among the extremes of parallel, reduce,
// lane, row and col. Nothing proves nothing. `evaluator` is at the shape; sizes are left empty.
[[nodiscard]] std::optional<Counterexample> overflow_at_corners(const Evaluator& evaluator,
                                                                const Kernel& kernel);

}  // namespace fragproof
