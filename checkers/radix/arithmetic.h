// The operators of the language on polynomials: division by digits, bits of a number, bitwise
// operators, min and max.
//
// Each either returns a polynomial that equals the operator's value wherever the symbols are in
// range, or refines a symbol (Restart), or asks for a case (Split), or gives up. What makes an
// operator undefined is the caller's to ask.
#pragma once

#include <utility>
#include <vector>

#include "checkers/radix/context.h"

namespace fragproof::radix {

// p = q*d + r with 0 <= r < d. Requires: p >= 0 and d >= 1 (shown by the caller).
[[nodiscard]] std::pair<Poly, Poly> divide(Context& context, const Poly& p, const Poly& d);
// The least q with q*d >= p. Requires: p >= 0, d >= 1.
[[nodiscard]] Poly ceiling_divide(Context& context, const Poly& p, const Poly& d);

// The ways to read p = q*(c*m) + r term by term. All are identities; which one has r in range is
// for the caller to ask. `keep_products`: a product of bits stays in r. `truncate`: -8b / 32 is 0
// and not -1, so that 8 - 8b stays in r whole.
struct Reading {
  bool keep_products = false;
  bool truncate = false;
};
inline constexpr Reading readings[] = {{false, false}, {true, false}, {false, true}, {true, true}};
void split_terms(const Poly& p, const Mono& m, Int c, Reading reading, Poly& q, Poly& r);

enum class Bitwise { And, Or, Xor };
[[nodiscard]] Poly bitwise(Context& context, Bitwise op, const Poly& a, const Poly& b);

// With `may_split`, an undecided order is a Split; else a named atom.
[[nodiscard]] Poly minimum(Context& context, const Poly& a, const Poly& b, bool may_split);
[[nodiscard]] Poly maximum(Context& context, const Poly& a, const Poly& b, bool may_split);

// All symbols of `p` as bits, at most `limit` of them; refines constant digits of even extent into
// bits on the way. Empty optional: some symbol is no bit and cannot become bits.
[[nodiscard]] std::optional<std::vector<Sym>> bits_of(Context& context,
                                                      const std::vector<Poly>& polys,
                                                      std::size_t limit);
// A function of numbers applied to polynomials over few bits, by table.
template <class Function>
[[nodiscard]] Poly apply_over_bits(const std::vector<Sym>& bits, const std::vector<Poly>& args,
                                   Function function) {
  std::vector<std::vector<Poly>> columns;
  columns.reserve(args.size());
  for (const Poly& arg : args) columns.push_back(tabulate(arg, bits));
  std::vector<Poly> table;
  std::vector<Int> point(args.size());
  for (std::size_t x = 0; x < (std::size_t{1} << bits.size()); ++x) {
    for (std::size_t i = 0; i < args.size(); ++i) point[i] = columns[i][x].constant();
    table.push_back(Poly(static_cast<Int>(function(point))));
  }
  return interpolate(bits, std::move(table));
}

}  // namespace fragproof::radix
