// Requires and `where` clauses as facts about sizes.
#include "checkers/radix/sizes.h"

#include <algorithm>

namespace fragproof::radix {

namespace {

void conjuncts(const Expr* e, std::vector<const Expr*>& out) {
  if (e->kind == Expr::Kind::Binary && e->binary == Binary::LogicalAnd) {
    conjuncts(e->args[0], out);
    conjuncts(e->args[1], out);
  } else {
    out.push_back(e);
  }
}

// Is `e` a number that is at least 1 at all sizes, seen by its text alone?
bool plainly_positive(const Expr& e) {
  if (e.kind == Expr::Kind::Number) return e.number >= 1;
  if (e.kind == Expr::Kind::Variable) return e.variable->kind == Variable::Kind::Size;
  return e.kind == Expr::Kind::Binary && (e.binary == Binary::Mul || e.binary == Binary::Add) &&
         plainly_positive(*e.args[0]) && plainly_positive(*e.args[1]);
}

// Is `e` defined at all sizes, seen by its text alone: sums, products and quotients of sizes by
// what is at least 1?
bool plainly_defined(const Expr& e, bool nonnegative = false) {
  switch (e.kind) {
    case Expr::Kind::Number:
      return !nonnegative || e.number >= 0;
    case Expr::Kind::Variable:
      return e.variable->kind == Variable::Kind::Size;
    case Expr::Kind::Unary:
      return !nonnegative && plainly_defined(*e.args[0]);
    case Expr::Kind::Binary:
      if (e.binary == Binary::Div || e.binary == Binary::Mod) {
        return plainly_positive(*e.args[1]) && plainly_defined(*e.args[0], true);
      }
      if (e.binary == Binary::ShiftLeft || e.binary == Binary::ShiftRight) {
        return e.args[1]->kind == Expr::Kind::Number && e.args[1]->number >= 0 &&
               plainly_defined(*e.args[0], true);
      }
      if (nonnegative && e.binary != Binary::Add && e.binary != Binary::Mul) return false;
      return plainly_defined(*e.args[0], nonnegative) && plainly_defined(*e.args[1], nonnegative);
    default:
      return false;
  }
}

// A conjunct `a % d == r`, also the other way round, also through `!= 0` negated forms not.
bool is_remainder(const Expr& e, const Expr*& a, const Expr*& d, const Expr*& r) {
  if (e.kind != Expr::Kind::Binary || e.binary != Binary::Equal) return false;
  for (const bool swapped : {false, true}) {
    const Expr& left = *e.args[swapped ? 1 : 0];
    if (left.kind == Expr::Kind::Binary && left.binary == Binary::Mod) {
      a = left.args[0];
      d = left.args[1];
      r = e.args[swapped ? 0 : 1];
      return true;
    }
  }
  return false;
}

// x := d*q - rest/±1 for a size x of `p` = d*q; true when p was solved (throws Restart then).
void solve_multiple(Context& context, const Poly& p, const Poly& d) {
  // A number is a multiple of a size: the size is one of its divisors.
  if (p.is_constant() && p.constant() > 0 && p.constant() <= (Int{1} << 20) && !d.is_constant()) {
    const auto& [m, k] = *d.terms().begin();
    if (p.constant() % k != 0) throw EmptyCase{};
    const Symbol& symbol = context.at(m[0]);
    if (symbol.kind == Symbol::Kind::Parameter) {
      std::vector<Int> values;
      for (Int v = 1; v <= p.constant() / k; ++v) {
        if ((p.constant() / k) % v == 0) values.push_back(v);
      }
      if (values.size() <= 40) throw Enumerate{m[0], values};
    }
  }
  // Divide both by what they share.
  const auto& [dm, dc] = *d.terms().begin();
  Int shared = dc;
  Mono common_mono = dm;
  for (const auto& [m, c] : p.terms()) {
    shared = gcd(shared, c);
    Mono both;
    std::set_intersection(common_mono.begin(), common_mono.end(), m.begin(), m.end(),
                          std::back_inserter(both));
    common_mono = both;
  }
  Poly a;
  Poly e;
  if (!p.divide_exactly(common_mono, shared, a) || !d.divide_exactly(common_mono, shared, e))
    return;
  if (e == Poly(1)) return;  // holds already
  for (const auto& [m, c] : a.terms()) {
    if (m.size() != 1 || (c != 1 && c != -1)) continue;
    const Sym x = m[0];
    if (context.at(x).kind != Symbol::Kind::Parameter || e.contains(x)) continue;
    Poly coefficient;
    Poly rest;
    if (!a.split(x, coefficient, rest) || !coefficient.is_constant()) continue;
    if (context.depends(rest, {x}) || context.depends(e, {x}))
      continue;  // a quotient of the size itself
    // c*x + rest = e*q
    const Int lower = context.at(x).lower;
    const bool plain = rest.is_zero() && lower >= 1;
    const Poly q = context.fresh_parameter(context.at(x).name, plain ? 1 : 0);
    const Poly value = c == 1 ? e * q - rest : rest - e * q;
    if (!context.whole()) throw Substitute{x, value};
    context.define(x, value);
    if (!plain) context.add_symbol_fact(q, value - Poly(lower));
    throw Restart{};
  }
}

}  // namespace

std::vector<const Expr*> conjuncts_of(const Expr& e) {
  std::vector<const Expr*> out;
  conjuncts(&e, out);
  return out;
}

void assume_hypotheses(Evaluator& evaluator, const std::vector<Hypothesis>& all) {
  Context& context = evaluator.context;
  // `N == 512` first, whatever the order: everything else is simpler then. But no further than all
  // that stands before it is defined without it.
  for (const auto& [e, need] : all) {
    if (!plainly_defined(*e)) break;
    if (e->kind != Expr::Kind::Binary || e->binary != Binary::Equal) continue;
    for (const bool swapped : {false, true}) {
      const Expr& left = *e->args[swapped ? 1 : 0];
      const Expr& right = *e->args[swapped ? 0 : 1];
      if (left.kind != Expr::Kind::Variable || left.variable->kind != Variable::Kind::Size)
        continue;
      if (right.kind != Expr::Kind::Number) continue;
      const Poly x = context.parameter(left.variable->name, 1);
      if (x.is_constant()) continue;
      if (x.is_term() && x.terms().begin()->first.size() == 1 && x.terms().begin()->second == 1) {
        context.begin_hypothesis(need);
        if (right.number < 1) throw EmptyCase{};
        throw Substitute{x.terms().begin()->first[0], Poly(right.number)};
      }
    }
  }
  for (const auto& [e, need] : all) {
    const Expr* a = nullptr;
    const Expr* d = nullptr;
    const Expr* r = nullptr;
    if (e->kind == Expr::Kind::Predicate && e->table != nullptr && e->table->numbers.empty()) {
      if (e->predicate == Predicate::Injective || e->predicate == Predicate::Bijective) {
        evaluator.injective_tables.emplace(e->table, need);
      }
      if (e->predicate == Predicate::Bijective) evaluator.bijective_tables.emplace(e->table, need);
      continue;
    }
    context.begin_hypothesis(need);
    if (is_remainder(*e, a, d, r)) {
      const Poly pa = evaluator.number(*a);
      const Poly pd = evaluator.number(*d);
      const Poly pr = evaluator.number(*r);
      evaluator.need(pa, "the number divided is not negative");
      evaluator.need(pd - 1, "the divisor is at least 1");
      if (pr.is_constant() && pr.constant() >= 0 && pd.is_term()) {
        if (pd.is_constant() && pr.constant() >= pd.constant()) throw EmptyCase{};
        solve_multiple(context, pa - pr, pd);
      }
    }
    ConditionPtr c;
    try {
      c = evaluator.condition(*e);
    } catch (const GiveUp& give_up) {
      // A hypothesis that the method cannot read is left out, which asks for no less; but then
      // nothing shows that it is defined.
      throw GiveUp{"a require or `where` that the method cannot use: " + give_up.reason};
    }
    try {
      assume_fully(context, c, true);
    } catch (const NoPoint&) {
      throw EmptyCase{};
    }
    context.end_hypothesis(plainly_defined(*e));
  }
  if (context.contradictory()) throw EmptyCase{};
}

}  // namespace fragproof::radix
