// The words of a kernel's counterexamples: lanes, registers, elements, and the register picture.
#pragma once

#include <string>

#include "checkers/enumerate/kernel_trace.h"

namespace fragproof {

// "lane 5 (g=1, t=1)"; without digits "lane 5".
[[nodiscard]] std::string lane_text(const Grid& grid, int lane);
// "a1"; "low", "high", "byte 2", "nibble 5", "bit 7", or "" for a whole register.
[[nodiscard]] std::string register_text(const Grid& grid, int elem);
[[nodiscard]] std::string half_text(const Grid& grid, int elem);
// "lane 5 (g=1, t=1), register a1, low half (PTX element a2)".
[[nodiscard]] std::string slot_text(const Grid& grid, int lane, int elem);

// What a run of granules holds: "W[1, 10]", "zero", "bits 0..15 of Bk[0, 0]", "nothing: the load's
// `if` is false".
struct HeldRun {
  int first_bit = 0;
  int bits = 0;
  std::string text;
};
[[nodiscard]] std::vector<HeldRun> held_runs(Trace& trace, const std::int64_t* codes,
                                             std::size_t count, int granule);
[[nodiscard]] std::string held_text(Trace& trace, const Operand& operand, std::size_t cell);

// `y[0, 1]` of an element number; `k = 8` or `c = 0, k = 8` of a k number.
[[nodiscard]] std::string element_text(const FactorTrace& factor, std::int64_t element);
[[nodiscard]] std::string k_text(const Trace& trace, std::int64_t k);

// The number of the outer indices that the store names for the row or column of a cell; -1 if its
// line is not stored.
[[nodiscard]] std::int64_t named_outer(const Trace& trace, const Operand& operand,
                                       std::size_t cell);
// The k that the first whole live cell of `operand` holds in slot `slot` at a point; -1 when there
// is none.
[[nodiscard]] std::int64_t held_k(const Trace& trace, const Operand& operand, std::size_t point,
                                  std::int32_t slot);
// The element of the operand's factor with these numbers: "W[9, 2]".
[[nodiscard]] std::string name_element(const FactorTrace& factor, std::int64_t outer,
                                       std::int64_t k);
// The element that belongs into a cell: its row or column as the store names it, its k as the other
// operand holds it (for want of that, as the cell itself does). "" when neither is known.
[[nodiscard]] std::string expected_text(const Trace& trace, const Operand& operand,
                                        std::size_t cell);
// An element as the kernel would hand it to a cell: "f16(W[9, 2])" where it converts, else as it
// is.
[[nodiscard]] std::string as_converted(const Trace& trace, const Operand& operand, std::size_t cell,
                                       const std::string& element);

// Point, lane and element of a cell.
struct CellPlace {
  std::size_t point = 0;
  int lane = 0;
  int elem = 0;
  std::size_t slot = 0;  // lane*elems + elem
};
[[nodiscard]] CellPlace place_of(const Operand& operand, std::size_t cell);

// A counterexample at a cell of an operand, with everything but `expected`, `found` and `text`.
[[nodiscard]] Counterexample example_at(const Trace& trace, const Operand& operand,
                                        std::size_t cell);
// The picture of an operand at a point; `wrong` has one mark a cell of the operand.
[[nodiscard]] Picture picture_of(Trace& trace, const Operand& operand, std::size_t point,
                                 const std::vector<std::uint8_t>& wrong);
// " at rb=0, kb=1" or "".
[[nodiscard]] std::string at_text(const NamedValues& at);

}  // namespace fragproof
