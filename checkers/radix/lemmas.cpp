// The lemmas, as SMT-LIB 2.
#include "checkers/radix/lemmas.h"

#include <array>
#include <mutex>
#include <optional>

#include "checkers/solver/solve_text.h"

namespace fragproof::radix {

namespace {

constexpr std::int64_t lemma_rlimit = 50'000'000;
constexpr unsigned lemma_ms = 60'000;  // a net far below the rlimit

constexpr LemmaText lemmas[] = {
    {Lemma::Product, "product", "a b", "(<= 0 a) (<= 0 b)", "(<= 0 a) (<= (- 1) b)",
     "(<= 0 (* a b))"},
    {Lemma::Unique, "unique", "H L G M D",
     "(<= 0 L) (< L D) (<= 0 M) (< M D) (= (+ (* D H) L) (+ (* D G) M))",
     "(<= 0 L) (<= L D) (<= 0 M) (<= M D) (>= D 1) (= (+ (* D H) L) (+ (* D G) M))",
     "(and (= H G) (= L M))"},
    {Lemma::Cancel, "cancel", "c v w r",
     "(or (<= 1 c) (<= c (- 1))) (= (+ (* c v) r) (+ (* c w) r))",
     "(<= 0 c) (= (+ (* c v) r) (+ (* c w) r))", "(= v w)"},
    {Lemma::Quotient, "quotient", "p q r s t d",
     "(= p (+ (* q d) r)) (<= 0 r) (< r d) (= p (+ (* s d) t)) (<= 0 t) (< t d)",
     "(= p (+ (* q d) r)) (<= 0 r) (< r d) (= p (+ (* s d) t)) (<= 0 t) (<= t d)",
     "(and (= q s) (= r t))"},
};

}  // namespace

const LemmaText& text_of(Lemma lemma) { return lemmas[static_cast<std::size_t>(lemma)]; }

std::string query_of(const LemmaText& lemma, bool weakened) {
  std::string text;
  std::string name;
  for (const char* c = lemma.variables;; ++c) {
    if (*c != ' ' && *c != '\0') {
      name += *c;
      continue;
    }
    text += "(declare-const " + name + " Int)\n";
    name.clear();
    if (*c == '\0') break;
  }
  return text + "(assert (and " + (weakened ? lemma.weakened : lemma.hypotheses) +
         "))\n(assert (not " + lemma.conclusion + "))\n";
}

bool proved(Lemma lemma) {
  static std::mutex mutex;
  static std::array<std::optional<bool>, std::size(lemmas)> answers;
  const std::lock_guard lock(mutex);
  std::optional<bool>& answer = answers[static_cast<std::size_t>(lemma)];
  if (!answer) {
    answer = solve_text(query_of(text_of(lemma)), lemma_rlimit, lemma_ms) == Satisfiable::No;
  }
  return *answer;
}

}  // namespace fragproof::radix
