// `show`: the register picture of an operand, or what a file's map, fragment or load says.
#include "cli/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <set>

#include "cli/command.h"
#include "cli/fragments.h"
#include "cli/inputs.h"
#include "cli/optional_value.h"
#include "cli/output.h"
#include "gpu_tests/probe/certificate.h"
#include "reports/layout_diff.h"
#include "reports/svg.h"

namespace fragproof::cli {
namespace {

struct ShowOptions {
  std::string what;
  std::string part;
  std::string lanes;
  std::string at;
  bool diff = false;
  ShowFormats formats;
  ColourMode colour = ColourMode::Auto;
  std::vector<std::string> arguments;  // as they were given
};

std::string joined(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, ", "));
}

// The lines above the picture: where the entry comes from, its size, and the formulas both ways.
std::vector<std::string> notes_of(const Operand& operand, const FragmentTable& table) {
  const Provenance& from = operand.map->provenance;
  std::vector<std::string> notes;
  if (!from.instruction.empty()) notes.push_back(from.instruction);
  notes.push_back(
      fmt::format("PTX {}, sm_{}, {}; {}", from.ptx, from.sm, from.status, from.section));
  const int registers = (table.elems * table.bits + table.register_bits - 1) / table.register_bits;
  const std::string gpus = gpu::certified_on(*operand.map);
  if (!gpus.empty()) notes.push_back("confirmed element by element on " + gpus);
  notes.push_back(fmt::format("{} lanes, each {} element{} of {} bits in {} register{} of {} bits",
                              table.lanes, table.elems, table.elems == 1 ? "" : "s", table.bits,
                              registers, registers == 1 ? "" : "s", table.register_bits));
  std::string domain;
  for (const Coordinate& coordinate : operand.map->domain.coordinates) {
    std::string digits;
    for (const DigitBinding& digit : coordinate.digits) {
      digits +=
          (digits.empty() ? "" : ", ") + digit.name +
          (digit.radix->kind == Expr::Kind::Number ? ":" + to_string(digit.radix->number) : "");
    }
    domain += (domain.empty() ? "" : ", ") + coordinate.name;
    if (!digits.empty()) domain += " = [" + digits + "]";
  }
  notes.push_back(domain + ":  " + joined(formulas(*operand.map)));
  const std::vector<std::string> back = inverse_formulas(*operand.map, table);
  if (!back.empty()) notes.push_back("and back:  " + joined(back));
  return notes;
}

LayoutTable operand_layout(const std::string& instruction, const std::string& letter) {
  const Operand operand = find_operand(instruction, letter);
  const FragmentTable table = tabulate(*operand.map);
  const std::string title =
      operand.letter.empty() ? operand.instruction : operand.instruction + " " + operand.letter;
  const std::string name = operand.register_name(0);
  LayoutTable layout = layout_of(table, title, name.substr(0, name.size() - 1));
  layout.notes = notes_of(operand, table);
  return layout;
}

// `show --diff A B`: the first is expected, the second found.
int show_diff(const ShowOptions& options) {
  const ShowFormats& formats = options.formats;
  if (is_file(options.what) || is_file(options.part) || options.part.empty()) {
    throw Failure{"--diff takes two operands, mma.m16n8k16.bf16.A and mma.m16n8k8.tf32.A"};
  }
  if (!formats.csv.empty() || !formats.json.empty() || !formats.md.empty()) {
    throw Failure{"--diff draws: text, --svg and --html"};
  }
  expect_writable(formats.outputs(), {});
  const LayoutTable a = only_lanes(operand_layout(options.what, ""), options.lanes);
  const LayoutTable b = only_lanes(operand_layout(options.part, ""), options.lanes);
  if (!formats.svg.empty()) save(formats.svg, picture_svg(diff_picture(a, b)));
  if (!formats.html.empty()) save(formats.html, diff_html(a, b));
  if (!formats.any()) print(diff_text(a, b, formats.width, formats.colour));
  return exit_ok;
}

int show(ShowOptions options) {
  options.formats.colour = use_colour(options.colour);
  options.formats.width = terminal_width();
  if (options.diff) return show_diff(options);
  if (is_file(options.what)) {
    show_of_file(options.what, options.part, options.at, options.lanes, options.formats);
    return exit_ok;
  }
  expect_writable(options.formats.outputs(), {});
  if (!options.at.empty()) throw Failure{"--at is for files: an instruction has no sizes"};
  const std::vector<std::string> letters = letters_of(options.what);
  const ShowFormats& formats = options.formats;
  if (options.part.empty() && !letters.empty() && !formats.any()) {
    for (const std::string& letter : letters) {
      write_layout(only_lanes(operand_layout(options.what, letter), options.lanes), formats);
      if (letter != letters.back()) print("\n");
    }
    return exit_ok;
  }
  write_layout(only_lanes(operand_layout(options.what, options.part), options.lanes), formats);
  return exit_ok;
}

// The same, and what may have been meant by a word that is neither PART nor file.
int show_or_explain(const ShowOptions& options) {
  try {
    return show(options);
  } catch (const Failure& failure) {
    const std::string option = option_before(options.arguments, options.part);
    if (options.part.empty() || option.empty() || failure.code != exit_usage) throw;
    const std::string word = short_word(options.part);
    throw Failure{fmt::format("{}\nIf {} is the file to write, say {}={}.", failure.message, word,
                              option, word)};
  }
}

}  // namespace

std::vector<OutputFile> ShowFormats::outputs() const {
  std::vector<OutputFile> outputs;
  for (const auto& [option, path] : {std::pair{"--csv", &csv},
                                     {"--json", &json},
                                     {"--svg", &svg},
                                     {"--html", &html},
                                     {"--md", &md}}) {
    if (!path->empty()) outputs.push_back({option, *path});
  }
  return outputs;
}

bool is_file(const std::string& word) {
  if (names_builtin(word)) return letters_of(word).empty() && find_builtin(word) == nullptr;
  constexpr std::string_view extension = ".layout";
  return word.find('/') != std::string::npos ||
         (word.size() >= extension.size() &&
          word.compare(word.size() - extension.size(), extension.size(), extension) == 0);
}

std::vector<int> parse_lanes(const std::string& text) {
  std::set<int> lanes;
  const auto malformed = [&] {
    return Failure{"--lanes takes lanes like 0-5 or 0,4-7, not '" + text + "'"};
  };
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    constexpr int most = 1 << 16;
    int first = 0, last = 0;
    auto read = std::from_chars(at, end, first);
    if (read.ec != std::errc{} || first < 0 || first >= most) throw malformed();
    last = first;
    if (read.ptr != end && *read.ptr == '-') {
      read = std::from_chars(read.ptr + 1, end, last);
      if (read.ec != std::errc{} || last < first || last >= most) throw malformed();
    }
    for (int lane = first; lane <= last; ++lane) lanes.insert(lane);
    if (read.ptr == end) return {lanes.begin(), lanes.end()};
    if (*read.ptr != ',') throw malformed();
    at = read.ptr + 1;
  }
}

LayoutTable only_lanes(LayoutTable layout, const std::string& lanes) {
  if (lanes.empty()) return layout;
  const std::vector<int> wanted = parse_lanes(lanes);
  if (wanted.back() >= layout.lanes) {
    throw Failure{fmt::format("--lanes {}: lanes are 0..{}", lanes, layout.lanes - 1)};
  }
  std::erase_if(layout.cells, [&](const LayoutCell& cell) {
    return !std::binary_search(wanted.begin(), wanted.end(), cell.lane);
  });
  return layout;
}

void write_layout(const LayoutTable& table, const ShowFormats& formats) {
  const auto write = [&](const std::string& path, std::string (*writer)(const LayoutTable&)) {
    if (!path.empty()) save(path, writer(table));
  };
  write(formats.csv, layout_csv);
  write(formats.json, layout_json);
  write(formats.svg, layout_svg);
  write(formats.html, layout_html);
  write(formats.md, layout_markdown);
  if (!formats.any()) print(layout_text(table, formats.width, formats.colour));
}

Command add_show(CLI::App& root, std::vector<std::string> arguments) {
  auto options = std::make_shared<ShowOptions>();
  options->arguments = std::move(arguments);
  CLI::App* app = root.add_subcommand("show", "which element each lane's registers hold");
  app->add_option(
         "WHAT", options->what,
         "an instruction (mma.m16n8k16.bf16, ldmatrix.x4), a `.layout` file or a built-in one")
      ->type_name("")
      ->required();
  app->add_option("PART", options->part,
                  "operand A, B, C or D (C16, A.row, addr, .. where there is one); of a file a "
                  "load (gemv.a), fragment, map, pack or tile")
      ->type_name("");
  app->add_option("--lanes", options->lanes, "only these lanes: 0-5 or 0,4-7")->type_name("LANES");
  app->add_option("--at", options->at,
                  "sizes for a file: N=16,K=64 (the smallest admissible otherwise)")
      ->type_name("SIZES");
  app->add_option("--csv", options->formats.csv, "lane,elem,register,bit,row,col and nothing else")
      ->type_name("[FILE]");
  app->add_option("--json", options->formats.json, "the same as JSON")->type_name("[FILE]");
  app->add_option("--svg", options->formats.svg, "a picture")->type_name("[FILE]");
  app->add_option("--html", options->formats.html, "one self-contained page")->type_name("[FILE]");
  app->add_option("--md", options->formats.md, "a Markdown table")->type_name("[FILE]");
  app->add_flag("--diff", options->diff,
                "WHAT and PART are two operands: where the second differs from the first");
  add_colour(*app, options->colour);
  app->footer(
      "The FILE of a format is the next word if it ends in .csv (.json, ..), has a slash or is "
      "`-`,\n"
      "or if WHAT and PART are there without it; --csv=FILE takes any. Without one: stdout.\n"
      "\n"
      "Examples:\n"
      "  fragproof show mma.m16n8k16.bf16 A\n"
      "  fragproof show mma.m16n8k16.bf16 A --csv > a.csv\n"
      "  fragproof show ldmatrix.x4 --svg ldmatrix.svg\n"
      "  fragproof show gemv gemv.a                         of the built-in file gemv\n"
      "  fragproof show gemv.layout gemv.a --lanes 0-5\n"
      "  fragproof show gemv.layout gemv.a --at N=32,K=128");
  return {app, [options] { return show_or_explain(*options); }};
}

}  // namespace fragproof::cli
