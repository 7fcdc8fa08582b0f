// The second meaning of an expression: a Z3 integer term, with the condition under which the
// expression is defined. Private to this folder.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "checkers/solver/session.h"
#include "spec/ast.h"

namespace fragproof {

// Thrown where an expression has no such meaning; `reason` is one sentence for the user. Never
// leaves this folder.
struct NotSpoken {
  std::string reason;
};

// A number with bounds that hold wherever it is defined (none: not known).
struct SymbolicNumber {
  z3::expr term;
  std::optional<Int> low, high;

  // The number, where it is one and the same everywhere.
  [[nodiscard]] std::optional<Int> known() const {
    return low && high && *low == *high ? low : std::nullopt;
  }
};

// A number (one member), a tuple, or a condition (`truth`). Where `defined` is false the rest means
// nothing.
struct Symbolic {
  std::vector<SymbolicNumber> numbers;
  std::optional<z3::expr> truth;
  z3::expr defined;
};

// The points of a domain as fresh constants: what must hold inside it, and where the domain itself
// has no meaning.
struct SymbolicDomain {
  std::vector<SymbolicNumber> points;
  std::vector<SymbolicNumber> extents;  // of the bounded coordinates, as many as there are
  bool bounded = true;                  // has each coordinate an extent?
  bool plain = true;  // a box: no `where`, and no extent depends on another coordinate
  z3::expr inside;
  z3::expr undefined;
};

// Numbers: C's operators on terms, each with what it needs to be defined. `defined` is and-ed to.
class Arithmetic {
 public:
  explicit Arithmetic(Session& session) : session_(session) {}

  [[nodiscard]] z3::context& context() const { return session_.context(); }
  [[nodiscard]] z3::expr truth(bool value) const { return context().bool_val(value); }
  [[nodiscard]] z3::expr both(const z3::expr& a,
                              const z3::expr& b) const;  // &&, without needless terms
  [[nodiscard]] z3::expr either(const z3::expr& a, const z3::expr& b) const;  // ||
  [[nodiscard]] z3::expr negation(const z3::expr& a) const;

  [[nodiscard]] SymbolicNumber number(Int value) const;
  [[nodiscard]] SymbolicNumber fresh(const std::string& name);  // any integer
  [[nodiscard]] z3::expr compare(Binary op, const SymbolicNumber& a, const SymbolicNumber& b) const;
  [[nodiscard]] z3::expr inside(const SymbolicNumber& value,
                                const SymbolicNumber& extent) const;  // 0 <= v < e

  [[nodiscard]] SymbolicNumber add(const SymbolicNumber& a, const SymbolicNumber& b) const;
  [[nodiscard]] SymbolicNumber subtract(const SymbolicNumber& a, const SymbolicNumber& b) const;
  [[nodiscard]] SymbolicNumber multiply(const SymbolicNumber& a, const SymbolicNumber& b) const;
  // Floor and remainder for a divisor >= 1.
  [[nodiscard]] SymbolicNumber quotient(const SymbolicNumber& a, const SymbolicNumber& b) const;
  [[nodiscard]] SymbolicNumber remainder(const SymbolicNumber& a, const SymbolicNumber& b) const;
  [[nodiscard]] SymbolicNumber smallest(const SymbolicNumber& a, const SymbolicNumber& b) const;
  [[nodiscard]] SymbolicNumber largest(const SymbolicNumber& a, const SymbolicNumber& b) const;
  [[nodiscard]] SymbolicNumber choose(const z3::expr& condition, const SymbolicNumber& a,
                                      const SymbolicNumber& b) const;
  [[nodiscard]] SymbolicNumber power_of_two(const SymbolicNumber& exponent);  // exact up to 2^127
  // Two's complement without end. One operand must be a constant or have bounds within 0 .. 2^16-1.
  [[nodiscard]] SymbolicNumber bit_and(const SymbolicNumber& a, const SymbolicNumber& b) const;

  // The binary operator `op` on two numbers, of those that yield a number.
  [[nodiscard]] SymbolicNumber apply(Binary op, const SymbolicNumber& a, const SymbolicNumber& b,
                                     z3::expr& defined);

 private:
  [[nodiscard]] SymbolicNumber mask(const SymbolicNumber& a,
                                    Int bits) const;  // a & bits, bits >= 0

  Session& session_;
  int fresh_ = 0;
};

// Expressions. Sizes are constants >= 1 and tables without values are functions; what is known of
// them gathers in `facts`. Refuses (NotSpoken) quantifiers inside values, inverses, contents,
// metrics, carries and kernels.
class Terms {
 public:
  explicit Terms(Session& session) : arithmetic(session), session_(session) {}

  // A place where a table without values was read.
  struct Reading {
    std::vector<SymbolicNumber> index;
    z3::expr inside;
    z3::expr value;
  };

  [[nodiscard]] Symbolic evaluate(const Expr& expr);
  [[nodiscard]] SymbolicDomain points_of(
      const Domain& domain);  // binds the coordinates to fresh constants
  // The outputs of `map` at the point that its coordinates are bound to, which lies in its domain.
  [[nodiscard]] Symbolic outputs_of(const Map& map);
  [[nodiscard]] Symbolic look_up(const Table& table, const std::vector<SymbolicNumber>& index);
  // The first bit of a place and whether it lies in its array.
  [[nodiscard]] SymbolicNumber bit_of(const Ref& ref, z3::expr& defined);
  [[nodiscard]] SymbolicNumber bits_of(const Array& array, z3::expr& defined);  // its length

  Arithmetic arithmetic;
  std::vector<z3::expr> facts;
  std::vector<SymbolicNumber> sizes;  // those that were met
  std::vector<std::pair<const Table*, std::vector<Reading>>> readings;

 private:
  [[nodiscard]] Symbolic evaluate_unary(const Expr& expr);
  [[nodiscard]] Symbolic evaluate_binary(const Expr& expr);
  [[nodiscard]] Symbolic evaluate_equality(const Expr& expr);
  [[nodiscard]] Symbolic evaluate_conditional(const Expr& expr);
  [[nodiscard]] Symbolic evaluate_builtin(const Expr& expr);
  [[nodiscard]] Symbolic evaluate_width(const Expr& expr);
  [[nodiscard]] Symbolic evaluate_call(const Expr& expr);  // what a width does not look into
  [[nodiscard]] Symbolic evaluate_variable(const Variable& variable);
  [[nodiscard]] Symbolic evaluate_digits(const Expr& expr);
  [[nodiscard]] Symbolic evaluate_cute(const Expr& expr);
  [[nodiscard]] Symbolic apply(const Map& map, const std::vector<SymbolicNumber>& arguments,
                               const z3::expr& defined);
  [[nodiscard]] std::vector<SymbolicNumber> evaluate_list(const std::vector<Expr*>& list,
                                                          z3::expr& defined);
  [[nodiscard]] SymbolicNumber evaluate_number(const Expr& expr, z3::expr& defined);
  [[nodiscard]] SymbolicNumber as_number(const Symbolic& value) const;
  [[nodiscard]] Symbolic made(SymbolicNumber number,
                              z3::expr defined);  // checks the width that is in force
  [[nodiscard]] Symbolic made(const z3::expr& truth, z3::expr defined) const;
  void split(const std::vector<DigitBinding>& digits, const SymbolicNumber& value,
             z3::expr& defined);
  void bind(const Variable* variable, Symbolic value) {
    bound_.insert_or_assign(variable, std::move(value));
  }
  [[nodiscard]] std::vector<Reading>& readings_of(const Table& table);

  struct Width {
    int bits = 0;
    bool is_signed = false;
  };
  Session& session_;
  std::unordered_map<const Variable*, Symbolic> bound_;
  std::optional<Width> width_;
  std::int64_t steps_ = 0;
};

}  // namespace fragproof
