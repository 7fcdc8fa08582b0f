// Taking a polynomial apart into its digits.
#include "checkers/radix/solve.h"

#include <algorithm>

#include "checkers/radix/arithmetic.h"

namespace fragproof::radix {

namespace {

constexpr std::size_t max_table_bits = 12;

std::set<Sym> unknowns_of(const Context& context, const Poly& p) {
  std::set<Sym> out;
  for (const Sym s : p.symbols()) {
    if (context.unknown(s)) out.insert(s);
  }
  return out;
}

struct Parts {
  Poly divisor, high, low;
};

// The ways to write f = D*H + L with 0 <= L < D shown, D a coefficient of an unknown, largest
// first.
std::optional<Parts> take_apart(Context& context, const Poly& f) {
  std::vector<std::pair<Mono, Int>> candidates;
  for (const auto& [m, c] : f.terms()) {
    Mono known;
    bool unknown = false;
    for (const Sym s : m) {
      if (context.unknown(s)) {
        unknown = true;
      } else {
        known.push_back(s);
      }
    }
    const Int size = c < 0 ? checked_mul(c, -1) : c;
    if (!unknown || (known.empty() && size == 1)) continue;
    const std::pair<Mono, Int> candidate{known, size};
    if (std::find(candidates.begin(), candidates.end(), candidate) == candidates.end()) {
      candidates.push_back(candidate);
    }
  }
  std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    if (a.first.size() != b.first.size()) return a.first.size() > b.first.size();
    if (a.second != b.second) return a.second > b.second;
    return a.first < b.first;
  });
  // A coefficient of several terms, such as 512*(q + 1): the unknown against all the rest.
  for (const Sym v : unknowns_of(context, f)) {
    Poly c;
    Poly low;
    if (!f.split(v, c, low) || c.terms().size() < 2 || !unknowns_of(context, c).empty()) continue;
    if (unknowns_of(context, low).empty() || !context.in_range(low, c)) continue;
    return Parts{c, Poly::symbol(v), low};
  }
  for (const auto& [m, c] : candidates) {
    const Poly divisor = Poly::term(m, c);
    std::vector<Poly> tried;
    for (const Reading reading : readings) {
      Poly high;
      Poly low;
      split_terms(f, m, c, reading, high, low);
      if (std::find(tried.begin(), tried.end(), low) != tried.end()) continue;
      tried.push_back(low);
      if (low.is_zero() || high.is_zero()) {
        if (!low.is_zero() || unknowns_of(context, high).empty()) continue;
      }
      if (context.in_range(low, divisor)) return Parts{divisor, high, low};
    }
  }
  return std::nullopt;
}

}  // namespace

bool determines(Context& context, const std::vector<Poly>& outputs, const std::set<Sym>& unknowns) {
  // A value that is determined, and the step that says so.
  struct Determined {
    Poly f;
    int step;
  };
  const int given = context.log_outputs(outputs);
  std::vector<Determined> work;
  for (const Poly& output : outputs) work.push_back({output, given});
  std::map<Sym, int> known;
  const auto open_unknowns = [&](const Poly& p) {
    std::set<Sym> out;
    for (const Sym s : unknowns_of(context, p)) {
      if (known.count(s) == 0) out.insert(s);
    }
    return out;
  };
  for (bool progress = true; progress;) {
    progress = false;
    std::vector<Determined> next;
    for (const auto& [f, source] : work) {
      context.spend(4);
      const std::set<Sym> open = open_unknowns(f);
      std::vector<int> premises{source};
      if (open.empty()) continue;
      if (open.size() == 1) {
        const Sym v = *open.begin();
        Poly c;
        Poly rest;
        if (f.split(v, c, rest)) {
          const bool never_zero = (c.is_constant() && !c.is_zero()) || c * c == Poly(1) ||
                                  context.positive(c) || context.positive(-c);
          if (never_zero) {
            for (const Poly& side : {c - 1, -c - 1}) {
              const std::vector<int> sign = context.steps_of({side});
              premises.insert(premises.end(), sign.begin(), sign.end());
            }
            for (const Sym s : f.symbols()) {
              const auto it = known.find(s);
              if (it != known.end()) premises.push_back(it->second);
            }
            known[v] = context.log_instance(
                Lemma::Cancel, "digit", {f, c, Poly::symbol(v), rest}, std::move(premises),
                context.text(Poly::symbol(v)) + " is determined by " + context.text(f));
            progress = true;
            continue;
          }
        }
      }
      if (const auto parts = take_apart(context, f);
          parts &&
          !(parts->high.is_zero() || (parts->low.is_zero() && parts->divisor == Poly(1)))) {
        for (const int i : context.steps_of({parts->low, parts->divisor - 1 - parts->low}))
          premises.push_back(i);
        const int step =
            context.log_instance(Lemma::Unique, "digits",
                                 {f, parts->divisor, parts->high, parts->low}, std::move(premises),
                                 context.text(f) + " == (" + context.text(parts->divisor) + ")*(" +
                                     context.text(parts->high) + ") + " + context.text(parts->low));
        next.push_back({parts->high, step});
        if (!parts->low.is_zero()) next.push_back({parts->low, step});
        progress = true;
        continue;
      }
      next.push_back({f, source});
    }
    work = std::move(next);
    if (progress) continue;
    // What is left may be functions of few bits: look at all their values together.
    std::set<Sym> symbols;
    std::set<Sym> open;
    std::vector<Poly> left;
    std::vector<int> premises;
    for (const auto& [f, source] : work) {
      const std::set<Sym> mine = open_unknowns(f);
      if (mine.empty()) continue;
      left.push_back(f);
      premises.push_back(source);
      const std::set<Sym> all = f.symbols();
      symbols.insert(all.begin(), all.end());
      open.insert(mine.begin(), mine.end());
    }
    if (left.empty()) break;
    const auto bits = bits_of(context, left, max_table_bits);
    if (!bits) return false;
    std::vector<std::vector<Poly>> columns;
    for (const Poly& f : left) columns.push_back(tabulate(f, *bits));
    context.spend(static_cast<std::int64_t>(left.size()) << bits->size());
    std::set<std::vector<Int>> seen;
    std::vector<Int> row;
    for (std::size_t x = 0; x < columns[0].size(); ++x) {
      row.clear();
      for (std::size_t i = 0; i < bits->size(); ++i) {
        if (open.count((*bits)[i]) == 0) row.push_back(static_cast<Int>(x >> i & 1U));
      }
      for (const auto& column : columns) row.push_back(column[x].constant());
      if (!seen.insert(row).second) return false;
    }
    for (const Sym b : *bits) {
      const auto it = known.find(b);
      if (it != known.end()) premises.push_back(it->second);
    }
    const int step = context.log_table(left, open, std::move(premises));
    for (const Sym s : open) known[s] = step;
    progress = true;
  }
  return std::all_of(unknowns.begin(), unknowns.end(), [&](Sym s) { return known.count(s) != 0; });
}

std::optional<std::map<Sym, Poly>> solve(Context& context, const std::vector<Equation>& equations) {
  std::map<Sym, Poly> solution;
  std::vector<Equation> work = equations;
  bool moved_once = false;
  for (bool progress = true; progress;) {
    progress = false;
    std::vector<Equation> next;
    for (const Equation& equation : work) {
      context.spend(4);
      const Poly f = equation.f.substitute(solution);
      const Poly& x = equation.x;
      const std::set<Sym> open = unknowns_of(context, f);
      if (open.empty()) continue;
      if (open.size() == 1) {
        const Sym v = *open.begin();
        Poly c;
        Poly rest;
        if (f.split(v, c, rest)) {
          const Poly left = x - rest;
          Poly value;
          bool found = false;
          if (c * c == Poly(1)) {
            value = c * left;
            found = true;
          } else if (c.is_term() && left.divide_exactly(c.terms().begin()->first,
                                                        c.terms().begin()->second, value)) {
            found = c.is_constant() || context.positive(c);
          } else if (context.positive(c) && context.nonnegative(left)) {
            value = divide(context, left, c).first;
            found = true;
          }
          if (found) {
            solution.emplace(v, value);
            progress = true;
            continue;
          }
        }
      }
      if (const auto parts = take_apart(context, f)) {
        if (parts->low.is_zero() && !(parts->divisor == Poly(1))) {
          if (context.nonnegative(x) && context.positive(parts->divisor)) {
            next.push_back({parts->high, divide(context, x, parts->divisor).first});
            progress = true;
            continue;
          }
        } else if (!parts->high.is_zero() && context.nonnegative(x)) {
          const auto [q, r] = divide(context, x, parts->divisor);
          next.push_back({parts->high, q});
          next.push_back({parts->low, r});
          progress = true;
          continue;
        }
      }
      next.push_back({f, x});
    }
    work = std::move(next);
    if (progress) continue;
    // Known terms may stand in the way of a split: carry them over to the other side.
    bool carried = false;
    if (!moved_once) {
      for (Equation& equation : work) {
        Poly known;
        for (const auto& [m, c] : equation.f.terms()) {
          if (std::none_of(m.begin(), m.end(), [&](Sym s) { return context.unknown(s); })) {
            known.add_term(m, c);
          }
        }
        if (known.is_zero() || !context.nonnegative(equation.x - known)) continue;
        equation = {equation.f - known, equation.x - known};
        carried = true;
      }
      moved_once = true;
    }
    if (carried) {
      progress = true;
      continue;
    }
    // Functions of few bits: read the unknowns off a table over the known bits and the bits of x.
    std::vector<Equation> left;
    for (const Equation& equation : work) {
      if (!unknowns_of(context, equation.f).empty()) left.push_back(equation);
    }
    if (left.empty()) break;
    std::vector<Poly> all;
    for (const Equation& equation : left) all.push_back(equation.f);
    const auto bits = bits_of(context, all, max_table_bits);
    if (!bits) return std::nullopt;
    // Each x as bits of its own.
    std::vector<std::vector<Poly>> x_bits;
    std::vector<std::vector<Poly>> columns;
    std::size_t address_bits = 0;
    for (const Equation& equation : left) {
      columns.push_back(tabulate(equation.f, *bits));
      Int most = 0;
      for (const Poly& value : columns.back()) {
        if (value.constant() < 0) return std::nullopt;
        most = std::max(most, value.constant());
      }
      if (!context.nonnegative(equation.x)) return std::nullopt;
      std::vector<Poly> parts;
      Poly value = equation.x;
      while (most > 0) {
        const auto [q, r] = divide(context, value, Poly(2));
        parts.push_back(r);
        value = q;
        most /= 2;
      }
      address_bits += parts.size();
      x_bits.push_back(std::move(parts));
    }
    std::vector<Sym> known_bits;
    std::vector<Sym> unknown_bits;
    for (const Sym b : *bits) (context.unknown(b) ? unknown_bits : known_bits).push_back(b);
    if (address_bits + known_bits.size() > 14) return std::nullopt;
    std::map<std::vector<Int>, std::size_t> inverse;
    for (std::size_t y = 0; y < columns[0].size(); ++y) {
      std::vector<Int> key;
      for (std::size_t i = 0; i < bits->size(); ++i) {
        if (!context.unknown((*bits)[i])) key.push_back(static_cast<Int>(y >> i & 1U));
      }
      for (const auto& column : columns) key.push_back(column[y].constant());
      if (!inverse.emplace(key, y).second) return std::nullopt;
    }
    context.spend(static_cast<std::int64_t>(1) << (address_bits + known_bits.size()));
    // Inputs of the table: known bits, then the bits of each x, as polynomials; build by Shannon
    // expansion.
    std::vector<Poly> inputs;
    for (const Sym b : known_bits) inputs.push_back(Poly::symbol(b));
    for (const auto& parts : x_bits) inputs.insert(inputs.end(), parts.begin(), parts.end());
    for (std::size_t u = 0; u < bits->size(); ++u) {
      if (!context.unknown((*bits)[u])) continue;
      std::vector<Poly> table(std::size_t{1} << inputs.size());
      for (std::size_t z = 0; z < table.size(); ++z) {
        std::vector<Int> key;
        std::size_t at = 0;
        for (std::size_t i = 0; i < known_bits.size(); ++i, ++at)
          key.push_back(static_cast<Int>(z >> at & 1U));
        for (const auto& parts : x_bits) {
          Int value = 0;
          for (std::size_t i = 0; i < parts.size(); ++i, ++at) {
            value += static_cast<Int>(z >> at & 1U) << i;
          }
          key.push_back(value);
        }
        const auto it = inverse.find(key);
        if (it != inverse.end() && (it->second >> u & 1U) != 0) table[z] = Poly(1);
      }
      // Moebius transform over the inputs, then put the polynomials in.
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        for (std::size_t z = 0; z < table.size(); ++z) {
          if ((z >> i & 1U) != 0) table[z] = table[z] - table[z ^ (std::size_t{1} << i)];
        }
      }
      Poly value;
      for (std::size_t z = 0; z < table.size(); ++z) {
        if (table[z].is_zero()) continue;
        Poly product = table[z];
        for (std::size_t i = 0; i < inputs.size(); ++i) {
          if ((z >> i & 1U) != 0) product = product * inputs[i];
        }
        value += product;
      }
      solution.emplace((*bits)[u], value);
    }
    progress = true;
  }
  for (auto& [s, value] : solution) value = value.substitute(solution);
  for (const Equation& equation : equations) {
    for (const Sym s : unknowns_of(context, equation.f)) {
      if (solution.count(s) == 0) return std::nullopt;
    }
  }
  return solution;
}

Fit verified(Context& context, const std::vector<Equation>& equations,
             const std::map<Sym, Poly>& solution, Poly* open) {
  bool undecided = false;
  const auto ask = [&](const Poly& p) {  // p >= 0 ?
    if (context.nonnegative(p)) return Fit::Inside;
    if (context.nonnegative(-p - 1)) return Fit::Outside;
    if (open != nullptr && !undecided) *open = p;
    undecided = true;
    return Fit::Open;
  };
  bool inside = true;
  const auto unsettled = [&](const Poly& p) {
    if (open != nullptr && !undecided) *open = p;
    undecided = true;
    inside = false;
  };
  for (const auto& [s, value] : solution) {
    const Symbol& symbol = context.at(s);
    // A number with a definition must be what the definition says of the solution.
    if (symbol.kind == Symbol::Kind::Atom) {
      const Poly first = context.normal(symbol.first).substitute(solution);
      const Poly second = context.normal(symbol.second).substitute(solution);
      bool defined = false;
      if (symbol.definition == Symbol::Definition::Floor) {
        const Poly rest = first - second * value;
        defined = context.nonnegative(rest) && context.nonnegative(second - 1 - rest);
      } else if (symbol.definition == Symbol::Definition::Min ||
                 symbol.definition == Symbol::Definition::Max) {
        const bool smaller = symbol.definition == Symbol::Definition::Min;
        defined = (context.is_zero(first - value) &&
                   context.nonnegative(smaller ? second - value : value - second)) ||
                  (context.is_zero(second - value) &&
                   context.nonnegative(smaller ? first - value : value - first));
      }
      if (!defined) unsettled(first - second * value);
      continue;
    }
    // A value of a table is what the table has at the solution, not any number that would fit.
    if (!symbol.arguments.empty()) unsettled(value);
    std::vector<Poly> demands = symbol.facts;
    for (Poly& demand : demands) demand = context.normal(demand).substitute(solution);
    demands.push_back(value - Poly(symbol.lower));
    if (symbol.kind == Symbol::Kind::Digit) {
      demands.push_back(context.normal(symbol.extent).substitute(solution) - 1 - value);
    }
    for (const Poly& demand : demands) {
      const Fit fit = ask(demand);
      if (fit == Fit::Outside) return Fit::Outside;
      inside = inside && fit == Fit::Inside;
    }
  }
  for (const Equation& equation : equations) {
    const Poly difference = equation.f.substitute(solution) - equation.x;
    if (difference.is_zero()) {
      context.log_identity("solution", equation.f.substitute(solution), equation.x);
      continue;
    }
    if (context.is_zero(difference)) continue;
    if (context.positive(difference) || context.positive(-difference)) return Fit::Outside;
    if (open != nullptr && !undecided) *open = difference;
    undecided = true;
    inside = false;
  }
  return inside ? Fit::Inside : Fit::Open;
}

}  // namespace fragproof::radix
