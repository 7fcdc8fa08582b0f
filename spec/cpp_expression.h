// Expressions of the language as C++17, with the same value wherever the language defines one.
//
// Numbers are int64_t. The language's `/`, `%`, `<<` and `>>` are defined for operands from 0 up
// only, and there C++ says the same; `& | ^ ~` are two's complement in both. A value that leaves 64
// bits is the caller's fault: the header says so. `iN(e)` is e.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "spec/ast.h"

namespace fragproof {

// Something that has no C++: what() is the reason, for a message about the declaration it stands
// in.
class CppUnsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// How a map is called in C++.
struct CppCallee {
  std::string name;                             // of its struct: "marlin"
  std::vector<std::string> outputs;             // its functions: marlin::word(k, n, ..)
  std::vector<std::string> inverse;             // the ways back, one a coordinate; empty: none
  std::vector<const Variable*> sizes;           // the parameters behind the coordinates: sizes, ..
  std::vector<const fragproof::Table*> tables;  // .. then tables, as `const int64_t*`
};

// What names stand for at a place of the C++ text.
struct CppScope {
  std::unordered_map<const Variable*, std::string> names;
  std::unordered_map<const fragproof::Table*, std::string> pointers;  // tables that are parameters
  std::function<const CppCallee&(const Map&)> map;                    // may throw CppUnsupported
  std::function<std::string(const fragproof::Table&)> table;          // the struct of a fixed table
};

// A number (a condition counts as 0 or 1), as text that stands alone as an operand of `+` when
// `tight`. Throws CppUnsupported.
[[nodiscard]] std::string cpp_number(const Expr& expr, const CppScope& scope);
// A condition, as bool.
[[nodiscard]] std::string cpp_condition(const Expr& expr, const CppScope& scope);
// Member `member` of a tuple; of a number, itself.
[[nodiscard]] std::string cpp_member(const Expr& expr, int member, const CppScope& scope);
// A product of numbers as an operand of `/` and `%`: literals are multiplied out, "1" for none.
[[nodiscard]] std::string cpp_product(const std::vector<const Expr*>& factors,
                                      const CppScope& scope);
// The position of indices in a row-major array: (i0*E1 + i1)*E2 + i2. `indices` are the language's.
[[nodiscard]] std::string cpp_row_major(const std::vector<const Expr*>& indices,
                                        const std::vector<const Expr*>& extents,
                                        const CppScope& scope);
// The text behind member `i` of a tuple's name: "row", or its number.
[[nodiscard]] std::string cpp_member_name(const Type& type, int member);

}  // namespace fragproof
