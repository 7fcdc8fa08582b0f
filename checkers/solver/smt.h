// The direct engine: the whole question as one Z3 query, from the same expressions, under an rlimit.
#pragma once

#include "checkers/engine.h"

namespace fragproof {

// Proved (method "smt") when Z3 shows the negation unsatisfiable; Unknown otherwise. Never Refuted: a model is only a
// hint for the enumerator.
[[nodiscard]] Answer decide_smt(const Question& question, const Budget& budget);

}  // namespace fragproof
