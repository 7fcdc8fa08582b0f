// Expressions and maps as bits that are affine over GF(2), where they are: digits, shifts, masks,
// `^`, sums without a carry, all extents powers of two. Whatever is not, or might be undefined
// somewhere, ends the attempt.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checkers/linear/bits.h"
#include "spec/ast.h"

namespace fragproof::gf2 {

// Thrown where the method ends; `reason` is a clause: "`a + b` may carry".
struct NotLinear {
  std::string reason;
};

// The inputs of a domain: which bits of the input vector each coordinate has.
struct Inputs {
  struct Coordinate {
    const Variable* variable = nullptr;
    std::size_t first = 0, count = 0;
  };
  std::vector<Coordinate> coordinates;  // in order; the last one has the lowest bits
  std::size_t count = 0;
};

class Affine {
 public:
  using Scope = std::map<const Variable*, Bits>;

  // The coordinates of `domain` as inputs, with their digits, added to `scope`. All extents are
  // constants and powers of two, there is no `where`.
  [[nodiscard]] Inputs bind(const Domain& domain, Scope& scope);
  // The outputs of a map for arguments inside its domain, in order.
  [[nodiscard]] std::vector<Bits> apply(const Map& map, const std::vector<Bits>& arguments);
  // A number, or the members of a tuple.
  [[nodiscard]] std::vector<Bits> tuple(const Expr& expr, const Scope& scope);
  [[nodiscard]] Bits number(const Expr& expr, const Scope& scope);

  // A value that depends on nothing.
  [[nodiscard]] Int constant(const Expr& expr, const Scope& scope);

 private:
  [[nodiscard]] Bits binary(const Expr& expr, const Scope& scope);
  [[nodiscard]] Bits digits(const Expr& expr, const Scope& scope);
  [[nodiscard]] Bits cute(const Expr& expr, const Scope& scope);
  [[nodiscard]] std::vector<Bits> inverse(const Expr& expr, const Scope& scope);
  void split(const Bits& value, const std::vector<DigitBinding>& radices, Scope& scope);
  void bind_coordinates(const Domain& domain, const std::vector<Bits>& values, Scope& scope);

  int width_ = 0;  // every value inside iN(..) must be below 2^width_; 0: no limit
  int depth_ = 0;  // of maps calling maps
};

}  // namespace fragproof::gf2
