// Judging the cells of an operand: marks of the wrong ones, the counterexample at the first, the
// picture.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "checkers/enumerate/kernel_trace.h"

namespace fragproof {

// Calls `visit(cell, tile, point, slot)` for each cell of a live row or column that is not left
// out, in order.
template <class Visit>
void for_each_live(const Trace& trace, const Operand& operand, Visit visit) {
  const std::vector<std::uint8_t>& live = operand.is_a ? trace.live_row : trace.live_col;
  const std::size_t lines = operand.is_a ? trace.m() : trace.n();
  const std::size_t slots = operand.grid.size();
  for (std::size_t point = 0; point < trace.points->point_count(); ++point) {
    const std::size_t tile = trace.points->tile_of[point];
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const std::size_t cell = point * slots + slot;
      if (operand.out[cell] == 0 &&
          live[tile * lines + static_cast<std::size_t>(operand.line(slot))] != 0) {
        visit(cell, tile, point, slot);
      }
    }
  }
}

// The words of one counterexample.
struct CellWords {
  std::string expected, found, text;  // text follows the slot: "expected W[9, 2], found W[1, 10]"
};

// A finding over the cells of an operand: `wrong` marks them, `of` is how many were judged; the
// first in order is told by `words`, with the picture of the operand at its point.
[[nodiscard]] Finding finding_of(Trace& trace, const Operand& operand,
                                 const std::vector<std::uint8_t>& wrong, std::int64_t of,
                                 const std::function<CellWords(std::size_t cell)>& words);

}  // namespace fragproof
