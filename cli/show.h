// The parts of `show`: one answer in any of its formats, from an instruction or from a file.
#pragma once

#include <string>
#include <vector>

#include "cli/outputs.h"
#include "reports/layout_table.h"

namespace fragproof::cli {

// What is shown, in each format that was asked for.
struct ShowFormats {
  std::string csv, json, svg, html, md;  // "" not wanted, "-" stdout, else a file
  bool colour = false;
  int width = 80;
  [[nodiscard]] bool any() const {
    return !csv.empty() || !json.empty() || !svg.empty() || !html.empty() || !md.empty();
  }
  [[nodiscard]] std::vector<OutputFile> outputs() const;
};

// Prints the text of `table`, or writes the formats that were asked for instead.
void write_layout(const LayoutTable& table, const ShowFormats& formats);

// The same for what is no lane's registers: named columns and rows of numbers. SVG is refused.
struct ValueTable {
  std::string title;
  std::vector<std::string> notes;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::string left_out;  // why there are no more rows; "" when all are here
};
void write_values(const ValueTable& table, const ShowFormats& formats);

// `show FILE.layout NAME`: a kernel's load ("gemv.a") or shared tile ("As", "gemm.As"), a fragment,
// a map or a pack of the file, at sizes and kernel indices `at` ("" or "N=16,K=64,rb=1"; other
// sizes are the smallest admissible, other indices the first). `lanes` is "0-5", "3", "0,4-7" or
// "".
void show_of_file(const std::string& path, const std::string& name, const std::string& at,
                  const std::string& lanes, const ShowFormats& formats);

// "0-5,8" as lane numbers, ascending. Throws Failure when it is malformed.
[[nodiscard]] std::vector<int> parse_lanes(const std::string& text);

// `layout` with the cells of these lanes only; all of them for "". Throws Failure for a lane that
// it does not have.
[[nodiscard]] LayoutTable only_lanes(LayoutTable layout, const std::string& lanes);

// Is this word of the command line a file, not the name of an instruction?
[[nodiscard]] bool is_file(const std::string& word);

}  // namespace fragproof::cli
