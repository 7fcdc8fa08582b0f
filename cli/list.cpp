// `list`: the instructions of the spec with their provenance, and the built-in files with what they
// declare.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/command.h"
#include "cli/fragments.h"
#include "cli/inputs.h"
#include "cli/output.h"
#include "gpu_tests/probe/certificate.h"
#include "spec/load.h"
#include "spec/syntax.h"

namespace fragproof::cli {
namespace {

using Json = nlohmann::ordered_json;

// The fragments of an instruction: A, B and C, or itself.
std::vector<std::pair<std::string, const Map*>> fragments_of(const std::string& instruction) {
  std::vector<std::pair<std::string, const Map*>> fragments;
  for (const std::string& letter : letters_of(instruction)) {
    fragments.emplace_back(letter, find_builtin(instruction + "." + letter));
  }
  if (fragments.empty()) fragments.emplace_back("", find_builtin(instruction));
  for (const std::string& side : sides_of(instruction)) {
    fragments.emplace_back(side, find_builtin(instruction + "." + side));
  }
  return fragments;
}

// The GPUs on which all of these fragments were confirmed as they stand; "" for none.
std::string certified(const std::vector<std::pair<std::string, const Map*>>& fragments) {
  const std::string gpus = gpu::certified_on(*fragments.front().second);
  for (const auto& [letter, map] : fragments) {
    if (gpu::certified_on(*map) != gpus) return "";
  }
  return gpus;
}

// "16x8" of the outputs' extents.
std::string shape_of(const Map& map) {
  std::string text;
  for (const OutputDef& output : map.outputs) {
    text +=
        (text.empty() ? "" : "x") + (output.codomain == nullptr ? "?" : to_text(*output.codomain));
  }
  return text;
}

std::string names_of_packs(const Spec& spec) {
  std::string names;
  for (const Array* array : spec.arrays) {
    if (array->kind == Array::Kind::Pack && !array->hidden) names += " " + array->name;
  }
  return names;
}

std::string names_of_kernels(const Spec& spec) {
  std::string names;
  for (const Kernel* kernel : spec.kernels) names += " " + kernel->name;
  return names;
}

std::string text() {
  std::string out = "instructions (show X OPERAND; D is C)\n";
  for (const std::string& name : instruction_names()) {
    std::string shapes;
    const auto fragments = fragments_of(name);
    for (const auto& [letter, map] : fragments) {
      shapes +=
          (shapes.empty() ? "" : "  ") + letter + (letter.empty() ? "" : " ") + shape_of(*map);
    }
    const Provenance& from = fragments.front().second->provenance;
    out += fmt::format("  {:<20}  {:<34}  PTX {}, sm_{}, {}\n", name, shapes, from.ptx, from.sm,
                       from.status);
    if (const std::string gpus = certified(fragments); !gpus.empty()) {
      out += fmt::format("  {:<20}  confirmed on {}\n", "", gpus);
    }
    if (!from.types.empty())
      out += fmt::format("  {:<20}  types {}\n", "", fmt::join(from.types, " "));
  }
  out += "\nbuilt-in files (prove without FILE judges them all)\n";
  for (const Input& input : builtin_inputs()) {
    if (!input.spec) {
      out += fmt::format("  {:<20}  cannot be read\n", input.stem);
      continue;
    }
    out += fmt::format("  {:<20}  {} claims", input.stem, input.spec->claims.size());
    const std::string packs = names_of_packs(*input.spec);
    const std::string kernels = names_of_kernels(*input.spec);
    if (!packs.empty()) out += "; packs" + packs;
    if (!kernels.empty()) out += "; kernels" + kernels;
    out += "\n";
  }
  return out;
}

std::string json() {
  Json instructions = Json::array();
  for (const std::string& name : instruction_names()) {
    const auto fragments = fragments_of(name);
    const Provenance& from = fragments.front().second->provenance;
    Json operands = Json::object();
    for (const auto& [letter, map] : fragments) operands[letter] = shape_of(*map);
    instructions.push_back({{"name", name},
                            {"types", from.types},
                            {"operands", operands},
                            {"instruction", from.instruction},
                            {"ptx", from.ptx},
                            {"sm", from.sm},
                            {"section", from.section},
                            {"status", from.status},
                            {"confirmed_on", certified(fragments)}});
  }
  Json files = Json::array();
  for (const Input& input : builtin_inputs()) {
    if (!input.spec) continue;
    Json packs = Json::array(), kernels = Json::array();
    for (const Array* array : input.spec->arrays) {
      if (array->kind == Array::Kind::Pack && !array->hidden) packs.push_back(array->name);
    }
    for (const Kernel* kernel : input.spec->kernels) kernels.push_back(kernel->name);
    files.push_back({{"name", input.stem},
                     {"claims", input.spec->claims.size()},
                     {"packs", packs},
                     {"kernels", kernels}});
  }
  return Json{{"instructions", instructions}, {"files", files}}.dump(2) + "\n";
}

}  // namespace

Command add_list(CLI::App& root) {
  auto as_json = std::make_shared<bool>(false);
  CLI::App* app = root.add_subcommand("list", "instructions, packs and kernels that are built in");
  app->add_flag("--json", *as_json, "the same as JSON");
  app->footer(
      "Examples:\n"
      "  fragproof list\n"
      "  fragproof list --json");
  return {app, [as_json] {
            print(*as_json ? json() : text());
            return exit_ok;
          }};
}

}  // namespace fragproof::cli
