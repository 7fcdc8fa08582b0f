// `total`, `injective`, `onto` and `bijective` of maps, tables and packs at one shape, by visiting
// every point.
#pragma once

#include <optional>
#include <string>

#include "checkers/result/result.h"
#include "spec/eval.h"

namespace fragproof {

// What became of an atom of a condition at one shape. `why` (asked for with `explain`) shows a
// false one; its sizes are left empty. Overflow: cannot say, `reason` tells.
struct AtomVerdict {
  Outcome outcome = Outcome::Ok;
  Int value = 0;
  std::string reason;
  std::optional<Counterexample> why;
};

// `expr` is a Predicate.
[[nodiscard]] AtomVerdict judge_predicate(Evaluator& evaluator, const Expr& expr, bool explain);

// `expr` is a Metric of a map; for one of a kernel's load see kernel_judge.h.
[[nodiscard]] AtomVerdict judge_map_metric(Evaluator& evaluator, const Expr& expr, bool explain);

// The coordinates of a point with their names; lane and elem where coordinates are so called (or
// `map` is a fragment).
void place_at(Counterexample& counterexample, const Domain& domain, const Batch& points,
              std::size_t point, const Map* map);

}  // namespace fragproof
