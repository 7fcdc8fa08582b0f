// The register picture in ASCII: for each lane that matters, what is expected above what is found.
#include "reports/picture_text.h"

#include <algorithm>

#include "reports/escape.h"
#include "reports/grid.h"
#include "reports/phrase.h"

namespace fragproof {
namespace {

constexpr std::size_t label_width = 19;  // "  lane 31  expected"
constexpr std::size_t widest_cell = 20;

// "W[9, 2]" -> "W[9,2]": every column counts.
std::string tight(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ' ' || (i > 0 && text[i - 1] != ',')) out += text[i];
  }
  return shorten(out, widest_cell);
}

std::string expected_text(const Slot& slot) {
  return slot.expected.empty() ? "." : tight(slot.expected);
}

std::string found_text(const Slot& slot) {
  if (slot.state == Slot::State::Hole) return "-*";
  if (slot.found.empty()) return ".";
  return tight(slot.found) + (slot.is_fault() ? "*" : "");
}

// "a1.lo": the column's heading; a slot of whole registers has no part.
std::string heading(const Picture& picture, int elem) {
  const std::string part = part_of_register(elem, picture.bits, picture.register_bits);
  std::string name = register_name(picture, elem);
  if (part == "low") return name + ".lo";
  if (part == "high") return name + ".hi";
  if (!part.empty()) return name + "." + part.substr(0, 1) + part.substr(part.find(' ') + 1);
  return name;
}

struct Column {
  std::size_t index = 0;  // into PictureGrid::elems
  std::size_t width = 0;
  int rank = 0;  // 0: the counterexample's, 1: with a fault, 2: neither
};

// The columns that fit beside the label, the important ones first, in order of elements.
std::vector<Column> columns_that_fit(const Picture& picture, const PictureGrid& grid,
                                     const std::vector<std::size_t>& rows,
                                     const PictureTextOptions& options) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < grid.elems.size(); ++i) {
    Column column{i, display_width(heading(picture, grid.elems[i])), 2};
    for (const std::size_t row : rows) {
      const Slot& slot = grid.rows[row].slots[i];
      column.width = std::max(
          {column.width, display_width(expected_text(slot)), display_width(found_text(slot))});
      if (slot.is_fault()) column.rank = 1;
    }
    if (options.elem && *options.elem == grid.elems[i]) column.rank = 0;
    columns.push_back(column);
  }
  std::vector<Column> kept = columns;
  std::stable_sort(kept.begin(), kept.end(),
                   [](const Column& a, const Column& b) { return a.rank < b.rank; });
  std::size_t used = label_width, count = 0;
  while (count < kept.size() &&
         (count == 0 ||
          used + 1 + kept[count].width <= static_cast<std::size_t>(std::max(options.width, 0)))) {
    used += 1 + kept[count++].width;
  }
  kept.resize(count);
  std::sort(kept.begin(), kept.end(),
            [](const Column& a, const Column& b) { return a.index < b.index; });
  return kept;
}

std::string line_end(std::string line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line + "\n";
}

}  // namespace

std::string picture_text(const Picture& picture, const PictureTextOptions& options) {
  const PictureGrid grid = grid_of(picture);
  if (grid.rows.empty()) return "";
  const std::vector<std::size_t> rows =
      rows_that_matter(grid, std::max(options.lanes, 1), options.lane);
  const std::vector<Column> columns = columns_that_fit(picture, grid, rows, options);

  std::string out;
  if (!picture.title.empty()) {
    out +=
        "  " +
        shorten(visible(picture.title), static_cast<std::size_t>(std::max(options.width, 10)) - 2) +
        "\n";
  }
  std::string line(label_width, ' ');
  for (const Column& column : columns) {
    line += " " + pad_right(heading(picture, grid.elems[column.index]), column.width);
  }
  out += line_end(line);
  for (const std::size_t r : rows) {
    const GridRow& row = grid.rows[r];
    std::string expected = pad_right("  lane " + std::to_string(row.lane), label_width - 8) +
                           pad_right(shorten(visible(picture.expected_label), 8), 8);
    std::string found =
        std::string(label_width - 8, ' ') + pad_right(shorten(visible(picture.found_label), 8), 8);
    for (const Column& column : columns) {
      const Slot& slot = row.slots[column.index];
      expected += " " + pad_right(expected_text(slot), column.width);
      const std::string text = pad_right(found_text(slot), column.width);
      found += " " + (options.colour && slot.is_fault() ? "\x1b[1;31m" + text + "\x1b[0m" : text);
    }
    out += line_end(expected) + line_end(found);
  }

  std::string legend = "  * differs";
  bool hole = false, overlap = false;
  int shown = 0;
  for (const std::size_t r : rows) {
    for (const Column& column : columns) {
      const Slot& slot = grid.rows[r].slots[column.index];
      shown += slot.is_fault() ? 1 : 0;
      hole = hole || slot.state == Slot::State::Hole;
      overlap = overlap || slot.state == Slot::State::Overlap;
    }
  }
  if (hole) legend += ", - nothing there";
  if (overlap) legend += ", & two elements in one slot";
  const std::size_t cut = grid.elems.size() - columns.size();
  if (cut > 0)
    legend += "; " + std::to_string(cut) + (cut == 1 ? " column" : " columns") + " not shown";
  const int left = grid.faults - shown;
  if (left > 0) legend += "; " + std::to_string(left) + " more differ, not shown";
  return grid.faults > 0 ? out + legend + "\n" : out;
}

}  // namespace fragproof
