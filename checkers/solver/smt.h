// The direct engine: the whole question as one Z3 query, from the same expressions, under an
// rlimit.
#pragma once

#include <string>

#include "checkers/engine.h"

namespace fragproof {

// Proved (method "smt") when Z3 shows the negation unsatisfiable and has a model of the requires in
// which a domain is not empty; Vacuous when it shows that there is none; Unknown otherwise. Never
// Refuted: a model is only a hint for the enumerator. It speaks of maps, tables, packs and numbers,
// not of kernels, contents, metrics, inverses and carries.
[[nodiscard]] Answer decide_smt(const Question& question, const Budget& budget);

// The query that decide_smt asks, as SMT-LIB 2 text for another solver: unsat means proved. "" when
// the direct engine does not speak of the question, with why in `reason`.
[[nodiscard]] std::string smt_query(const Question& question, std::string& reason);

}  // namespace fragproof
