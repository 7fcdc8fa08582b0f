// What the requires say about the sizes: divisibility solved for, the rest assumed.
#pragma once

#include <vector>

#include "checkers/radix/symbolic.h"

namespace fragproof::radix {

// What `e` is a conjunction of, in order.
[[nodiscard]] std::vector<const Expr*> conjuncts_of(const Expr& e);

// One conjunct of the requires, or of the claim's own `where`, which counts as no require (0).
struct Hypothesis {
  const Expr* expr = nullptr;
  Needs need = 0;
};

// Assumes `hypotheses` (each shown to be defined, in order) in the context of `evaluator`. Solves
// equations and `a % d == r` for a size (N := 16*q), notes injective tables, makes cases of
// disjunctions. May throw Restart, Split, Substitute, EmptyCase, GiveUp.
void assume_hypotheses(Evaluator& evaluator, const std::vector<Hypothesis>& hypotheses);

}  // namespace fragproof::radix
