// One question at one shape, for every table that can be chosen there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checkers/engine.h"
#include "checkers/enumerate/shape_search.h"
#include "checkers/enumerate/uses.h"
#include "spec/eval.h"

namespace fragproof {

struct Judgement {
  enum class Kind {
    Excluded,  // a require fails (for each table)
    Holds,
    Vacuous,  // holds, and every domain is empty
    Fails,    // with a counterexample
    Unknown,  // with a reason
  };
  Kind kind = Kind::Holds;
  bool all_tables = true;  // no other table is possible
  std::string reason;
  std::string note;  // of a kernel's obligation
  std::optional<Counterexample> counterexample;
};

class ShapeJudge {
 public:
  struct Effort {
    Int unbounded = 16;
    bool corners = false;  // see Evaluator::Options
    std::int64_t image_cells = std::int64_t{1} << 26;
    std::int64_t points = INT64_MAX;  // that the shape may cost
    std::size_t tables = 1000;        // choices
  };

  // `sizes`: those that the search varies; `rest`: the values of all others. `late`: conjuncts that
  // the search left.
  ShapeJudge(const Question& question, std::vector<const Variable*> sizes,
             std::vector<std::pair<const Variable*, Int>> rest, std::vector<const Expr*> late,
             std::vector<const Table*> tables, bool tables_matter, const std::atomic<bool>* stop);

  [[nodiscard]] Judgement judge(const SizeVector& vector, const Effort& effort);
  // The condition over many vectors at once: the outcome, and the value, of each. For conditions
  // that are about sizes alone.
  [[nodiscard]] Values judge_many(const std::vector<SizeVector>& vectors, std::size_t first,
                                  std::size_t count);

  [[nodiscard]] std::int64_t points() const { return points_; }

 private:
  [[nodiscard]] Judgement judge_table(Evaluator& evaluator, const SizeVector& vector);
  void complete(Counterexample& counterexample, const SizeVector& vector, const Shape& shape) const;
  [[nodiscard]] Shape shape_of(const SizeVector& vector) const;

  const Question& question_;
  std::vector<const Variable*> sizes_;
  std::vector<std::pair<const Variable*, Int>> rest_;
  std::vector<const Expr*> late_;
  std::vector<const Table*> tables_;
  bool tables_matter_;
  const std::atomic<bool>* stop_;
  std::int64_t points_ = 0;
};

}  // namespace fragproof
