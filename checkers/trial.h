// One question before the engines: which have answered, what they said, and the check that follows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checkers/portfolio.h"

namespace fragproof {

// Proved, Refuted or Vacuous: an engine has decided.
[[nodiscard]] bool decides(Verdict verdict);

// Owned by one thread at a time. Call quick(), then deep() when still open, then check().
class Trial {
 public:
  Trial(const Question& question, const PortfolioOptions& options);

  // The cheap half: small shapes, and radix where a proof is expected. Engines give up when `stop`
  // is set.
  void quick(const std::atomic<bool>* stop);
  // The rest, for what quick() left open.
  void deep(const std::atomic<bool>* stop);

  [[nodiscard]] bool open() const;  // nothing has decided, or `cross_check` wants more
  [[nodiscard]] bool at_point() const { return !at_.empty(); }  // `--at`: quick() is all there is
  [[nodiscard]] double seconds() const { return seconds_; }     // of processor time, in engines
  // Remembers that a guard ended this trial early: that of processor time, or that of the clock.
  void timed_out(bool by_clock);
  void interrupted() { interrupted_ = true; }

  // The outcome so far. Two deciding engines that differ make an ERROR which names both.
  [[nodiscard]] Check check() const;

 private:
  struct Testimony {
    const char* engine;
    Answer answer;
  };
  void ask(const char* engine, const std::function<Answer()>& run);
  void ask_radix(const std::atomic<bool>* stop);
  [[nodiscard]] bool wanted(const std::atomic<bool>* stop) const;
  [[nodiscard]] std::string why_unknown() const;

  const Question* question_;
  const PortfolioOptions* options_;
  NamedValues at_;
  std::vector<Testimony> testimonies_;
  std::string failure_;  // an engine threw
  double seconds_ = 0;
  double wall_seconds_ = 0;
  double guard_ = 0;  // how long it had worked when the guard ended it
  bool guard_by_clock_ = false;
  bool interrupted_ = false;
  bool unfounded_ = false;  // radix proved what nothing had been judged of yet
};

}  // namespace fragproof
