// What a condition speaks of, all lets, maps, tables, arrays and kernels followed: its sizes and
// tables.
#pragma once

#include <set>
#include <vector>

#include "spec/ast.h"

namespace fragproof {

class Uses {
 public:
  void add(const Expr* expr);
  void add(const Kernel& kernel);  // with its loads, lets, arrays and the tensors of its equation
  void add(const Array& array);

  std::set<const Variable*> sizes;
  std::set<Int> numbers;          // literals
  std::set<const Table*> tables;  // uninterpreted ones only
  bool has_width = false;         // some iN(e) or uN(e)
  bool has_kernel = false;        // an obligation or a load's metric
  bool has_points = false;        // a forall, predicate, metric or kernel: something with a domain

 private:
  void add(const Domain& domain);
  void add(const Ref& ref);
  void add(const Binding& binding);
  void add(const Map& map);
  void add(const Table& table);
  void add(const Fill& fill);
  std::set<const void*> seen_;
};

// The conjuncts of a condition, in order.
void split_conjuncts(const Expr* expr, std::vector<const Expr*>& out);

// Can the expression be undefined for some sizes? (May say yes wrongly, never no.)
[[nodiscard]] bool may_be_undefined(const Expr& expr);

}  // namespace fragproof
