// Z3 as the rest of this folder uses it: one context a thread, numerals of any size, what a check
// has cost. Private to this folder, which is the only one that includes z3++.h.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <memory>

#include "spec/integer.h"

namespace fragproof {

// A context takes 7 ms to make and a linear query a fraction of one, so each thread keeps one for
// those, for as long as it, or a solver made in it, lives. Who may be interrupted makes its own.
// What is made in one thread stays in it.
class Session {
 public:
  // This thread's session, made at the first call. Throws z3::exception when Z3 cannot start.
  [[nodiscard]] static std::shared_ptr<Session> of_this_thread();

  [[nodiscard]] z3::context& context() { return context_; }

  // A solver of Z3's general kind that can be pushed and popped, with Z3's own handling of Ctrl-C
  // off.
  [[nodiscard]] z3::solver solver();

  // The integer `value` as a term.
  [[nodiscard]] z3::expr numeral(Int value);

  // Checks `solver` under `rlimit` (Z3's count of steps, not seconds; at most 2^32-1) and, unless
  // 0, a time limit; under `assumptions`, if given. The cost is added to `spent`, also when Z3
  // throws.
  [[nodiscard]] z3::check_result check(z3::solver& solver, std::int64_t rlimit, std::int64_t& spent,
                                       unsigned timeout_ms = 0,
                                       z3::expr_vector* assumptions = nullptr);

 private:
  // Z3's count since the last call; it runs on for the life of the context.
  std::int64_t count(const z3::solver& solver);

  z3::context context_;
  std::int64_t counted_ = 0;
};

}  // namespace fragproof
