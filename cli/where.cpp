// `where`: one question about one element, one sentence.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/fragments.h"
#include "cli/output.h"
#include "reports/phrase.h"

namespace fragproof::cli {
namespace {

struct WhereOptions {
  std::string instruction;
  std::string operand;
  std::optional<std::int64_t> lane, elem;
  std::map<std::string, std::optional<std::int64_t>> coordinates;  // row, col, src, ..
};

void expect_below(const std::string& what, std::int64_t value, Int extent) {
  if (value < 0 || value >= extent) {
    throw Failure{fmt::format("{} {} is outside 0..{}", what, value, to_string(extent - 1))};
  }
}

// "lane 5, element 3 (register a1, high half)".
std::string slot_text(const Operand& operand, const FragmentTable& table, int lane, int elem) {
  const RegisterPlace place = register_place(elem, table.bits, table.register_bits);
  std::string part = part_of_register(elem, table.bits, table.register_bits);
  if (part == "low" || part == "high") part += " half";
  return fmt::format("lane {}, element {} (register {}{})", lane, elem,
                     operand.register_name(place.number), part.empty() ? "" : ", " + part);
}

// "A[row 9, col 3]"; "(src 9, col 3)" for an instruction without operands.
std::string element_text(const Operand& operand, const FragmentTable& table,
                         const std::vector<Int>& value) {
  std::string inside;
  for (std::size_t i = 0; i < value.size(); ++i) {
    inside +=
        fmt::format("{}{} {}", i == 0 ? "" : ", ", table.coordinate_names[i], to_string(value[i]));
  }
  const std::string matrix = operand.matrix();
  return matrix.empty() ? "(" + inside + ")" : matrix + "[" + inside + "]";
}

std::string element_of_slot(const Operand& operand, const FragmentTable& table,
                            const WhereOptions& options) {
  expect_below("lane", *options.lane, table.lanes);
  expect_below("element", *options.elem, table.elems);
  const int lane = static_cast<int>(*options.lane);
  const int elem = static_cast<int>(*options.elem);
  const auto& value = table.values[static_cast<std::size_t>(lane * table.elems + elem)];
  return fmt::format("{} of {} holds {}\n", slot_text(operand, table, lane, elem), operand.name(),
                     element_text(operand, table, value));
}

std::string slots_of_element(const Operand& operand, const FragmentTable& table,
                             const WhereOptions& options) {
  std::vector<Int> wanted;
  for (std::size_t i = 0; i < table.coordinate_names.size(); ++i) {
    const std::string& name = table.coordinate_names[i];
    const auto given = options.coordinates.find(name);
    if (given == options.coordinates.end() || !given->second) {
      throw Failure{fmt::format("the elements of {} have the coordinates {}: give --{}",
                                operand.name(), fmt::join(table.coordinate_names, " and "), name)};
    }
    if (!table.extents.empty()) expect_below(name, *given->second, table.extents[i]);
    wanted.push_back(*given->second);
  }
  std::vector<std::string> slots;
  for (int lane = 0; lane < table.lanes; ++lane) {
    for (int elem = 0; elem < table.elems; ++elem) {
      if (table.values[static_cast<std::size_t>(lane * table.elems + elem)] == wanted) {
        slots.push_back(slot_text(operand, table, lane, elem));
      }
    }
  }
  const std::string element = element_text(operand, table, wanted);
  const std::string of = operand.letter.empty() ? operand.instruction : operand.name();
  if (slots.empty()) return fmt::format("{} of {} is held by no lane\n", element, of);
  return fmt::format("{} of {} is held by {}\n", element, of, fmt::join(slots, " and by "));
}

int where(const WhereOptions& options) {
  const Operand operand = find_operand(options.instruction, options.operand);
  const FragmentTable table = tabulate(*operand.map);
  bool any_coordinate = false;
  for (const auto& [name, value] : options.coordinates) {
    if (!value) continue;
    any_coordinate = true;
    if (std::find(table.coordinate_names.begin(), table.coordinate_names.end(), name) ==
        table.coordinate_names.end()) {
      throw Failure{fmt::format("the elements of {} have no coordinate {}: they have {}",
                                operand.name(), name, fmt::join(table.coordinate_names, " and "))};
    }
  }
  const bool slot = options.lane || options.elem;
  if (slot && any_coordinate)
    throw Failure{"give either --lane and --elem, or the element's coordinates"};
  if (slot && (!options.lane || !options.elem)) {
    throw Failure{options.lane ? "--lane needs --elem" : "--elem needs --lane"};
  }
  if (!slot && !any_coordinate) {
    throw Failure{fmt::format("say what to look for: --lane and --elem, or --{}",
                              fmt::join(table.coordinate_names, " and --"))};
  }
  print(slot ? element_of_slot(operand, table, options)
             : slots_of_element(operand, table, options));
  return exit_ok;
}

}  // namespace

Command add_where(CLI::App& root) {
  auto options = std::make_shared<WhereOptions>();
  CLI::App* app =
      root.add_subcommand("where", "which element a slot holds, or which slot holds an element");
  app->add_option("INSTRUCTION", options->instruction, "as in mma.m16n8k16.bf16")
      ->type_name("")
      ->required();
  app->add_option("OPERAND", options->operand,
                  "A, B, C or D; C16, A.row, addr, .. where there is one")
      ->type_name("");
  app->add_option("--lane", options->lane, "the lane (with --elem)")
      ->type_name("N")
      ->check(whole_number());
  app->add_option("--elem", options->elem, "the element of the lane, in register order")
      ->type_name("N")
      ->check(whole_number());
  for (const char* name : {"row", "col", "src", "half", "mat", "mma"}) {
    app->add_option(std::string("--") + name, options->coordinates[name],
                    "a coordinate of the element")
        ->type_name("N")
        ->check(whole_number());
  }
  app->footer(
      "Examples:\n"
      "  fragproof where mma.m16n8k16.bf16 A --lane 5 --elem 3\n"
      "  fragproof where mma.m16n8k16.bf16 A --row 9 --col 2\n"
      "  fragproof where ldmatrix.x4 --src 9 --col 2");
  return {app, [options] { return where(*options); }};
}

}  // namespace fragproof::cli
