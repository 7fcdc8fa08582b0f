// The search for a large counterexample: sizes are raised until an index no longer fits its bits,
// then brought down again.
#pragma once

#include <functional>
#include <optional>

#include "checkers/enumerate/shape_search.h"

namespace fragproof {

// A vector for which `fails`, reached by raising up to three of the sizes (together, and alone) by
// powers of two and bisecting down; of those found the one of the least sum. Not shown smallest.
// `evaluations` bounds the calls.
[[nodiscard]] std::optional<SizeVector> directed_search(
    ShapeSearch& search, const std::function<bool(const SizeVector&)>& fails, int evaluations);

}  // namespace fragproof
