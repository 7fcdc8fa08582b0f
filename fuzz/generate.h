// Which configuration case number i of a seed is. Targets are drawn around every divisor
// (multiples, one off), 1, primes, powers of two, tails and large sizes; the nearest admissible
// sizes below are taken.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/space.h"

namespace fragproof {

// What a value of a size is. One value may be several.
enum class SizeClass { One, Prime, PowerOfTwo, Multiple, OneOff, Large };
inline constexpr int size_classes = 6;
[[nodiscard]] const char* name_of(SizeClass cls);  // "one", "prime", ..

// The classes of a value; multiples and neighbours are of the space's divisors.
[[nodiscard]] std::array<bool, size_classes> classes_of(std::int64_t value,
                                                        const std::vector<std::int64_t>& divisors);

// The configuration of case `number`, a function of the arguments alone. Draws that are not
// admissible, or larger than 2^17 elements a tensor, are drawn again, smaller; nothing when a dozen
// are of no use.
[[nodiscard]] std::optional<Configuration> generate(KernelSpace& space, std::uint64_t seed,
                                                    std::uint64_t number);

}  // namespace fragproof
