// Numbers as bits, each bit an affine form over GF(2) in the bits of the inputs.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "spec/integer.h"

namespace fragproof::gf2 {

// `constant` plus the sum, without carry, of the input bits in `mask`. At most 127 inputs.
__extension__ using Mask = unsigned __int128;
struct Form {
  Mask mask = 0;
  bool constant = false;
  [[nodiscard]] bool is_zero() const { return mask == 0 && !constant; }
  friend bool operator==(const Form&, const Form&) = default;
};
constexpr std::size_t max_inputs = 127;

// A number >= 0: bit i has weight 2^i. The topmost bit is not the form zero.
using Bits = std::vector<Form>;

[[nodiscard]] Bits constant_bits(Int value);  // value >= 0
[[nodiscard]] Bits input_bits(std::size_t first,
                              std::size_t count);  // inputs first .. first+count-1
[[nodiscard]] std::optional<Int> constant_of(const Bits& bits);
// log2 of a power of two; nothing for other numbers.
[[nodiscard]] std::optional<std::size_t> log2_of(Int value);
// Surely below `limit`?
[[nodiscard]] bool surely_below(const Bits& bits, Int limit);

// Each gives nothing where the result is not affine bit by bit (a carry, a product of two unknown
// bits) or would pass 2^126.
[[nodiscard]] std::optional<Bits> add(const Bits& a, const Bits& b);
[[nodiscard]] std::optional<Bits> subtract(const Bits& a, const Bits& b);
[[nodiscard]] std::optional<Bits> multiply(const Bits& a, const Bits& b);
[[nodiscard]] std::optional<Bits> divide(const Bits& a, const Bits& b);
[[nodiscard]] std::optional<Bits> remainder(const Bits& a, const Bits& b);
[[nodiscard]] std::optional<Bits> shift_left(const Bits& a, const Bits& by);
[[nodiscard]] std::optional<Bits> shift_right(const Bits& a, const Bits& by);
[[nodiscard]] std::optional<Bits> bitwise_and(const Bits& a, const Bits& b);
[[nodiscard]] std::optional<Bits> bitwise_or(const Bits& a, const Bits& b);
[[nodiscard]] Bits bitwise_xor(const Bits& a, const Bits& b);

// The value at given inputs.
[[nodiscard]] bool value_of(const Form& form, Mask inputs);
[[nodiscard]] Int value_of(const Bits& bits, Mask inputs);

// Gaussian elimination of some forms' linear parts over `inputs` input bits.
struct Rank {
  std::size_t rank = 0;
  // A basis of the inputs that change no form, each with a leading (topmost) bit of its own.
  std::vector<Mask> kernel;
};
[[nodiscard]] Rank rank_of(const std::vector<Form>& forms, std::size_t inputs);

// The inputs at which each form has the given value; nothing when there are none. `values[i]` may
// itself be a form (in other inputs): the answer is one form an input, and forms that are not
// determined make it nothing.
[[nodiscard]] std::optional<std::vector<Form>> solve(const std::vector<Form>& forms,
                                                     const std::vector<Form>& values,
                                                     std::size_t inputs);

}  // namespace fragproof::gf2
