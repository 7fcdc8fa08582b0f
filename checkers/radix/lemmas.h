// The nonlinear lemmas that the steps of a proof are instances of, and Z3's word on each.
#pragma once

#include <string>

#include "checkers/radix/steps.h"

namespace fragproof::radix {

// `hypotheses` imply `conclusion` for all integers `variables` (SMT-LIB 2). `weakened`: hypotheses
// that do not, for the tests: a solver that called everything proved would be noticed.
struct LemmaText {
  Lemma lemma;
  const char* name;
  const char* variables;
  const char* hypotheses;
  const char* weakened;
  const char* conclusion;
};
[[nodiscard]] const LemmaText& text_of(Lemma lemma);

// "(declare-const ..)(assert ..)(assert (not ..))": unsatisfiable where the lemma holds.
[[nodiscard]] std::string query_of(const LemmaText& lemma, bool weakened = false);

// Has Z3 proved the lemma? Asked once a run.
[[nodiscard]] bool proved(Lemma lemma);

}  // namespace fragproof::radix
