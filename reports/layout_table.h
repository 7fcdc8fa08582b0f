// What `show` prints: which element each lane's registers hold, as neutral data, and its writers.
// The caller fills a LayoutTable from a fragment, a map or a kernel's load; nothing here knows the
// spec.
#pragma once

#include <string>
#include <vector>

#include "checkers/result/result.h"

namespace fragproof {

struct LayoutCell {
  int lane = 0;
  int elem = 0;
  std::string reg;               // "a1"; "" when there is no register (a plain map)
  int bit = 0;                   // the element's first bit in that register
  std::vector<Int> coordinates;  // one value a name of LayoutTable::coordinate_names
  std::string text;  // of the cell: "9,2" or "W[9, 2]"; "" means the coordinates joined by ','
};

struct LayoutTable {
  std::string title;  // "mma.m16n8k16.b16.A"
  std::vector<std::string>
      notes;  // lines above the picture: formulas both ways, provenance, sizes chosen
  std::vector<std::string> coordinate_names;  // {"row", "col"}
  std::vector<Int> extents;                   // of the coordinates where known, else empty
  int bits = 16;                              // of an element
  int register_bits = 32;
  int lanes = 32;
  int elems = 0;                  // of a lane
  std::vector<LayoutCell> cells;  // two cells of one (lane, elem) are an overlap: both are drawn
};

// Element `elem` of `bits` bits sits in register number elem*bits/register_bits from bit
// elem*bits%register_bits on.
struct RegisterPlace {
  int number = 0;
  int bit = 0;
};
[[nodiscard]] RegisterPlace register_place(int elem, int bits, int register_bits);

// The register view for the terminal, lane by lane; wide tables are cut into blocks of registers.
[[nodiscard]] std::string layout_text(const LayoutTable& table, int width = 80,
                                      bool colour = false);

// `lane,elem,register,bit,` and the coordinate names, then one line a cell, in order of lane and
// elem; nothing else.
[[nodiscard]] std::string layout_csv(const LayoutTable& table);

// {"title","notes","bits","register_bits","lanes","elems","cells":[{"lane","elem","register","bit","row","col","text"}]}
[[nodiscard]] std::string layout_json(const LayoutTable& table);

// A Markdown table, one row a lane.
[[nodiscard]] std::string layout_markdown(const LayoutTable& table);

// A self-contained picture: the matrix with the lane and register that hold each element (where the
// table has two coordinates of drawable extents), and the registers with the element that each
// holds.
[[nodiscard]] std::string layout_svg(const LayoutTable& table);

// One self-contained page with that picture and the table.
[[nodiscard]] std::string layout_html(const LayoutTable& table);

}  // namespace fragproof
