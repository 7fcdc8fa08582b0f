// The search is that of `enumerate`, with the given sizes pinned.
#include "checkers/complete_point.h"

#include <algorithm>

#include "checkers/enumerate/shape_search.h"
#include "checkers/enumerate/uses.h"

namespace fragproof {

NamedValues complete_point(const Question& question, const NamedValues& given,
                           const std::atomic<bool>* stop) {
  constexpr std::int64_t most_candidates = 2'000'000;
  const Spec& spec = *question.spec;
  if (given.size() >= spec.sizes.size()) return given;
  std::vector<std::pair<const Variable*, Int>> fixed;
  for (const Variable* size : spec.sizes) {
    for (const auto& [name, value] : given) {
      if (name == size->name) fixed.emplace_back(size, value);
    }
  }
  std::vector<const Expr*> conjuncts;
  for (const Expr* require : question.requires_) split_conjuncts(require, conjuncts);
  if (question.where_clause != nullptr) split_conjuncts(question.where_clause, conjuncts);
  const std::vector<const Variable*> sizes(spec.sizes.begin(), spec.sizes.end());
  ShapeSearch search(spec, sizes, conjuncts, fixed, most_candidates, stop);
  const std::vector<SizeVector> vectors = search.next(1);
  if (vectors.empty()) return given;
  NamedValues complete;
  for (const Variable* size : spec.sizes) {
    const auto at = std::find(search.sizes().begin(), search.sizes().end(), size);
    if (at == search.sizes().end()) return given;
    complete.emplace_back(size->name,
                          vectors[0].values[static_cast<std::size_t>(at - search.sizes().begin())]);
  }
  return complete;
}

}  // namespace fragproof
