#include "fuzz/emulate/data.h"

namespace fragproof {
namespace {

// A bijection of 14 bits.
std::uint32_t permuted14(std::uint32_t x) {
  constexpr std::uint32_t mask = (1U << 14) - 1;
  x = (x * 0x2d35U) & mask;
  x ^= x >> 7;
  x = (x * 0x1a8dU) & mask;
  x ^= x >> 6;
  return (x * 0x3335U) & mask;
}

}  // namespace

std::int64_t integer_code(std::uint64_t seed, std::size_t tensor, std::int64_t index, int bits) {
  const std::uint64_t stream = mixed(seed + 0x9e3779b97f4a7c15U * (tensor + 1));
  const auto number = static_cast<std::uint64_t>(index);
  if (bits >= 14 && bits <= 16) {
    const auto fold = static_cast<std::uint32_t>(mixed(stream ^ (number >> 14)) & 0x3fffU);
    const std::uint32_t low = static_cast<std::uint32_t>(number & 0x3fffU) ^ fold;
    const auto code = static_cast<std::int64_t>(permuted14(low)) - 8192;
    // In 14 bits zero stays: there is no room for one more code.
    return code == 0 && bits > 14 ? 8192 : code;
  }
  const std::uint64_t draw = mixed(stream + mixed(number));
  if (bits == 1) return static_cast<std::int64_t>(draw & 1);
  const int magnitude_bits = bits > 16 ? 25 : bits - 1;
  const std::uint64_t largest = (std::uint64_t{1} << magnitude_bits) - 1;
  // Past 16 bits: both halves of a 32-bit word vary.
  const auto magnitude = static_cast<std::int64_t>(1 + (draw >> 8) % largest);
  return (draw & 1) != 0 ? -magnitude : magnitude;
}

double real_code(std::uint64_t seed, std::size_t tensor, std::int64_t index,
                 const ElementType& type) {
  const std::uint64_t stream = mixed(seed + 0x9e3779b97f4a7c15U * (tensor + 101));
  const std::uint64_t draw = mixed(stream + mixed(static_cast<std::uint64_t>(index)));
  if (type.cls != ElementType::Class::Float) {
    const bool is_signed = type.cls == ElementType::Class::Signed;
    const int bits = type.width > 8 ? 8 : type.width;
    const auto range = static_cast<std::int64_t>(draw % (std::uint64_t{1} << bits));
    return static_cast<double>(is_signed ? range - (std::int64_t{1} << (bits - 1)) : range);
  }
  const double fraction = static_cast<double>(draw >> 40) * 0x1p-24;  // 0 .. 1
  const double magnitude = (1 + fraction) * (1.0 / static_cast<double>(1U << (draw & 3) % 3));
  return (draw & 4) != 0 ? -magnitude : magnitude;
}

}  // namespace fragproof
