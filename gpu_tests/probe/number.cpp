// Encoding and decoding by the definition of each format.
#include "gpu_tests/probe/number.h"

#include <array>
#include <bit>
#include <cstdlib>

namespace fragproof::gpu {
namespace {

std::uint64_t low_bits(int bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

int bias_of(const NumberFormat& format) { return (1 << (format.exponent - 1)) - 1; }

}  // namespace

std::optional<NumberFormat> find_number(const std::string& name) {
  struct Float {
    const char* name;
    int bits, exponent, mantissa;
  };
  static constexpr std::array<Float, 7> floats = {{{"f16", 16, 5, 10},
                                                   {"bf16", 16, 8, 7},
                                                   {"tf32", 32, 8, 23},  // low mantissa bits unused
                                                   {"f32", 32, 8, 23},
                                                   {"f64", 64, 11, 52},
                                                   {"e4m3", 8, 4, 3},
                                                   {"e5m2", 8, 5, 2}}};
  for (const Float& f : floats) {
    if (name == f.name)
      return NumberFormat{name, f.bits, true, true, f.exponent, f.mantissa, name == "e4m3"};
  }
  if (name == "b1") return NumberFormat{name, 1, false, false, 0, 0};
  if (name.size() < 2 || (name[0] != 's' && name[0] != 'u')) return std::nullopt;
  const int bits = std::atoi(name.c_str() + 1);
  if (bits != 4 && bits != 8 && bits != 32) return std::nullopt;
  return NumberFormat{name, bits, false, name[0] == 's', 0, 0};
}

std::optional<std::uint64_t> encode(const NumberFormat& format, std::int64_t value) {
  if (!format.is_float) {
    const int magnitude_bits = format.bits - (format.is_signed ? 1 : 0);
    const std::int64_t highest = static_cast<std::int64_t>(low_bits(magnitude_bits));
    const std::int64_t lowest = format.is_signed ? -highest - 1 : 0;
    if (value < lowest || value > highest) return std::nullopt;
    return static_cast<std::uint64_t>(value) & low_bits(format.bits);
  }
  if (value == 0) return 0;
  const bool negative = value < 0;
  const auto magnitude = static_cast<std::uint64_t>(negative ? -value : value);
  const int top = static_cast<int>(std::bit_width(magnitude)) - 1;  // value = 1.xx * 2^top
  const int dropped = top - format.mantissa;
  const int largest_exponent = bias_of(format) - (format.no_infinity ? -1 : 0);
  if (top > largest_exponent) return std::nullopt;
  if (dropped > 0 && (magnitude & low_bits(dropped)) != 0) return std::nullopt;
  const std::uint64_t fraction =
      (dropped > 0 ? magnitude >> dropped : magnitude << -dropped) & low_bits(format.mantissa);
  if (format.no_infinity && top == largest_exponent && fraction == low_bits(format.mantissa)) {
    return std::nullopt;
  }
  const auto exponent = static_cast<std::uint64_t>(top + bias_of(format));
  return (std::uint64_t{negative} << (format.bits - 1)) | (exponent << format.mantissa) | fraction;
}

std::optional<std::int64_t> decode(const NumberFormat& format, std::uint64_t bits) {
  if (!format.is_float) {
    const std::uint64_t value = bits & low_bits(format.bits);
    const bool negative = format.is_signed && (value >> (format.bits - 1)) != 0;
    return static_cast<std::int64_t>(negative ? value | ~low_bits(format.bits) : value);
  }
  const std::uint64_t fraction = bits & low_bits(format.mantissa);
  const std::uint64_t exponent = (bits >> format.mantissa) & low_bits(format.exponent);
  const bool negative = ((bits >> (format.bits - 1)) & 1) != 0;
  if (exponent == 0) return fraction == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
  const bool special = format.no_infinity
                           ? exponent == low_bits(4) && fraction == low_bits(format.mantissa)
                           : exponent == low_bits(format.exponent);
  if (special) return std::nullopt;
  const int top = static_cast<int>(exponent) - bias_of(format);
  if (top < 0 || top > 62) return std::nullopt;
  const std::uint64_t significand = fraction | (std::uint64_t{1} << format.mantissa);
  std::uint64_t magnitude = 0;
  if (top < format.mantissa) {
    if ((significand & low_bits(format.mantissa - top)) != 0) return std::nullopt;
    magnitude = significand >> (format.mantissa - top);
  } else {
    magnitude = significand << (top - format.mantissa);
  }
  return negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
}

std::int64_t largest_exact(const NumberFormat& format) {
  if (format.is_float) {
    return format.mantissa >= 31 ? std::int64_t{1} << 31 : std::int64_t{1} << (format.mantissa + 1);
  }
  return static_cast<std::int64_t>(low_bits(format.bits - (format.is_signed ? 1 : 0)));
}

}  // namespace fragproof::gpu
