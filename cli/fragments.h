// Register fragments as tables: which element each (lane, elem) is, and where it sits; how users
// name them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checkers/result/result.h"
#include "reports/layout_table.h"
#include "spec/ast.h"
#include "spec/eval.h"

namespace fragproof::cli {

// One operand of a built-in instruction, as the user asked for it.
struct Operand {
  const Map* map = nullptr;
  std::string instruction;  // "mma.m16n8k16.bf16", "ldmatrix.x4"
  std::string letter;       // "A", .. "D16", "A.row", "addr"; "" for a fragment without operands
  [[nodiscard]] std::string name() const;    // "operand A of mma.m16n8k16.bf16", "ldmatrix.x4"
  [[nodiscard]] std::string matrix() const;  // "A" .. "D", whose elements it holds; "" for none
  [[nodiscard]] std::string register_name(int number) const;  // "a1"; "r1" without a letter
};

// "mma.m16n8k16.bf16" with "A" .. "D", or "mma.m16n8k16.bf16.A", or "ldmatrix.x4" with "". Throws
// Failure, with near misses, for what is not built in and for an operand that is missing or
// superfluous.
[[nodiscard]] Operand find_operand(const std::string& instruction, const std::string& letter);

// The operands of an instruction that has several ("A", "B", "C", "C16"); empty for one that is a
// fragment itself, and what stands beside such a one ("addr", "src", "dst").
[[nodiscard]] std::vector<std::string> letters_of(const std::string& instruction);
[[nodiscard]] std::vector<std::string> sides_of(const std::string& instruction);

// The built-in instructions by their own names, in the order of the spec: "mma.m16n8k16.b16",
// "ldmatrix.x4".
[[nodiscard]] std::vector<std::string> instruction_names();
// ... and by every name that finds one, the names by type first.
[[nodiscard]] std::vector<std::string> all_instruction_names();

// The values of a fragment at every lane and element.
struct FragmentTable {
  int lanes = 0;
  int elems = 0;
  int bits = 0;            // of an element
  int register_bits = 32;  // 64 for 64-bit elements
  std::vector<std::string> coordinate_names;
  std::vector<Int> extents;              // of the coordinates
  std::vector<std::vector<Int>> values;  // [lane * elems + elem][coordinate]; empty where undefined
};
// Throws Failure when the fragment is not (lane, elem) -> .. or too large to draw at the
// evaluator's shape.
[[nodiscard]] FragmentTable tabulate(Evaluator& evaluator, const Map& fragment);
[[nodiscard]] FragmentTable tabulate(const Map& builtin);

// What a fragment says, one line a formula: "row = 8*h + g".
[[nodiscard]] std::vector<std::string> formulas(const Map& fragment);
// ... and the other way: "lane = 4*(row % 8) + col/2 % 4"; empty when it is not a rearrangement of
// digits. Each line has been compared with the table at every point.
[[nodiscard]] std::vector<std::string> inverse_formulas(const Map& fragment,
                                                        const FragmentTable& table);

// The table as `show` draws it; `title` and `prefix` name the operand and its registers.
[[nodiscard]] LayoutTable layout_of(const FragmentTable& table, const std::string& title,
                                    const std::string& prefix);

}  // namespace fragproof::cli
