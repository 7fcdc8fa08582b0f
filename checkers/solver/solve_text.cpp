// SMT-LIB 2 texts, each in a solver of its own.
#include "checkers/solver/solve_text.h"

#include "checkers/solver/session.h"

namespace fragproof {

Satisfiable solve_text(const std::string& text, std::int64_t rlimit, unsigned timeout_ms) {
  try {
    Session& session = *Session::of_this_thread();
    z3::solver solver = session.solver();
    solver.from_string(text.c_str());
    std::int64_t spent = 0;
    switch (session.check(solver, rlimit, spent, timeout_ms)) {
      case z3::unsat:
        return Satisfiable::No;
      case z3::sat:
        return Satisfiable::Yes;
      case z3::unknown:
        return Satisfiable::Unknown;
    }
  } catch (const z3::exception&) {  // not SMT-LIB 2, or out of memory
  }
  return Satisfiable::Unknown;
}

}  // namespace fragproof
