// Two layouts as one register picture: the first is expected, the second is found.
#include "reports/layout_diff.h"

#include <map>
#include <vector>

#include "reports/escape.h"
#include "reports/grid.h"
#include "reports/layout_cells.h"
#include "reports/page.h"
#include "reports/picture_text.h"
#include "reports/svg.h"

namespace fragproof {
namespace {

using Slots = std::map<std::pair<int, int>, std::vector<std::string>>;

Slots slots_of(const LayoutTable& table) {
  Slots slots;
  for (const LayoutCell* cell : ordered_cells(table))
    slots[{cell->lane, cell->elem}].push_back(cell_text(*cell));
  return slots;
}

// "a" of registers "a0", "a1", ..; "r" where the cells name none.
std::string prefix_of(const LayoutTable& table) {
  for (const LayoutCell& cell : table.cells) {
    const std::string prefix = cell.reg.substr(0, cell.reg.find_first_of("0123456789"));
    if (!prefix.empty()) return prefix;
  }
  return "r";
}

}  // namespace

Picture diff_picture(const LayoutTable& a, const LayoutTable& b) {
  Picture picture;
  picture.title = "expected: " + a.title + "; found: " + b.title;
  picture.register_prefix = prefix_of(a);
  picture.bits = a.bits;
  picture.register_bits = a.register_bits;
  picture.lanes = std::max(a.lanes, b.lanes);
  picture.elems = std::max(a.elems, b.elems);
  Slots expected = slots_of(a), found = slots_of(b);
  for (const auto& [slot, texts] : found) expected.try_emplace(slot);  // extras
  for (const auto& [slot, texts] : expected) {
    std::string want;
    for (const std::string& text : texts) want += (want.empty() ? "" : " & ") + text;
    std::vector<std::string>& have = found[slot];
    if (have.empty()) have.emplace_back();
    const bool wrong = have != texts && !(texts.empty() && have.front().empty());
    for (const std::string& text : have)
      picture.cells.push_back({slot.first, slot.second, want, text, wrong});
  }
  return picture;
}

std::string diff_line(const LayoutTable& a, const LayoutTable& b) {
  const PictureGrid grid = grid_of(diff_picture(a, b));
  std::size_t slots = 0;
  for (const GridRow& row : grid.rows) slots += row.slots.size();
  const std::string names = visible(a.title) + " and " + visible(b.title);
  if (grid.faults == 0) return names + " are the same in all " + std::to_string(slots) + " slots";
  return names + ": " + std::to_string(grid.faults) + " of " + std::to_string(slots) +
         " slots differ";
}

std::string diff_text(const LayoutTable& a, const LayoutTable& b, int width, bool colour) {
  const Picture picture = diff_picture(a, b);
  const std::string line = diff_line(a, b) + "\n";
  if (grid_of(picture).faults == 0) return line;
  PictureTextOptions options;
  options.width = width;
  options.lanes = 8;
  options.colour = colour;
  return line + "\n" + picture_text(picture, options);
}

std::string diff_html(const LayoutTable& a, const LayoutTable& b) {
  SvgOptions options;
  options.standalone = false;
  return page(diff_line(a, b),
              "<h1>" + html_escape(diff_line(a, b)) + "</h1>\n<div class=\"picture\">" +
                  picture_svg(diff_picture(a, b), options) + "</div>\n",
              "");
}

}  // namespace fragproof
