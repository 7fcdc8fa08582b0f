// Codes, types as bits, bit copies.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "fuzz/emulate/blocks.h"
#include "fuzz/emulate/data.h"
#include "fuzz/emulate/number.h"

namespace fragproof {
namespace {

ElementType type(const char* name) { return *find_type(name); }

TEST(Numbers, TypesAsBits) {
  EXPECT_EQ(bits_of(type("f16"), 1.0), 0x3c00U);
  EXPECT_EQ(bits_of(type("f16"), -2.5), 0xc100U);
  EXPECT_EQ(bits_of(type("bf16"), 1.0), 0x3f80U);
  EXPECT_EQ(bits_of(type("bf16"), 3.140625), 0x4049U);
  EXPECT_EQ(bits_of(type("e4m3"), 448.0), 0x7eU);
  EXPECT_EQ(bits_of(type("e4m3"), 1.0), 0x38U);
  EXPECT_EQ(bits_of(type("e5m2"), 1.0), 0x3cU);
  EXPECT_EQ(bits_of(type("e2m1"), 6.0), 0x7U);
  EXPECT_EQ(bits_of(type("f32"), 1.0), 0x3f800000U);
  EXPECT_EQ(bits_of(type("tf32"), 1.0 + std::ldexp(1, -12)), 0x3f800000U);
  EXPECT_EQ(bits_of(type("s8"), -1.0) & 0xffU, 0xffU);
  EXPECT_EQ(bits_of(type("f16"), 1e9), 0x7bffU);  // saturated, not infinite
}

TEST(Numbers, EveryNarrowFloatIsRoundedToItself) {
  for (const char* name : {"f16", "bf16", "e4m3", "e5m2", "e2m1"}) {
    const ElementType t = type(name);
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << t.width); ++bits) {
      const double value = value_of(t, bits);
      if (!std::isfinite(value)) continue;
      if (std::string(name) == "e4m3" && (bits & 0x7f) == 0x7f) continue;  // its NaN
      ASSERT_EQ(bits_of(t, value), bits) << name << " " << value;
    }
  }
}

TEST(Numbers, RoundsToNearestEven) {
  EXPECT_EQ(bits_of(type("bf16"), 1 + std::ldexp(1, -8)), 0x3f80U);  // half way: to even
  EXPECT_EQ(bits_of(type("bf16"), 1 + std::ldexp(3, -8)), 0x3f82U);  // half way: to even
  EXPECT_EQ(bits_of(type("bf16"), 1 + std::ldexp(1.01, -8)), 0x3f81U);
  EXPECT_EQ(bits_of(type("bf16"), 2 - std::ldexp(1, -9)), 0x4000U);  // carries into the exponent
  EXPECT_EQ(bits_of(type("f16"), std::ldexp(1, -25)), 0U);
  EXPECT_EQ(bits_of(type("f16"), std::ldexp(1.5, -25)), 1U);
}

TEST(Data, SlotsAreDistinguishable) {
  std::set<std::int64_t> seen;
  for (std::int64_t i = 0; i < 1 << 14; ++i) {
    const std::int64_t code = integer_code(1, 0, i, 16);
    EXPECT_NE(code, 0);
    EXPECT_LE(std::abs(code), 8192);
    EXPECT_TRUE(seen.insert(code).second) << i;
  }
  std::set<std::int64_t> wide;
  for (std::int64_t i = 0; i < 10'000; ++i) wide.insert(integer_code(1, 0, i, 32));
  EXPECT_GE(wide.size(), 9'990U);
  std::set<std::int64_t> nibbles, bits;
  for (std::int64_t i = 0; i < 1000; ++i) {
    nibbles.insert(integer_code(1, 0, i, 4));
    bits.insert(integer_code(1, 0, i, 1));
  }
  EXPECT_EQ(nibbles.size(), 14U);  // -7..7 without 0
  EXPECT_EQ(nibbles.count(0), 0U);
  EXPECT_EQ(bits, (std::set<std::int64_t>{0, 1}));
  EXPECT_NE(integer_code(1, 0, 5, 16), integer_code(2, 0, 5, 16));
  EXPECT_NE(integer_code(1, 0, 5, 16), integer_code(1, 1, 5, 16));
}

TEST(Blocks, BitsAreCopiedAnywhere) {
  std::vector<std::uint8_t> from(40), to(40, 0xff);
  for (std::size_t i = 0; i < from.size(); ++i) {
    from[i] = static_cast<std::uint8_t>(mixed(i));
  }
  for (int from_bit : {0, 3, 8, 13}) {
    for (int to_bit : {0, 5, 16, 31}) {
      for (int width : {1, 4, 7, 16, 32, 57, 64, 128}) {
        to.assign(to.size(), 0xff);
        copy_bits(from.data(), from_bit, to.data(), to_bit, width);
        for (int i = 0; i < width; ++i) {
          ASSERT_EQ(read_bits(from.data(), from_bit + i, 1), read_bits(to.data(), to_bit + i, 1))
              << from_bit << " " << to_bit << " " << width << " " << i;
        }
        if (to_bit > 0) {
          EXPECT_EQ(read_bits(to.data(), to_bit - 1, 1), 1U);
        }
        EXPECT_EQ(read_bits(to.data(), to_bit + width, 1), 1U);
      }
    }
  }
  EXPECT_EQ(sign_extended(0xf, 4), -1);
  EXPECT_EQ(sign_extended(0x7, 4), 7);
  EXPECT_EQ(sign_extended(1, 1), 1);
}

}  // namespace
}  // namespace fragproof
