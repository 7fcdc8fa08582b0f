// The integers of the language: 128 bits wide, every operation checked, nothing ever wraps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fragproof {

__extension__ typedef __int128 Int;  // mathematical integers; who would leave 128 bits is told so

// Each returns false, and leaves `out` unspecified, when the true result does not fit 128 bits.
[[nodiscard]] inline bool add(Int a, Int b, Int& out) {
  return !__builtin_add_overflow(a, b, &out);
}
[[nodiscard]] inline bool sub(Int a, Int b, Int& out) {
  return !__builtin_sub_overflow(a, b, &out);
}
[[nodiscard]] inline bool mul(Int a, Int b, Int& out) {
  return !__builtin_mul_overflow(a, b, &out);
}

// Decimal text of `value`, e.g. "-12".
[[nodiscard]] std::string to_string(Int value);

// The value of a decimal text with an optional '-', or nothing when it is malformed or too large.
[[nodiscard]] std::optional<Int> parse_int(std::string_view text);

}  // namespace fragproof
