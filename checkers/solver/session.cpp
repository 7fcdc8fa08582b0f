// One Z3 context a thread, and the count of what its checks cost.
#include "checkers/solver/session.h"

#include <algorithm>
#include <limits>
#include <string>

#include "checkers/solver/linear.h"

namespace fragproof {

std::shared_ptr<Session> Session::of_this_thread() {
  thread_local std::shared_ptr<Session> session;
  if (!session) session = std::make_shared<Session>();
  return session;
}

z3::solver Session::solver() {
  z3::solver made(context_, z3::solver::simple());
  z3::params params(context_);
  // Else Z3 takes SIGINT for the time of a check: the tool would not notice it, and the handler is
  // no thread's own.
  params.set("ctrl_c", false);
  made.set(params);
  return made;
}

z3::expr Session::numeral(Int value) {
  if (value >= std::numeric_limits<std::int64_t>::min() &&
      value <= std::numeric_limits<std::int64_t>::max()) {
    return context_.int_val(static_cast<std::int64_t>(value));
  }
  return context_.int_val(to_string(value).c_str());
}

z3::check_result Session::check(z3::solver& solver, std::int64_t rlimit, std::int64_t& spent,
                                unsigned timeout_ms, z3::expr_vector* assumptions) {
  z3::params params(context_);
  // 0 would mean "no limit" to Z3.
  const std::int64_t limit =
      std::clamp<std::int64_t>(rlimit, 1, std::numeric_limits<unsigned>::max());
  params.set("rlimit", static_cast<unsigned>(limit));
  if (timeout_ms != 0) params.set("timeout", timeout_ms);
  solver.set(params);
  count(solver);
  try {
    const z3::check_result result =
        assumptions != nullptr ? solver.check(*assumptions) : solver.check();
    spent += count(solver);
    return result;
  } catch (const z3::exception&) {
    spent += count(solver);
    throw;
  }
}

std::int64_t Session::count(const z3::solver& solver) {
  const z3::stats stats = solver.statistics();
  for (unsigned i = 0; i < stats.size(); ++i) {
    if (stats.key(i) != "rlimit count") continue;
    const std::int64_t now = stats.is_uint(i) ? static_cast<std::int64_t>(stats.uint_value(i))
                                              : static_cast<std::int64_t>(stats.double_value(i));
    const std::int64_t since = now - std::exchange(counted_, now);
    return since < 0 ? since + (std::int64_t{1} << 32) : since;  // Z3 reports 32 bits of it
  }
  return 0;
}

std::string z3_version() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build) + " (" +
         FRAGPROOF_Z3_ORIGIN + ")";
}

}  // namespace fragproof
