// Division and bit operators, by monomials where the digits fit and by refinement where they do
// not.
#include "checkers/radix/arithmetic.h"

#include <algorithm>

namespace fragproof::radix {

namespace {

constexpr std::size_t table_bits = 10;

bool all_bits(const Poly& p) {
  for (const Sym s : p.symbols()) {
    if (!is_bit(s)) return false;
  }
  return true;
}

Mono common(const Mono& a, const Mono& b) {
  Mono out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

Mono without_one(const Mono& m, Sym s) {
  Mono out = m;
  out.erase(out.find(s), 1);
  return out;
}

// d / gcd(k*n, d) for terms: what a symbol with coefficient k*n must be a multiple of to be
// divisible by d.
Poly cofactor(const Poly& d, Int k, const Mono& n) {
  const auto& [dm, dc] = *d.terms().begin();
  const Mono shared = common(dm, n);
  Mono rest;
  (void)divides(shared, dm, rest);
  return Poly::term(rest, dc / gcd(dc, k));
}

// Is `e` at least 1 wherever a number is divided by it? A refinement by e is for good and
// everywhere, so what the guards in hand say of e does not count.
bool surely_positive(const Context& context, const Poly& e) {
  if (e.is_constant()) return e.constant() >= 1;
  const auto& [m, c] = *e.terms().begin();
  return e.is_term() && c >= 1 && std::all_of(m.begin(), m.end(), [&](Sym s) {
           return context.at(s).kind == Symbol::Kind::Parameter && context.at(s).lower >= 1;
         });
}

// Writes each number below `limit` bits as bits over the context's bits; refines digits where that
// helps.
void refine_for(Context& context, const Poly& r, const Poly& d, bool exact_only) {
  struct Candidate {
    Sym symbol;
    Poly e;
    int rank;
  };
  std::optional<Candidate> best;
  for (const auto& [n, k] : r.terms()) {
    for (const Sym v : n) {
      if (is_bit(v)) continue;
      const Poly e = cofactor(d, k, without_one(n, v));
      if (e == Poly(1) || e.contains(v)) continue;
      const Symbol& symbol = context.at(v);
      int rank = 100;
      if (symbol.kind == Symbol::Kind::Digit) {
        const Poly extent = context.normal(symbol.extent);
        Poly quotient;
        const auto& [em, ec] = *e.terms().begin();
        if (std::any_of(em.begin(), em.end(),
                        [&](Sym t) { return context.at(t).kind == Symbol::Kind::Atom; })) {
          continue;
        }
        if (extent.divide_exactly(em, ec, quotient)) {
          if (quotient == Poly(1)) continue;  // the digit is below e already
          rank = n.size() == 1 ? 0 : 1;
        } else if (!exact_only && e.is_constant()) {
          rank = 5;
          if (extent.is_constant() && extent.constant() <= e.constant()) continue;
        } else {
          continue;
        }
      } else if (symbol.kind == Symbol::Kind::Atom) {
        continue;
      } else {
        if (exact_only) continue;
        bool plain = e.is_constant();
        if (!plain) {
          const Mono& em = e.terms().begin()->first;
          plain = em.size() == 1 && e.terms().begin()->second == 1 && surely_positive(context, e);
        }
        if (!plain) continue;
        rank = symbol.kind == Symbol::Kind::Parameter ? 2 : 3;
        if (n.size() > 1) rank += 2;
      }
      if (!best || rank < best->rank) best = Candidate{v, e, rank};
    }
  }
  if (best) context.refine(best->symbol, best->e);
}

}  // namespace

void split_terms(const Poly& p, const Mono& m, Int c, Reading reading, Poly& q, Poly& r) {
  q = Poly();
  r = Poly();
  Mono rest;
  for (const auto& [n, k] : p.terms()) {
    const bool product = n.size() >= 2 && std::all_of(n.begin(), n.end(), is_bit);
    if ((reading.keep_products && product) || !divides(m, n, rest)) {
      r.add_term(n, k);
      continue;
    }
    const Int whole = reading.truncate && !n.empty() ? k / c : floor_div(k, c);
    q.add_term(rest, whole);
    r.add_term(n, k - whole * c);
  }
}

std::pair<Poly, Poly> divide(Context& context, const Poly& p, const Poly& d) {
  context.spend(1);
  if (p.is_zero()) return {Poly(), Poly()};
  if (d == Poly(1)) return {p, Poly()};
  const auto done = [&](const Poly& q, const Poly& r) {
    context.log_instance(Lemma::Quotient, "division", {p, q, d, r},
                         context.steps_of({r, d - 1 - r}),
                         context.text(p) + " == (" + context.text(q) + ")*(" + context.text(d) +
                             ") + " + context.text(r));
    return std::pair<Poly, Poly>{q, r};
  };
  if (!d.is_term()) {
    if (context.in_range(p, d)) return done(Poly(), p);
    // A multiple of d as a whole: the common factor is in every coefficient of some symbol.
    for (const Sym s : p.symbols()) {
      Poly c;
      Poly rest;
      if (!p.split(s, c, rest) || !(c == d) || !context.nonnegative(rest)) continue;
      const auto [q, r] = divide(context, rest, d);
      if (!context.in_range(r, d)) return {Poly::symbol(s) + q, r};  // by definition of a floor
      return done(Poly::symbol(s) + q, r);
    }
    // Division by the leading term, highest degree first.
    auto lead = d.terms().begin();
    for (auto it = d.terms().begin(); it != d.terms().end(); ++it) {
      if (it->first.size() > lead->first.size() ||
          (it->first.size() == lead->first.size() && it->second > lead->second)) {
        lead = it;
      }
    }
    Poly quotient;
    Poly remainder = p;
    Mono rest;
    for (int round = 0; round < 60; ++round) {
      bool moved = false;
      for (const auto& [n, k] : remainder.terms()) {
        if (!divides(lead->first, n, rest)) continue;
        const Int whole = floor_div(k, lead->second);
        if (whole == 0) continue;
        const Poly step = Poly::term(rest, whole);
        quotient += step;
        remainder = remainder - step * d;
        moved = true;
        break;
      }
      if (!moved) break;
    }
    if (!quotient.is_zero()) {
      for (const int shift : {0, 1, -1}) {
        const Poly r = remainder + Poly(shift) * d;
        if (context.in_range(r, d)) return done(quotient - shift, r);
      }
    }
    const Poly q = context.atom("floor", Symbol::Definition::Floor, p, d);
    return {q, p - q * d};
  }
  const auto& [m, c] = *d.terms().begin();
  Poly q;
  Poly r;
  for (const Reading reading : readings) {
    Poly high;
    Poly low;
    split_terms(p, m, c, reading, high, low);
    const bool first = !reading.keep_products && !reading.truncate;
    if ((first || !(low == r)) && context.in_box(low, d)) return done(high, low);
    if (first) {
      q = high;
      r = low;
    }
  }
  refine_for(context, r, d, true);
  if (d.is_constant() && all_bits(r) && r.symbols().size() <= table_bits) {
    const std::set<Sym> symbols = r.symbols();
    const std::vector<Sym> bits(symbols.begin(), symbols.end());
    context.spend(static_cast<std::int64_t>(1) << bits.size());
    const Poly high =
        apply_over_bits(bits, {r}, [&](const std::vector<Int>& x) { return floor_div(x[0], c); });
    const Poly low = r - d * high;
    if (context.in_box(low, d)) return done(q + high, low);
  }
  if (context.in_range(r, d)) return done(q, r);
  refine_for(context, r, d, false);
  for (const int shift : {1, -1}) {
    const Poly moved = r + Poly(shift) * d;
    if (context.in_range(moved, d)) return done(q - shift, moved);
  }
  if (!context.nonnegative(r)) {
    // An atom's definition needs a number that is not negative: take the whole of p.
    const Poly whole = context.atom("floor", Symbol::Definition::Floor, p, d);
    return {whole, p - whole * d};
  }
  const Poly floor = context.atom("floor", Symbol::Definition::Floor, r, d);
  return {q + floor, r - floor * d};
}

Poly ceiling_divide(Context& context, const Poly& p, const Poly& d) {
  if (p.is_term() && p.terms().begin()->first.size() == 1 && p.terms().begin()->second == 1) {
    const Sym s = p.terms().begin()->first[0];
    const Symbol& symbol = context.at(s);
    const bool plain = d.is_constant() || (d.is_term() && d.terms().begin()->second == 1 &&
                                           d.terms().begin()->first.size() == 1 && !d.contains(s) &&
                                           surely_positive(context, d));
    if (symbol.kind == Symbol::Kind::Parameter && symbol.lower >= 1 && plain && !(d == Poly(1))) {
      context.refine_ceiling(s, d);
    }
  }
  return divide(context, p + d - 1, d).first;
}

std::optional<std::vector<Sym>> bits_of(Context& context, const std::vector<Poly>& polys,
                                        std::size_t limit) {
  std::set<Sym> symbols;
  for (const Poly& p : polys) {
    const std::set<Sym> more = p.symbols();
    symbols.insert(more.begin(), more.end());
  }
  for (const Sym s : symbols) {
    if (is_bit(s)) continue;
    const Symbol& symbol = context.at(s);
    if (symbol.kind != Symbol::Kind::Digit) return std::nullopt;
    const Poly extent = context.normal(symbol.extent);
    if (!extent.is_constant() || extent.constant() > 4096) return std::nullopt;
    context.refine(s, Poly(2));
  }
  if (symbols.size() > limit) return std::nullopt;
  return std::vector<Sym>(symbols.begin(), symbols.end());
}

Poly bitwise(Context& context, Bitwise op, const Poly& a, const Poly& b) {
  if (a.is_constant() && b.is_constant()) {
    const Int x = a.constant();
    const Int y = b.constant();
    return Poly(op == Bitwise::And ? (x & y) : op == Bitwise::Or ? (x | y) : (x ^ y));
  }
  // `-2^n` as a mask clears the low n bits; 2^n - 1 keeps them.
  if (op == Bitwise::And) {
    for (const auto& [x, mask] : {std::pair{a, b}, std::pair{b, a}}) {
      if (!mask.is_constant()) continue;
      const Int k = mask.constant();
      if (k == 0) return Poly();
      if (k < 0 && ((-k) & (-k - 1)) == 0 && context.nonnegative(x)) {
        return x - divide(context, x, Poly(-k)).second;
      }
      if (k > 0) {
        // A run of ones: (x >> low) % 2^length << low.
        Int low = 1;
        while ((k & low) == 0) low = low * 2;
        const Int run = k / low + 1;
        if ((run & (run - 1)) == 0 && context.nonnegative(x)) {
          const Poly shifted = low == 1 ? x : divide(context, x, Poly(low)).first;
          return Poly(low) * divide(context, shifted, Poly(run)).second;
        }
      }
    }
  }
  if (!context.nonnegative(a) || !context.nonnegative(b)) {
    throw GiveUp{"a bit operator on a number that may be negative"};
  }
  if (a == b) return op == Bitwise::Xor ? Poly() : a;
  // One operand must be bounded by a power of two.
  const auto width = [&](const Poly& p) -> int {
    for (int n = 0; n <= 16; ++n) {
      if (context.nonnegative(Poly((static_cast<Int>(1) << n) - 1) - p)) return n;
    }
    return -1;
  };
  int n = width(b);
  Poly wide = a;
  Poly narrow = b;
  if (const int m = width(a); m >= 0 && (n < 0 || m < n)) {
    n = m;
    wide = b;
    narrow = a;
  }
  if (n < 0) {
    // The bits that both have are a number of its own; a ^ b and a | b follow from it.
    const bool swapped = b < a;
    const Poly common =
        context.atom("and", Symbol::Definition::And, swapped ? b : a, swapped ? a : b);
    if (op == Bitwise::And) return common;
    return a + b - (op == Bitwise::Or ? 1 : 2) * common;
  }
  Poly high;
  Poly low = wide;
  if (n < width(wide) || width(wide) < 0) {
    std::tie(high, low) = divide(context, wide, Poly(static_cast<Int>(1) << n));
  }
  Poly out = op == Bitwise::And ? Poly() : high * Poly(static_cast<Int>(1) << n);
  Poly x = low;
  Poly y = narrow;
  for (int i = 0; i < n; ++i) {
    const auto [xq, xi] = divide(context, x, Poly(2));
    const auto [yq, yi] = divide(context, y, Poly(2));
    const Poly both = xi * yi;
    const Poly bit = op == Bitwise::And  ? both
                     : op == Bitwise::Or ? xi + yi - both
                                         : xi + yi - 2 * both;
    out += Poly(static_cast<Int>(1) << i) * bit;
    x = xq;
    y = yq;
  }
  return out;
}

Poly minimum(Context& context, const Poly& a, const Poly& b, bool may_split) {
  if (context.nonnegative(b - a)) return a;
  if (context.nonnegative(a - b)) return b;
  if (may_split) throw Split{b - a};
  const Poly atom = context.atom("min", Symbol::Definition::Min, a, b);
  if (context.nonnegative(a) && context.nonnegative(b)) context.assume(atom);
  return atom;
}

Poly maximum(Context& context, const Poly& a, const Poly& b, bool may_split) {
  if (context.nonnegative(b - a)) return b;
  if (context.nonnegative(a - b)) return a;
  if (may_split) throw Split{b - a};
  const Poly atom = context.atom("max", Symbol::Definition::Max, a, b);
  if (context.nonnegative(a) || context.nonnegative(b)) context.assume(atom);
  return atom;
}

}  // namespace fragproof::radix
