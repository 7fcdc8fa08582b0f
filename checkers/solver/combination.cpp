// Farkas multipliers as a linear program over the rationals, put to Z3.
#include "checkers/solver/combination.h"

#include <map>
#include <string>

#include "checkers/solver/session.h"

namespace fragproof {
namespace {

constexpr Int most = Int{1} << 100;

bool parse(const std::string& text, Int& out) {
  out = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || out > most / 10) return false;
    out = out * 10 + (c - '0');
  }
  return !text.empty();
}

// A rational value >= 0 of a model.
bool fraction(const z3::expr& value, Int& numerator, Int& denominator) {
  return value.is_numeral() && parse(value.numerator().to_string(), numerator) &&
         parse(value.denominator().to_string(), denominator) && denominator >= 1;
}

Int gcd(Int a, Int b) {
  while (b != 0) {
    const Int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

std::optional<Combination> solve(const std::vector<Linear>& facts, const Linear& goal,
                                 std::int64_t rlimit) {
  const std::shared_ptr<Session> session = Session::of_this_thread();
  z3::context& context = session->context();
  z3::solver solver(context, "QF_LRA");
  const auto number = [&](Int value) { return context.real_val(to_string(value).c_str()); };
  std::vector<z3::expr> unknowns;
  std::map<int, z3::expr_vector> sums;  // of each variable over the facts
  const auto sum_of = [&](int id) -> z3::expr_vector& {
    return sums.try_emplace(id, context).first->second;
  };
  z3::expr_vector constants(context);
  constants.push_back(number(0));
  for (const Linear& fact : facts) {
    unknowns.push_back(context.real_const(("m" + std::to_string(unknowns.size())).c_str()));
    const z3::expr& m = unknowns.back();
    solver.add(m >= number(0));
    constants.push_back(number(fact.constant) * m);
    for (const auto& [id, coefficient] : fact.terms) sum_of(id).push_back(number(coefficient) * m);
  }
  std::map<int, Int> wanted(goal.terms.begin(), goal.terms.end());
  for (const auto& [id, coefficient] : wanted) sum_of(id).push_back(number(0));
  for (const auto& [id, sum] : sums) {
    const auto it = wanted.find(id);
    solver.add(z3::sum(sum) == number(it == wanted.end() ? Int{0} : it->second));
  }
  solver.add(z3::sum(constants) < number(goal.constant) + number(1));
  std::int64_t spent = 0;
  if (session->check(solver, rlimit, spent) != z3::sat) return std::nullopt;
  const z3::model model = solver.get_model();
  std::vector<std::pair<Int, Int>> values;
  Combination out;
  for (const z3::expr& m : unknowns) {
    Int numerator = 0;
    Int denominator = 1;
    if (!fraction(model.eval(m, true), numerator, denominator)) return std::nullopt;
    values.emplace_back(numerator, denominator);
    const Int factor = denominator / gcd(denominator, out.scale);
    if (out.scale > most / factor) return std::nullopt;
    out.scale *= factor;
  }
  for (const auto& [numerator, denominator] : values) {
    const Int factor = out.scale / denominator;
    if (numerator > most / factor) return std::nullopt;
    out.multipliers.push_back(numerator * factor);
  }
  return out;
}

}  // namespace

std::optional<Combination> combination(const std::vector<Linear>& facts, const Linear& goal,
                                       std::int64_t rlimit) {
  try {
    return solve(facts, goal, rlimit);
  } catch (const z3::exception&) {  // out of memory, cancelled
    return std::nullopt;
  }
}

}  // namespace fragproof
