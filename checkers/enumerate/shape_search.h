// The vectors of sizes that satisfy the conjuncts of the requires, smallest sum first, then in
// order of declaration.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "checkers/enumerate/size_bounds.h"
#include "spec/eval.h"

namespace fragproof {

// One admissible vector. `undefined`: the conjunct that is undefined there, all before it being
// true.
struct SizeVector {
  std::vector<std::int64_t> values;  // in the order of the sizes given
  const Expr* undefined = nullptr;
};

class ShapeSearch {
 public:
  // `conjuncts`: in order; those that cannot be judged over sizes alone are left to the caller (see
  // `late`). `fixed` pins sizes. `limit`: candidate vectors that the search may look at, in all.
  ShapeSearch(const Spec& spec, std::vector<const Variable*> sizes,
              const std::vector<const Expr*>& conjuncts,
              const std::vector<std::pair<const Variable*, Int>>& fixed, std::int64_t limit,
              const std::atomic<bool>* stop);

  // The next vectors: all with larger sums than those before, up to some sum; about `about` of them
  // or fewer, in order. Empty when there are no more, or the limit is reached.
  [[nodiscard]] std::vector<SizeVector> next(std::size_t about);

  // After next() came back empty: were all vectors told? (Else the limit was reached.)
  [[nodiscard]] bool complete() const { return complete_ && !doubtful_; }
  [[nodiscard]] const std::vector<const Variable*>& sizes() const { return sizes_; }
  // The conjuncts left to the caller, in order: with the first of these, all that follow.
  [[nodiscard]] const std::vector<const Expr*>& late() const { return late_; }
  [[nodiscard]] const std::vector<SizeBounds>& bounds() const { return bounds_; }
  [[nodiscard]] std::int64_t looked_at() const { return looked_at_; }

  // An admissible vector near `target` from below: each size at most its target, as near as a few
  // tries find. Nothing when none is found.
  [[nodiscard]] std::optional<SizeVector> near(const std::vector<std::int64_t>& target);

 private:
  struct Conjunct {
    const Expr* expr = nullptr;
    std::size_t level = 0;   // judged when that many sizes are set
    std::size_t number = 0;  // its place in the order
  };
  struct Modulus {  // size % expr == rest
    const Expr* expr = nullptr;
    const Expr* rest = nullptr;  // null: 0
  };
  struct Level {
    std::size_t size = 0;          // index into sizes_
    const Expr* equals = nullptr;  // its value, from sizes of earlier levels
    std::vector<Modulus> moduli;   // of earlier levels
    std::vector<const Expr*>
        floors;  // the size is at least each of these, which never fall when a size grows
    std::vector<Conjunct> conjuncts;
  };
  struct Rows;

  void plan(const std::vector<const Expr*>& conjuncts);
  void find_bounds(const std::vector<const Expr*>& firm);
  void expand(std::size_t level, const Rows& rows);
  void filter(const Level& level, Rows& rows);
  void drop_too_large(std::size_t level, Rows& rows);
  void collect(const Rows& rows);
  void round(std::int64_t from, std::int64_t to);
  [[nodiscard]] bool out_of_budget() const;

  const Spec* spec_;
  std::vector<const Variable*> sizes_;
  std::unique_ptr<Evaluator> evaluator_;
  std::vector<SizeBounds> bounds_;
  std::vector<Level> levels_;
  std::vector<std::int64_t> rest_low_;  // by level: the least sum of the sizes from there on
  std::vector<const Expr*> all_;        // conjuncts by number
  std::vector<const Expr*> late_;
  std::vector<Conjunct> constants_;  // conjuncts without sizes
  std::int64_t limit_;
  const std::atomic<bool>* stop_;
  std::int64_t looked_at_ = 0;
  std::int64_t done_ = -1;  // sums up to here are told
  std::int64_t step_ = 0;
  bool complete_ = false;
  bool doubtful_ = false;  // some conjunct could not be decided somewhere
  // Of the round that runs:
  std::int64_t from_ = 0, to_ = 0;
  std::size_t most_ = 0;
  bool cut_ = false;  // values were left out because of the sum
  bool overfull_ = false;
  std::vector<SizeVector> found_;
};

}  // namespace fragproof
