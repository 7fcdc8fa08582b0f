// Writes the declarations of one layout file as C++ structs: shared by the parts of cpp_header.h.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "spec/ast.h"
#include "spec/cpp_body.h"
#include "spec/cpp_expression.h"
#include "spec/syntax.h"

namespace fragproof {

// The struct of a built-in fragment: "mma_m16n8k16_b16" and "A"; "ldmatrix_x4" and "".
struct CppInstruction {
  std::string name;
  std::string operand;
};
[[nodiscard]] CppInstruction cpp_instruction(const Map& builtin);

class CppWriter {
 public:
  using Lines = std::vector<std::string>;
  // For a file; `uses` collects the built-in fragments that it calls.
  CppWriter(const Spec& spec, std::set<const Map*>& uses);

  // Each gives the lines of a struct, without indentation, or throws CppUnsupported.
  Lines map(const Map& map, const std::string& name);
  Lines table(const Table& table, const std::string& name);
  Lines pack(const Array& pack, const std::string& name);
  Lines kernel(const Kernel& kernel, const std::string& name);

  // All that can be written of the file, in order; `left_out` gets the rest.
  Lines file(bool skip_builtin, std::vector<std::string>& left_out, int& written);

 private:
  // Sizes and tables that a declaration mentions, itself or in what it calls.
  struct Parameters {
    std::vector<const Variable*> sizes;
    std::vector<const Table*> tables;
  };
  struct Function {
    std::string comment = {};
    std::string result = "int64_t";
    std::string name;
    std::vector<std::string> arguments;
    Lines body;         // the last one with its `return`
    bool lean = false;  // takes what its body mentions and nothing else
  };

  const CppCallee& callee(const Map& map);
  std::string table_name(const Table& table);
  Parameters parameters(const CppMentions& mentions);
  CppScope scope(const Parameters& parameters);
  CppMentions mentions_of(const Map& map) const;
  [[nodiscard]] bool wants_inverse(const Map& map) const;

  // Writes a function; parameters that its body does not mention have no name.
  void function(const Function& function, const Parameters& parameters, Lines& lines);
  // `X_count(..)`: the extent of X, where it speaks of sizes only.
  void count(const std::string& name, const Expr* extent, const Parameters& parameters,
             Lines& lines);
  void contains(const Map& map, const Parameters& parameters, Lines& lines);
  void values(const Map& map, const CppCallee& callee, const Parameters& parameters, Lines& lines);
  bool inverse(const Map& map, CppCallee& callee, const Parameters& parameters, Lines& lines);
  Lines search(const Map& map, const CppCallee& callee, const CppBody& body,
               const std::vector<std::string>& outputs) const;
  // The position of a place in units of its own width, from the start of its array.
  const Expr* position(const Ref& ref);
  const Expr* row_major(const std::vector<const Expr*>& indices,
                        const std::vector<const Expr*>& extents);
  const Expr* number(Int value);
  const Expr* use(Variable* variable);
  Variable* variable(const std::string& name, Variable::Kind kind);
  const Expr* binary(Binary op, const Expr* a, const Expr* b);
  // `name(arguments.., parameters..)`: the value of `expr` in a frame. Functions of a kernel are
  // lean: they would have its loops and sizes, a dozen arguments, in common.
  void value(const std::string& comment, const std::string& result, const std::string& name,
             const CppFrame& frame, const std::vector<const Variable*>& arguments, const Expr& expr,
             const Parameters& parameters, Lines& lines, bool lean = false);
  void fill(const Fill& fill, const CppFrame& outer, const std::vector<const Variable*>& more,
            const Parameters& parameters, Lines& lines, bool lean = false);
  void chain(const Array& pack, const Parameters& parameters, Lines& lines);

  const Spec& spec_;
  std::set<const Map*>& uses_;
  Arena arena_;
  std::unordered_map<const Map*, CppCallee> callees_;
  std::unordered_map<const Table*, std::string> tables_;
  std::unordered_map<const void*, std::string> failed_;  // why a map has no C++
  std::set<const Map*> inverted_;                        // maps whose inverse something uses
  std::set<std::string> names_;                          // of structs
  Lines pending_;  // hidden maps, before the one that needs them
};

// The lines of a declaration's text as comments, from the line it starts in.
[[nodiscard]] std::vector<std::string> cpp_comment(const Spec& spec, const Span& where);

// `lines` two columns further right.
void cpp_indent(const std::vector<std::string>& lines, std::vector<std::string>& into);

}  // namespace fragproof
