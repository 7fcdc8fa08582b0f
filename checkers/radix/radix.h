// The engine for all shapes: finds a proof over digits, step by step, and has Z3 discharge each
// step.
#pragma once

#include "checkers/engine.h"

namespace fragproof {

// Proved (with the steps, each discharged by Z3 in this call), Vacuous, or Unknown with what stayed
// open. Never Refuted.
[[nodiscard]] Answer prove_radix(const Question& question, const Budget& budget);

}  // namespace fragproof
