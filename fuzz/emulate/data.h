// The numbers that the emulated kernel multiplies: distinguishable codes, never uniform, the same
// on every machine.
#pragma once

#include <cstdint>

#include "spec/ast.h"

namespace fragproof {

// A well-mixed function of 64 bits (the finaliser of SplitMix64); a bijection.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9U;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

// The integer that element `index` of tensor number `tensor` holds, as a signed number of `bits`
// bits (one bit: 0 or 1). Neighbouring elements differ: of 2^14 consecutive elements of at least 16
// bits no two are equal, narrower ones are never 0 (but for one bit), wider ones differ in both
// halves of 32 bits. Products of two codes of up to 16 bits stay below 2^26.
[[nodiscard]] std::int64_t integer_code(std::uint64_t seed, std::size_t tensor, std::int64_t index,
                                        int bits);

// The real number that the element holds in float mode, before it is rounded to the element's type:
// of magnitude 2^-2 to 2, or a small integer for an integer type.
[[nodiscard]] double real_code(std::uint64_t seed, std::size_t tensor, std::int64_t index,
                               const ElementType& type);

}  // namespace fragproof
