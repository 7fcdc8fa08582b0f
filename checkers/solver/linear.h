// Linear instances for Z3: do these facts, each >= 0 and linear over named integers, entail that
// one? This is all that the guided proof asks of a solver; nothing nonlinear and no quantifier
// passes through here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "spec/integer.h"

namespace fragproof {

// constant + sum coefficient*variable; variables are small ids that the caller names (a monomial
// such as "NW*S*q").
struct Linear {
  Int constant = 0;
  std::vector<std::pair<int, Int>>
      terms;  // (variable, coefficient), ids ascending, no zero coefficients
};

// One solver for one question; not shared between threads. Each query runs under its own rlimit.
// An instance that Z3 has answered in this run, up to the names of its variables, is not asked
// again.
class LinearSolver {
 public:
  LinearSolver();
  ~LinearSolver();
  LinearSolver(const LinearSolver&) = delete;
  LinearSolver& operator=(const LinearSolver&) = delete;

  // Names variable `id` in exports (`|NW*S*q|`); ids without a name are "v<id>".
  void name(int id, std::string text);

  // True iff Z3 shows that all `facts` >= 0 imply `goal` >= 0 over the integers, within `rlimit`.
  // Unknown is false.
  [[nodiscard]] bool entails(const std::vector<Linear>& facts, const Linear& goal,
                             std::int64_t rlimit);
  // The same for `goal` == 0.
  [[nodiscard]] bool entails_zero(const std::vector<Linear>& facts, const Linear& goal,
                                  std::int64_t rlimit);
  // True iff Z3 shows that `facts` have no common point.
  [[nodiscard]] bool contradictory(const std::vector<Linear>& facts, std::int64_t rlimit);

  [[nodiscard]] std::int64_t queries() const;      // asked of Z3 so far
  [[nodiscard]] std::int64_t rlimit_used() const;  // Z3's own count, summed

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// "5.4.1 (wheel)", "4.8.12 (distribution)".
[[nodiscard]] std::string z3_version();

}  // namespace fragproof
