// A proof for human readers: `prove --explain ID`.
#include <algorithm>

#include "reports/escape.h"
#include "reports/phrase.h"
#include "reports/summary.h"
#include "reports/text.h"

namespace fragproof {
namespace {

std::string list_of(const char* head, const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) {
    out += (out.empty() ? pad_right(head, 9) : std::string(9, ' ')) + visible(text) + "\n";
  }
  return out;
}

// "(from 1, 4)": the numbers that readers see count from 1.
std::string premises_of(const ProofStep& step) {
  std::string out;
  for (const int premise : step.premises) {
    out += (out.empty() ? "from " : ", ") + std::to_string(premise + 1);
  }
  return out;
}

}  // namespace

std::string proof_text(const Check& check, const TextOptions& options) {
  std::string out = std::string(name_of(check.verdict)) + "  " + visible(check.id);
  if (!check.kind.empty()) out += "  (" + visible(check.kind) + ")";
  out += "\n";
  if (!check.source_line.empty()) {
    out += visible(check.file) + ":" + std::to_string(check.line) + ": " +
           visible(check.source_line) + "\n";
  }
  if (!check.proof) {
    const char* why = check.verdict == Verdict::Proved    ? "No proof was recorded for it.\n"
                      : check.verdict == Verdict::Refuted ? "It is false, so there is no proof:\n"
                                                          : "There is no proof.\n";
    out += std::string("\n") + why;
    if (!check.reason.empty()) out += visible(check.reason, true) + "\n";
    if (!check.note.empty()) out += visible(check.note, true) + "\n";
    if (check.counterexample) out += visible(short_phrase(*check.counterexample)) + "\n";
    return out;
  }
  const Proof& proof = *check.proof;
  out += list_of("method", {proof.method.empty() ? methods_phrase(check) : proof.method});
  out += list_of("needs", check.needs);
  out += list_of("unused", check.unused);
  out += list_of("note", proof.notes);
  out += "\n";

  const std::size_t digits = std::max<std::size_t>(std::to_string(proof.steps.size()).size(), 2);
  std::size_t lemma_width = 5;
  for (const ProofStep& step : proof.steps) {
    lemma_width = std::max(lemma_width, display_width(visible(step.lemma)));
  }
  lemma_width = std::min<std::size_t>(lemma_width, 14);
  const std::size_t indent = digits + 2 + lemma_width + 2 + 5;
  const std::size_t width = static_cast<std::size_t>(std::max(options.width, 40));
  for (std::size_t i = 0; i < proof.steps.size(); ++i) {
    const ProofStep& step = proof.steps[i];
    const char* mark = step.discharged ? "Z3  " : step.lemma == "given" ? "    " : "eval";
    std::string line = pad_left(std::to_string(i + 1), digits) + "  ";
    line +=
        pad_right(visible(step.lemma), lemma_width) + "  " + mark + " " + visible(step.statement);
    const std::string from = premises_of(step);
    if (!from.empty()) {
      const bool fits = display_width(line) + 2 + from.size() <= width;
      line += fits ? "  " + from : "\n" + std::string(indent, ' ') + from;
    }
    out += line + "\n";
  }

  std::int64_t steps = 0, discharged = 0, given = 0;
  std::string lemmas;
  for (const Proof::LemmaCount& count : lemma_counts(proof)) {
    steps += count.steps;
    discharged += count.discharged;
    given += count.lemma == "given" ? count.steps : 0;
    lemmas +=
        (lemmas.empty() ? "" : ", ") + visible(count.lemma) + " " + std::to_string(count.steps);
  }
  if (!proof.steps.empty()) out += "\n";
  out += std::to_string(steps) + (steps == 1 ? " step" : " steps");
  if (!lemmas.empty()) out += " (" + lemmas + ")";
  if (steps > 0) {
    out += discharged == steps ? ", all discharged by Z3 in this run"
           : discharged == 0   ? ", decided by evaluation alone: nothing was asked of Z3"
                             : ", " + std::to_string(discharged) + " discharged by Z3 in this run";
    if (discharged != 0 && given != 0) out += ", " + std::to_string(given) + " given";
    if (discharged != 0 && discharged + given != steps)
      out += ", " + std::to_string(steps - discharged - given) + " evaluated by fragproof";
  }
  return out + ".\n";
}

}  // namespace fragproof
