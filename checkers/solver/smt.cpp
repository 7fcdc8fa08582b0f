// The direct engine: requires, where and the claim turned round, as one query.
#include "checkers/solver/smt.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "checkers/solver/opposite.h"

namespace fragproof {
namespace {

constexpr unsigned longest_ms =
    20'000;  // a net below the rlimit, which decides long before on any machine of today

// Interrupts Z3 soon after `stop` is set.
class Watch {
 public:
  Watch(z3::context& context, const std::atomic<bool>* stop) {
    if (stop == nullptr) return;
    thread_ = std::thread([this, &context, stop] {
      std::unique_lock lock(mutex_);
      while (!done_) {
        wake_.wait_for(lock, std::chrono::milliseconds(20));
        if (!done_ && stop->load()) context.interrupt();
      }
    });
  }
  ~Watch() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

// A require, or the claim's own `where`.
struct Premise {
  const Expr* expr = nullptr;
  Symbolic value;
  z3::expr label;
};

// `require injective(T)` or `bijective(T)` of a table without values.
struct TableRule {
  const Expr* expr = nullptr;
  bool bijective = false;
  bool read = false;  // is there anything that it tells?
};

// The question as formulas.
class Query {
 public:
  Query(Session& session, const Question& question)
      : session_(session), terms_(session), arithmetic_(terms_.arithmetic), opposite_(terms_) {
    for (const Expr* expr : question.requires_) premise(*expr);
    if (question.where_clause != nullptr) premise(*question.where_clause);
    fails_ = opposite_.fails(*question.condition);
    assume_tables();
  }

  // Where a premise is undefined, those before it being true, or the claim fails.
  void negate(z3::solver& solver) {
    z3::expr wrong = arithmetic_.truth(false), before = arithmetic_.truth(true);
    for (const Premise& premise : premises_) {
      wrong = arithmetic_.either(
          wrong, arithmetic_.both(before, arithmetic_.negation(premise.value.defined)));
      before =
          arithmetic_.both(before, arithmetic_.both(premise.value.defined, *premise.value.truth));
      // Held by its label, so that a proof can tell whether it was needed.
      solver.add(z3::implies(premise.label, arithmetic_.either(wrong, *premise.value.truth)));
    }
    add_facts(solver);
    solver.add(arithmetic_.either(wrong, fails_));
    all_needed_ = !wrong.is_false();  // one premise may be what defines another
  }

  // Did the proof need this premise, judged by the labels that Z3 used?
  [[nodiscard]] bool needed(const Premise& premise, const z3::expr_vector& core) const {
    bool used = all_needed_;
    for (unsigned i = 0; i < core.size(); ++i) used = used || z3::eq(core[i], premise.label);
    return used;
  }

  [[nodiscard]] z3::expr_vector labels() const {
    z3::expr_vector labels(session_.context());
    for (const Premise& premise : premises_) labels.push_back(premise.label);
    return labels;
  }

  // Sizes and tables as the claim wants them and, where it has domains, a point in one.
  void inhabit(z3::solver& solver) {
    for (const Premise& premise : premises_) {
      solver.add(arithmetic_.both(premise.value.defined, *premise.value.truth));
    }
    add_facts(solver);
    for (const z3::expr& exists : table_exists_) solver.add(exists);
    if (opposite_.inhabited.empty()) return;
    z3::expr some = arithmetic_.truth(false);
    for (const z3::expr& inside : opposite_.inhabited) some = arithmetic_.either(some, inside);
    solver.add(some);
  }

  [[nodiscard]] const std::vector<Premise>& premises() const { return premises_; }
  [[nodiscard]] const std::vector<TableRule>& rules() const { return rules_; }
  [[nodiscard]] const std::vector<SymbolicNumber>& sizes() const { return terms_.sizes; }
  // Why a model of the formulas need not be one of the premises; "" if it is.
  [[nodiscard]] const std::string& inexact() const { return inexact_; }

 private:
  void premise(const Expr& expr) {
    if (expr.kind == Expr::Kind::Binary && expr.binary == Binary::LogicalAnd &&
        mentions_table_rule(expr)) {
      premise(*expr.args[0]);
      premise(*expr.args[1]);
      return;
    }
    if (expr.kind == Expr::Kind::Predicate && expr.table != nullptr && !expr.table->has_values &&
        (expr.predicate == Predicate::Injective || expr.predicate == Predicate::Bijective)) {
      rules_.push_back({&expr, expr.predicate == Predicate::Bijective, false});
      return;
    }
    const Symbolic value = terms_.evaluate(expr);
    if (!value.truth) throw NotSpoken{"the direct engine met a require that is no condition"};
    const std::string label = "premise!" + std::to_string(premises_.size());
    premises_.push_back({&expr, value, session_.context().bool_const(label.c_str())});
    if (!terms_.readings.empty()) inexact_ = "the requires speak of the values of a table";
  }

  static bool mentions_table_rule(const Expr& expr) {
    if (expr.kind == Expr::Kind::Predicate) return true;
    return expr.kind == Expr::Kind::Binary && expr.binary == Binary::LogicalAnd &&
           std::ranges::any_of(expr.args,
                               [](const Expr* arg) { return mentions_table_rule(*arg); });
  }

  // What the requires say of tables, wherever they are read. That there is such a table is asked
  // for separately.
  void assume_tables() {
    if (rules_.empty()) inexact_.clear();
    for (TableRule& rule : rules_) {
      const Table& table = *rule.expr->table;
      for (const auto& [known, readings] : terms_.readings) {
        if (known != &table) continue;
        rule.read = true;
        for (std::size_t i = 0; i < readings.size(); ++i) {
          for (std::size_t j = i + 1; j < readings.size(); ++j) different(readings[i], readings[j]);
        }
      }
      exists(table, rule.bijective ? Binary::Equal : Binary::LessEqual, std::nullopt);
      if (rule.bijective && table.range == nullptr) {
        throw NotSpoken{"the direct engine met a bijective table without a range"};
      }
    }
    for (std::size_t i = 0; i < terms_.readings.size(); ++i) {
      exists(*terms_.readings[i].first, Binary::LessEqual, Int{1});
    }
  }

  void different(const Terms::Reading& a, const Terms::Reading& b) {
    z3::expr same = arithmetic_.truth(true);
    for (std::size_t d = 0; d < a.index.size(); ++d) {
      same = arithmetic_.both(same, a.index[d].term == b.index[d].term);
    }
    rule_facts_.push_back(!a.inside || !b.inside || a.value != b.value || same);
  }

  // The table has no entry, or a range that is OP-related to `least`, else to the number of
  // entries.
  void exists(const Table& table, Binary op, std::optional<Int> least) {
    if (table.range == nullptr) return;
    SymbolicNumber entries = arithmetic_.number(1);
    z3::expr defined = arithmetic_.truth(true);
    const auto value_of = [&](const Expr& expr) {
      const Symbolic value = terms_.evaluate(expr);
      defined = arithmetic_.both(defined, value.defined);
      return value.numbers.front();
    };
    for (const Expr* extent : table.extents)
      entries = arithmetic_.multiply(entries, value_of(*extent));
    const SymbolicNumber range = value_of(*table.range);
    z3::expr fits = arithmetic_.compare(op, least ? arithmetic_.number(*least) : entries, range);
    if (least) fits = arithmetic_.either(fits, entries.term <= 0);
    table_exists_.push_back(arithmetic_.both(defined, fits));
  }

  void add_facts(z3::solver& solver) {
    for (const z3::expr& fact : terms_.facts) solver.add(fact);
    for (const z3::expr& fact : rule_facts_) solver.add(fact);
  }

  Session& session_;
  Terms terms_;
  Arithmetic& arithmetic_;
  Opposite opposite_;
  std::vector<Premise> premises_;
  std::vector<TableRule> rules_;
  std::vector<z3::expr> rule_facts_, table_exists_;
  z3::expr fails_ = arithmetic_.truth(false);
  bool all_needed_ = false;
  std::string inexact_;
};

std::string text_of(const Question& question, const Expr& expr) {
  if (question.spec == nullptr || !question.spec->sources || expr.where.file < 0) return "";
  return std::string(question.spec->sources->text(expr.where));
}

// Is there a choice of sizes (and a point) for the claim to speak of? Small sizes are tried first:
// Z3 finds those soon.
z3::check_result inhabited(Session& session, Query& query, const Budget& budget, Answer& answer) {
  z3::check_result found = z3::unknown;
  for (const Int most : {Int{4}, Int{64}, Int{1024}, Int{0}}) {
    z3::solver solver = session.solver();
    query.inhabit(solver);
    if (most != 0) {
      for (const SymbolicNumber& size : query.sizes())
        solver.add(size.term <= session.numeral(most));
    }
    ++answer.z3_queries;
    found = session.check(solver, budget.rlimit, answer.rlimit, longest_ms);
    if (found == z3::sat || (budget.stop != nullptr && budget.stop->load())) return found;
  }
  return found;
}

void prove(Session& session, const Question& question, const Budget& budget, Answer& answer) {
  Query query(session, question);
  const Watch watch(session.context(), budget.stop);
  const auto stopped = [&] { return budget.stop != nullptr && budget.stop->load(); };

  z3::solver solver = session.solver();
  query.negate(solver);
  z3::expr_vector labels = query.labels();
  ++answer.z3_queries;
  const z3::check_result result =
      session.check(solver, budget.rlimit, answer.rlimit, longest_ms, &labels);
  if (stopped()) {
    answer.reason = "interrupted";
    return;
  }
  if (result == z3::sat) {
    answer.reason = "Z3 has a model of the negation, which the direct engine takes for a hint only";
    return;
  }
  if (result != z3::unsat) {
    answer.reason = answer.rlimit >= budget.rlimit
                        ? "Z3 gave up on the direct query within its budget of " +
                              std::to_string(budget.rlimit) + " steps"
                        : "Z3 gave up on the direct query: " + solver.reason_unknown();
    return;
  }
  if (!query.inexact().empty()) {
    answer.reason = query.inexact() + ": the direct engine cannot show that there is such a table";
    return;
  }
  const z3::check_result some = inhabited(session, query, budget, answer);
  if (some == z3::unsat) {
    answer.verdict = Verdict::Vacuous;
    answer.reason = "no sizes satisfy the requires with a point to speak of";
    return;
  }
  if (some != z3::sat) {
    answer.reason = stopped() ? "interrupted"
                              : "Z3 found no model of the requires, so the claim may be vacuous";
    return;
  }

  answer.verdict = Verdict::Proved;
  const z3::expr_vector core = solver.unsat_core();
  for (const Premise& premise : query.premises()) {
    if (premise.expr == question.where_clause) continue;
    (query.needed(premise, core) ? answer.needs : answer.unused)
        .push_back(text_of(question, *premise.expr));
  }
  for (const TableRule& rule : query.rules()) {
    (rule.read ? answer.needs : answer.unused).push_back(text_of(question, *rule.expr));
  }
  Proof proof;
  proof.method = "smt";
  proof.steps.push_back({"query",
                         "no sizes and no point where the claim is undefined or false: " +
                             text_of(question, *question.condition),
                         {},
                         true});
  answer.proof = std::move(proof);
}

std::optional<std::string> out_of_scope(const Question& question) {
  if (question.kernel != nullptr || question.obligation)
    return "the direct engine does not speak of kernels";
  if (question.condition == nullptr) return "the direct engine met a claim without a condition";
  return std::nullopt;
}

}  // namespace

Answer decide_smt(const Question& question, const Budget& budget) {
  Answer answer;
  if (const auto reason = out_of_scope(question)) {
    answer.reason = *reason;
    return answer;
  }
  try {
    // Its own context: a late interrupt would cancel whatever the thread's next query is.
    Session session;
    prove(session, question, budget, answer);
  } catch (const NotSpoken& refusal) {
    answer.reason = refusal.reason;
  } catch (const z3::exception& error) {
    answer.verdict = Verdict::Unknown;
    answer.reason = std::string("Z3 failed: ") + error.msg();
  }
  return answer;
}

std::string smt_query(const Question& question, std::string& reason) {
  if (const auto refusal = out_of_scope(question)) {
    reason = *refusal;
    return "";
  }
  try {
    Session& session = *Session::of_this_thread();
    Query query(session, question);
    z3::solver solver = session.solver();
    query.negate(solver);
    const z3::expr_vector labels = query.labels();
    for (unsigned i = 0; i < labels.size(); ++i) solver.add(labels[i]);
    return solver.to_smt2();
  } catch (const NotSpoken& refusal) {
    reason = refusal.reason;
  } catch (const z3::exception& error) {
    reason = std::string("Z3 failed: ") + error.msg();
  }
  return "";
}

}  // namespace fragproof
