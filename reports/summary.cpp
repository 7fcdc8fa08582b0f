// Counting verdicts and what the counts mean.
#include "reports/summary.h"

#include <algorithm>
#include <numeric>

namespace fragproof {
namespace {

bool is_opposite(const Check& check) {
  return (check.verdict == Verdict::Proved || check.verdict == Verdict::Refuted) &&
         !as_expected(check);
}

std::string plural(int n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

}  // namespace

Summary summary_of(const Record& record) {
  Summary s;
  for (const Check& check : record.checks) {
    ++s.total;
    if (is_opposite(check)) ++s.opposite;
    switch (check.verdict) {
      case Verdict::Proved:
        ++s.proved;
        break;
      case Verdict::Refuted:
        ++s.refuted;
        if (as_expected(check)) ++s.expected_refutations;
        break;
      case Verdict::Unknown:
        ++s.unknown;
        s.below += check.below.empty() ? 0 : 1;
        break;
      case Verdict::Vacuous:
        ++s.vacuous;
        break;
      case Verdict::Skipped:
        ++s.skipped;
        break;
      case Verdict::Error:
        ++s.error;
        break;
    }
  }
  s.interrupted = record.interrupted;
  s.ok = exit_code_of(record) == 0;
  return s;
}

int exit_code_of(const Record& record) {
  if (record.interrupted) return 130;
  bool error = false, wrong = false, unknown = false;
  std::size_t skipped = 0;
  for (const Check& check : record.checks) {
    error = error || check.verdict == Verdict::Error;
    wrong = wrong || is_opposite(check) || check.verdict == Verdict::Vacuous;
    unknown = unknown || (check.verdict == Verdict::Unknown && !as_expected(check));
    skipped += check.verdict == Verdict::Skipped ? 1 : 0;
  }
  if (error) return 2;
  if (wrong) return 1;
  if (unknown) return 3;
  return skipped > 0 && skipped == record.checks.size() ? 77 : 0;
}

std::string counts_text(const Summary& s) {
  if (s.total == 0) return "no claims";
  std::string text = std::to_string(s.proved) + " proved";
  text += ", " + std::to_string(s.refuted) + " refuted";
  if (s.refuted > 0) {
    const bool all = s.expected_refutations == s.refuted;
    text +=
        all ? " (as expected)" : " (" + std::to_string(s.expected_refutations) + " as expected)";
  }
  if (s.unknown > 0) text += ", " + std::to_string(s.unknown) + " unknown";
  if (s.vacuous > 0) text += ", " + std::to_string(s.vacuous) + " vacuous";
  if (s.skipped > 0) text += ", " + std::to_string(s.skipped) + " skipped";
  if (s.error > 0) text += ", " + plural(s.error, "error", "errors");
  return text;
}

std::string meaning_text(const Summary& s) {
  if (s.interrupted) return "Interrupted: what was judged until then stands.";
  std::string text;
  if (s.total == 0) return "There was nothing to judge.";
  if (s.opposite + s.vacuous > 0) {
    if (s.opposite > 0) {
      text = plural(s.opposite, "claim", "claims") + " got the opposite of what the file expects.";
    }
    if (s.vacuous > 0) {
      text += text.empty() ? "" : " ";
      text +=
          plural(s.vacuous, "claim says", "claims say") + " nothing: there was no case to judge.";
    }
  } else if (s.unknown == 0 && s.error == 0) {
    if (s.skipped == s.total) return "Nothing could run here.";
    return "Every claim that was judged got what it expects.";
  }
  if (s.below > 0) {
    text += text.empty() ? "" : " ";
    text += plural(s.below, "was", "were") + " not judged below a refuted one.";
  }
  if (s.unknown > s.below) {
    text += text.empty() ? "" : " ";
    text +=
        plural(s.unknown - s.below, "claim is", "claims are") + " undecided, which is not a pass.";
  }
  if (s.error > 0) {
    text += text.empty() ? "" : " ";
    text += plural(s.error, "input", "inputs") + " could not be judged.";
  }
  return text;
}

int urgency(const Check& check) {
  switch (check.verdict) {
    case Verdict::Proved:
      return as_expected(check) ? 6 : 0;
    case Verdict::Refuted:
      return as_expected(check) ? 5 : 0;
    case Verdict::Vacuous:
      return 1;
    case Verdict::Error:
      return 2;
    case Verdict::Unknown:
      return 3;
    case Verdict::Skipped:
      return 4;
  }
  return 0;
}

CiResult ci_result(const Check& check) {
  switch (check.verdict) {
    case Verdict::Proved:
    case Verdict::Refuted:
      return as_expected(check) ? CiResult::Passed : CiResult::Failed;
    case Verdict::Vacuous:
      return CiResult::Failed;
    case Verdict::Unknown:  // a fuzz run that finds nothing expects no more
      return as_expected(check) ? CiResult::Passed : CiResult::Undecided;
    case Verdict::Error:
      return CiResult::Undecided;
    case Verdict::Skipped:
      return CiResult::Skipped;
  }
  return CiResult::Undecided;
}

std::vector<Proof::LemmaCount> lemma_counts(const Proof& proof) {
  if (proof.steps.empty()) return proof.lemmas;
  std::vector<Proof::LemmaCount> counts;
  for (const ProofStep& step : proof.steps) {
    auto at = std::find_if(counts.begin(), counts.end(),
                           [&](const Proof::LemmaCount& c) { return c.lemma == step.lemma; });
    if (at == counts.end()) at = counts.insert(counts.end(), {step.lemma, 0, 0});
    ++at->steps;
    at->discharged += step.discharged ? 1 : 0;
  }
  return counts;
}

std::vector<std::size_t> failures_first(const Record& record) {
  std::vector<std::size_t> order(record.checks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return urgency(record.checks[a]) < urgency(record.checks[b]);
  });
  return order;
}

}  // namespace fragproof
