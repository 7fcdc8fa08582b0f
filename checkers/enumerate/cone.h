// Which sizes, tables and requires a question depends on: its own, and all that the requires
// connect with them.
#pragma once

#include <vector>

#include "checkers/engine.h"
#include "checkers/enumerate/uses.h"

namespace fragproof {

struct Cone {
  Uses uses;                           // of the condition alone
  std::vector<const Variable*> sizes;  // in order of declaration
  std::vector<std::size_t>
      relevant;  // indices into `sizes` of those that the condition itself speaks of
  std::vector<const Table*> tables;    // uninterpreted ones
  bool tables_matter = false;          // the condition itself speaks of one
  std::vector<const Expr*> conjuncts;  // of the requires and the where, in order
  std::vector<const Variable*>
      other_sizes;  // the rest, which must be admissible and matter no further
  std::vector<const Expr*> other_conjuncts;
};

[[nodiscard]] Cone cone_of(const Question& question);

}  // namespace fragproof
