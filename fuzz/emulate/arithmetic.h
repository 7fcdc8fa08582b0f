// The multiply-accumulate of one instruction: registers of all lanes in, a tile of sums out.
//
// Three arithmetics. Narrow: slots of up to 16 bits as integers, sums of one instruction in 32 bits
// (exact for the codes of data.h), then in 64. Wide: slots of more than 16 bits as integers modulo
// 2^64. Real: slots decoded as floats, products and sums in binary32 (binary64 for f64).
#pragma once

#include <cstdint>
#include <vector>

#include "checkers/enumerate/kernel_points.h"

namespace fragproof {

enum class Arithmetic { Narrow, Wide, Real };

// One instruction's operand shapes, and where each slot (lane, elem) goes in its matrix.
class Multiplier {
 public:
  // `a_type`, `b_type` decode the slots in Real; ignored else. rows x cols x depth are the
  // instruction's m, n, k.
  Multiplier(const Grid& a, const Grid& b, int rows, int cols, int depth, Arithmetic arithmetic,
             const ElementType& a_type, const ElementType& b_type);

  // Reads the operand registers of all lanes: lane l's begin at `registers + l*stride` bytes.
  void load_a(const std::uint8_t* registers, std::size_t stride);
  void load_b(const std::uint8_t* registers, std::size_t stride);
  // sums[i*cols + j] += sum over k of A[i, k] * B[k, j], for the operands loaded last.
  void accumulate(std::int64_t* sums);
  // The same in floating point.
  void accumulate(double* sums);

  [[nodiscard]] std::size_t tile_size() const { return rows_ * cols_; }
  [[nodiscard]] Arithmetic arithmetic() const { return arithmetic_; }

 private:
  struct Side {
    int lanes = 0, elems = 0, width = 0;
    std::vector<std::uint32_t> place;  // of each slot in its matrix
    ElementType type;
    std::vector<std::int16_t> narrow;
    std::vector<std::int64_t> wide;
    std::vector<double> real;
  };
  void load(Side& side, const std::uint8_t* registers, std::size_t stride);
  void accumulate_narrow(std::int64_t* sums) const;

  std::size_t rows_, cols_, depth_;
  Arithmetic arithmetic_;
  Side a_, b_;
  bool binary64_ = false;
};

// Can the narrow arithmetic hold a sum of `depth` products of codes of these widths?
[[nodiscard]] bool fits_narrow(int a_width, int b_width, int value_bits, int depth);

}  // namespace fragproof
