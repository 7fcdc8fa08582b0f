// A table of configurations: CSV with a header line, or JSON lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/configuration.h"

namespace fragproof::cli {

struct TableRow {
  Configuration configuration;
  int line = 0;      // of the file
  std::string text;  // the line itself
};

// Reads a table. `json_lines`: one object a line ({"N": 64, "K": 512}); else a header of names and
// rows of values, quoted where they hold commas. A column `kernel` names the kernel; cells that are
// empty are left out. Throws Failure, with PATH:LINE, for what is no such table.
[[nodiscard]] std::vector<TableRow> read_table(const std::string& path, std::string_view text,
                                               bool json_lines);

}  // namespace fragproof::cli
