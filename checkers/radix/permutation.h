// The k permutation that two paired operands agree on, in the words of the fragment's own digits.
#pragma once

#include <string>

#include "checkers/radix/operands.h"

namespace fragproof::radix {

// "2t+e -> 8t+4*step+e, 8+2t+e -> 8t+4*step+2+e": the slot of the instruction on the left, the k
// that it holds on the right, without what moves whole blocks of k (coefficients of the reduce
// indices that are no smaller than a block). Empty when k is no sum of multiples of the digits that
// A's column is made of.
[[nodiscard]] std::string permutation_text(Evaluator& evaluator, const Map& a, const Poly& slot,
                                           const Poly& k);

}  // namespace fragproof::radix
