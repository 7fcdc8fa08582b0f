// Finding built-in operands by name and evaluating fragments into tables.
#include "cli/fragments.h"

#include <algorithm>
#include <set>

#include "cli/output.h"
#include "cli/suggest.h"
#include "spec/load.h"

namespace fragproof::cli {
namespace {

constexpr Int largest_table = 1 << 20;  // elements; the largest instruction has 32 * 128

// The operands that a fragment can be of an instruction, and those that stand beside an instruction
// which is a fragment itself.
constexpr const char* letters[] = {"A", "B", "A.row", "A.col", "B.row", "B.col", "C", "C16"};
constexpr const char* sides[] = {"src", "dst", "addr"};

// The instruction that a fragment belongs to, and its operand: "mma.m16n8k16.b16" and "A".
std::pair<std::string, std::string> parts_of(const std::string& name) {
  const auto ends_in = [&](const std::string& operand) {
    return name.size() > operand.size() + 1 && name.ends_with("." + operand);
  };
  for (const char* side : sides) {
    if (ends_in(side)) return {name.substr(0, name.rfind('.')), side};
  }
  for (const std::string operand :
       {"A", "B", "A.row", "A.col", "B.row", "B.col", "C", "C16", "D", "D16"}) {
    if (ends_in(operand)) return {name.substr(0, name.size() - operand.size() - 1), operand};
  }
  return {name, ""};
}

// "A, B, C and D" of those that an instruction has.
std::string operand_list(const std::vector<std::string>& operands) {
  std::vector<std::string> all = operands;
  for (const std::string& operand : operands) {
    if (operand.front() == 'C') all.push_back("D" + operand.substr(1));
  }
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == all.size() ? " and " : ", ") + all[i];
  }
  return text;
}

// "b16" of "mma.m16n8k16.b16" replaced by `type`.
std::string with_type(const std::string& instruction, const std::string& type) {
  return instruction.substr(0, instruction.rfind('.') + 1) + type;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// "mma.m16n8k16.b16", "mma.m16n8k16.b8" .. of "mma.m16n8k16"; "ldmatrix.x4" .. of "ldmatrix".
std::vector<std::string> instructions_of_shape(const std::string& shape) {
  std::vector<std::string> names = instruction_names();
  std::erase_if(names, [&](const std::string& name) { return !name.starts_with(shape + "."); });
  return names;
}

Int constant(Evaluator& evaluator, const Expr* expr, const std::string& what) {
  if (expr == nullptr) throw Failure{what + " has no extent"};
  const Scalar scalar = evaluator.scalar(*expr);
  if (scalar.outcome != Outcome::Ok)
    throw Failure{what + ": its extent is undefined: " + scalar.reason};
  return scalar.value;
}

}  // namespace

std::string Operand::matrix() const {
  const bool side = std::find(std::begin(sides), std::end(sides), letter) != std::end(sides);
  return letter.empty() || side ? "" : letter.substr(0, 1);
}

std::string Operand::name() const {
  return letter.empty() ? instruction : "operand " + letter + " of " + instruction;
}

std::string Operand::register_name(int number) const {
  std::string prefix = matrix().empty() ? "r" : matrix();
  std::transform(prefix.begin(), prefix.end(), prefix.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return prefix + std::to_string(number);
}

std::vector<std::string> instruction_names() {
  std::vector<std::string> names;
  for (const Map* map : builtin_spec().maps) add_once(names, parts_of(map->name).first);
  return names;
}

std::vector<std::string> all_instruction_names() {
  std::vector<std::string> names;
  for (const Map* map : builtin_spec().maps) {
    const std::string instruction = parts_of(map->name).first;
    for (const std::string& type : map->provenance.types)
      add_once(names, with_type(instruction, type));
  }
  for (const std::string& name : instruction_names()) add_once(names, name);
  return names;
}

std::vector<std::string> letters_of(const std::string& instruction) {
  std::vector<std::string> found;
  for (const char* letter : letters) {
    if (find_builtin(instruction + "." + letter) != nullptr) found.emplace_back(letter);
  }
  return found;
}

std::vector<std::string> sides_of(const std::string& instruction) {
  std::vector<std::string> found;
  for (const char* side : sides) {
    if (find_builtin(instruction + "." + side) != nullptr) found.emplace_back(side);
  }
  return found;
}

Operand find_operand(const std::string& instruction, const std::string& letter) {
  const auto [own_name, own_letter] = parts_of(instruction);
  if (letter.empty() && !own_letter.empty()) return find_operand(own_name, own_letter);
  const std::vector<std::string> letters = letters_of(instruction);
  if (letters.empty()) {
    const Map* map = find_builtin(instruction);
    if (map == nullptr) {
      const std::vector<std::string> types = instructions_of_shape(instruction);
      if (!types.empty()) {
        throw Failure{instruction + " needs a type or a width: " + alternatives(types)};
      }
      throw Failure{"unknown instruction " + short_word(instruction) +
                    did_you_mean(instruction, all_instruction_names())};
    }
    if (letter.empty()) return {map, instruction, ""};
    const std::vector<std::string> found = sides_of(instruction);
    if (std::find(found.begin(), found.end(), letter) != found.end()) {
      return {find_builtin(instruction + "." + letter), instruction, letter};
    }
    // What a lane gets of ldmatrix, and gives to stmatrix, is the fragment itself.
    const bool itself = letter == (instruction.starts_with("ldmatrix") ? "dst" : "src");
    if (itself) return {map, instruction, ""};
    throw Failure{instruction + " has no operands: leave '" + short_word(letter) + "' out" +
                  (found.empty() ? "" : ", or ask for " + operand_list(found))};
  }
  if (letter.empty()) {
    throw Failure{instruction + " has the operands " + operand_list(letters) +
                  ": name one, as in `" + instruction + " " + letters.front() + "`"};
  }
  const bool result = letter == "D" || letter == "D16";
  const std::string fragment = result ? "C" + letter.substr(1) : letter;
  if (std::find(letters.begin(), letters.end(), fragment) == letters.end()) {
    throw Failure{instruction + " has no operand " + short_word(letter) + "; it has " +
                  operand_list(letters)};
  }
  return {find_builtin(instruction + "." + fragment), instruction, letter};
}

FragmentTable tabulate(Evaluator& evaluator, const Map& fragment) {
  const std::vector<Coordinate>& coordinates = fragment.domain.coordinates;
  if (coordinates.size() != 2 || fragment.element.width < 1) {
    throw Failure{fragment.name + " is no register fragment"};
  }
  FragmentTable table;
  const Int lanes = constant(evaluator, coordinates[0].extent, coordinates[0].name);
  const Int elems = constant(evaluator, coordinates[1].extent, coordinates[1].name);
  if (lanes < 1 || elems < 1 || lanes > largest_table || elems > largest_table ||
      lanes * elems > largest_table) {
    throw Failure{fragment.name + " has " + to_string(lanes) + " lanes of " + to_string(elems) +
                  " elements: too large to draw"};
  }
  table.lanes = static_cast<int>(lanes);
  table.elems = static_cast<int>(elems);
  table.bits = fragment.element.width;
  table.register_bits = table.bits == 64 ? 64 : 32;
  for (const OutputDef& output : fragment.outputs) {
    table.coordinate_names.push_back(output.name);
    if (output.codomain != nullptr) {
      table.extents.push_back(constant(evaluator, output.codomain, output.name));
    }
  }
  if (table.extents.size() != table.coordinate_names.size()) table.extents.clear();

  const auto points = static_cast<std::size_t>(lanes * elems);
  std::vector<std::int64_t> lane(points), elem(points);
  for (std::size_t i = 0; i < points; ++i) {
    lane[i] = static_cast<std::int64_t>(i) / table.elems;
    elem[i] = static_cast<std::int64_t>(i) % table.elems;
  }
  const Values values =
      evaluator.apply(fragment, {Column(std::move(lane)), Column(std::move(elem))}, points);
  table.values.resize(points);
  for (std::size_t i = 0; i < points; ++i) {
    if (values.at(i) != Outcome::Ok) continue;
    for (const Column& member : values.members) table.values[i].push_back(member.at(i));
  }
  return table;
}

FragmentTable tabulate(const Map& builtin) {
  Evaluator evaluator(builtin_spec(), Shape{});
  return tabulate(evaluator, builtin);
}

LayoutTable layout_of(const FragmentTable& table, const std::string& title,
                      const std::string& prefix) {
  LayoutTable layout;
  layout.title = title;
  layout.coordinate_names = table.coordinate_names;
  layout.extents = table.extents;
  layout.bits = table.bits;
  layout.register_bits = table.register_bits;
  layout.lanes = table.lanes;
  layout.elems = table.elems;
  for (int lane = 0; lane < table.lanes; ++lane) {
    for (int elem = 0; elem < table.elems; ++elem) {
      const auto& value = table.values[static_cast<std::size_t>(lane * table.elems + elem)];
      if (value.empty()) continue;
      const RegisterPlace place = register_place(elem, table.bits, table.register_bits);
      layout.cells.push_back(
          {lane, elem, prefix + std::to_string(place.number), place.bit, value, ""});
    }
  }
  return layout;
}

}  // namespace fragproof::cli
