// What every built-in fragment must be, from the PTX ISA's own rules and from nothing of ours.
//
// The tables are computed from transcriptions of the ISA's piecewise rules (`row = groupID for ai
// where i < 2 ..`), kept in its words and its order of cases; no digit notation, no text of
// spec/instructions/ is read to make them.
#pragma once

#include <string>
#include <vector>

namespace fragproof::golden {

// The coordinates of one element: (row, col); for ldmatrix and stmatrix (address number, unit of
// that row); for movmatrix (source lane, half); for m8n8k4 on f16 (product, row, col).
using Place = std::vector<int>;

struct Fragment {
  std::string name;                        // "mma.m16n8k16.b16.A"
  int elems = 0;                           // of one lane
  int bits = 0;                            // of one element
  std::vector<int> tile;                   // extents of the coordinates
  std::vector<std::vector<Place>> places;  // places[lane][elem], 32 lanes (fewer for .addr)
};

// Tables of all fragments of mma.sync, resp. of the matrix moves.
[[nodiscard]] std::vector<Fragment> mma_fragments();
[[nodiscard]] std::vector<Fragment> move_fragments();

// One lane of one fragment, copied as numbers from a hand-made drawing: no formula of any kind.
struct Row {
  std::string name;
  int lane = 0;
  std::vector<Place> places;
};
[[nodiscard]] std::vector<Row> literal_rows();

}  // namespace fragproof::golden
