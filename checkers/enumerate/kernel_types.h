// Which element types an instruction multiplies (LANGUAGE.md section 6, `types`).
#pragma once

#include <string>
#include <vector>

#include "spec/ast.h"

namespace fragproof {

// `type` is the last part of the instruction's name: "b16", "bf16", "tf32", "b8", "s8", ...
// Does it take an operand of this element type?
[[nodiscard]] bool takes(const std::string& type, const ElementType& operand);
// Does it take these two together, each of which it takes?
[[nodiscard]] bool takes_both(const std::string& type, const ElementType& a, const ElementType& b);
// "bf16", or "bf16 or f16" for b16; "bf16 twice or f16 twice".
[[nodiscard]] std::string wanted_by(const std::string& type);
[[nodiscard]] std::string rule_of(const std::string& type);

// Why y cannot take the accumulator of operands with these types: what is wanted ("a float type")
// and a sentence; both empty when it can.
struct ResultFault {
  std::string wanted, text;
};
[[nodiscard]] ResultFault result_fault_of(const std::string& type, const ElementType& result,
                                          const std::vector<const ElementType*>& operands);

// Are there values of `from` that `to` does not hold exactly?
[[nodiscard]] bool narrows(const ElementType& from, const ElementType& to);

}  // namespace fragproof
