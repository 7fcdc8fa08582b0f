// The driver: attempts, restarts and cases until the question is shown or the method ends; then Z3
// has every step.
#include "checkers/radix/radix.h"

#include <algorithm>
#include <memory>

#include "checkers/radix/kernel.h"
#include "checkers/radix/lemmas.h"
#include "checkers/radix/replay_text.h"
#include "checkers/radix/sizes.h"
#include "checkers/radix/symbolic.h"

namespace fragproof {

namespace {

using namespace radix;

constexpr int max_restarts = 300;
constexpr std::size_t max_cases = 96;
constexpr std::size_t max_depth = 14;

struct Case {
  std::map<Sym, Poly> values;
  std::map<Sym, Needs> from;  // the hypotheses by which a value is one
  std::vector<CaseFact> facts;
  std::size_t depth = 0;
};

std::set<Sym> joined(std::set<Sym> a, std::set<Sym> b) {
  a.merge(b);
  return a;
}

// What a symbol's range says about `value` when it stands for the symbol; true where the symbol
// exists.
void add_range(const Context& context, Sym s, const Poly& value, std::vector<CaseFact>& facts) {
  const Symbol& symbol = context.at(s);
  const std::set<Sym> needs = joined(context.roots(Poly::symbol(s)), context.roots(value));
  facts.push_back({value - Poly(symbol.lower), needs});
  if (symbol.kind == Symbol::Kind::Digit) {
    const auto [extent, from] = context.normal_from(symbol.extent);
    facts.push_back({extent - 1 - value, needs, from});
  }
  for (const Poly& fact : symbol.facts) facts.push_back({fact.substitute(s, value), needs});
}

// Adds p >= 0 to the case; an end of a symbol's range, or an equation, becomes a value. A value
// speaks of sizes only: another index may not exist where the symbol does.
void add_fact(const Context& context, Case& c, const Poly& p) {
  const auto substitute = [&](Sym s, const Poly& value, Needs from) {
    c.values[s] = value;
    c.from[s] = from;
    add_range(context, s, value, c.facts);
  };
  if (p.terms().size() <= 2) {
    for (const auto& [m, k] : p.terms()) {
      if (m.size() != 1 || (k != 1 && k != -1) || !(p - Poly::term(m, k)).is_constant()) continue;
      const Int rest = p.constant();
      const Sym s = m[0];
      const Symbol& symbol = context.at(s);
      if (k == -1 && symbol.kind != Symbol::Kind::Atom && rest == symbol.lower) {
        substitute(s, Poly(rest), 0);
        return;
      }
      if (k == 1 && is_bit(s) && rest == -1) {
        substitute(s, Poly(1), 0);
        return;
      }
    }
  }
  const std::set<Sym> needs = context.roots(p);
  for (const CaseFact& fact : c.facts) {
    const auto [opposite, from] = context.normal_from(fact.p);
    if (!(opposite == -p) || fact.needs != needs) continue;
    for (const auto& [m, k] : p.terms()) {
      if (m.size() != 1 || (k != 1 && k != -1)) continue;
      Poly coefficient;
      Poly rest;
      if (!p.split(m[0], coefficient, rest) || !coefficient.is_constant()) continue;
      if (context.at(m[0]).kind == Symbol::Kind::Atom || !context.of_sizes(rest)) continue;
      if (context.depends(rest, {m[0]})) continue;  // a quotient of the symbol itself
      substitute(m[0], k == 1 ? -rest : rest, fact.from | from);
      return;
    }
  }
  c.facts.push_back({p, needs});
}

void show(const Question& question, Evaluator& evaluator) {
  std::vector<Hypothesis> hypotheses;
  for (const Expr* require : question.requires_) {
    for (const Expr* e : conjuncts_of(*require))
      hypotheses.push_back({e, need_of(hypotheses.size())});
  }
  if (question.where_clause != nullptr) {
    for (const Expr* e : conjuncts_of(*question.where_clause)) hypotheses.push_back({e, 0});
  }
  assume_hypotheses(evaluator, hypotheses);
  if (question.kernel != nullptr && question.obligation) {
    show_obligation(evaluator, *question.kernel, *question.obligation);
    return;
  }
  const ConditionPtr c = evaluator.condition(*question.condition);
  if (!holds(evaluator.context, c)) throw GiveUp{"not shown: " + text(evaluator.context, c)};
}

// Says of each require whether a proof that rests on `used` needs it: whole requires, as written,
// where all or none of what they join by && is needed, and parts otherwise.
void report_needs(const Question& question, Needs used, Answer& answer) {
  const auto text_of = [&](const Expr& e) {
    return std::string(question.spec->sources->text(e.where));
  };
  std::size_t at = 0;
  for (const Expr* require : question.requires_) {
    const std::vector<const Expr*> parts = conjuncts_of(*require);
    std::vector<std::string> needed;
    std::vector<std::string> others;
    for (const Expr* e : parts) {
      ((used & need_of(at++)) != 0 ? needed : others).push_back(text_of(*e));
    }
    if (needed.empty()) {
      answer.unused.push_back(text_of(*require));
    } else if (others.empty()) {
      answer.needs.push_back(text_of(*require));
    } else {
      answer.needs.insert(answer.needs.end(), needed.begin(), needed.end());
      answer.unused.insert(answer.unused.end(), others.begin(), others.end());
    }
  }
}

// Z3's word on a step, in this run: on the linear instance, or on the lemma that the step is an
// instance of. What is given or evaluated is not for Z3.
bool discharge(Context& context, const std::vector<Step>& steps, Step& step) {
  switch (step.kind) {
    case Step::Kind::Given:
    case Step::Kind::Outputs:
    case Step::Kind::Evaluated:
      return true;
    case Step::Kind::Instance:
      return step.discharged = matches(steps, step) && proved(step.lemma);
    case Step::Kind::Linear:
      break;
  }
  bool products = false;
  std::vector<Linear> facts;
  for (const Ground& ground : step.grounds) {
    products = products || ground.size() > 1 || ground.front().why == NonNegative::Why::Product;
    if (!step.answered) facts.push_back(context.linear(product_of(ground)));
  }
  const bool follows =
      step.answered || context.solver().entails(facts, context.linear(step.goal), context.rlimit());
  return step.discharged = follows && (!products || proved(Lemma::Product));
}

// Moves the steps of the case in hand into the proof; false, with what stays `open`, when Z3 does
// not discharge one of them.
bool conclude(Context& context, Proof& proof, bool replay, std::string& open) {
  std::vector<Step> steps = context.take_steps();
  const int base = static_cast<int>(proof.steps.size());
  for (Step& step : steps) {
    if (context.stopped()) throw GiveUp{"interrupted"};
    if (!discharge(context, steps, step)) {
      open = step.name + ": " + step.text;
      return false;
    }
    ProofStep out;
    out.lemma = step.name;
    out.statement = step.text;
    out.discharged = step.discharged;
    for (const int premise : step.premises) out.premises.push_back(base + premise);
    proof.steps.push_back(std::move(out));
  }
  if (replay) proof.replay += replay_text(context, steps);
  return true;
}

}  // namespace

namespace {

// The symbols of the last question of this thread. The next obligation of the same kernel under the
// same hypotheses starts from its refinements, which are changes of variables that hold there as
// well, instead of finding them again. Other claims start afresh: what one of them divides by would
// decide how far the proof of another gets.
struct Warm {
  std::shared_ptr<void> nodes;  // keeps the spec's nodes alive, so that addresses mean something
  std::vector<const Expr*> hypotheses;
  const Kernel* kernel = nullptr;
  std::unique_ptr<Context> context;
};

Context& context_for(const Question& question, const Budget& budget) {
  const std::int64_t rlimit = std::min<std::int64_t>(budget.rlimit, 400'000);
  thread_local Warm warm;
  std::vector<const Expr*> hypotheses = question.requires_;
  hypotheses.push_back(question.where_clause);
  const bool same = question.kernel != nullptr && question.kernel == warm.kernel && warm.context &&
                    warm.nodes == question.spec->arena && warm.nodes != nullptr &&
                    warm.hypotheses == hypotheses && warm.context->rlimit() == rlimit &&
                    warm.context->small();
  if (!same) {
    warm = {question.spec->arena, std::move(hypotheses), question.kernel,
            std::make_unique<Context>(rlimit)};
  }
  warm.context->begin_question(budget.stop);
  return *warm.context;
}

}  // namespace

Answer prove_radix(const Question& question, const Budget& budget) {
  Answer answer;
  Context& context = context_for(question, budget);
  const std::int64_t queries_before = context.solver().queries();
  const std::int64_t rlimit_before = context.solver().rlimit_used();
  std::vector<Case> open{Case{}};
  Proof proof;
  proof.method = "radix";
  std::size_t cases = 0;
  std::size_t empty = 0;
  std::size_t shown = 0;
  Needs used = 0;
  std::vector<std::string> notes;
  std::string stays_open;
  const auto unknown = [&](std::string reason) {
    answer.verdict = Verdict::Unknown;
    answer.reason = std::move(reason);
    answer.z3_queries = context.solver().queries() - queries_before;
    answer.rlimit = context.solver().rlimit_used() - rlimit_before;
    return answer;
  };
  try {
    while (!open.empty()) {
      Case current = std::move(open.back());
      open.pop_back();
      if (++cases > max_cases)
        return unknown("the proof needs more than " + std::to_string(max_cases) + " cases");
      bool done = false;
      while (!done) {
        if (budget.stop != nullptr && budget.stop->load()) return unknown("interrupted");
        if (++context.restarts > max_restarts)
          return unknown("the search for a proof used up its budget (restarts)");
        context.clear_attempt();
        context.set_case(current.values, current.from,
                         current.values.empty() && current.facts.empty());
        std::set<Sym> spoken;
        for (const auto& [s, value] : current.values) spoken.insert(s);
        for (const CaseFact& fact : current.facts) {
          const std::set<Sym> more = fact.p.symbols();
          spoken.insert(more.begin(), more.end());
        }
        context.set_case_symbols(std::move(spoken));
        Evaluator evaluator(context, *question.spec);
        try {
          std::vector<CaseFact> of_indices;
          for (const CaseFact& fact : current.facts) {
            if (!fact.needs.empty()) {
              of_indices.push_back(fact);
              continue;
            }
            const auto [p, from] = context.normal_from(fact.p);
            if (p.is_constant()) {
              if (p.constant() >= 0) continue;
              context.use(fact.from | from);
              throw EmptyCase{};
            }
            context.settle(p);
            context.assume(p, fact.from | from);
          }
          context.set_case_facts(std::move(of_indices));
          show(question, evaluator);
          ++shown;
          used |= context.used();
          if (!conclude(context, proof, budget.replay, stays_open)) {
            return unknown("Z3 did not discharge a step of the proof (" + stays_open + ")");
          }
          for (const std::string& note : evaluator.notes) {
            if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
          }
          done = true;
        } catch (const Restart&) {
          continue;
        } catch (const EmptyCase&) {
          ++empty;
          used |= context.used();
          context.log_evaluated("empty", "nothing is left to judge in this case");
          if (!conclude(context, proof, budget.replay, stays_open)) {
            return unknown("Z3 did not discharge a step of the proof (" + stays_open + ")");
          }
          done = true;
        } catch (const Substitute& s) {
          if (context.existential(s.value) || context.at(s.symbol).existential) {
            return unknown("a case on an unknown that is solved for");
          }
          if (context.depends(s.value, {s.symbol}))
            return unknown("an equation in which a size defines itself");
          current.values[s.symbol] = s.value;
          current.from[s.symbol] = context.grounds();
          add_range(context, s.symbol, s.value, current.facts);
        } catch (const Enumerate& choice) {
          for (const Int value : choice.values) {
            Case one = current;
            ++one.depth;
            one.values[choice.symbol] = Poly(value);
            one.from[choice.symbol] = context.grounds();
            add_range(context, choice.symbol, Poly(value), one.facts);
            open.push_back(std::move(one));
          }
          done = true;
        } catch (const Split& split) {
          if (context.existential(split.p))
            return unknown("a case on an unknown that is solved for");
          if (current.depth >= max_depth)
            return unknown("the proof needs cases more than " + std::to_string(max_depth) +
                           " deep");
          Case other = current;
          ++current.depth;
          ++other.depth;
          add_fact(context, other, -split.p - 1);
          add_fact(context, current, split.p);
          open.push_back(std::move(other));
          if (++cases > max_cases)
            return unknown("the proof needs more than " + std::to_string(max_cases) + " cases");
        }
      }
    }
  } catch (const NothingLeft& nothing) {
    answer.verdict = Verdict::Vacuous;
    answer.reason = nothing.reason;
    return answer;
  } catch (const GiveUp& give_up) {
    return unknown(give_up.reason);
  } catch (const NoPoint&) {
    return unknown("a domain without points is solved for");
  } catch (const Overflow&) {
    return unknown("a coefficient of the proof leaves 128 bits");
  }
  answer.z3_queries = context.solver().queries() - queries_before;
  answer.rlimit = context.solver().rlimit_used() - rlimit_before;
  if (shown == 0 && empty > 0) {
    answer.verdict = Verdict::Vacuous;
    answer.reason = "no sizes satisfy the requires and the `where`, or every domain is empty";
    return answer;
  }
  answer.verdict = Verdict::Proved;
  report_needs(question, used, answer);
  if (budget.replay) {
    proof.replay = replay_head(question.id) + proof.replay + replay_end(proof.steps.size());
  }
  proof.notes = notes;
  for (const std::string& note : notes) answer.note += (answer.note.empty() ? "" : "; ") + note;
  answer.proof = std::move(proof);
  return answer;
}

}  // namespace fragproof
