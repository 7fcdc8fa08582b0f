// Solving maps given by polynomials for their digits: injectivity, inverses, what lies at a place.
//
// An unknown is a symbol that is existential (Symbol::existential). The search is free to guess:
// every split f = D*H + L is forced only where 0 <= L < D is shown, and whoever uses a solution
// checks it.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "checkers/radix/context.h"

namespace fragproof::radix {

struct Equation {
  Poly f;  // over unknowns and knowns
  Poly x;  // over knowns
};

// The values that the equations force on the unknowns, each a polynomial over the knowns. Nothing
// when the method finds no way. The caller checks ranges and the equations themselves (see
// verified()).
[[nodiscard]] std::optional<std::map<Sym, Poly>> solve(Context& context,
                                                       const std::vector<Equation>& equations);

// Do the outputs determine every unknown in `unknowns`?
[[nodiscard]] bool determines(Context& context, const std::vector<Poly>& outputs,
                              const std::set<Sym>& unknowns);

// Is each solved digit in its range, with the facts of its symbol, and each equation true by
// identity?
enum class Fit { Inside, Outside, Open };
[[nodiscard]] Fit verified(Context& context, const std::vector<Equation>& equations,
                           const std::map<Sym, Poly>& solution, Poly* open);

}  // namespace fragproof::radix
