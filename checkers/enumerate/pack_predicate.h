// The predicates of a pack at one shape, read off the image of its memory.
#pragma once

#include "checkers/enumerate/predicate.h"

namespace fragproof {

[[nodiscard]] AtomVerdict judge_pack(Evaluator& evaluator, const Array& pack, Predicate predicate,
                                     bool explain);

}  // namespace fragproof
