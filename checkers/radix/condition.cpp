// Proving, assuming and counting with conditions.
#include "checkers/radix/condition.h"

#include "checkers/radix/arithmetic.h"

namespace fragproof::radix {

namespace {

ConditionPtr make(Condition::Kind kind, Poly p = {}, ConditionPtr a = nullptr,
                  ConditionPtr b = nullptr) {
  auto c = std::make_shared<Condition>();
  c->kind = kind;
  c->p = std::move(p);
  c->a = std::move(a);
  c->b = std::move(b);
  return c;
}

constexpr std::size_t condition_bits = 10;

bool few_bits(const Poly& p) {
  const std::set<Sym> symbols = p.symbols();
  if (symbols.size() > condition_bits) return false;
  for (const Sym s : symbols) {
    if (!is_bit(s)) return false;
  }
  return true;
}

// `s == 1 || s == 2 || ..` of one symbol: its values.
bool gather_choices(const ConditionPtr& c, std::optional<Sym>& symbol, std::vector<Int>& values) {
  if (c->kind == Condition::Kind::Or) {
    return gather_choices(c->a, symbol, values) && gather_choices(c->b, symbol, values);
  }
  if (c->kind != Condition::Kind::Zero) return false;
  for (const auto& [m, k] : c->p.terms()) {
    if (m.size() != 1) continue;
    const Poly rest = c->p - Poly::term(m, k);
    if (!rest.is_constant() || (symbol && *symbol != m[0])) return false;
    symbol = m[0];
    if (rest.constant() % k == 0) values.push_back(-rest.constant() / k);
    return true;
  }
  return false;
}

std::optional<std::pair<Sym, std::vector<Int>>> choices(const Context& context,
                                                        const ConditionPtr& c) {
  std::optional<Sym> symbol;
  std::vector<Int> values;
  if (!gather_choices(c, symbol, values) || !symbol) return std::nullopt;
  if (context.at(*symbol).kind == Symbol::Kind::Atom) return std::nullopt;
  return std::pair{*symbol, values};
}

}  // namespace

ConditionPtr always() {
  static const ConditionPtr value = make(Condition::Kind::True);
  return value;
}

ConditionPtr never() {
  static const ConditionPtr value = make(Condition::Kind::False);
  return value;
}

ConditionPtr at_least_zero(Context& context, const Poly& p) {
  if (p.is_constant()) return p.constant() >= 0 ? always() : never();
  if (context.nonnegative(p)) return always();
  if (context.nonnegative(-p - 1)) return never();
  return make(Condition::Kind::AtLeastZero, p);
}

ConditionPtr zero(Context& context, const Poly& p) {
  if (p.is_constant()) return p.is_zero() ? always() : never();
  if (context.nonnegative(p - 1) || context.nonnegative(-p - 1)) return never();
  return make(Condition::Kind::Zero, p);
}

ConditionPtr both(const ConditionPtr& a, const ConditionPtr& b) {
  if (is_false(a) || is_true(b)) return a;
  if (is_false(b) || is_true(a)) return b;
  return make(Condition::Kind::And, {}, a, b);
}

ConditionPtr either(const ConditionPtr& a, const ConditionPtr& b) {
  if (is_true(a) || is_false(b)) return a;
  if (is_true(b) || is_false(a)) return b;
  return make(Condition::Kind::Or, {}, a, b);
}

ConditionPtr negate(const ConditionPtr& c) {
  switch (c->kind) {
    case Condition::Kind::True:
      return never();
    case Condition::Kind::False:
      return always();
    case Condition::Kind::AtLeastZero:
      return make(Condition::Kind::AtLeastZero, -c->p - 1);
    case Condition::Kind::Zero:
      return make(Condition::Kind::NonZero, c->p);
    case Condition::Kind::NonZero:
      return make(Condition::Kind::Zero, c->p);
    case Condition::Kind::And:
      return either(negate(c->a), negate(c->b));
    case Condition::Kind::Or:
      return both(negate(c->a), negate(c->b));
  }
  return c;
}

ConditionPtr substitute(const ConditionPtr& c, const std::map<Sym, Poly>& values) {
  switch (c->kind) {
    case Condition::Kind::True:
    case Condition::Kind::False:
      return c;
    case Condition::Kind::And:
      return both(substitute(c->a, values), substitute(c->b, values));
    case Condition::Kind::Or:
      return either(substitute(c->a, values), substitute(c->b, values));
    default:
      return make(c->kind, c->p.substitute(values));
  }
}

bool holds(Context& context, const ConditionPtr& c) {
  switch (c->kind) {
    case Condition::Kind::True:
      return true;
    case Condition::Kind::False:
      return context.contradictory();
    case Condition::Kind::AtLeastZero:
      return context.nonnegative(c->p);
    case Condition::Kind::Zero:
      if (c->p.is_zero()) {
        context.log_identity("identity", Poly(), c->p);
        return true;
      }
      return context.is_zero(c->p);
    case Condition::Kind::NonZero: {
      if (context.nonnegative(c->p - 1) || context.nonnegative(-c->p - 1)) return true;
      if (!few_bits(c->p)) return false;
      // Over bits: the square is at least 1.
      return context.nonnegative(c->p * c->p - 1);
    }
    case Condition::Kind::And:
      return holds(context, c->a) && holds(context, c->b);
    case Condition::Kind::Or: {
      for (const auto& [x, y] : {std::pair{c->a, c->b}, std::pair{c->b, c->a}}) {
        const std::size_t mark = context.mark();
        const ConditionPtr other = negate(x);
        // What assume() would leave out must not be lost: a disjunction on the left is shown by its
        // parts.
        if (other->kind == Condition::Kind::Or) {
          const bool one = holds(context, either(y, negate(other->a))) &&
                           holds(context, either(y, negate(other->b)));
          if (one) return true;
          continue;
        }
        if (other->kind == Condition::Kind::NonZero) {
          bool all = true;
          for (const Poly& side : {other->p - 1, -other->p - 1}) {
            context.assume(side);
            all = all && holds(context, y);
            context.release(mark);
          }
          if (all) return true;
          continue;
        }
        assume(context, other);
        const bool shown = holds(context, y) || context.contradictory();
        context.release(mark);
        if (shown) return true;
      }
      return false;
    }
  }
  return false;
}

void split_on(const ConditionPtr& c) {
  switch (c->kind) {
    case Condition::Kind::And:
    case Condition::Kind::Or:
      if (!is_true(c->a) && !is_false(c->a)) split_on(c->a);
      split_on(c->b);
    case Condition::Kind::AtLeastZero:
    case Condition::Kind::Zero:
    case Condition::Kind::NonZero:
      throw Split{c->p};
    case Condition::Kind::True:
    case Condition::Kind::False:
      break;
  }
  throw GiveUp{"a condition that is decided was asked for a case"};
}

Poly as_number(Context& context, const ConditionPtr& c) {
  switch (c->kind) {
    case Condition::Kind::True:
      return Poly(1);
    case Condition::Kind::False:
      return Poly();
    case Condition::Kind::And:
      return as_number(context, c->a) * as_number(context, c->b);
    case Condition::Kind::Or: {
      const Poly a = as_number(context, c->a);
      const Poly b = as_number(context, c->b);
      return a + b - a * b;
    }
    default:
      break;
  }
  if (few_bits(c->p)) {
    const std::set<Sym> symbols = c->p.symbols();
    const Condition::Kind kind = c->kind;
    return apply_over_bits({symbols.begin(), symbols.end()}, {c->p},
                           [kind](const std::vector<Int>& x) {
                             const bool yes = kind == Condition::Kind::AtLeastZero ? x[0] >= 0
                                              : kind == Condition::Kind::Zero      ? x[0] == 0
                                                                                   : x[0] != 0;
                             return static_cast<Int>(yes ? 1 : 0);
                           });
  }
  // Digits of few values become bits first.
  if (!c->p.symbols().empty()) {
    bool small = true;
    Int values = 1;
    for (const Sym s : c->p.symbols()) {
      const Symbol& symbol = context.at(s);
      const Poly extent =
          symbol.kind == Symbol::Kind::Digit ? context.normal(symbol.extent) : Poly();
      small = small && extent.is_constant() && !extent.is_zero();
      if (small) values = values * extent.constant();
      small = small && values <= (Int{1} << condition_bits);
    }
    if (small) (void)bits_of(context, {c->p}, condition_bits);
  }
  if (c->kind == Condition::Kind::AtLeastZero) throw Split{c->p};
  // An equation is undecided on both sides in turn.
  if (context.nonnegative(c->p)) throw Split{-c->p};
  throw Split{c->p};
}

void assume(Context& context, const ConditionPtr& c) {
  switch (c->kind) {
    case Condition::Kind::AtLeastZero:
      context.assume(c->p);
      break;
    case Condition::Kind::Zero:
      context.assume(c->p);
      context.assume(-c->p);
      break;
    case Condition::Kind::And:
      assume(context, c->a);
      assume(context, c->b);
      break;
    case Condition::Kind::NonZero:
      if (context.nonnegative(c->p)) {
        context.assume(c->p - 1);
      } else if (context.nonnegative(-c->p)) {
        context.assume(-c->p - 1);
      } else if (few_bits(c->p)) {
        context.assume(as_number(context, c) - 1);
      }
      break;
    case Condition::Kind::Or:
      break;
    case Condition::Kind::True:
      break;
    case Condition::Kind::False:
      context.assume(Poly(-1));
      break;
  }
}

void assume_fully(Context& context, const ConditionPtr& c, bool hypothesis) {
  switch (c->kind) {
    case Condition::Kind::True:
      return;
    case Condition::Kind::False:
      throw NoPoint{};
    case Condition::Kind::AtLeastZero:
      context.assume(c->p);
      return;
    case Condition::Kind::Zero:
      for (const auto& [m, k] : c->p.terms()) {
        if (m.size() != 1 || (k != 1 && k != -1)) continue;
        const Sym s = m[0];
        Poly coefficient;
        Poly rest;
        if (!c->p.split(s, coefficient, rest) || !coefficient.is_constant()) continue;
        if (context.at(s).kind == Symbol::Kind::Atom || context.depends(rest, {s})) continue;
        if (hypothesis) throw Substitute{s, k == 1 ? -rest : rest};
        // Where the equation is a value, the case in which it holds knows it: one case more on
        // either side.
        if (context.existential(c->p) || !context.of_sizes(rest)) continue;
        if (context.at(s).of_sizes && !context.of_sizes(c->p)) continue;
        if (context.nonnegative(c->p)) throw Split{-c->p};
        throw Split{c->p};
      }
      context.assume(c->p);
      context.assume(-c->p);
      return;
    case Condition::Kind::NonZero:
      if (context.nonnegative(c->p)) {
        context.assume(c->p - 1);
      } else if (context.nonnegative(-c->p)) {
        context.assume(-c->p - 1);
      } else {
        throw Split{c->p};
      }
      return;
    case Condition::Kind::And:
      assume_fully(context, c->a, hypothesis);
      assume_fully(context, c->b, hypothesis);
      return;
    case Condition::Kind::Or:
      if (hypothesis) {
        if (const auto values = choices(context, c)) throw Enumerate{values->first, values->second};
      }
      if (holds(context, c->a) || holds(context, c->b)) return;
      if (holds(context, negate(c->a))) return assume_fully(context, c->b, hypothesis);
      if (holds(context, negate(c->b))) return assume_fully(context, c->a, hypothesis);
      if (c->a->kind == Condition::Kind::Zero && context.nonnegative(c->a->p))
        throw Split{-c->a->p};
      split_on(c->a);
  }
}

bool enter(Context& context, const ConditionPtr& c) {
  try {
    assume_fully(context, c);
  } catch (const NoPoint&) {
    return false;
  }
  return true;
}

std::set<Sym> universal_bits(const Context& context, const ConditionPtr& c) {
  std::set<Sym> out;
  if (c->kind == Condition::Kind::And || c->kind == Condition::Kind::Or) {
    out = universal_bits(context, c->a);
    out.merge(universal_bits(context, c->b));
    return out;
  }
  for (const Sym s : c->p.symbols()) {
    if (is_bit(s) && !context.at(s).existential) out.insert(s);
  }
  return out;
}

std::string text(const Context& context, const ConditionPtr& c) {
  switch (c->kind) {
    case Condition::Kind::True:
      return "true";
    case Condition::Kind::False:
      return "false";
    case Condition::Kind::AtLeastZero:
      return context.text(c->p) + " >= 0";
    case Condition::Kind::Zero:
      return context.text(c->p) + " == 0";
    case Condition::Kind::NonZero:
      return context.text(c->p) + " != 0";
    case Condition::Kind::And:
      return "(" + text(context, c->a) + " && " + text(context, c->b) + ")";
    case Condition::Kind::Or:
      return "(" + text(context, c->a) + " || " + text(context, c->b) + ")";
  }
  return "";
}

}  // namespace fragproof::radix
