// What the facts in hand say of a sign: one of them beside the box, or all that touch the
// polynomial as a linear instance for Z3.
#include <algorithm>
#include <bit>

#include "checkers/radix/context.h"

namespace fragproof::radix {

namespace {

constexpr std::size_t max_hypotheses = 220;

}  // namespace

// The hypotheses that a linear instance about `p` may use.
Context::Hypotheses Context::gather(const Poly& p) const {
  std::set<Sym> symbols = p.symbols();
  // What is no range is a fact, and becomes a step of its own where it is used.
  const auto fact_of = [](const Poly& p, Needs from) {
    return Reason{from, {{NonNegative::Why::Shown, p}}};
  };
  const auto range_of = [](const Poly& p, Needs from) {
    return Reason{from, {{NonNegative::Why::Range, p}}};
  };
  const auto product_of_symbols = [](const Poly& p) {
    return Reason{0, {{NonNegative::Why::Product, p}}};
  };
  Hypotheses facts;
  for (int round = 0; round < 4; ++round) {
    const std::size_t before = symbols.size() + facts.size();
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      for (const Sym s : facts_[i].symbols()) {
        if (symbols.count(s) == 0) continue;
        // Of two grounds for one fact the smaller.
        const auto [it, made] = facts.emplace(facts_[i], fact_of(facts_[i], facts_from_[i]));
        if (!made && std::popcount(facts_from_[i]) < std::popcount(it->second.from))
          it->second.from = facts_from_[i];
        break;
      }
    }
    const std::set<Sym> now = symbols;
    for (const Sym s : now) {
      for (const Poly& fact : at(s).facts) {
        const auto [p, from] = normal_from(fact);
        facts.emplace(p, fact_of(p, from));
      }
      if (at(s).kind == Symbol::Kind::Digit) {
        for (const Sym t : normal(at(s).extent).symbols()) symbols.insert(t);
      }
    }
    for (const auto& [fact, why] : facts) {
      for (const Sym s : fact.symbols()) symbols.insert(s);
    }
    if (before == symbols.size() + facts.size() || facts.size() > 60) break;
  }
  if (facts.empty()) return {};  // the box has said all there is to say
  Hypotheses all = facts;
  const auto lower_end = [&](Sym s) -> std::optional<Int> {
    const Symbol& symbol = at(s);
    if (symbol.kind == Symbol::Kind::Digit) return Int{0};
    if (symbol.kind == Symbol::Kind::Atom) {
      if (symbol.atom_nonnegative) return Int{0};
      return std::nullopt;
    }
    return symbol.lower;
  };
  Hypotheses bounds;
  for (const Sym s : symbols) {
    const auto low = lower_end(s);
    const Poly above = Poly::symbol(s) - Poly(low.value_or(0));
    if (low) bounds.emplace(above, range_of(above, 0));
    if (at(s).kind == Symbol::Kind::Digit) {
      const auto [extent, from] = normal_from(at(s).extent);
      const Poly below = extent - 1 - Poly::symbol(s);
      bounds.emplace(below, range_of(below, from));
    }
  }
  all.insert(bounds.begin(), bounds.end());
  std::set<Mono> monomials;
  for (const auto& [m, c] : p.terms()) monomials.insert(m);
  for (const auto& [fact, why] : facts) {
    for (const auto& [m, c] : fact.terms()) monomials.insert(m);
  }
  const auto nonnegative_mono = [&](const Mono& m) {
    return std::all_of(m.begin(), m.end(), [&](Sym s) {
      const auto low = lower_end(s);
      return low && *low >= 0;
    });
  };
  // Facts and bounds times a monomial that turns one of their terms into one that matters.
  std::vector<std::pair<Poly, Reason>> sources(facts.begin(), facts.end());
  sources.insert(sources.end(), bounds.begin(), bounds.end());
  Mono quotient;
  for (const auto& [fact, why] : sources) {
    for (const Mono& m : monomials) {
      if (m.size() < 2 || m.size() > 10) continue;
      for (const auto& [n, c] : fact.terms()) {
        if (!divides(n, m, quotient) || quotient.empty() || quotient.size() > 7) continue;
        if (!nonnegative_mono(quotient) || all.size() > max_hypotheses) continue;
        Reason product = why;
        for (const Sym s : quotient)
          product.ground.push_back({NonNegative::Why::Range, Poly::symbol(s)});
        all.emplace(fact * Poly::term(quotient, 1), std::move(product));
      }
    }
  }
  std::set<Mono> products;
  for (const auto& [hypothesis, why] : all) {
    for (const auto& [m, c] : hypothesis.terms()) {
      if (m.size() >= 2) products.insert(m);
    }
  }
  for (const auto& [m, c] : p.terms()) {
    if (m.size() >= 2) products.insert(m);
  }
  for (const Mono& m : products) {
    if (all.size() > 2 * max_hypotheses) break;
    if (!nonnegative_mono(m)) continue;
    Int low = 1;
    for (const Sym s : m) low = checked_mul(low, *lower_end(s));
    const Poly product = Poly::term(m, 1);
    const auto bound = [&](const Poly& p) { all.emplace(p, product_of_symbols(p)); };
    bound(product - Poly(low));
    if (std::all_of(m.begin(), m.end(), is_bit)) {
      Poly sum = Poly(1) - Poly(static_cast<Int>(m.size()));
      for (const Sym b : m) {
        bound(Poly::symbol(b) - product);
        sum += Poly::symbol(b);
      }
      bound(product - sum);
      continue;
    }
    // A factor that is at least 1 makes the product at least the rest; a bit makes it no more.
    const auto times_rest = [&](const Poly& range, const Mono& rest) {
      Reason why = range_of(range, 0);
      for (const Sym s : rest) why.ground.push_back({NonNegative::Why::Range, Poly::symbol(s)});
      all.emplace(range * Poly::term(rest, 1), std::move(why));
    };
    for (std::size_t i = 0; i < m.size(); ++i) {
      const Symbol& symbol = at(m[i]);
      Mono without = m;
      without.erase(i, 1);
      if (symbol.kind == Symbol::Kind::Parameter && symbol.lower >= 1) {
        times_rest(Poly::symbol(m[i]) - 1, without);
      }
      if (is_bit(m[i])) times_rest(Poly(1) - Poly::symbol(m[i]), without);
    }
  }
  return all;
}

bool Context::entails(Hypotheses& hypotheses, const std::optional<Poly>& goal) {
  const auto ask = [&](const Hypotheses& some) {
    std::vector<Linear> facts;
    facts.reserve(some.size());
    for (const auto& [hypothesis, why] : some) facts.push_back(linear(hypothesis));
    return goal ? solver_.entails(facts, linear(*goal), rlimit_)
                : solver_.contradictory(facts, rlimit_);
  };
  if (!ask(hypotheses)) return false;
  // Hypotheses of the claim that nothing has needed so far are left out, one at a time.
  Needs all = 0;
  for (const auto& [hypothesis, why] : hypotheses) all |= why.from;
  for (int bit = 0; bit < 64; ++bit) {
    const Needs one = Needs{1} << bit;
    if ((all & one) == 0 || ((used() | surely_needed_) & one) != 0) continue;
    Hypotheses fewer = hypotheses;
    std::erase_if(fewer, [&](const auto& h) { return (h.second.from & one) != 0; });
    if (ask(fewer)) {
      hypotheses = std::move(fewer);
    } else {
      surely_needed_ |= one;
    }
  }
  for (const auto& [hypothesis, why] : hypotheses) use(why.from);
  return true;
}

// A guard or a ragged end bounds one sum of digits; what is left beside it may be a function of
// many bits, which a linear instance says little of.
int Context::by_fact(const Poly& p) {
  std::map<Poly, Needs> facts;
  for (std::size_t i = 0; i < facts_.size(); ++i) facts.emplace(facts_[i], facts_from_[i]);
  for (const Sym s : p.symbols()) {
    for (const Poly& fact : at(s).facts) facts.insert(normal_from(fact));
  }
  for (const auto& [fact, from] : facts) {
    std::set<Int> tried;
    for (const auto& [m, c] : fact.terms()) {
      if (m.empty()) continue;
      for (const auto& [n, k] : p.terms()) {
        if (n != m || k % c != 0 || k / c < 1 || !tried.insert(k / c).second) continue;
        if (tried.size() > 3) break;
        const Poly rest = p - Poly(k / c) * fact;
        if (!box(rest)) continue;
        use(from);
        std::vector<Ground> grounds{
            {{NonNegative::Why::Number, Poly(k / c)}, {NonNegative::Why::Shown, fact}}};
        if (!rest.is_zero()) grounds.push_back({boxed(rest)});
        return log_linear("linear", std::move(grounds), p, "0 <= " + text(p));
      }
    }
  }
  return -1;
}

int Context::by_solver(const Poly& p) {
  Hypotheses hypotheses = gather(p);
  if (hypotheses.empty()) return -1;
  spend(2000);
  if (!entails(hypotheses, p)) return -1;
  return log_entailed("linear", std::move(hypotheses), p, "0 <= " + text(p));
}

int Context::log_entailed(std::string name, Hypotheses hypotheses, const Poly& goal,
                          std::string text) {
  std::vector<Ground> grounds;
  grounds.reserve(hypotheses.size());
  for (auto& [hypothesis, why] : hypotheses) grounds.push_back(std::move(why.ground));
  const int step = log_linear(std::move(name), std::move(grounds), goal, std::move(text));
  steps_[static_cast<std::size_t>(step)].answered = true;
  return step;
}

}  // namespace fragproof::radix
