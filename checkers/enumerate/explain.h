// From a condition that is false or undefined at one shape to the counterexample that shows it.
#pragma once

#include "checkers/enumerate/predicate.h"
#include "checkers/result/result.h"
#include "spec/eval.h"

namespace fragproof {

// `condition` is undefined or false at the shape of `evaluator` (and at `point`, a batch of one
// point): the first point of its quantifiers where that shows, what is expected and found there,
// how many points are wrong. Sizes and tables are left empty.
[[nodiscard]] Counterexample explain_failure(Evaluator& evaluator, const Expr& condition,
                                             const Batch& point);

// The verdict on a Predicate, Metric or Kernel inside a condition, with `why` when it is false.
[[nodiscard]] AtomVerdict judge_atom(Evaluator& evaluator, const Expr& expr, bool explain);
// The same without an explanation, as an Evaluator asks for the atoms of its conditions.
[[nodiscard]] Scalar scalar_of_atom(Evaluator& evaluator, const Expr& expr);

// The value of an expression as text: "12", "(3, 4)", "true", "W[9, 2]", "undefined".
[[nodiscard]] std::string value_text(Evaluator& evaluator, const Expr& expr, const Batch& point);

}  // namespace fragproof
