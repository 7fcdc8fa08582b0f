// Linear instances, each in its own scope of one Z3 solver.
#include "checkers/solver/linear.h"

#include <algorithm>
#include <unordered_map>

#include "checkers/solver/answered.h"
#include "checkers/solver/session.h"

namespace fragproof {
namespace {

bool same(const Linear& a, const Linear& b) {
  return a.constant == b.constant && a.terms == b.terms;
}

}  // namespace

// Z3 starts at the first query: most questions never ask one.
struct LinearSolver::State {
  std::unordered_map<int, std::string> names;
  std::shared_ptr<Session> session;
  std::optional<z3::solver> solver;
  std::unordered_map<int, z3::expr> variables;
  std::optional<z3::expr> zero;
  std::vector<Linear> asserted;  // the facts that stand in the solver's outer scope, asked about
                                 // again more often than not
  bool scoped = false;           // is that scope open?
  std::int64_t queries = 0;
  std::int64_t spent = 0;

  void start() {
    if (solver) return;
    session = Session::of_this_thread();
    solver = session->solver();
    zero = session->numeral(0);
  }

  // Forgets everything in Z3, e.g. after it threw with a scope open.
  void stop() {
    solver.reset();
    variables.clear();
    zero.reset();
    session.reset();
    asserted.clear();
    scoped = false;
  }

  const z3::expr& variable(int id) {
    const auto found = variables.find(id);
    if (found != variables.end()) return found->second;
    const std::string text = names.count(id) != 0 ? name(id) : "v" + std::to_string(id);
    // The id keeps two variables of one name apart.
    z3::expr made = session->context().int_const((text + "#" + std::to_string(id)).c_str());
    return variables.emplace(id, std::move(made)).first->second;
  }

  z3::expr term(const Linear& linear) {
    z3::expr_vector sum(session->context());
    for (const auto& [id, coefficient] : linear.terms) {
      if (coefficient == 1) {
        sum.push_back(variable(id));
      } else {
        sum.push_back(session->numeral(coefficient) * variable(id));
      }
    }
    if (linear.constant != 0 || sum.empty()) sum.push_back(session->numeral(linear.constant));
    return sum.size() == 1 ? sum[0] : z3::sum(sum);
  }

  void assume(const std::vector<Linear>& facts) {
    if (scoped && std::ranges::equal(facts, asserted, same)) return;
    if (scoped) solver->pop();
    scoped = true;
    asserted = facts;
    solver->push();
    for (const Linear& fact : facts) solver->add(term(fact) >= *zero);
  }

  [[nodiscard]] const std::string& name(int id) const {
    static const std::string nameless;
    const auto named = names.find(id);
    return named != names.end() ? named->second : nameless;
  }

  // Are the facts without a common point at which the goal fails (or without any)? Asked of Z3 once
  // a run.
  bool unsatisfiable(Asked asked, const std::vector<Linear>& facts, const Linear& goal,
                     std::int64_t rlimit) {
    std::string key = instance_key(asked, facts, goal, rlimit,
                                   [&](int id) -> const std::string& { return name(id); });
    if (const auto known = answered(key)) return *known;
    ++queries;
    try {
      start();
      assume(facts);
      solver->push();
      if (asked == Asked::GoalNonnegative) solver->add(term(goal) < *zero);
      if (asked == Asked::GoalZero) solver->add(term(goal) != *zero);
      const z3::check_result result = session->check(*solver, rlimit, spent);
      solver->pop();
      remember_answer(std::move(key), result == z3::unsat);
      return result == z3::unsat;
    } catch (const z3::exception&) {  // out of memory, cancelled, ..: nothing is shown
      stop();
      return false;
    }
  }
};

LinearSolver::LinearSolver() : state_(std::make_unique<State>()) {}
LinearSolver::~LinearSolver() = default;

void LinearSolver::name(int id, std::string text) { state_->names[id] = std::move(text); }

bool LinearSolver::entails(const std::vector<Linear>& facts, const Linear& goal,
                           std::int64_t rlimit) {
  return state_->unsatisfiable(Asked::GoalNonnegative, facts, goal, rlimit);
}

bool LinearSolver::entails_zero(const std::vector<Linear>& facts, const Linear& goal,
                                std::int64_t rlimit) {
  return state_->unsatisfiable(Asked::GoalZero, facts, goal, rlimit);
}

bool LinearSolver::contradictory(const std::vector<Linear>& facts, std::int64_t rlimit) {
  return state_->unsatisfiable(Asked::Contradictory, facts, Linear(), rlimit);
}

std::int64_t LinearSolver::queries() const { return state_->queries; }
std::int64_t LinearSolver::rlimit_used() const { return state_->spent; }

}  // namespace fragproof
