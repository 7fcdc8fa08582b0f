// Layouts as pictures: the matrix with the slot that holds each element, and the registers with
// what each slot holds.
#include <algorithm>
#include <map>

#include "reports/escape.h"
#include "reports/layout_cells.h"
#include "reports/layout_table.h"
#include "reports/page.h"
#include "reports/svg_draw.h"

namespace fragproof {
namespace {

constexpr int row_height = 16;
constexpr int matrix_row_height = 28;
constexpr int quad_gap = 3;
constexpr int label_width = 30;
constexpr std::size_t most_characters = 14;
constexpr std::size_t most_cells = 8192;
constexpr Int most_matrix_side = 64;

std::string slot_title(const LayoutTable& table, const LayoutCell& cell) {
  std::string title = "lane " + std::to_string(cell.lane) + ", ";
  if (!cell.reg.empty()) {
    title += "register " + visible(cell.reg) + ", bits " + std::to_string(cell.bit) + ".." +
             std::to_string(std::int64_t{cell.bit} + std::max(table.bits, 1) - 1) + " ";
  }
  title += "(element " + std::to_string(cell.elem) + ")";
  std::string holds;
  for (std::size_t i = 0; i < cell.coordinates.size() && i < table.coordinate_names.size(); ++i) {
    holds += (holds.empty() ? "" : ", ") + visible(table.coordinate_names[i]) + " " +
             to_string(cell.coordinates[i]);
  }
  if (!cell.text.empty()) holds += (holds.empty() ? "" : ": ") + visible(cell.text);
  return title + " = " + holds;
}

// "a1.lo", or "e3" without registers.
std::string short_slot(const LayoutTable& table, const LayoutCell& cell) {
  return cell.reg.empty() ? "e" + std::to_string(cell.elem) : slot_heading(table, cell.elem);
}

// The extents of the matrix, or {0, 0} when the table is no drawable matrix.
std::pair<int, int> matrix_extents(const LayoutTable& table) {
  if (table.coordinate_names.size() != 2 || table.cells.empty()) return {0, 0};
  Int rows = table.extents.size() == 2 ? table.extents[0] : 0;
  Int cols = table.extents.size() == 2 ? table.extents[1] : 0;
  for (const LayoutCell& cell : table.cells) {
    if (cell.coordinates.size() != 2) return {0, 0};
    if (cell.coordinates[0] < 0 || cell.coordinates[1] < 0) return {0, 0};
    if (cell.coordinates[0] >= most_matrix_side || cell.coordinates[1] >= most_matrix_side)
      return {0, 0};
    rows = std::max(rows, cell.coordinates[0] + 1);
    cols = std::max(cols, cell.coordinates[1] + 1);
  }
  if (rows > most_matrix_side || cols > most_matrix_side) return {0, 0};
  return {static_cast<int>(rows), static_cast<int>(cols)};
}

struct Drawn {
  int width = 0;
  int bottom = 0;
};

// The matrix from `top` on: in each place the lane and, below it, the register.
Drawn draw_matrix(std::string& out, const LayoutTable& table, int top) {
  const auto [rows, cols] = matrix_extents(table);
  if (rows == 0 || cols == 0) return {0, top};
  std::map<std::pair<int, int>, std::vector<const LayoutCell*>> holders;
  std::size_t widest = 4;
  for (const LayoutCell* cell : ordered_cells(table)) {
    holders[{static_cast<int>(cell->coordinates[0]), static_cast<int>(cell->coordinates[1])}]
        .push_back(cell);
    widest = std::max(widest, display_width(short_slot(table, *cell)));
  }
  const int cell_width = text_pixels(std::min(widest, most_characters));
  draw_label(out, 2, top + 10, "fp-h", "start",
             visible(table.coordinate_names[0]) + " (down) by " +
                 visible(table.coordinate_names[1]) + ": the lane and register that hold it");
  const int first = top + 32;
  bool several = false, nobody = false;
  for (int col = 0; col < cols; ++col) {
    draw_label(out, label_width + cell_width * col + cell_width / 2, first - 5, "fp-s", "middle",
               std::to_string(col));
  }
  for (int row = 0; row < rows; ++row) {
    const int y = first + row * matrix_row_height;
    draw_label(out, label_width - 5, y + 18, "fp-s", "end", std::to_string(row));
    for (int col = 0; col < cols; ++col) {
      const Box box{label_width + cell_width * col, y, cell_width, matrix_row_height};
      const auto at = holders.find({row, col});
      const std::string place = visible(table.coordinate_names[0]) + " " + std::to_string(row) +
                                ", " + visible(table.coordinate_names[1]) + " " +
                                std::to_string(col);
      if (at == holders.end()) {
        nobody = true;
        draw_cell(out, box, "fp-plain", "fp-hole", {}, place + ": held by no lane");
        continue;
      }
      const LayoutCell& cell = *at->second.front();
      std::string title = place;
      for (const LayoutCell* holder : at->second) {
        title += "; lane " + std::to_string(holder->lane) + " " + short_slot(table, *holder);
      }
      const bool shared = at->second.size() > 1;
      several = several || shared;
      const std::string more = shared ? "+" + std::to_string(at->second.size() - 1) : "";
      draw_cell(out, box, lane_class(cell.lane), shared ? "fp-overlap" : "",
                {"T" + std::to_string(cell.lane) + more,
                 shorten(short_slot(table, cell), most_characters)},
                title);
    }
  }
  int bottom = first + rows * matrix_row_height;
  if (several || nobody) {
    int x = label_width;
    if (several) x = draw_legend(out, x, bottom + 6, "fp-overlap", "held more than once");
    if (nobody) draw_legend(out, x, bottom + 6, "fp-hole", "held by no lane");
    bottom += 22;
  }
  return {label_width + cell_width * cols, bottom};
}

// The registers from `top` on: one row a lane.
Drawn draw_registers(std::string& out, const LayoutTable& table, int top) {
  std::map<std::pair<int, int>, std::vector<const LayoutCell*>> slots;
  for (const LayoutCell* cell : ordered_cells(table))
    slots[{cell->lane, cell->elem}].push_back(cell);
  const SlotTexts texts = slot_texts(table);
  const std::vector<int> lanes = lanes_of(table), elems = elems_of(table);
  std::size_t widest = 4;
  for (const auto& [slot, text] : texts) widest = std::max(widest, display_width(text));
  for (const int elem : elems) widest = std::max(widest, display_width(slot_heading(table, elem)));
  const int cell_width = text_pixels(std::min(widest, most_characters));
  std::string names;
  for (const std::string& name : table.coordinate_names)
    names += (names.empty() ? "" : ",") + visible(name);
  draw_label(out, 2, top + 10, "fp-h", "start",
             "lane (down) by register: the element it holds" + (names.empty() ? "" : ", " + names));
  int y = top + 32;
  for (std::size_t i = 0; i < elems.size(); ++i) {
    draw_label(out, label_width + cell_width * static_cast<int>(i) + cell_width / 2, y - 5, "fp-s",
               "middle", slot_heading(table, elems[i]));
  }
  bool several = false;
  for (std::size_t n = 0; n < lanes.size(); ++n) {
    if (n > 0 && lanes[n] / 4 != lanes[n - 1] / 4) y += quad_gap;
    draw_label(out, label_width - 5, y + 12, "fp-s", "end", std::to_string(lanes[n]));
    for (std::size_t i = 0; i < elems.size(); ++i) {
      const Box box{label_width + cell_width * static_cast<int>(i), y, cell_width, row_height};
      const auto at = slots.find({lanes[n], elems[i]});
      if (at == slots.end()) {
        draw_cell(out, box, "fp-quiet", "", {},
                  "lane " + std::to_string(lanes[n]) + ", " + slot_heading(table, elems[i]) +
                      ": nothing");
        continue;
      }
      std::string title;
      for (const LayoutCell* cell : at->second) {
        title += (title.empty() ? "" : "; ") + slot_title(table, *cell);
      }
      const bool overlap = at->second.size() > 1;
      several = several || overlap;
      draw_cell(out, box, lane_class(lanes[n]), overlap ? "fp-overlap" : "",
                {shorten(texts.at({lanes[n], elems[i]}), most_characters)}, title);
    }
    y += row_height;
  }
  if (several) {
    draw_legend(out, label_width, y + 6, "fp-overlap", "two elements in one slot");
    y += 22;
  }
  return {label_width + cell_width * static_cast<int>(elems.size()), y};
}

std::string drawing(const LayoutTable& table, bool standalone) {
  std::string body;
  int y = 0;
  std::size_t widest_note = display_width(table.title);
  if (standalone) {  // a page has title and notes as text
    draw_label(body, 2, 13, "fp-h fp-title", "start", shorten(visible(table.title), 120));
    y = 16;
  }
  for (const std::string& note : table.notes) {
    if (!standalone) break;
    draw_label(body, 2, y + 14, "fp-s", "start", shorten(visible(note), 160));
    widest_note = std::max(widest_note, display_width(note));
    y += 14;
  }
  y += 8;
  int width = standalone ? text_pixels(std::min<std::size_t>(widest_note, 160)) + 8 : 0;
  if (table.cells.empty() || table.cells.size() > most_cells) {
    draw_label(body, 2, y + 14, "fp-s", "start",
               table.cells.empty() ? "(no elements)" : "(too many elements to draw: use --csv)");
    return svg_element(std::max(width, 320), y + 24, table.title, body, standalone);
  }
  const Drawn matrix = draw_matrix(body, table, y);
  const Drawn registers = draw_registers(body, table, matrix.width > 0 ? matrix.bottom + 16 : y);
  width = std::max({width, matrix.width, registers.width, 460});
  return svg_element(width + 4, registers.bottom + 8, table.title, body, standalone);
}

}  // namespace

std::string layout_svg(const LayoutTable& table) { return drawing(table, true); }

std::string layout_html(const LayoutTable& table) {
  std::string body = "<h1>" + html_escape(table.title) + "</h1>\n";
  if (!table.notes.empty()) {
    body += "<pre class=\"box\">";
    for (const std::string& note : table.notes) body += html_escape(note, true) + "\n";
    body += "</pre>\n";
  }
  body += "<div class=\"picture\">" + drawing(table, false) + "</div>\n";
  body += "<details><summary>As a table</summary><div class=\"picture\"><table><thead><tr>";
  for (const char* name : {"lane", "elem", "register", "bit"})
    body += std::string("<th>") + name + "</th>";
  for (const std::string& name : table.coordinate_names)
    body += "<th>" + html_escape(name) + "</th>";
  body += "<th>holds</th></tr></thead><tbody>\n";
  for (const LayoutCell* cell : ordered_cells(table)) {
    body += "<tr><td>" + std::to_string(cell->lane) + "</td><td>" + std::to_string(cell->elem) +
            "</td><td>" + html_escape(cell->reg) + "</td><td>" + std::to_string(cell->bit) +
            "</td>";
    for (std::size_t i = 0; i < table.coordinate_names.size(); ++i) {
      body += "<td>" +
              (i < cell->coordinates.size() ? to_string(cell->coordinates[i]) : std::string()) +
              "</td>";
    }
    body += "<td>" + html_escape(cell_text(*cell)) + "</td></tr>\n";
  }
  body += "</tbody></table></div></details>\n";
  return page(table.title.empty() ? "fragproof layout" : table.title, body, "");
}

}  // namespace fragproof
