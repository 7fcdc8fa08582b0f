// Polynomials with integer coefficients over symbols, in one canonical form: equal functions of
// bits are equal values.
//
// A symbol is a number; its lowest bit says whether it stands for a bit (0 or 1). Bits are
// idempotent (b*b = b), so a function of bits has exactly one polynomial. Coefficients are checked
// 128-bit integers: who would leave them throws Overflow, and the proof ends UNKNOWN.
#pragma once

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "spec/integer.h"

namespace fragproof::radix {

// (index << 1) | is_bit. Sixteen bits of it: a monomial of up to seven symbols needs no allocation.
using Sym = char16_t;
using Mono = std::u16string;  // symbols in ascending order, with repetition for powers
[[nodiscard]] inline bool is_bit(Sym s) { return (s & 1U) != 0; }

struct Overflow : std::runtime_error {
  Overflow() : std::runtime_error("a coefficient leaves 128 bits") {}
};

[[nodiscard]] Int checked_add(Int a, Int b);
[[nodiscard]] Int checked_mul(Int a, Int b);
[[nodiscard]] Int gcd(Int a, Int b);
[[nodiscard]] Int floor_div(Int a, Int b);  // b > 0

// Product of two monomials, bits kept once.
[[nodiscard]] Mono multiply(const Mono& a, const Mono& b);
// Does `d` divide `m`, powers included? Then `quotient` is m/d.
[[nodiscard]] bool divides(const Mono& d, const Mono& m, Mono& quotient);

class Poly {
 public:
  using Terms = std::vector<std::pair<Mono, Int>>;  // by monomial, no coefficient zero
  Poly() = default;
  Poly(Int constant) {  // NOLINT: numbers are polynomials
    if (constant != 0) terms_.emplace_back(Mono{}, constant);
  }
  Poly(int constant) : Poly(static_cast<Int>(constant)) {}  // NOLINT
  [[nodiscard]] static Poly symbol(Sym s) { return term(Mono(1, s), 1); }
  [[nodiscard]] static Poly term(Mono m, Int coefficient);

  [[nodiscard]] const Terms& terms() const { return terms_; }
  [[nodiscard]] bool is_zero() const { return terms_.empty(); }
  [[nodiscard]] bool is_constant() const {
    return terms_.empty() || (terms_.size() == 1 && terms_.begin()->first.empty());
  }
  [[nodiscard]] Int constant() const;  // the constant term
  [[nodiscard]] bool is_term() const { return terms_.size() == 1; }
  [[nodiscard]] bool contains(Sym s) const;
  [[nodiscard]] std::set<Sym> symbols() const;
  void add_term(const Mono& m, Int coefficient);

  friend Poly operator+(const Poly& a, const Poly& b);
  friend Poly operator-(const Poly& a, const Poly& b);
  friend Poly operator-(const Poly& a);
  friend Poly operator*(const Poly& a, const Poly& b);
  Poly& operator+=(const Poly& b);
  friend bool operator==(const Poly& a, const Poly& b) = default;
  friend bool operator<(const Poly& a, const Poly& b) { return a.terms_ < b.terms_; }

  // p = coefficient*s + rest when s occurs with power one at most; false when with a higher power.
  [[nodiscard]] bool split(Sym s, Poly& coefficient, Poly& rest) const;
  [[nodiscard]] Poly substitute(Sym s, const Poly& value) const;
  [[nodiscard]] Poly substitute(const std::map<Sym, Poly>& values) const;
  // p / (c*m) when every term is divisible; false otherwise.
  [[nodiscard]] bool divide_exactly(const Mono& m, Int c, Poly& quotient) const;

 private:
  // Sorts what was appended in any order and adds up equal monomials.
  void collect();

  Terms terms_;
};

// The multilinear polynomial over `bits` with value table[x] where bit i of x is bits[i].
// table.size() = 2^bits.size().
[[nodiscard]] Poly interpolate(const std::vector<Sym>& bits, std::vector<Poly> table);
// The values of `p` at all assignments of `bits`; other symbols stay.
[[nodiscard]] std::vector<Poly> tabulate(const Poly& p, const std::vector<Sym>& bits);

}  // namespace fragproof::radix
