// What the parser hands to name resolution: the declarations of one file in order, names not yet
// looked up.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "spec/ast.h"
#include "spec/source.h"

namespace fragproof {

// Owns the nodes of a Spec; nodes live until the arena dies.
class Arena {
 public:
  template <class T, class... Args>
  T* make(Args&&... args) {
    auto node = std::make_shared<T>(std::forward<Args>(args)...);
    T* raw = node.get();
    nodes_.push_back(std::move(node));
    return raw;
  }

 private:
  std::vector<std::shared_ptr<void>> nodes_;
};

struct Declaration {
  enum class Kind { Include, Use, Size, Let, Require, Table, Map, Array, Kernel, Claim };
  Kind kind = Kind::Size;
  Span where;
  std::string path;              // Include
  std::string name;              // Use: the dotted name
  std::string alias;             // Use
  std::vector<Variable*> sizes;  // Size
  std::vector<Binding> lets;     // Let (never Carry)
  Expr* require = nullptr;       // Require
  Table* table = nullptr;
  Map* map = nullptr;      // map and fragment
  Array* array = nullptr;  // tensor and pack
  Kernel* kernel = nullptr;
  Claim claim;
};

struct SyntaxTree {
  std::vector<Declaration> declarations;
};

// Parses file `file` of `sources`. Recovers at the next line in column 1 and appends at most 20
// errors in all to `diagnostics`. Never throws, never recurses deeper than a fixed limit, linear in
// the size of the text.
[[nodiscard]] SyntaxTree parse(const SourceSet& sources, int file, Arena& arena,
                               std::vector<Diagnostic>& diagnostics);

// The text of an expression in the language, with the fewest parentheses that C's precedence needs:
// "8*h + g".
[[nodiscard]] std::string to_text(const Expr& expression);
[[nodiscard]] std::string to_text(const Ref& ref);

}  // namespace fragproof
