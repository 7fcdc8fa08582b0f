// Arithmetic of polynomials: monomials with their coefficients, sorted, nothing cleverer.
#include "checkers/radix/poly.h"

#include <algorithm>

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
  if (coefficient != 0) p.terms_.emplace_back(std::move(m), coefficient);
  return p;
}

Int Poly::constant() const {
  return !terms_.empty() && terms_.front().first.empty() ? terms_.front().second : 0;
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
  const auto it = std::lower_bound(terms_.begin(), terms_.end(), m,
                                   [](const auto& term, const Mono& x) { return term.first < x; });
  if (it == terms_.end() || it->first != m) {
    terms_.emplace(it, m, coefficient);
    return;
  }
  it->second = checked_add(it->second, coefficient);
  if (it->second == 0) terms_.erase(it);
}

void Poly::collect() {
  std::sort(terms_.begin(), terms_.end(),
            [](const auto& x, const auto& y) { return x.first < y.first; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < terms_.size();) {
    Int sum = terms_[i].second;
    std::size_t end = i + 1;
    for (; end < terms_.size() && terms_[end].first == terms_[i].first; ++end) {
      sum = checked_add(sum, terms_[end].second);
    }
    if (sum != 0) {
      if (kept != i) terms_[kept].first.swap(terms_[i].first);
      terms_[kept++].second = sum;
    }
    i = end;
  }
  terms_.resize(kept);
}

Poly& Poly::operator+=(const Poly& b) {
  if (b.terms_.size() == 1) {
    add_term(b.terms_.front().first, b.terms_.front().second);
  } else {
    *this = *this + b;
  }
  return *this;
}

Poly operator+(const Poly& a, const Poly& b) {
  Poly out;
  out.terms_.reserve(a.terms_.size() + b.terms_.size());
  auto x = a.terms_.begin();
  auto y = b.terms_.begin();
  while (x != a.terms_.end() && y != b.terms_.end()) {
    const int order = x->first.compare(y->first);
    if (order < 0) {
      out.terms_.push_back(*x++);
    } else if (order > 0) {
      out.terms_.push_back(*y++);
    } else {
      const Int sum = checked_add(x->second, y->second);
      if (sum != 0) out.terms_.emplace_back(x->first, sum);
      ++x;
      ++y;
    }
  }
  out.terms_.insert(out.terms_.end(), x, a.terms_.end());
  out.terms_.insert(out.terms_.end(), y, b.terms_.end());
  return out;
}

Poly operator-(const Poly& a) {
  Poly out = a;
  for (auto& [m, c] : out.terms_) c = checked_mul(c, -1);
  return out;
}

Poly operator-(const Poly& a, const Poly& b) { return a + -b; }

Poly operator*(const Poly& a, const Poly& b) {
  Poly out;
  out.terms_.reserve(a.terms_.size() * b.terms_.size());
  for (const auto& [ma, ca] : a.terms_) {
    for (const auto& [mb, cb] : b.terms_)
      out.terms_.emplace_back(multiply(ma, mb), checked_mul(ca, cb));
  }
  out.collect();
  return out;
}

bool Poly::split(Sym s, Poly& coefficient, Poly& rest) const {
  coefficient = Poly();
  rest = Poly();
  for (const auto& [m, c] : terms_) {
    const std::size_t at = m.find(s);
    if (at == Mono::npos) {
      rest.terms_.emplace_back(m, c);
      continue;
    }
    Mono without = m;
    without.erase(at, 1);
    if (without.find(s) != Mono::npos) return false;
    coefficient.terms_.emplace_back(std::move(without), c);
  }
  coefficient.collect();
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
      out.terms_.emplace_back(m, c);
      continue;
    }
    for (auto& [n, k] : product.terms_)
      out.terms_.emplace_back(multiply(n, kept), checked_mul(k, c));
  }
  out.collect();
  return out;
}

bool Poly::divide_exactly(const Mono& m, Int c, Poly& quotient) const {
  quotient = Poly();
  Mono rest;
  for (const auto& [n, k] : terms_) {
    if (k % c != 0 || !divides(m, n, rest)) return false;
    quotient.terms_.emplace_back(rest, k / c);
  }
  quotient.collect();
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
