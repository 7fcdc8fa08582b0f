#include "cli/config_table.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/output.h"

namespace fragproof::cli {
namespace {

[[noreturn]] void fail(const std::string& path, int line, const std::string& why) {
  throw Failure{path + ":" + std::to_string(line) + ": " + why};
}

// The cells of a line; a quoted cell may hold commas and, doubled, quotes.
std::vector<std::string> cells_of(const std::string& path, int number, const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted) {
      const bool doubled = c == '"' && i + 1 < line.size() && line[i + 1] == '"';
      if (doubled) ++i;
      if (c == '"' && !doubled) {
        quoted = false;
      } else {
        cells.back() += c;
      }
    } else if (c == '"' && cells.back().empty()) {
      quoted = true;
    } else if (c == ',') {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  if (quoted) fail(path, number, "a quote is not closed");
  for (std::string& cell : cells) {
    const std::size_t first = cell.find_first_not_of(" \t");
    cell = first == std::string::npos
               ? ""
               : cell.substr(first, cell.find_last_not_of(" \t") - first + 1);
  }
  return cells;
}

// "kernel" and NAME=VALUE words, read as a configuration.
Configuration configuration_of(const std::string& path, int line,
                               const std::vector<std::pair<std::string, std::string>>& cells) {
  std::string kernel, words;
  for (const auto& [name, value] : cells) {
    if (value.empty()) continue;
    if (name == "kernel") {
      kernel = value;
    } else {
      words += " " + name + "=" + value;
    }
  }
  ParsedConfiguration parsed = parse_configuration(kernel + words);
  if (!parsed.configuration) fail(path, line, parsed.error);
  return std::move(*parsed.configuration);
}

std::vector<std::pair<std::string, std::string>> json_cells(const std::string& path, int number,
                                                            const std::string& line) {
  const nlohmann::ordered_json row = nlohmann::ordered_json::parse(line, nullptr, false);
  if (!row.is_object())
    fail(path, number, "no JSON object: a line is like {\"N\": 64, \"K\": 512}");
  std::vector<std::pair<std::string, std::string>> cells;
  for (const auto& [name, value] : row.items()) {
    if (value.is_string()) {
      cells.emplace_back(name, value.get<std::string>());
    } else if (value.is_number_integer()) {
      cells.emplace_back(name, value.dump());
    } else {
      fail(path, number, "\"" + name + "\" is no whole number");
    }
  }
  return cells;
}

}  // namespace

std::vector<TableRow> read_table(const std::string& path, std::string_view text, bool json_lines) {
  std::vector<TableRow> rows;
  std::vector<std::string> header;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos || line[first] == '#') continue;
    std::vector<std::pair<std::string, std::string>> cells;
    if (json_lines) {
      cells = json_cells(path, number, line);
    } else {
      const std::vector<std::string> values = cells_of(path, number, line);
      if (header.empty()) {
        header = values;
        continue;
      }
      if (values.size() != header.size()) {
        fail(path, number,
             std::to_string(values.size()) + " cells below a header of " +
                 std::to_string(header.size()));
      }
      for (std::size_t i = 0; i < values.size(); ++i) cells.emplace_back(header[i], values[i]);
    }
    rows.push_back({configuration_of(path, number, cells), number, line});
  }
  if (rows.empty()) throw Failure{path + " has no rows"};
  return rows;
}

}  // namespace fragproof::cli
