// The locals of a generated C++ function: what an expression needs computed before it can be
// written down (lets of the file, digits of coordinates, lets and earlier outputs of a map), in
// order, and no more.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "spec/ast.h"
#include "spec/cpp_expression.h"

namespace fragproof {

// Where a function's names come from: the domains whose coordinates are its parameters, then what
// is bound behind them, in the order written.
struct CppFrame {
  struct Step {
    const Binding* binding = nullptr;
    const OutputDef* output = nullptr;
  };
  std::vector<const Domain*> domains;
  std::vector<Step> steps;
};
[[nodiscard]] CppFrame cpp_frame(const Map& map);

class CppBody {
 public:
  // `scope` names sizes and tables; the body adds the frame's own names to it.
  CppBody(const CppFrame& frame, CppScope scope);

  // What `expr` mentions will be among the locals.
  void need(const Expr& expr);
  // The declarations, one a line without indentation. Throws CppUnsupported.
  [[nodiscard]] std::vector<std::string> locals() const;
  [[nodiscard]] const CppScope& scope() const { return scope_; }
  [[nodiscard]] const std::string& name(const Variable* variable) const {
    return scope_.names.at(variable);
  }
  // Names something that is neither coordinate nor local: a parameter.
  void add(const Variable* variable);

 private:
  // How a variable gets its value.
  struct Origin {
    const std::vector<DigitBinding>* digits = nullptr;  // a digit: of these, at `position`, ..
    std::size_t position = 0;
    const Variable* of = nullptr;         // .. of this coordinate, ..
    const Binding* of_binding = nullptr;  // .. or of the value of this
    const Binding* binding = nullptr;     // a let or carry
    const OutputDef* output = nullptr;
    bool file_let = false;
  };
  using Lines = std::vector<std::string>;

  void origin(const Variable* variable, Origin from);
  void digits(const std::vector<DigitBinding>& digits, const Variable* of, const Binding* binding);
  void need(const Variable* variable);
  void let(const Variable* variable, const Expr& value, const CppScope& scope, Lines& lines) const;
  void declare(const Variable* variable, const CppScope& scope, Lines& lines) const;
  void carry(const Binding& binding, const CppScope& scope, Lines& lines) const;
  [[nodiscard]] bool depends(const Expr& expr, const Variable* on) const;
  [[nodiscard]] bool depends(const Variable* variable, const Variable* on) const;
  Lines again(const Binding& carry, const Expr& for_what, const std::string& step, CppScope& scope,
              const std::string& suffix) const;

  CppScope scope_;
  std::set<std::string> taken_;
  std::unordered_map<const Variable*, Origin> origins_;
  std::vector<const Variable*> order_;  // of declaration: file lets are put before all
  std::set<const Variable*> needed_;
};

// Calls `visit` for every variable, map and table that an expression mentions itself.
struct CppMentions {
  std::vector<const Variable*> variables;
  std::vector<const Map*> maps;
  std::vector<const Table*> tables;
  void add(const Expr& expr);
  void add(const Domain& domain);
  void add(const Ref& ref);
};

}  // namespace fragproof
