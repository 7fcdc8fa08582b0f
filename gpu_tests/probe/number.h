// Small integers in the number formats of the tensor cores, and back; exact or refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace fragproof::gpu {

struct NumberFormat {
  std::string name;
  int bits = 0;
  bool is_float = false, is_signed = true;
  int exponent = 0, mantissa = 0;  // bits of a float
  bool no_infinity = false;        // e4m3: its largest exponent holds numbers, all ones is NaN
};

// f16 bf16 tf32 f32 f64 e4m3 e5m2, sN uN, b1. tf32 has the 32 bits of its register. Nothing for
// other names.
[[nodiscard]] std::optional<NumberFormat> find_number(const std::string& name);

// The bits of `value`; nothing when the format has no such number.
[[nodiscard]] std::optional<std::uint64_t> encode(const NumberFormat& format, std::int64_t value);

// The integer that these bits are; nothing for fractions, infinities and NaNs.
[[nodiscard]] std::optional<std::int64_t> decode(const NumberFormat& format, std::uint64_t bits);

// The largest magnitude up to which every integer can be had (at most 2^31).
[[nodiscard]] std::int64_t largest_exact(const NumberFormat& format);

}  // namespace fragproof::gpu
