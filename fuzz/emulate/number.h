// Element types as bits: rounding a real number to a type, and back. Floats only for float mode;
// integers are two's complement.
#pragma once

#include <cstdint>

#include "spec/ast.h"

namespace fragproof {

// The bits of `value` rounded to nearest even in `type` (saturated at its largest; tf32 keeps its
// 32 bits with the low 13 zero). Raw types hold an integer.
[[nodiscard]] std::uint64_t bits_of(const ElementType& type, double value);

// What these bits mean. Infinities and NaNs of f16, bf16, f32 and f64 stay what they are.
[[nodiscard]] double value_of(const ElementType& type, std::uint64_t bits);

// A signed number from its low `width` bits; one bit is 0 or 1.
[[nodiscard]] constexpr std::int64_t sign_extended(std::uint64_t bits, int width) {
  if (width >= 64) return static_cast<std::int64_t>(bits);
  const std::uint64_t low = bits & ((std::uint64_t{1} << width) - 1);
  if (width == 1 || (low >> (width - 1)) == 0) return static_cast<std::int64_t>(low);
  return static_cast<std::int64_t>(low | ~((std::uint64_t{1} << width) - 1));
}

}  // namespace fragproof
