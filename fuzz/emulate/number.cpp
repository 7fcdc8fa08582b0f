#include "fuzz/emulate/number.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fragproof {
namespace {

// A binary format of at most 16 bits: sign, exponent, fraction.
struct Format {
  int exponent_bits, fraction_bits;
  bool infinities;  // the top exponent means infinity and NaN
  double largest;
};

// The format of a narrow float type; nothing for the others.
const Format* format_of(const ElementType& type) {
  static const Format f16{5, 10, true, 65504};
  static const Format bf16{8, 7, true, 0x1.fep127};
  static const Format e4m3{4, 3, false, 448};
  static const Format e5m2{5, 2, true, 57344};
  static const Format e2m1{2, 1, false, 6};
  if (type.name == "f16") return &f16;
  if (type.name == "bf16") return &bf16;
  if (type.name == "e4m3") return &e4m3;
  if (type.name == "e5m2") return &e5m2;
  if (type.name == "e2m1") return &e2m1;
  return nullptr;
}

std::uint64_t narrow_bits(const Format& format, double value) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const std::uint64_t sign = std::signbit(value) ? 1 : 0;
  double magnitude = std::min(std::fabs(value), format.largest);
  int exponent = magnitude == 0 ? 1 - bias : std::max(std::ilogb(magnitude), 1 - bias);
  // In units of the last place; nearbyint rounds to even.
  auto fraction = static_cast<std::uint64_t>(
      std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent)));
  if (fraction >> (format.fraction_bits + 1) != 0) {
    fraction >>= 1;
    ++exponent;
  }
  const bool normal = fraction >> format.fraction_bits != 0;
  const std::uint64_t biased = normal ? static_cast<std::uint64_t>(exponent + bias) : 0;
  const std::uint64_t low = fraction & ((std::uint64_t{1} << format.fraction_bits) - 1);
  return sign << (format.exponent_bits + format.fraction_bits) | biased << format.fraction_bits |
         low;
}

double narrow_value(const Format& format, std::uint64_t bits) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const std::uint64_t top = (std::uint64_t{1} << format.exponent_bits) - 1;
  const std::uint64_t biased = bits >> format.fraction_bits & top;
  const std::uint64_t low = bits & ((std::uint64_t{1} << format.fraction_bits) - 1);
  const bool negative = (bits >> (format.exponent_bits + format.fraction_bits) & 1) != 0;
  double magnitude = 0;
  if (format.infinities && biased == top) {
    magnitude = low == 0 ? HUGE_VAL : std::nan("");
  } else if (biased == 0) {
    magnitude = std::ldexp(static_cast<double>(low), 1 - bias - format.fraction_bits);
  } else {
    magnitude = std::ldexp(static_cast<double>(low | std::uint64_t{1} << format.fraction_bits),
                           static_cast<int>(biased) - bias - format.fraction_bits);
  }
  return negative ? -magnitude : magnitude;
}

// To nearest even with 10 fraction bits.
std::uint32_t tf32_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t odd = bits >> 13 & 1;
  return (bits + 0xfffU + odd) & ~0x1fffU;
}

}  // namespace

std::uint64_t bits_of(const ElementType& type, double value) {
  if (type.cls != ElementType::Class::Float) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
  if (const Format* format = format_of(type)) return narrow_bits(*format, value);
  if (type.name == "tf32") return tf32_bits(static_cast<float>(value));
  if (type.width == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::bit_cast<std::uint64_t>(value);
}

double value_of(const ElementType& type, std::uint64_t bits) {
  if (type.cls == ElementType::Class::Unsigned) return static_cast<double>(bits);
  if (type.cls != ElementType::Class::Float) {
    return static_cast<double>(sign_extended(bits, type.width));
  }
  if (const Format* format = format_of(type)) return narrow_value(*format, bits);
  if (type.width == 32) {
    auto word = static_cast<std::uint32_t>(bits);
    if (type.name == "tf32") word &= ~0x1fffU;  // the tensor core reads 19 bits
    return static_cast<double>(std::bit_cast<float>(word));
  }
  return std::bit_cast<double>(bits);
}

}  // namespace fragproof
