// A LayoutTable as text, CSV, JSON and Markdown.
#include "reports/layout_table.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/escape.h"
#include "reports/layout_cells.h"
#include "reports/phrase.h"

namespace fragproof {
namespace {

using Json = nlohmann::ordered_json;

// A CSV field: quoted where it must be (RFC 4180).
std::string csv_field(const std::string& text) {
  const std::string clean = visible(text);
  if (clean.find_first_of(",\"\n\r") == std::string::npos) return clean;
  std::string out = "\"";
  for (const char c : clean) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string markdown_escape(const std::string& text) {
  std::string out;
  for (const char c : html_escape(text)) {
    if (std::string_view("|\\`*_[]{}#~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

Json number(Int value) {
  constexpr Int low = std::numeric_limits<std::int64_t>::min();
  constexpr Int high = std::numeric_limits<std::int64_t>::max();
  if (value >= low && value <= high) return static_cast<std::int64_t>(value);
  return to_string(value);
}

std::string trim_end(std::string line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line + "\n";
}

}  // namespace

RegisterPlace register_place(int elem, int bits, int register_bits) {
  if (elem < 0 || bits <= 0 || register_bits <= 0) return {};
  const std::int64_t first = std::int64_t{elem} * bits;
  return {static_cast<int>(first / register_bits), static_cast<int>(first % register_bits)};
}

std::vector<const LayoutCell*> ordered_cells(const LayoutTable& table) {
  std::vector<const LayoutCell*> cells;
  for (const LayoutCell& cell : table.cells) cells.push_back(&cell);
  std::stable_sort(cells.begin(), cells.end(), [](const LayoutCell* a, const LayoutCell* b) {
    return std::pair(a->lane, a->elem) < std::pair(b->lane, b->elem);
  });
  return cells;
}

std::string cell_text(const LayoutCell& cell) {
  if (!cell.text.empty()) return visible(cell.text);
  std::string text;
  for (const Int value : cell.coordinates) text += (text.empty() ? "" : ",") + to_string(value);
  return text;
}

SlotTexts slot_texts(const LayoutTable& table) {
  SlotTexts texts;
  for (const LayoutCell& cell : table.cells) {
    std::string& text = texts[{cell.lane, cell.elem}];
    text += (text.empty() ? "" : " & ") + cell_text(cell);
  }
  return texts;
}

std::vector<int> lanes_of(const LayoutTable& table) {
  std::set<int> lanes;
  for (const LayoutCell& cell : table.cells) lanes.insert(cell.lane);
  return {lanes.begin(), lanes.end()};
}

std::vector<int> elems_of(const LayoutTable& table) {
  std::set<int> elems;
  for (const LayoutCell& cell : table.cells) elems.insert(cell.elem);
  return {elems.begin(), elems.end()};
}

std::string slot_heading(const LayoutTable& table, int elem) {
  const auto at = std::find_if(table.cells.begin(), table.cells.end(),
                               [&](const LayoutCell& cell) { return cell.elem == elem; });
  if (at == table.cells.end() || at->reg.empty()) return "elem " + std::to_string(elem);
  const std::string part = part_of_register(elem, table.bits, table.register_bits);
  std::string name = visible(at->reg);
  if (part == "low") return name + ".lo";
  if (part == "high") return name + ".hi";
  if (!part.empty()) return name + "." + part.substr(0, 1) + part.substr(part.find(' ') + 1);
  return name;
}

std::string layout_text(const LayoutTable& table, int width, bool colour) {
  std::string out;
  if (!table.title.empty()) {
    out += (colour ? "\x1b[1m" + visible(table.title) + "\x1b[0m" : visible(table.title)) + "\n";
  }
  for (const std::string& note : table.notes) out += "  " + visible(note, true) + "\n";
  const SlotTexts texts = slot_texts(table);
  if (texts.empty()) return out + "(no elements)\n";
  const std::vector<int> lanes = lanes_of(table);
  const std::vector<int> elems = elems_of(table);

  std::vector<std::size_t> widths;
  for (const int elem : elems) {
    std::size_t widest = display_width(slot_heading(table, elem));
    for (const int lane : lanes) {
      const auto at = texts.find({lane, elem});
      if (at != texts.end()) widest = std::max(widest, display_width(at->second));
    }
    widths.push_back(widest);
  }
  std::size_t label = 4;
  for (const int lane : lanes) label = std::max(label, std::to_string(lane).size());

  // Blocks of columns, each as wide as the terminal; at least one column a block.
  for (std::size_t first = 0; first < elems.size();) {
    std::size_t last = first, used = label;
    while (last < elems.size() &&
           (last == first ||
            used + 2 + widths[last] <= static_cast<std::size_t>(std::max(width, 0)))) {
      used += 2 + widths[last++];
    }
    out += "\n";
    std::string head = pad_left("lane", label);
    for (std::size_t i = first; i < last; ++i) {
      head += "  " + pad_right(slot_heading(table, elems[i]), widths[i]);
    }
    out += trim_end(head);
    for (const int lane : lanes) {
      std::string line = pad_left(std::to_string(lane), label);
      for (std::size_t i = first; i < last; ++i) {
        const auto at = texts.find({lane, elems[i]});
        line += "  " + pad_right(at == texts.end() ? "-" : at->second, widths[i]);
      }
      out += trim_end(line);
    }
    first = last;
  }
  return out;
}

std::string layout_csv(const LayoutTable& table) {
  std::string out = "lane,elem,register,bit";
  for (const std::string& name : table.coordinate_names) out += "," + csv_field(name);
  out += "\n";
  for (const LayoutCell* cell : ordered_cells(table)) {
    out += std::to_string(cell->lane) + "," + std::to_string(cell->elem) + "," +
           csv_field(cell->reg) + "," + std::to_string(cell->bit);
    for (std::size_t i = 0; i < table.coordinate_names.size(); ++i) {
      out += "," + (i < cell->coordinates.size() ? to_string(cell->coordinates[i]) : std::string());
    }
    out += "\n";
  }
  return out;
}

std::string layout_json(const LayoutTable& table) {
  const auto dump = [](const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  Json notes = Json::array(), names = Json::array(), extents = Json::array();
  for (const std::string& note : table.notes) notes.push_back(valid_utf8(note));
  for (const std::string& name : table.coordinate_names) names.push_back(valid_utf8(name));
  for (const Int extent : table.extents) extents.push_back(number(extent));
  std::string out =
      "{\"schema\":\"fragproof-layout/1\",\n \"title\":" + dump(valid_utf8(table.title));
  out += ",\n \"notes\":" + dump(notes) + ",\n \"coordinates\":" + dump(names);
  out += ",\n \"extents\":" + dump(extents) + ",\n \"bits\":" + std::to_string(table.bits);
  out += ",\"register_bits\":" + std::to_string(table.register_bits);
  out += ",\"lanes\":" + std::to_string(table.lanes) + ",\"elems\":" + std::to_string(table.elems);
  out += ",\n \"cells\":[";
  const char* separator = "\n  ";
  for (const LayoutCell* cell : ordered_cells(table)) {
    Json one = Json::object();
    one["lane"] = cell->lane;
    one["elem"] = cell->elem;
    one["register"] = valid_utf8(cell->reg);
    one["bit"] = cell->bit;
    for (std::size_t i = 0; i < table.coordinate_names.size() && i < cell->coordinates.size();
         ++i) {
      one[valid_utf8(table.coordinate_names[i])] = number(cell->coordinates[i]);
    }
    one["text"] = cell_text(*cell);
    out += separator + dump(one);
    separator = ",\n  ";
  }
  return out + "]}\n";
}

std::string layout_markdown(const LayoutTable& table) {
  std::string out;
  if (!table.title.empty()) out += "### " + markdown_escape(table.title) + "\n\n";
  for (const std::string& note : table.notes) out += "* " + markdown_escape(note) + "\n";
  if (!table.notes.empty()) out += "\n";
  const SlotTexts texts = slot_texts(table);
  if (texts.empty()) return out + "(no elements)\n";
  const std::vector<int> elems = elems_of(table);
  out += "| lane |";
  for (const int elem : elems) out += " " + markdown_escape(slot_heading(table, elem)) + " |";
  out += "\n|---:|";
  for (std::size_t i = 0; i < elems.size(); ++i) out += "---|";
  out += "\n";
  for (const int lane : lanes_of(table)) {
    out += "| " + std::to_string(lane) + " |";
    for (const int elem : elems) {
      const auto at = texts.find({lane, elem});
      out += " " + (at == texts.end() ? std::string() : markdown_escape(at->second)) + " |";
    }
    out += "\n";
  }
  return out;
}

}  // namespace fragproof
