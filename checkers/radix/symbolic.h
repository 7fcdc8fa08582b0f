// The symbolic meaning of an expression: the same parsed tree that the host evaluates, over
// polynomials.
//
// Evaluation shows on the way that everything is defined (LANGUAGE.md section 3 in
// spec/grammar.md); what it cannot show ends the proof with a reason. It never says that something
// is undefined: only enumeration refutes.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "checkers/radix/arithmetic.h"
#include "checkers/radix/condition.h"
#include "checkers/radix/context.h"
#include "spec/ast.h"

namespace fragproof::radix {

// Where the bits at a place come from: granule `granule` of a tensor, or zeros (no tensor).
struct Origin {
  const Array* tensor = nullptr;
  Poly granule;
};

class Evaluator {
 public:
  Evaluator(Context& context, const Spec& spec);

  struct Value {
    enum class Kind { Number, Condition, Tuple, Place } kind = Kind::Number;
    Poly number;
    ConditionPtr condition;
    std::vector<Poly> tuple;
    const Ref* place = nullptr;
  };
  struct BoundCoordinate {
    const Variable* variable = nullptr;
    Poly value;
    std::optional<Poly> extent;  // none: all integers >= 0
  };
  struct BoundDomain {
    std::vector<BoundCoordinate> coordinates;
    ConditionPtr guard = always();  // of `where`, not yet assumed
    bool empty =
        false;  // an extent is 0: no point, and the coordinates from there on are not bound
  };

  [[nodiscard]] Value value(const Expr& e);
  [[nodiscard]] Poly number(const Expr& e);
  [[nodiscard]] ConditionPtr condition(const Expr& e);
  [[nodiscard]] std::vector<Poly> numbers(
      const std::vector<Expr*>& args);  // tuples stand for their members

  // Fresh symbols for the coordinates; shows that each extent is >= 0. `key` makes the symbols'
  // names unique. Whoever calls it must say what no point at all (`empty`) means.
  BoundDomain bind(const Domain& domain, const std::string& key, bool existential);
  // The coordinates as given; shows that each is in range and that the `where` holds.
  void bind_to(const Domain& domain, const std::vector<Poly>& values, const std::string& what);
  // Body of a map with its coordinates bound: the outputs, each in its codomain.
  [[nodiscard]] std::vector<Poly> outputs(const Map& map);
  [[nodiscard]] std::vector<Poly> apply(const Map& map, const std::vector<Poly>& args);
  [[nodiscard]] std::vector<Poly> inverse(const Map& map, const std::vector<Poly>& args);
  void bind_let(const Binding& binding);

  // ---- arrays (places.cpp)
  // -------------------------------------------------------------------------------------------
  [[nodiscard]] int granule_bits() const { return granule_; }
  [[nodiscard]] Poly granules(const Array& array);  // its size
  [[nodiscard]] Poly address(const Ref& ref);       // first granule of the place, shown inside
  [[nodiscard]] Origin origin(const Array& array, const Poly& granule);
  [[nodiscard]] ConditionPtr same_contents(const Ref& a, const Ref& b);
  void show_conditions(const Array& array);  // a chain's reshapes have equal counts

  // ---- predicates (predicates.cpp) and metrics (metrics.cpp)
  // -----------------------------------------------------------
  void show_predicate(const Expr& e);
  void show_total(const Map& map);
  void show_pack_predicate(const Array& array, Predicate predicate);
  void show_fills_apart(const Array& array);  // each inside, injective, disjoint
  [[nodiscard]] Poly metric(const Expr& e);
  // Its value, or, with a second member, a number that is no larger than that; as if there were a
  // point.
  [[nodiscard]] std::pair<Poly, std::optional<Poly>> metric_at_all(const Expr& e);
  [[nodiscard]] bool some_point_of(const Expr& e);
  // Is there a point, seen by all coordinates at 0? Leaves them at 0.
  [[nodiscard]] bool surely_some(const Domain& domain);

  void set(const Variable* variable, const Poly& value);
  [[nodiscard]] bool has(const Variable* variable) const { return env_.count(variable) != 0; }
  void forget(const Variable* variable) { env_.erase(variable); }
  void need(const Poly& p, const std::string& what);  // p >= 0, or the proof ends

  Context& context;
  const Spec& spec;
  bool may_split = true;     // an undecided order may become two cases
  bool check_widths = true;  // `i32(e)` must fit; a kernel asks that in `overflow` alone
  std::string path = "q";    // prefix of the keys of fresh symbols

  // Values of unknown tables met so far, and the tables that a require says are injective.
  struct TableValue {
    const Table* table;
    Poly value;
    std::vector<Poly> args;
  };
  std::vector<TableValue> table_values;
  // Each with the hypothesis that says so.
  std::map<const Table*, Needs> injective_tables;
  std::map<const Table*, Needs> bijective_tables;
  std::vector<std::string> notes;  // worth a line in the report, e.g. the inferred k permutation

  // determines() of solve.h, which also reads the index off a value of an injective table.
  [[nodiscard]] bool determined(const std::vector<Poly>& outputs,
                                const std::vector<Poly>& coordinates);

 private:
  [[nodiscard]] Value binary(const Expr& e);
  [[nodiscard]] Value variable(const Expr& e);
  [[nodiscard]] Poly lookup(const Expr& e);
  [[nodiscard]] Poly table_value(const Table& table, const Poly& index,
                                 const std::vector<Poly>& args);
  [[nodiscard]] Poly cute(const CuteMode& mode, const Poly& index);
  [[nodiscard]] Poly shift_factor(const Expr& amount);
  [[nodiscard]] ConditionPtr forall(const Expr& e);
  [[nodiscard]] Poly carried(const Binding& binding);
  [[nodiscard]] Value computed(Value v);  // within a width, if one is being asked
  void bind_digits(const std::vector<DigitBinding>& digits, const Poly& value,
                   const std::string& what);
  [[nodiscard]] const Binding* binding_of(const Variable* variable) const;

  std::unordered_map<const Variable*, Value> env_;
  std::unordered_map<const Variable*, const Binding*> carries_;
  int granule_ = 0;
  struct Width {
    Int low, high;
  };
  std::optional<Width> width_;
  int depth_ = 0;
};

// gcd of all widths that the file's places, elements and operands have.
[[nodiscard]] int granule_of(const Spec& spec);

}  // namespace fragproof::radix
