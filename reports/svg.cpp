// The picture of a refutation: three panels of the same slots.
#include "reports/svg.h"

#include <algorithm>
#include <map>

#include "reports/escape.h"
#include "reports/grid.h"
#include "reports/phrase.h"
#include "reports/picture_drawing.h"
#include "reports/svg_draw.h"

namespace fragproof {
namespace {

constexpr int row_height = 16;
constexpr int quad_gap = 3;      // after each four lanes
constexpr int label_width = 26;  // lane numbers
constexpr int panel_gap = 18;
constexpr int head_height = 62;  // title, panel name, registers, parts
constexpr std::size_t most_characters = 22;
constexpr std::size_t most_columns_drawn = 256;

// "W[9, 2]" -> "W[9,2]": three panels must stand side by side.
std::string tight(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ' ' || i == 0 || text[i - 1] != ',') out += text[i];
  }
  return out;
}

const char* hatch_of(Slot::State state) {
  switch (state) {
    case Slot::State::Wrong:
      return "fp-wrong";
    case Slot::State::Overlap:
      return "fp-overlap";
    case Slot::State::Hole:
      return "fp-hole";
    case Slot::State::Extra:
      return "fp-extra";
    case Slot::State::Blank:
    case Slot::State::Right:
      return "";
  }
  return "";
}

const char* symbol_of_state(Slot::State state) {
  switch (state) {
    case Slot::State::Wrong:
      return "x";
    case Slot::State::Overlap:
      return "2";
    case Slot::State::Hole:
      return "-";
    case Slot::State::Extra:
      return "+";
    case Slot::State::Blank:
    case Slot::State::Right:
      return "";
  }
  return "";
}

// "lane 5, a1 low (element 2)"
std::string slot_name(const Picture& picture, int lane, int elem) {
  const std::string part = part_of_register(elem, picture.bits, picture.register_bits);
  return "lane " + std::to_string(lane) + ", " + register_name(picture, elem) +
         (part.empty() ? "" : " " + part) + " (element " + std::to_string(elem) + ")";
}

class Drawing {
 public:
  Drawing(const Picture& picture, const PictureGrid& grid, const SvgOptions& options)
      : picture_(picture),
        grid_(grid),
        options_(options),
        rows_(rows_that_matter(grid, options.max_lanes, options.lane)),
        columns_(std::min(grid.elems.size(), most_columns_drawn)) {
    std::size_t widest = 4;
    for (const std::size_t r : rows_) {
      for (std::size_t i = 0; i < columns_; ++i) {
        const Slot& slot = grid_.rows[r].slots[i];
        widest = std::max(
            {widest, display_width(tight(slot.expected)), display_width(tight(slot.found))});
      }
    }
    cell_ = text_pixels(std::min(widest, most_characters));
    const bool has_owners = picture_.expected_label == Picture().expected_label;
    for (const GridRow& row :
         grid_.rows) {  // who should hold an element: to say where a stray one belongs
      for (std::size_t i = 0; i < row.slots.size(); ++i) {
        const Slot& slot = row.slots[i];
        if (has_owners && !slot.expected.empty())
          owner_.try_emplace(slot.expected, row.lane, grid_.elems[i]);
      }
    }
  }

  PictureDrawing draw() {
    int bottom = head_height;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      tops_.push_back(bottom);
      bottom += row_height;
      const bool last_of_quad = n + 1 < rows_.size() &&
                                grid_.rows[rows_[n]].lane / 4 != grid_.rows[rows_[n + 1]].lane / 4;
      if (last_of_quad) bottom += quad_gap;
    }
    const int wide = label_width + cell_ * static_cast<int>(columns_);
    const int narrow_cell = 15;
    const int narrow = label_width + narrow_cell * static_cast<int>(columns_);
    panel(visible(picture_.expected_label), 0, cell_, Side::Expected);
    panel(visible(picture_.found_label), wide + panel_gap, cell_, Side::Found);
    panel("difference", 2 * (wide + panel_gap), narrow_cell, Side::Difference);
    const int total = 2 * (wide + panel_gap) + narrow + 4;
    if (!picture_.title.empty()) {
      draw_label(body_, 2, 13, "fp-h fp-title", "start", shorten(visible(picture_.title), 150));
    }
    const int height = legend(bottom + 8);
    std::size_t slots = 0;
    for (const GridRow& row : grid_.rows) slots += row.slots.size();
    const std::string label = picture_.title + ": " + std::to_string(grid_.faults) + " of " +
                              std::to_string(slots) + " slots differ";
    return {std::max(total, 520), height, label, std::move(body_)};
  }

 private:
  enum class Side { Expected, Found, Difference };

  void panel(const std::string& name, int left, int cell, Side side) {
    draw_label(body_, left + label_width, 30, "fp-h", "start", name);
    registers(left + label_width, cell, side);
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      const GridRow& row = grid_.rows[rows_[n]];
      draw_label(body_, left + label_width - 5, tops_[n] + 12, row.faults > 0 ? "fp-h" : "fp-s",
                 "end", std::to_string(row.lane));
      for (std::size_t i = 0; i < columns_; ++i) {
        const Box box{left + label_width + cell * static_cast<int>(i), tops_[n], cell, row_height};
        slot(box, row, i, side);
      }
    }
    for (std::size_t n = 0; n < rows_.size(); ++n) {  // above all cells
      for (std::size_t i = 0; i < columns_; ++i) {
        if (options_.lane == grid_.rows[rows_[n]].lane && options_.elem == grid_.elems[i]) {
          draw_outline(
              body_, {left + label_width + cell * static_cast<int>(i), tops_[n], cell, row_height});
        }
      }
    }
  }

  // The names of the registers, each above its elements, and below them low/high and the like.
  void registers(int left, int cell, Side side) {
    for (std::size_t i = 0; i < columns_;) {
      const std::string name = register_name(picture_, grid_.elems[i]);
      std::size_t end = i + 1;
      while (end < columns_ && register_name(picture_, grid_.elems[end]) == name) ++end;
      const int from = left + cell * static_cast<int>(i), to = left + cell * static_cast<int>(end);
      draw_label(body_, (from + to) / 2, 45, "fp-h", "middle", name);
      i = end;
    }
    for (std::size_t i = 0; i < columns_; ++i) {
      std::string part = part_of_register(grid_.elems[i], picture_.bits, picture_.register_bits);
      if (part.find(' ') != std::string::npos) part = part.substr(part.find(' ') + 1);
      if (side == Side::Difference) part = part.substr(0, 2) == "lo" ? "lo" : part.substr(0, 2);
      draw_label(body_, left + cell * static_cast<int>(i) + cell / 2, 57, "fp-s", "middle", part);
    }
  }

  void slot(const Box& box, const GridRow& row, std::size_t i, Side side) {
    const Slot& slot = row.slots[i];
    const int elem = grid_.elems[i];
    const std::string fill = slot.state == Slot::State::Blank ? "fp-quiet" : lane_class(row.lane);
    std::string title = slot_name(picture_, row.lane, elem) + ": ";
    const std::string expected = slot.expected.empty() ? "nothing" : slot.expected;
    const std::string found = slot.found.empty() ? "nothing" : slot.found;
    switch (side) {
      case Side::Expected:
        draw_cell(body_, box, fill, "", {shorten(tight(slot.expected), most_characters)},
                  title + picture_.expected_label + " " + expected);
        break;
      case Side::Found:
        title += picture_.found_label + " " + found;
        if (const auto at = owner_.find(slot.found); slot.is_fault() && at != owner_.end()) {
          title += ", which belongs in " + slot_name(picture_, at->second.first, at->second.second);
        }
        draw_cell(body_, box, slot.is_fault() ? "fp-plain" : fill, hatch_of(slot.state),
                  {shorten(tight(slot.found), most_characters)}, title);
        break;
      case Side::Difference:
        if (!slot.is_fault()) {
          title += slot.state == Slot::State::Blank ? "nothing asked" : "right";
        } else {
          title +=
              picture_.expected_label + " " + expected + ", " + picture_.found_label + " " + found;
        }
        draw_cell(body_, box, slot.is_fault() ? "fp-plain" : "fp-quiet", hatch_of(slot.state),
                  {symbol_of_state(slot.state)}, title);
        break;
    }
  }

  // The meanings of the hatches that occur, and what is not drawn; returns the height of the
  // picture.
  int legend(int y) {
    bool seen[6] = {};
    for (const std::size_t r : rows_) {
      for (const Slot& slot : grid_.rows[r].slots) seen[static_cast<int>(slot.state)] = true;
    }
    int x = 4;
    const auto entry = [&](Slot::State state, const char* meaning) {
      if (seen[static_cast<int>(state)]) x = draw_legend(body_, x, y, hatch_of(state), meaning);
    };
    entry(Slot::State::Wrong, "x wrong element");
    entry(Slot::State::Overlap, "2 two elements in one slot");
    entry(Slot::State::Hole, "- nothing there");
    entry(Slot::State::Extra, "+ nothing expected");
    std::string note = std::to_string(grid_.faults) + " differ";
    if (rows_.size() < grid_.rows.size()) {
      note += "; " + std::to_string(rows_.size()) + " of " + std::to_string(grid_.rows.size()) +
              " lanes drawn";
    }
    draw_label(body_, x, y + 10, "fp-s", "start", note);
    return y + 18;
  }

  const Picture& picture_;
  const PictureGrid& grid_;
  const SvgOptions& options_;
  std::vector<std::size_t> rows_;
  std::size_t columns_;
  int cell_ = 0;
  std::vector<int> tops_;
  std::map<std::string, std::pair<int, int>> owner_;
  std::string body_;
};

}  // namespace

PictureDrawing draw_picture(const Picture& picture, const SvgOptions& options) {
  const PictureGrid grid = grid_of(picture);
  if (grid.rows.empty()) return {};
  return Drawing(picture, grid, options).draw();
}

std::string picture_svg(const Picture& picture, const SvgOptions& options) {
  const PictureDrawing drawn = draw_picture(picture, options);
  if (drawn.height == 0) return "";
  return svg_element(drawn.width, drawn.height, drawn.label, drawn.body, options.standalone);
}

}  // namespace fragproof
