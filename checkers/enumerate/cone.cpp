// Which sizes, tables and requires a question depends on: see cone.h.
#include "checkers/enumerate/cone.h"

#include <algorithm>
#include <set>

namespace fragproof {

Cone cone_of(const Question& question) {
  Cone cone;
  if (question.kernel != nullptr) cone.uses.add(*question.kernel);
  cone.uses.add(question.condition);
  Uses all = cone.uses;
  all.add(question.where_clause);

  std::vector<const Expr*> conjuncts;
  for (const Expr* require : question.requires_) split_conjuncts(require, conjuncts);
  split_conjuncts(question.where_clause, conjuncts);
  std::vector<Uses> of(conjuncts.size());
  for (std::size_t i = 0; i < conjuncts.size(); ++i) of[i].add(conjuncts[i]);

  std::set<const Variable*> sizes = all.sizes;
  std::set<const Table*> tables = all.tables;
  std::vector<bool> inside(conjuncts.size(), false);
  const auto touches = [&](const Uses& uses) {
    return std::any_of(uses.sizes.begin(), uses.sizes.end(),
                       [&](const Variable* size) { return sizes.count(size) > 0; }) ||
           std::any_of(uses.tables.begin(), uses.tables.end(),
                       [&](const Table* table) { return tables.count(table) > 0; });
  };
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t i = 0; i < conjuncts.size(); ++i) {
      const bool constant = of[i].sizes.empty() && of[i].tables.empty();
      if (inside[i] || (!constant && !touches(of[i]))) continue;
      inside[i] = grown = true;
      sizes.insert(of[i].sizes.begin(), of[i].sizes.end());
      tables.insert(of[i].tables.begin(), of[i].tables.end());
    }
  }

  for (const Variable* size : question.spec->sizes) {
    (sizes.count(size) > 0 ? cone.sizes : cone.other_sizes).push_back(size);
  }
  for (std::size_t i = 0; i < cone.sizes.size(); ++i) {
    if (cone.uses.sizes.count(cone.sizes[i]) > 0) cone.relevant.push_back(i);
  }
  for (const Table* table : question.spec->tables) {
    if (tables.count(table) == 0) continue;
    cone.tables.push_back(table);
    cone.tables_matter = cone.tables_matter || cone.uses.tables.count(table) > 0;
  }
  for (std::size_t i = 0; i < conjuncts.size(); ++i) {
    (inside[i] ? cone.conjuncts : cone.other_conjuncts).push_back(conjuncts[i]);
  }
  return cone;
}

}  // namespace fragproof
