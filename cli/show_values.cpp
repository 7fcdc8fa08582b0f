// Tables of named columns as text, CSV, JSON, Markdown and HTML.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/show.h"
#include "reports/escape.h"

namespace fragproof::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string as_text(const ValueTable& table) {
  std::vector<std::size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(display_width(visible(column)));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], display_width(visible(row[i])));
  }
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i)
      text += (i == 0 ? "  " : "  ") + pad_left(visible(row[i]), widths[i]);
    return text + "\n";
  };
  std::string text = visible(table.title) + "\n";
  for (const std::string& note : table.notes) text += "  " + visible(note) + "\n";
  text += "\n" + line(table.columns);
  for (const auto& row : table.rows) text += line(row);
  if (!table.left_out.empty()) text += "  (" + visible(table.left_out) + ")\n";
  return text;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string as_csv(const ValueTable& table) {
  std::string text;
  const auto line = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + csv_field(row[i]);
    text += "\n";
  };
  line(table.columns);
  for (const auto& row : table.rows) line(row);
  return text;
}

std::string as_json(const ValueTable& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string clean = valid_utf8(row[i]);
      const Json number = Json::parse(clean, nullptr, false);
      object[table.columns[i]] = number.is_number_integer() ? number : Json(clean);
    }
    rows.push_back(std::move(object));
  }
  Json json = {{"title", valid_utf8(table.title)}, {"notes", table.notes}, {"rows", rows}};
  if (!table.left_out.empty()) json["left_out"] = table.left_out;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_markdown(const ValueTable& table) {
  std::string text = "| ";
  const auto line = [&](const std::vector<std::string>& row) {
    std::string cells = "|";
    for (const std::string& cell : row) cells += " " + html_escape(cell) + " |";
    return cells + "\n";
  };
  text = line(table.columns) + "|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) text += "---:|";
  text += "\n";
  for (const auto& row : table.rows) text += line(row);
  if (!table.left_out.empty()) text += "\n" + html_escape(table.left_out) + "\n";
  return text;
}

std::string as_html(const ValueTable& table) {
  const auto line = [](const std::vector<std::string>& row, const std::string& tag) {
    std::string cells = "<tr>";
    for (const std::string& cell : row)
      cells += "<" + tag + ">" + html_escape(cell) + "</" + tag + ">";
    return cells + "</tr>\n";
  };
  std::string text =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" +
      html_escape(table.title) +
      "</title>\n<style>body{font:14px system-ui,sans-serif;margin:2em}"
      "table{border-collapse:collapse}th,td{border:1px solid #8888;padding:2px 8px;"
      "text-align:right;font-variant-numeric:tabular-nums}</style></head>\n<body><h1>" +
      html_escape(table.title) + "</h1>\n";
  for (const std::string& note : table.notes) text += "<p>" + html_escape(note) + "</p>\n";
  text += "<table>\n" + line(table.columns, "th");
  for (const auto& row : table.rows) text += line(row, "td");
  text += "</table>\n";
  if (!table.left_out.empty()) text += "<p>" + html_escape(table.left_out) + "</p>\n";
  return text + "</body></html>\n";
}

}  // namespace

void write_values(const ValueTable& table, const ShowFormats& formats) {
  if (!formats.svg.empty())
    throw Failure{"--svg: a picture needs lanes, and " + table.title + " has none"};
  if (!formats.csv.empty()) save(formats.csv, as_csv(table));
  if (!formats.json.empty()) save(formats.json, as_json(table));
  if (!formats.html.empty()) save(formats.html, as_html(table));
  if (!formats.md.empty()) save(formats.md, as_markdown(table));
  if (!formats.any()) print(as_text(table));
}

}  // namespace fragproof::cli
