// The engine for maps of powers of two at any size: bijectivity is a rank over GF(2), a
// counterexample is a vector of the kernel. Decides predicates of maps and `forall`s of equations
// whose every value is affine bit by bit; ends Unknown on all else.
#pragma once

#include "checkers/engine.h"

namespace fragproof {

[[nodiscard]] Answer decide_linear(const Question& question, const Budget& budget);

}  // namespace fragproof
