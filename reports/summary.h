// What a run came to as a whole: counts, the exit code, and which checks a reader must see first.
#pragma once

#include <string>
#include <vector>

#include "checkers/result/result.h"

namespace fragproof {

struct Summary {
  int proved = 0, refuted = 0, unknown = 0, vacuous = 0, skipped = 0, error = 0;
  int expected_refutations = 0;  // of `refuted`: those that a `refute` asked for
  int opposite = 0;              // PROVED for a `refute`, REFUTED for a `prove`
  int below = 0;                 // of `unknown`: not judged under a refuted obligation
  int total = 0;
  bool interrupted = false;
  bool ok = false;  // the exit code is 0: every claim got what it expects
};

[[nodiscard]] Summary summary_of(const Record& record);

// The exit code that the record asks for, by precedence: 130 interrupted, 2 an ERROR, 1 an opposite
// or VACUOUS, 3 an UNKNOWN that was not expected (a fuzz run expects no more), 77 checks but all
// SKIPPED, else 0. (4, engines that disagree, is the caller's to know.)
[[nodiscard]] int exit_code_of(const Record& record);

// "12 proved, 3 refuted (as expected), 1 unknown"; "no claims" for none.
[[nodiscard]] std::string counts_text(const Summary& summary);

// What that means, one sentence: "Every claim got what it expects."
[[nodiscard]] std::string meaning_text(const Summary& summary);

// How urgent a check is to its reader, 0 first: opposite, VACUOUS, ERROR, UNKNOWN, SKIPPED,
// expected refutation, proof.
[[nodiscard]] int urgency(const Check& check);

// How CI formats see a check: an opposite or VACUOUS is a failure; UNKNOWN and ERROR are neither
// pass nor failure, and never green.
enum class CiResult { Passed, Failed, Undecided, Skipped };
[[nodiscard]] CiResult ci_result(const Check& check);

// The lemmas of a proof with how often each was used and how many of these steps Z3 discharged, in
// order of first use.
[[nodiscard]] std::vector<Proof::LemmaCount> lemma_counts(const Proof& proof);

// Indices of the checks, most urgent first, otherwise in their order.
[[nodiscard]] std::vector<std::size_t> failures_first(const Record& record);

}  // namespace fragproof
