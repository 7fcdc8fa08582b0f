// The dumbest engine: evaluates the question at concrete shapes, smallest first. The only one that
// refutes.
#pragma once

#include <optional>

#include "checkers/engine.h"
#include "spec/eval.h"

namespace fragproof {

// Judges the question at shapes in the order of DESIGN section 4 (least sum of sizes, then in order
// of declaration) within the budget. Refuted: with the smallest counterexample (`smallest` false
// when the search was cut short before all smaller shapes were tried). Proved: the requires admit
// finitely many shapes and tables, and all were judged, with all coordinates bounded. Vacuous:
// finitely many shapes, none admitted or all domains empty. Unknown: else; `reason` then says how
// far it looked ("true at the 120 smallest shapes").
[[nodiscard]] Answer enumerate(const Question& question, const Budget& budget);

// The same at one shape: `at` gives some or all sizes (`--at N=16,K=64`); the rest are searched,
// smallest first.
[[nodiscard]] Answer enumerate_at(const Question& question, const NamedValues& at,
                                  const Budget& budget);

}  // namespace fragproof
