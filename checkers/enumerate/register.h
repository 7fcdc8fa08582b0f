// Where element `elem` of a lane sits in its registers, in PTX's words: "a1", "low".
#pragma once

#include <string>

#include "checkers/result/result.h"
#include "spec/ast.h"

namespace fragproof {

// Bits of one register that holds elements of `width` bits: 64 for 64-bit elements, else 32.
[[nodiscard]] int register_bits(int width);
// The register, with the letter of the operand: register_name("a", 3, 16) is "a1".
[[nodiscard]] std::string register_name(const std::string& letter, int elem, int width);
// The part of that register: "low", "high"; "byte 2", "nibble 5", "bit 9"; "" for a whole one.
[[nodiscard]] std::string half_name(int elem, int width);
// The letter of a fragment's registers: "a", "b", "c" for an instruction's operands, else "r".
[[nodiscard]] std::string register_letter(const Map& fragment);

// Fills in lane, elem, reg and half of an element of a fragment.
void locate(Counterexample& counterexample, const Map& fragment, Int lane, Int elem);

}  // namespace fragproof
