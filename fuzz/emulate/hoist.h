// Splits a kernel's index expressions by what they depend on, so that each part is evaluated as few
// times as it can be: once a point of parallel and reduce, once a lane, and only what mixes both
// once for each pair. The values are the evaluator's; nothing is computed here.
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "checkers/enumerate/kernel_points.h"
#include "spec/eval.h"

namespace fragproof {

class Hoist {
 public:
  // Reads the kernel's indices and lets. Expressions to be evaluated are then given to split().
  explicit Hoist(const Kernel& kernel);
  Hoist(const Hoist&) = delete;
  Hoist& operator=(const Hoist&) = delete;

  // The same expression (place) with its parts replaced by variables that batch() binds. Lives as
  // long as this.
  [[nodiscard]] const Expr* split(const Expr* expr);
  [[nodiscard]] Ref split(const Ref& ref);

  // Can the kernel be split? If not (a loop-carried value that depends on the lane), the caller
  // evaluates the original expressions at KernelPoints::with_lanes.
  [[nodiscard]] bool possible() const { return possible_; }

  // Evaluates the parts that depend on the lane alone, for this shape. Before the first batch().
  void start(Evaluator& evaluator, int lanes);
  // All (point, lane) pairs of a chunk of points, lane fastest, with everything bound that split
  // expressions speak of; `failed` marks pairs at which some let is undefined.
  [[nodiscard]] Batch batch(Evaluator& evaluator, const KernelPoints::Chunk& points,
                            std::vector<std::uint8_t>& failed);

  // Evaluates all parts at a batch that has every variable bound: the way without splitting.
  void bind_parts(Evaluator& evaluator, Batch& batch) const;

 private:
  struct Depends {
    bool point = false, lane = false, slot = false;
    void operator|=(const Depends& other) {
      point |= other.point;
      lane |= other.lane;
      slot |= other.slot;
    }
  };
  struct Part {
    const Expr* expr = nullptr;
    const Variable* variable = nullptr;
  };

  [[nodiscard]] Depends depends_of(const Expr* expr) const;
  const Expr* part(const Expr& expr, std::vector<Part>& parts);
  void need(const Expr& expr);
  void need(const Variable* variable);

  const Kernel& kernel_;
  bool possible_ = true;
  std::unordered_map<const Variable*, Depends> depends_;
  std::deque<Expr> exprs_;
  std::deque<Variable> variables_;
  std::vector<Part> point_parts_, lane_parts_;
  std::vector<const Variable*> point_variables_, lane_variables_;  // used as they are
  std::vector<const Binding*> lane_bindings_;                      // of the lane alone
  std::vector<Part> mixed_lets_;                                   // in the order written
  Batch lane_batch_;                                               // of the present shape
  std::vector<std::uint8_t> lane_failed_;
};

}  // namespace fragproof
