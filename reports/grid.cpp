// Cells, in any order and possibly several a slot, into a table of slots.
#include "reports/grid.h"

#include <algorithm>
#include <map>
#include <set>

#include "reports/escape.h"
#include "reports/layout_table.h"

namespace fragproof {
namespace {

constexpr int most_columns = 256;  // beyond, only the elements that cells name

void join(std::string& text, const std::string& more) {
  if (more.empty() || text == more) return;
  text += (text.empty() ? "" : " & ") + more;
}

Slot slot_of(const std::vector<const PictureCell*>& cells) {
  Slot slot;
  std::set<std::string> found;
  bool wrong = false;
  for (const PictureCell* cell : cells) {
    join(slot.expected, visible(cell->expected));
    if (!cell->found.empty() && found.insert(cell->found).second)
      join(slot.found, visible(cell->found));
    wrong = wrong || cell->wrong;
  }
  if (found.size() > 1) {
    slot.state = Slot::State::Overlap;
  } else if (!wrong) {
    slot.state =
        slot.found.empty() && slot.expected.empty() ? Slot::State::Blank : Slot::State::Right;
  } else if (slot.found.empty()) {
    slot.state = Slot::State::Hole;
  } else {
    slot.state = slot.expected.empty() ? Slot::State::Extra : Slot::State::Wrong;
  }
  return slot;
}

}  // namespace

PictureGrid grid_of(const Picture& picture) {
  std::map<int, std::map<int, std::vector<const PictureCell*>>> lanes;
  std::set<int> elems;
  for (const PictureCell& cell : picture.cells) {
    lanes[cell.lane][cell.elem].push_back(&cell);
    elems.insert(cell.elem);
  }
  PictureGrid grid;
  if (lanes.empty()) return grid;
  if (picture.elems > 0 && picture.elems <= most_columns) {
    for (int i = 0; i < picture.elems; ++i) elems.insert(i);
  }
  grid.elems.assign(elems.begin(), elems.end());
  for (const auto& [lane, cells] : lanes) {
    GridRow row;
    row.lane = lane;
    for (const int elem : grid.elems) {
      const auto at = cells.find(elem);
      row.slots.push_back(at == cells.end() ? Slot{} : slot_of(at->second));
      row.faults += row.slots.back().is_fault() ? 1 : 0;
    }
    grid.faults += row.faults;
    grid.rows.push_back(std::move(row));
  }
  return grid;
}

std::vector<std::size_t> rows_that_matter(const PictureGrid& grid, int most,
                                          std::optional<int> keep) {
  std::vector<std::size_t> order;
  const auto take = [&](auto wanted) {
    for (std::size_t i = 0; i < grid.rows.size(); ++i) {
      if (most > 0 && order.size() == static_cast<std::size_t>(most)) return;
      const bool taken = std::find(order.begin(), order.end(), i) != order.end();
      if (!taken && wanted(grid.rows[i])) order.push_back(i);
    }
  };
  if (most > 0) {
    take([&](const GridRow& row) { return keep && row.lane == *keep; });
    take([&](const GridRow& row) { return row.faults > 0; });
    if (order.empty()) take([&](const GridRow&) { return true; });
    std::sort(order.begin(), order.end());
  } else {
    for (std::size_t i = 0; i < grid.rows.size(); ++i) order.push_back(i);
  }
  return order;
}

std::string register_name(const Picture& picture, int elem) {
  if (elem < 0 || picture.bits <= 0 || picture.register_bits <= 0) return std::to_string(elem);
  const RegisterPlace place = register_place(elem, picture.bits, picture.register_bits);
  return shorten(visible(picture.register_prefix), 12) + std::to_string(place.number);
}

}  // namespace fragproof
