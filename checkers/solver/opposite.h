// What would show a claim false, as a Z3 formula: universal claims become constants that stand for
// the point at which they fail. Private to this folder.
#pragma once

#include <string>
#include <vector>

#include "checkers/solver/terms.h"

namespace fragproof {

// A formula may be satisfiable although the condition always holds (a claim is never called false
// because of it); it is never unsatisfiable unless the condition always is defined and true.
// Refuses (NotSpoken) what would need a quantifier.
class Opposite {
 public:
  explicit Opposite(Terms& terms) : terms_(terms), arithmetic_(terms.arithmetic) {}

  // Where `condition` is undefined or false.
  [[nodiscard]] z3::expr fails(const Expr& condition);

  // The points of every domain met so far: a claim is vacuous when none can have one.
  std::vector<z3::expr> inhabited;

 private:
  // A map, fragment or table over two copies of its points, or one fill of a pack.
  struct Sample {
    z3::expr inside;     // a point of the domain
    z3::expr undefined;  // ... which has no meaning
    z3::expr defined;    // the value there
    std::vector<SymbolicNumber> point;
    std::vector<SymbolicNumber> value;
    std::vector<SymbolicNumber> extents;
    bool plain = true;
    bool bounded = true;
  };

  [[nodiscard]] z3::expr undefined(const Expr& condition);
  [[nodiscard]] z3::expr fails_predicate(const Expr& expr);
  [[nodiscard]] z3::expr fails_pack(const Array& pack, Predicate predicate);
  [[nodiscard]] Sample sample(const Expr& predicate);
  [[nodiscard]] Sample sample(const Map& map);
  [[nodiscard]] Sample sample(const Table& table);
  [[nodiscard]] Sample sample(const Fill& fill, bool with_source);
  [[nodiscard]] z3::expr not_total(const Sample& sample);
  [[nodiscard]] z3::expr differs(const Sample& a, const Sample& b);
  [[nodiscard]] SymbolicNumber count(const Sample& sample);
  [[nodiscard]] bool quantified(const Expr& condition) const;
  void met(const z3::expr& inside) { inhabited.push_back(inside); }

  Terms& terms_;
  Arithmetic& arithmetic_;
  z3::expr guard_ =
      arithmetic_.truth(true);  // the points of the domains around the condition in hand
};

}  // namespace fragproof
