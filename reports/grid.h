// A register picture put in order: rows of lanes, columns of elements, each slot with its state.
// Text and SVG draw it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checkers/result/result.h"

namespace fragproof {

struct Slot {
  enum class State {
    Blank,    // the picture says nothing about it
    Right,    // holds what is expected
    Wrong,    // holds something else
    Hole,     // should hold something and holds nothing
    Overlap,  // holds two things at once
    Extra,    // nothing is expected here, and something is there
  };
  State state = State::Blank;
  std::string expected;  // made visible (no control characters); "" for nothing
  std::string found;     // two things in one slot: joined by " & "
  [[nodiscard]] bool is_fault() const { return state != State::Blank && state != State::Right; }
};

struct GridRow {
  int lane = 0;
  int faults = 0;
  std::vector<Slot> slots;  // parallel to PictureGrid::elems
};

struct PictureGrid {
  std::vector<int> elems;     // in order; all of 0 .. elems-1 where that is a sane number
  std::vector<GridRow> rows;  // in order of lane; only lanes that have cells
  int faults = 0;
};

// What `picture` shows. Lanes and elements that no cell names get no row; the picture's own extents
// are not trusted.
[[nodiscard]] PictureGrid grid_of(const Picture& picture);

// The rows to draw when only `most` may be: the one of lane `keep`, then those with faults, in
// order of lane. 0 means all of them.
[[nodiscard]] std::vector<std::size_t> rows_that_matter(const PictureGrid& grid, int most,
                                                        std::optional<int> keep);

// "a1" of element `elem`; just the number of the element where the register makes no sense.
[[nodiscard]] std::string register_name(const Picture& picture, int elem);

}  // namespace fragproof
