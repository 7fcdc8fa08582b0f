// Arithmetic of polynomials: a sorted map from monomials to coefficients, nothing cleverer.
#include "checkers/radix/poly.h"

namespace fragproof::radix {

Int checked_add(Int a, Int b) {
  Int out = 0;
  if (!add(a, b, out)) throw Overflow();
  return out;
}

Int checked_mul(Int a, Int b) {
  Int out = 0;
  if (!mul(a, b, out)) throw Overflow();
  return out;
}

Int gcd(Int a, Int b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    const Int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

Int floor_div(Int a, Int b) {
  const Int q = a / b;
  return (a % b != 0 && a < 0) ? q - 1 : q;
}

Mono multiply(const Mono& a, const Mono& b) {
  Mono out;
  out.reserve(a.size() + b.size());
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    const bool from_a = j == b.size() || (i < a.size() && a[i] <= b[j]);
    const Sym s = from_a ? a[i++] : b[j++];
    if (is_bit(s) && !out.empty() && out.back() == s) continue;
    out.push_back(s);
  }
  return out;
}

bool divides(const Mono& d, const Mono& m, Mono& quotient) {
  quotient.clear();
  std::size_t i = 0;
  for (const Sym s : m) {
    if (i < d.size() && d[i] == s) {
      ++i;
    } else {
      quotient.push_back(s);
    }
  }
  return i == d.size();
}

Poly Poly::term(Mono m, Int coefficient) {
  Poly p;
  if (coefficient != 0) p.terms_.emplace(std::move(m), coefficient);
  return p;
}

Int Poly::constant() const {
  const auto it = terms_.find(Mono{});
  return it == terms_.end() ? 0 : it->second;
}

bool Poly::contains(Sym s) const {
  for (const auto& [m, c] : terms_) {
    if (m.find(s) != Mono::npos) return true;
  }
  return false;
}

std::set<Sym> Poly::symbols() const {
  std::set<Sym> out;
  for (const auto& [m, c] : terms_) out.insert(m.begin(), m.end());
  return out;
}

void Poly::add_term(const Mono& m, Int coefficient) {
  if (coefficient == 0) return;
  const auto [it, inserted] = terms_.emplace(m, coefficient);
  if (inserted) return;
  it->second = checked_add(it->second, coefficient);
  if (it->second == 0) terms_.erase(it);
}

Poly& Poly::operator+=(const Poly& b) {
  for (const auto& [m, c] : b.terms_) add_term(m, c);
  return *this;
}

Poly operator+(const Poly& a, const Poly& b) {
  Poly out = a;
  out += b;
  return out;
}

Poly operator-(const Poly& a) {
  Poly out;
  for (const auto& [m, c] : a.terms_)
    out.terms_.emplace_hint(out.terms_.end(), m, checked_mul(c, -1));
  return out;
}

Poly operator-(const Poly& a, const Poly& b) {
  Poly out = a;
  for (const auto& [m, c] : b.terms_) out.add_term(m, checked_mul(c, -1));
  return out;
}

Poly operator*(const Poly& a, const Poly& b) {
  Poly out;
  for (const auto& [ma, ca] : a.terms_) {
    for (const auto& [mb, cb] : b.terms_) out.add_term(multiply(ma, mb), checked_mul(ca, cb));
  }
  return out;
}

bool Poly::split(Sym s, Poly& coefficient, Poly& rest) const {
  coefficient = Poly();
  rest = Poly();
  for (const auto& [m, c] : terms_) {
    const std::size_t at = m.find(s);
    if (at == Mono::npos) {
      rest.terms_.emplace_hint(rest.terms_.end(), m, c);
      continue;
    }
    Mono without = m;
    without.erase(at, 1);
    if (without.find(s) != Mono::npos) return false;
    coefficient.add_term(without, c);
  }
  return true;
}

Poly Poly::substitute(Sym s, const Poly& value) const {
  return substitute(std::map<Sym, Poly>{{s, value}});
}

Poly Poly::substitute(const std::map<Sym, Poly>& values) const {
  Poly out;
  for (const auto& [m, c] : terms_) {
    Mono kept;
    Poly product;
    bool replaced = false;
    for (const Sym s : m) {
      const auto it = values.find(s);
      if (it == values.end()) {
        kept.push_back(s);
      } else {
        product = replaced ? product * it->second : it->second;
        replaced = true;
      }
    }
    if (!replaced) {
      out.add_term(m, c);
    } else {
      out += product * Poly::term(kept, c);
    }
  }
  return out;
}

bool Poly::divide_exactly(const Mono& m, Int c, Poly& quotient) const {
  quotient = Poly();
  Mono rest;
  for (const auto& [n, k] : terms_) {
    if (k % c != 0 || !divides(m, n, rest)) return false;
    quotient.add_term(rest, k / c);
  }
  return true;
}

Poly interpolate(const std::vector<Sym>& bits, std::vector<Poly> table) {
  // Moebius transform: afterwards table[x] is the coefficient of the product of the bits set in x.
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const std::size_t step = std::size_t{1} << i;
    for (std::size_t x = 0; x < table.size(); ++x) {
      if ((x & step) != 0) table[x] = table[x] - table[x ^ step];
    }
  }
  Poly out;
  for (std::size_t x = 0; x < table.size(); ++x) {
    if (table[x].is_zero()) continue;
    Poly product = table[x];
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if ((x >> i & 1U) != 0) product = product * Poly::symbol(bits[i]);
    }
    out += product;
  }
  return out;
}

std::vector<Poly> tabulate(const Poly& p, const std::vector<Sym>& bits) {
  std::vector<Poly> table(std::size_t{1} << bits.size());
  // table[x] first collects the coefficient of the product of the bits in x, then sums over
  // subsets.
  for (const auto& [m, c] : p.terms()) {
    std::size_t x = 0;
    Mono rest;
    for (const Sym s : m) {
      bool found = false;
      for (std::size_t i = 0; i < bits.size() && !found; ++i) {
        if (bits[i] == s) {
          x |= std::size_t{1} << i;
          found = true;
        }
      }
      if (!found) rest.push_back(s);
    }
    table[x].add_term(rest, c);
  }
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const std::size_t step = std::size_t{1} << i;
    for (std::size_t x = 0; x < table.size(); ++x) {
      if ((x & step) != 0) table[x] += table[x ^ step];
    }
  }
  return table;
}

}  // namespace fragproof::radix
