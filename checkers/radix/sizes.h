// What the requires say about the sizes: divisibility solved for, the rest assumed.
#pragma once

#include <vector>

#include "checkers/radix/symbolic.h"

namespace fragproof::radix {

// Assumes the conjuncts of `hypotheses` (each shown to be defined, in order) in the context of
// `evaluator`. Solves equations and `a % d == r` for a size (N := 16*q), notes injective tables,
// makes cases of disjunctions. May throw Restart, Split, Substitute, EmptyCase, GiveUp.
void assume_hypotheses(Evaluator& evaluator, const std::vector<const Expr*>& hypotheses);

}  // namespace fragproof::radix
