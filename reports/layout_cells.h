// What the writers of a LayoutTable share: order of the cells, text of a cell, names of registers.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reports/layout_table.h"

namespace fragproof {

// The cells in order of (lane, elem), as given where these are equal.
[[nodiscard]] std::vector<const LayoutCell*> ordered_cells(const LayoutTable& table);

// The texts of each (lane, elem), several joined by " & ", made visible.
using SlotTexts = std::map<std::pair<int, int>, std::string>;
[[nodiscard]] SlotTexts slot_texts(const LayoutTable& table);

// The text of a cell: its own, or the coordinates joined by ','.
[[nodiscard]] std::string cell_text(const LayoutCell& cell);

// Lanes and elements that have cells, in order.
[[nodiscard]] std::vector<int> lanes_of(const LayoutTable& table);
[[nodiscard]] std::vector<int> elems_of(const LayoutTable& table);

// "a1.lo" of an element: the register that its cells name, and which part of it. "elem 3" without
// registers.
[[nodiscard]] std::string slot_heading(const LayoutTable& table, int elem);

}  // namespace fragproof
