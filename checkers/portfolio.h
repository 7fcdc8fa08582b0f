// The engines together: cheapest first, the verdict of whoever decides, an error where two decide
// differently.
//
// For a question expected PROVED: `enumerate` at the smallest shapes; then `linear` and `radix`;
// then the rest of the enumeration; then `smt`. For a `refute` the whole enumeration comes before
// `radix`: a refutation is what is looked for. Only `enumerate` and `linear` refute. Check.methods
// lists the engines whose answer decided (one, or all that agree under `cross_check`); an
// enumeration that merely found no counterexample shows in Check.shapes_tried.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "checkers/engine.h"

namespace fragproof {

// The engines that a portfolio asks; tests put their own in.
struct Engines {
  std::function<Answer(const Question&, const Budget&)> enumerate;
  std::function<Answer(const Question&, const NamedValues&, const Budget&)> enumerate_at;
  std::function<Answer(const Question&, const Budget&)> radix;
  std::function<Answer(const Question&, const Budget&)> linear;
  std::function<Answer(const Question&, const Budget&)> smt;
};
[[nodiscard]] Engines real_engines();

struct PortfolioOptions {
  Engines engines = real_engines();
  NamedValues at;  // not empty: only this point is judged, by enumeration
  Budget quick{.points = 100'000, .shapes = 20};  // the first look for a counterexample
  Budget deep{};                                  // everything after it
  bool cross_check = false;                       // ask every engine, also when one has decided
  // Guards in seconds of processor time (and four times as much by the clock), a safety net beside
  // the budgets; 0: none. A question that meets its guard is UNKNOWN. `file_seconds`, for each
  // worker, is shared by the questions of one file.
  double claim_seconds = 7;
  double file_seconds = 24;
  int workers = 2;
  const std::atomic<bool>* interrupt =
      nullptr;  // set by the user's Ctrl-C: what is open ends SKIPPED(interrupted)
};

// The verdict on one question.
[[nodiscard]] Check judge(const Question& question, const PortfolioOptions& options);

// What happens while many questions are judged. Calls come one at a time, from any thread.
struct Progress {
  std::function<void(std::size_t index, const Check& check)>
      result;  // in the order of the questions
  std::function<void(std::size_t done, std::size_t of, const std::string& id)>
      working;  // `id` has just begun
};

// The verdicts on all of them, in their order. Quick looks first, all of them; then what stayed
// open.
[[nodiscard]] std::vector<Check> judge_all(const std::vector<Question>& questions,
                                           const PortfolioOptions& options,
                                           const Progress& progress = {});

// The check that stands for a question which was not judged: its id, place and reproduce line, no
// verdict yet.
[[nodiscard]] Check blank_check(const Question& question);

// One shell command that judges this question again, at `sizes` when there are any:
// "fragproof prove gemv.layout --only gemv/gemv.A.rows --at N=16,K=64".
[[nodiscard]] std::string reproduce_line(const Question& question, const NamedValues& sizes);

// `word` as one word of a POSIX shell: as it is, or in single quotes.
[[nodiscard]] std::string shell_word(const std::string& word);

}  // namespace fragproof
