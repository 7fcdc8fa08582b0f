// The obligations of a kernel for all sizes.
#pragma once

#include "checkers/radix/symbolic.h"

namespace fragproof::radix {

// Shows the obligation together with those that it rests on (those above it in LANGUAGE section 6
// of spec/grammar.md, on its side), so that nothing is left out of what is judged. Throws GiveUp
// where it cannot.
void show_obligation(Evaluator& evaluator, const Kernel& kernel, Obligation obligation);

}  // namespace fragproof::radix
