// A kernel at one row, slot and column of its tile: what the obligations speak of.
#pragma once

#include <string>

#include "checkers/radix/operands.h"

namespace fragproof::radix {

class KernelAtTile {
 protected:
  using Mode = KernelPoint::Mode;
  KernelAtTile(Evaluator& e, const Kernel& kernel)
      : e_(e), c_(e.context), k_(kernel), point_(e, kernel) {}

  // Universal tile coordinates, assumed stored.
  struct Tile {
    Poly row, slot, column;
  };
  Tile tile(const std::string& copy = "") {
    const Tile t{point_.row(Mode::All, copy), point_.slot(Mode::All, copy),
                 point_.column(Mode::All, copy)};
    given(point_.stored(t.row, t.column));
    return t;
  }
  // Where `c` is false nothing is asked: the case has no point more.
  void given(const ConditionPtr& c) {
    if (!enter(c_, c)) throw EmptyCase{};
  }
  Element at(char operand, const Tile& t) {
    return point_.element(operand, operand == 'A' ? t.row : t.column, t.slot);
  }

  Evaluator& e_;
  Context& c_;
  const Kernel& k_;
  KernelPoint point_;
};

// Shows that each k is counted exactly once: `cover`. Widths are the caller's to switch off.
void show_cover(Evaluator& evaluator, const Kernel& kernel);

}  // namespace fragproof::radix
