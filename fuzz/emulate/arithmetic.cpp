#include "fuzz/emulate/arithmetic.h"

#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "fuzz/emulate/blocks.h"
#include "fuzz/emulate/number.h"

namespace fragproof {

bool fits_narrow(int a_width, int b_width, int value_bits, int depth) {
  if (a_width > 16 || b_width > 16 || depth % 2 != 0) return false;
  // data.h: codes have at most 13 bits beside their sign.
  const int a = std::min({a_width, value_bits, 14}) - 1;
  const int b = std::min({b_width, value_bits, 14}) - 1;
  return static_cast<std::int64_t>(depth) << (std::max(a, 1) + std::max(b, 1)) < std::int64_t{1}
                                                                                     << 31;
}

Multiplier::Multiplier(const Grid& a, const Grid& b, int rows, int cols, int depth,
                       Arithmetic arithmetic, const ElementType& a_type, const ElementType& b_type)
    : rows_(static_cast<std::size_t>(rows)),
      cols_((static_cast<std::size_t>(cols))),
      depth_(static_cast<std::size_t>(depth)),
      arithmetic_(arithmetic) {
  const bool narrow = arithmetic == Arithmetic::Narrow;
  for (const bool is_a : {true, false}) {
    const Grid& grid = is_a ? a : b;
    Side& side = is_a ? a_ : b_;
    side.lanes = grid.lanes;
    side.elems = grid.elems;
    side.width = grid.width;
    side.type = is_a ? a_type : b_type;
    for (std::size_t slot = 0; slot < grid.size(); ++slot) {
      const auto row = static_cast<std::size_t>(grid.row[slot]);
      const auto col = static_cast<std::size_t>(grid.col[slot]);
      // Narrow B keeps two k of a column side by side: what one multiply-add instruction takes.
      const std::size_t place = is_a     ? row * depth_ + col
                                : narrow ? row / 2 * 2 * cols_ + 2 * col + row % 2
                                         : row * cols_ + col;
      side.place.push_back(static_cast<std::uint32_t>(place));
    }
    const std::size_t size = depth_ * (is_a ? rows_ : cols_);
    side.narrow.assign(narrow ? size : 0, 0);
    side.wide.assign(arithmetic == Arithmetic::Wide ? size : 0, 0);
    side.real.assign(arithmetic == Arithmetic::Real ? size : 0, 0);
  }
  binary64_ = a_.width > 32;
}

void Multiplier::load_a(const std::uint8_t* registers, std::size_t stride) {
  load(a_, registers, stride);
}
void Multiplier::load_b(const std::uint8_t* registers, std::size_t stride) {
  load(b_, registers, stride);
}

void Multiplier::load(Side& side, const std::uint8_t* registers, std::size_t stride) {
  const std::uint32_t* place = side.place.data();
  const auto elems = static_cast<std::size_t>(side.elems);
  const auto lanes = static_cast<std::size_t>(side.lanes);
  if (arithmetic_ == Arithmetic::Narrow && side.width == 16) {
    std::int16_t* to = side.narrow.data();
    for (std::size_t lane = 0; lane < lanes; ++lane, registers += stride, place += elems) {
      for (std::size_t e = 0; e < elems; ++e) std::memcpy(to + place[e], registers + 2 * e, 2);
    }
    return;
  }
  if (arithmetic_ == Arithmetic::Narrow && side.width == 8) {
    std::int16_t* to = side.narrow.data();
    for (std::size_t lane = 0; lane < lanes; ++lane, registers += stride, place += elems) {
      for (std::size_t e = 0; e < elems; ++e) to[place[e]] = static_cast<std::int8_t>(registers[e]);
    }
    return;
  }
  for (std::size_t lane = 0; lane < lanes; ++lane, registers += stride, place += elems) {
    for (std::size_t e = 0; e < elems; ++e) {
      const std::uint64_t bits =
          read_bits(registers, static_cast<std::int64_t>(e) * side.width, side.width);
      switch (arithmetic_) {
        case Arithmetic::Narrow:
          side.narrow[place[e]] = static_cast<std::int16_t>(sign_extended(bits, side.width));
          break;
        case Arithmetic::Wide:
          side.wide[place[e]] = sign_extended(bits, side.width);
          break;
        case Arithmetic::Real:
          side.real[place[e]] = value_of(side.type, bits);
          break;
      }
    }
  }
}

#if defined(__SSE2__)
namespace {

// Adds four 32-bit sums to four 64-bit ones.
void add_widened(std::int64_t* sums, __m128i narrow) {
  const __m128i sign = _mm_srai_epi32(narrow, 31);
  auto* low = reinterpret_cast<__m128i*>(sums);
  auto* high = reinterpret_cast<__m128i*>(sums + 2);
  _mm_storeu_si128(low, _mm_add_epi64(_mm_loadu_si128(low), _mm_unpacklo_epi32(narrow, sign)));
  _mm_storeu_si128(high, _mm_add_epi64(_mm_loadu_si128(high), _mm_unpackhi_epi32(narrow, sign)));
}

// Eight columns of one row: pairs of k at a time.
void eight_columns(const std::int16_t* row, const std::int16_t* b, std::size_t pairs,
                   std::size_t b_stride, std::int64_t* sums) {
  __m128i left = _mm_setzero_si128(), right = _mm_setzero_si128();
  for (std::size_t q = 0; q < pairs; ++q) {
    std::int32_t pair = 0;
    std::memcpy(&pair, row + 2 * q, 4);
    const __m128i a = _mm_set1_epi32(pair);
    const auto* columns = reinterpret_cast<const __m128i*>(b + q * b_stride);
    left = _mm_add_epi32(left, _mm_madd_epi16(a, _mm_loadu_si128(columns)));
    right = _mm_add_epi32(right, _mm_madd_epi16(a, _mm_loadu_si128(columns + 1)));
  }
  add_widened(sums, left);
  add_widened(sums + 4, right);
}

}  // namespace
#endif

void Multiplier::accumulate_narrow(std::int64_t* sums) const {
  const std::size_t pairs = depth_ / 2;
#if defined(__SSE2__)
  if (cols_ == 8) {
    for (std::size_t i = 0; i < rows_; ++i) {
      eight_columns(&a_.narrow[i * depth_], b_.narrow.data(), pairs, 16, sums + i * 8);
    }
    return;
  }
#endif
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t j = 0; j < cols_; ++j) {
      std::uint32_t sum = 0;  // wraps where garbage was loaded; codes of data.h never reach 2^31
      for (std::size_t k = 0; k < depth_; ++k) {
        const std::int32_t a = a_.narrow[i * depth_ + k];
        const std::int32_t b = b_.narrow[k / 2 * 2 * cols_ + 2 * j + k % 2];
        sum += static_cast<std::uint32_t>(a * b);
      }
      sums[i * cols_ + j] += static_cast<std::int32_t>(sum);
    }
  }
}

void Multiplier::accumulate(std::int64_t* sums) {
  if (arithmetic_ == Arithmetic::Narrow) return accumulate_narrow(sums);
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t k = 0; k < depth_; ++k) {
      const auto a = static_cast<std::uint64_t>(a_.wide[i * depth_ + k]);
      for (std::size_t j = 0; j < cols_; ++j) {
        const std::uint64_t product = a * static_cast<std::uint64_t>(b_.wide[k * cols_ + j]);
        std::int64_t& sum = sums[i * cols_ + j];
        sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + product);
      }
    }
  }
}

void Multiplier::accumulate(double* sums) {
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t j = 0; j < cols_; ++j) {
      double& sum = sums[i * cols_ + j];
      for (std::size_t k = 0; k < depth_; ++k) {
        const double product = a_.real[i * depth_ + k] * b_.real[k * cols_ + j];
        // A product of two factors of at most 12 bits is exact in binary64; the sum is rounded.
        sum = binary64_
                  ? sum + product
                  : static_cast<double>(static_cast<float>(sum) + static_cast<float>(product));
      }
    }
  }
}

}  // namespace fragproof
