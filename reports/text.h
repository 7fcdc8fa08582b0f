// The terminal: one line a claim while a run streams, a block for each surprise, a summary at the
// end.
#pragma once

#include <string>

#include "checkers/result/result.h"

namespace fragproof {

struct TextOptions {
  bool colour = false;  // never the only signal
  int width = 80;       // columns
  int id_width =
      38;  // of the id column; the caller may pass the longest id of the run (long ids are not cut)
};

// One claim in one line, with its newline: "  PROVED   gemv/gemv.A.rows    radix+enumerate    3
// ms". The line of a claim that did not get what it expects starts with '!' (UNKNOWN, SKIPPED:
// '?').
[[nodiscard]] std::string check_line(const Check& check, const TextOptions& options = {});

// What is to be said below that line, or "": the whole block for an unexpected result, the
// counterexample in one indented line for an expected refutation, the reason for UNKNOWN, SKIPPED,
// VACUOUS, ERROR.
[[nodiscard]] std::string check_details(const Check& check, const TextOptions& options = {});

// "12 proved, 3 refuted (as expected), 1 unknown", what it means, and which Z3: the end of a run.
[[nodiscard]] std::string summary_text(const Record& record, const TextOptions& options = {});

// The whole record: lines with details, then the summary. What `report R.json` prints.
[[nodiscard]] std::string record_text(const Record& record, const TextOptions& options = {});

// The proof of `check` for `prove --explain ID`: numbered steps with lemma, statement, premises and
// a "Z3" mark, and how many of them Z3 discharged. A check without a proof says so.
[[nodiscard]] std::string proof_text(const Check& check, const TextOptions& options = {});

}  // namespace fragproof
