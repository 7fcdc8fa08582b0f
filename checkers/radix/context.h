// What a proof for all shapes knows: symbols with their ranges, facts, the case in hand, and the
// steps taken.
//
// Symbols live as long as the question. A refinement rewrites one for good (v = e*h + l, N = 16*q):
// it is a change of variables, true in every case, so the attempt in hand is thrown away and
// started again (Restart). A case (`p >= 0` on one side, `p <= -1` on the other) is asked for by
// throwing Split; the driver proves both.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checkers/radix/poly.h"
#include "checkers/radix/steps.h"
#include "checkers/result/result.h"
#include "checkers/solver/linear.h"

namespace fragproof::radix {

struct Restart {};  // a symbol was refined: evaluate again
struct Split {
  Poly p;
};                   // p >= 0 is undecided: prove both sides
struct Substitute {  // in this case symbol equals value: evaluate again with that
  Sym symbol;
  Poly value;
};
struct Enumerate {  // in this case `symbol` is one of `values`: a case each
  Sym symbol;
  std::vector<Int> values;
};
struct NothingLeft {  // what is left out above leaves nothing to judge, in the whole claim
  std::string reason;
};
struct EmptyCase {};  // the facts of this case contradict each other
struct NoPoint {};    // the domain being entered has no point in this case
struct GiveUp {       // the method ends here; the reason is one sentence
  std::string reason;
};

// A set of the claim's hypotheses, a bit each; the last bit stands for all from the 64th on.
using Needs = std::uint64_t;
[[nodiscard]] inline Needs need_of(std::size_t hypothesis) {
  return Needs{1} << (hypothesis < 63 ? hypothesis : 63);
}

// A fact of a case. It holds only while all that it speaks of exists: a domain may be empty, and
// then what its points would say of the sizes is no fact at all.
struct CaseFact {
  Poly p;
  std::set<Sym> needs;  // roots of the indices and table values that it speaks of
  Needs from = 0;       // the hypotheses that it rests on
};

struct Symbol {
  static constexpr Sym no_root = static_cast<Sym>(-1);
  enum class Kind {
    Parameter,  // an integer >= lower, about sizes only
    Index,      // a coordinate without an extent, >= lower
    Digit,      // 0 <= s < extent
    Atom,       // a named integer with the facts of its definition
  };
  std::string name;
  std::string key;     // of the symbol that it was refined from
  Sym root = no_root;  // that symbol
  Kind kind = Kind::Parameter;
  Int lower = 0;
  Poly extent;
  bool of_sizes = false;          // its value depends on sizes only
  bool atom_nonnegative = false;  // an atom known to be >= 0, whatever the case
  bool existential = false;       // an unknown that is solved for: no case may split on it
  std::optional<Poly> value;      // refined: stands for this
  Needs value_from = 0;           // the hypotheses by which it does
  std::vector<Poly> facts;        // each >= 0 wherever the symbol exists
  std::vector<Poly> arguments;    // of a value of an unknown table: what it was asked for
  // For sampling an atom: floor(numerator/denominator), the smaller/larger of two, or the bits that
  // two numbers >= 0 have in common.
  enum class Definition { None, Floor, Min, Max, And } definition = Definition::None;
  Poly first, second;
};

class Context {
 public:
  explicit Context(std::int64_t rlimit) : rlimit_(rlimit) {}

  // ---- symbols
  // -----------------------------------------------------------------------------------------------
  // The symbol called `key`, made at first use; its refined value afterwards.
  [[nodiscard]] Poly parameter(const std::string& key, Int lower);
  // The display name is what follows the last '/' of the key.
  [[nodiscard]] Poly index(const std::string& key, Int lower, bool existential = false);
  [[nodiscard]] Poly digit(const std::string& key, const Poly& extent, bool existential = false);
  [[nodiscard]] Poly atom(const std::string& key, Symbol::Definition definition, const Poly& first,
                          const Poly& second);
  [[nodiscard]] const Symbol& at(Sym s) const { return symbols_[s >> 1U]; }
  // Gives the atoms of `p` the facts of their definitions, where these hold by the ranges of
  // symbols alone.
  void settle(const Poly& p, int depth = 0);
  // `p` with every refined symbol replaced.
  [[nodiscard]] Poly normal(Poly p) const;
  // Refines s = e*high + low and throws Restart. Exact when e divides a digit's extent.
  [[noreturn]] void refine(Sym s, const Poly& e);
  // Refines s = e*q + 1 + r, so that ceildiv(s, e) is q + 1.
  [[noreturn]] void refine_ceiling(Sym s, const Poly& e);
  // s stands for `value` from now on; no restart.
  void define(Sym s, const Poly& value);
  // `fact` >= 0 wherever the one symbol that `symbol` consists of exists.
  void add_symbol_fact(const Poly& symbol, const Poly& fact);
  [[nodiscard]] Poly fresh_parameter(const std::string& name, Int lower);
  [[nodiscard]] bool of_sizes(const Poly& p) const;
  [[nodiscard]] bool existential(const Poly& p) const;
  // Existential symbols that are held fixed for now are no unknowns of what is solved meanwhile.
  void hold(std::set<Sym> symbols) { held_ = std::move(symbols); }
  [[nodiscard]] const std::set<Sym>& held() const { return held_; }
  [[nodiscard]] bool unknown(Sym s) const;
  // Does the case in hand say anything of a symbol whose key starts so?
  [[nodiscard]] bool case_speaks_of(const std::string& prefix) const;
  void set_case_symbols(std::set<Sym> symbols) { case_symbols_ = std::move(symbols); }
  // Values that hold for a while (both sides of a bit that is solved for).
  void push_values(const std::map<Sym, Poly>& values);
  void pop_values(const std::map<Sym, Poly>& values);
  [[nodiscard]] std::string text(const Poly& p) const;
  // `p` by the numbers of its symbols: two of them may print alike, and must not be taken for one.
  [[nodiscard]] static std::string key_of(const Poly& p);

  // ---- facts
  // ---------------------------------------------------------------------------------------------------
  // Scoped: a fact holds until the scope that was open when it was assumed closes.
  void assume(const Poly& p);
  void assume(const Poly& p, Needs from);
  [[nodiscard]] std::size_t mark() const { return facts_.size(); }
  void release(std::size_t mark);
  [[nodiscard]] const std::vector<Poly>& facts() const { return facts_; }
  // The indices and table values that `p` speaks of, also through the definitions of atoms.
  [[nodiscard]] std::set<Sym> roots(const Poly& p) const;
  // Does the value of `p` depend on a symbol of `own`, also through atoms and through what tables
  // were asked for?
  [[nodiscard]] bool depends(const Poly& p, const std::set<Sym>& own) const;
  // The symbols of `value` made under this key are what a table was asked for.
  void set_arguments(const std::string& key, const Poly& value, const std::vector<Poly>& arguments);
  // Facts of the case about indices: each is assumed when the last of what it speaks of is bound.
  void set_case_facts(std::vector<CaseFact> facts);
  // In the case in hand `s` is `value`; used for bits and enumerated sizes. `from`: the hypotheses
  // by which it is.
  void set_case(std::map<Sym, Poly> values, std::map<Sym, Needs> from, bool whole) {
    case_values_ = std::move(values);
    case_from_ = std::move(from);
    whole_ = whole;
  }
  // Is the case in hand the whole claim? Only then may a require define a size for good.
  [[nodiscard]] bool whole() const { return whole_; }
  [[nodiscard]] const std::map<Sym, Poly>& case_values() const { return case_values_; }

  // ---- questions
  // -------------------------------------------------------------------------------------------------
  [[nodiscard]] bool nonnegative(const Poly& p);
  [[nodiscard]] bool positive(const Poly& p) { return nonnegative(p - 1); }
  // By the box alone, no facts: cheap.
  [[nodiscard]] bool box(const Poly& p);
  [[nodiscard]] bool in_range(const Poly& p, const Poly& extent) {  // 0 <= p < extent
    return nonnegative(p) && nonnegative(extent - p - 1);
  }
  [[nodiscard]] bool in_box(const Poly& p, const Poly& extent) {
    return box(p) && box(extent - p - 1);
  }
  [[nodiscard]] bool is_zero(const Poly& p) {
    return p.is_zero() || (nonnegative(p) && nonnegative(-p));
  }
  // Are the facts in hand contradictory (so that the case is empty)?
  [[nodiscard]] bool contradictory();

  // ---- which hypotheses a proof rests on
  // ---------------------------------------------------------------------------------
  // Hypothesis `bit` is being read from here to end_hypothesis(): what it turns into (facts, values
  // of sizes) rests on it and on what reading it took, and is used only where it is used itself.
  void begin_hypothesis(Needs bit);
  // `defined_anyway`: its text alone shows that it is defined. Otherwise what shows that it is must
  // not be dropped.
  void end_hypothesis(bool defined_anyway);
  void use(Needs needs) const { used_ |= needs; }
  // What has been used in this attempt and, inside a hypothesis, that one.
  [[nodiscard]] Needs used() const { return used_ | reading_.value_or(0) | used_before_; }
  // What rests on the hypothesis being read rests on this; outside of one, on everything so far.
  [[nodiscard]] Needs grounds() const { return used_ | reading_.value_or(0); }
  // normal(), with what that rests on instead of a use of it.
  [[nodiscard]] std::pair<Poly, Needs> normal_from(const Poly& p) const;

  // ---- proof
  // -----------------------------------------------------------------------------------------------------
  int log(Step step);
  // An instance of `lemma` (see Step::parts), from what `premises` say.
  int log_instance(Lemma lemma, std::string name, std::vector<Poly> parts,
                   std::vector<int> premises, std::string text);
  // What no lemma and no solver says: a finite fact, or an identity of polynomials.
  int log_evaluated(std::string name, std::string text);
  // Two points of what is solved for that have equal `outputs`.
  int log_outputs(const std::vector<Poly>& outputs);
  // All values of `functions` of few bits, with those of the bits that are known, differ: so `bits`
  // follow.
  int log_table(const std::vector<Poly>& functions, const std::set<Sym>& bits,
                std::vector<int> premises);
  void log_identity(const std::string& name, const Poly& left, const Poly& right);
  // The steps that show each of `polys` >= 0, which has been shown with the facts in hand.
  // Constants need none.
  [[nodiscard]] std::vector<int> steps_of(const std::vector<Poly>& polys) const;
  // A new budget; the symbols stay. `stop`, when set, ends the search with GiveUp.
  void begin_question(const std::atomic<bool>* stop) {
    stop_ = stop;
    spent_ = 0;
    restarts = 0;
    surely_needed_ = 0;
    last_open.clear();
  }
  [[nodiscard]] bool small() const { return symbols_.size() < 4000; }
  void clear_attempt();  // forget memo, steps and facts above the case's own
  [[nodiscard]] std::vector<Step> take_steps() { return std::move(steps_); }
  [[nodiscard]] LinearSolver& solver() { return solver_; }
  [[nodiscard]] std::int64_t rlimit() const { return rlimit_; }
  [[nodiscard]] int variable_of(const Mono& m);
  [[nodiscard]] const std::string& variable_text(int id) const {
    return variable_texts_[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] Linear linear(const Poly& p);

  // Work limits, so that a verdict does not depend on the machine: steps of search, not seconds.
  // Also the place where the search heeds an interrupt.
  void spend(std::int64_t units);
  [[nodiscard]] bool stopped() const { return stop_ != nullptr && stop_->load(); }
  int restarts = 0;
  std::string last_open;  // the polynomial that stayed open, for UNKNOWN

 private:
  // What a hypothesis of a linear instance rests on.
  struct Reason {
    Needs from = 0;
    Ground ground;
  };
  using Hypotheses = std::map<Poly, Reason>;
  [[nodiscard]] Sym add(Symbol symbol);
  // `s` exists from here to the end of the scope: what the case says of it holds.
  Poly bound(Sym s);
  bool settle(Sym atom);
  void forget_signs();
  [[nodiscard]] bool box_certificate(Poly p, std::vector<Ground>& grounds);
  [[nodiscard]] bool minimum_over_bits(Poly& p, std::vector<Ground>& grounds);
  // A factor that box() has shown.
  [[nodiscard]] NonNegative boxed(const Poly& p) const;
  [[nodiscard]] bool refuted_by_sample(const Poly& p);
  // The step by which one fact, some times, and the box show p >= 0; -1 when they do not.
  [[nodiscard]] int by_fact(const Poly& p);
  // The step by which Z3 shows p >= 0; -1 when it does not.
  [[nodiscard]] int by_solver(const Poly& p);
  int log_entailed(std::string name, Hypotheses hypotheses, const Poly& goal, std::string text);
  int log_linear(std::string name, std::vector<Ground> grounds, const Poly& goal, std::string text);
  // The step that says that a fact in hand, or of a symbol, is one.
  int given(const Poly& fact);
  [[nodiscard]] Hypotheses gather(const Poly& p) const;
  // Does Z3 derive `goal` (a contradiction without one) from them? Then they are thinned out to
  // rest on as little as is easily seen.
  [[nodiscard]] bool entails(Hypotheses& hypotheses, const std::optional<Poly>& goal);
  struct Sample {
    std::map<Sym, Int> values;
    unsigned seed = 0;
  };
  [[nodiscard]] bool value_at(Sample& sample, Sym s, Int& out, int depth) const;
  [[nodiscard]] bool value_at(Sample& sample, const Poly& p, Int& out, int depth) const;

  std::vector<Symbol> symbols_;
  std::map<std::string, Sym> by_key_;
  std::map<Sym, Poly> case_values_;
  std::vector<Poly> facts_;
  std::vector<Needs> facts_from_;  // of each fact
  struct Known {
    bool holds = false;
    Needs from = 0;
    int step = -1;
  };
  std::map<Poly, Known> memo_;      // under exactly the facts in hand
  std::map<Poly, Known> box_memo_;  // never depends on facts
  std::vector<std::map<Poly, Known>> memo_stack_;
  std::vector<Step> steps_;
  std::map<Poly, int> given_;  // the steps that are facts
  std::vector<Sample> samples_;
  std::map<Mono, int> variables_;
  std::vector<std::string> variable_texts_;
  LinearSolver solver_;
  std::int64_t rlimit_;
  std::int64_t spent_ = 0;
  const std::atomic<bool>* stop_ = nullptr;
  int fresh_ = 0;
  bool whole_ = true;
  std::map<Sym, Needs> case_from_;
  mutable Needs used_ = 0;
  Needs used_before_ = 0;         // by what came before the hypothesis being read
  std::optional<Needs> reading_;  // that hypothesis
  Needs surely_needed_ = 0;       // a linear instance of this question failed without them
  int dead_ = 0;                  // facts in hand that are constants below 0
  std::set<Sym> held_;
  std::set<Sym> case_symbols_;
  std::vector<CaseFact> case_facts_;  // about indices
  std::vector<std::size_t>
      assumed_at_;  // of each: facts_.size() when it was assumed, 0 when it is not
  std::map<Sym, std::size_t> alive_;  // root -> facts_.size() when it was bound
  std::vector<Sym> atoms_;
};

}  // namespace fragproof::radix
