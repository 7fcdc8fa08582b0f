// One question at one shape: see shape_judge.h.
#include "checkers/enumerate/shape_judge.h"

#include <algorithm>
#include <set>

#include "checkers/enumerate/explain.h"
#include "checkers/enumerate/kernel_judge.h"
#include "checkers/enumerate/kernel_memo.h"
#include "checkers/enumerate/overflow_corners.h"
#include "checkers/enumerate/table_choices.h"
#include "spec/syntax.h"

namespace fragproof {
namespace {}  // namespace

ShapeJudge::ShapeJudge(const Question& question, std::vector<const Variable*> sizes,
                       std::vector<std::pair<const Variable*, Int>> rest,
                       std::vector<const Expr*> late, std::vector<const Table*> tables,
                       bool tables_matter, const std::atomic<bool>* stop)
    : question_(question),
      sizes_(std::move(sizes)),
      rest_(std::move(rest)),
      late_(std::move(late)),
      tables_(std::move(tables)),
      tables_matter_(tables_matter),
      stop_(stop) {}

Shape ShapeJudge::shape_of(const SizeVector& vector) const {
  Shape shape;
  for (std::size_t i = 0; i < sizes_.size(); ++i)
    shape.sizes.emplace_back(sizes_[i], vector.values[i]);
  shape.sizes.insert(shape.sizes.end(), rest_.begin(), rest_.end());
  return shape;
}

void ShapeJudge::complete(Counterexample& counterexample, const SizeVector& vector,
                          const Shape& shape) const {
  counterexample.sizes.clear();
  for (std::size_t i = 0; i < sizes_.size(); ++i)
    counterexample.sizes.emplace_back(sizes_[i]->name, vector.values[i]);
  counterexample.tables.clear();
  for (const auto& [table, values] : shape.tables)
    counterexample.tables.emplace_back(table->name, values);
}

Values ShapeJudge::judge_many(const std::vector<SizeVector>& vectors, std::size_t first,
                              std::size_t count) {
  Batch batch;
  batch.size = count;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    std::vector<std::int64_t> values(count);
    for (std::size_t v = 0; v < count; ++v) values[v] = vectors[first + v].values[i];
    batch.bind(sizes_[i], Values(Column(std::move(values))));
  }
  Shape shape;
  shape.sizes = rest_;
  Evaluator evaluator(*question_.spec, std::move(shape));
  points_ += static_cast<std::int64_t>(count);
  return evaluator.evaluate_over_sizes(*question_.condition, batch);
}

Judgement ShapeJudge::judge(const SizeVector& vector, const Effort& effort) {
  Evaluator::Options options;
  options.unbounded = effort.unbounded;
  options.corners = effort.corners;
  options.image_cells = effort.image_cells;
  options.points = effort.points;
  options.stop = stop_;
  const Shape shape = shape_of(vector);
  if (vector.undefined != nullptr) {
    Evaluator evaluator(*question_.spec, shape, options, scalar_of_atom);
    const Scalar scalar = evaluator.scalar(*vector.undefined);
    Judgement judgement;
    judgement.kind = Judgement::Kind::Fails;
    Counterexample& why = judgement.counterexample.emplace();
    why.found = "undefined";
    why.text =
        "the requirement `" + to_text(*vector.undefined) + "` is undefined: " + scalar.reason;
    complete(why, vector, shape);
    return judgement;
  }
  if (tables_.empty()) {
    Evaluator evaluator(*question_.spec, shape, options, scalar_of_atom);
    Judgement judgement = judge_table(evaluator, vector);
    points_ += evaluator.points();
    return judgement;
  }

  Evaluator sizes(*question_.spec, shape, options);
  const TableChoices choices = choose_tables(sizes, tables_, late_, effort.tables);
  Judgement all;
  all.kind = Judgement::Kind::Excluded;
  all.all_tables = choices.all;
  std::int64_t spent = 0;
  for (const auto& choice : choices.choices) {
    Shape chosen = shape;
    chosen.tables = choice;
    options.points = effort.points - spent;
    Evaluator evaluator(*question_.spec, chosen, options, scalar_of_atom);
    Judgement one = judge_table(evaluator, vector);
    spent += evaluator.points();
    points_ += evaluator.points();
    one.all_tables = choices.all;
    switch (one.kind) {
      case Judgement::Kind::Excluded:
        break;
      case Judgement::Kind::Fails:
        return one;
      case Judgement::Kind::Unknown:
        return one;
      case Judgement::Kind::Holds:
        all.kind = one.kind;
        break;
      case Judgement::Kind::Vacuous:
        if (all.kind == Judgement::Kind::Excluded) all.kind = one.kind;
        break;
    }
    if (!tables_matter_ && all.kind != Judgement::Kind::Excluded) {
      all.all_tables = true;  // another table would not change the question
      return all;
    }
    if (stop_ != nullptr && stop_->load()) {
      all.kind = Judgement::Kind::Unknown;
      all.reason = "interrupted";
      return all;
    }
  }
  return all;
}

Judgement ShapeJudge::judge_table(Evaluator& evaluator, const SizeVector& vector) {
  Judgement out;
  for (const Expr* conjunct : late_) {
    const Scalar scalar = evaluator.scalar(*conjunct);
    if (scalar.outcome == Outcome::Ok && scalar.value != 0) continue;
    if (scalar.outcome == Outcome::Ok) {
      out.kind = Judgement::Kind::Excluded;
      out.reason = "`" + to_text(*conjunct) + "` is false";
      return out;
    }
    if (scalar.outcome == Outcome::Overflow) {
      out.kind = Judgement::Kind::Unknown;
      out.reason = scalar.reason;
      return out;
    }
    out.kind = Judgement::Kind::Fails;
    Counterexample& why = out.counterexample.emplace();
    why.found = "undefined";
    why.text = "the requirement `" + to_text(*conjunct) + "` is undefined: " + scalar.reason;
    complete(why, vector, evaluator.shape());
    return out;
  }
  evaluator.domains_met = 0;
  evaluator.domains_with_points = 0;
  evaluator.clear_undecided();

  if (question_.kernel != nullptr && evaluator.options().corners) {
    // Only what a single point refutes can be looked for at the extremes.
    out.kind = Judgement::Kind::Unknown;
    if (question_.obligation != Obligation::Overflow) return out;
    out.counterexample = overflow_at_corners(evaluator, *question_.kernel);
    if (!out.counterexample) return out;
    out.kind = Judgement::Kind::Fails;
    complete(*out.counterexample, vector, evaluator.shape());
    return out;
  }
  if (question_.kernel != nullptr) {
    std::int64_t points = 0;
    const std::int64_t before = evaluator.points();
    const bool alone =
        question_.claim != nullptr && question_.claim->condition->obligation.has_value();
    KernelVerdict verdict = question_.obligation
                                ? judge_kernel_once(*question_.spec, evaluator, *question_.kernel,
                                                    *question_.obligation, alone, points)
                                : judge_kernel(evaluator, *question_.kernel, std::nullopt, points);
    const std::int64_t walked = evaluator.points() - before;
    if (points > walked) evaluator.spend(points - walked);
    out.reason = verdict.reason;
    out.note = verdict.note;
    if (verdict.unknown) {
      out.kind = Judgement::Kind::Unknown;
    } else if (verdict.vacuous) {
      out.kind = Judgement::Kind::Vacuous;
    } else if (verdict.holds) {
      out.kind = Judgement::Kind::Holds;
    } else {
      out.kind = Judgement::Kind::Fails;
      out.counterexample =
          verdict.counterexample ? std::move(*verdict.counterexample) : Counterexample();
      if (out.counterexample->text.empty()) out.counterexample->text = verdict.reason;
      complete(*out.counterexample, vector, evaluator.shape());
    }
    return out;
  }

  const Scalar scalar = evaluator.scalar(*question_.condition);
  if (scalar.outcome == Outcome::Overflow) {
    out.kind = Judgement::Kind::Unknown;
    out.reason = scalar.reason;
  } else if (scalar.outcome == Outcome::Ok && scalar.value != 0) {
    const bool empty = evaluator.domains_met > 0 && evaluator.domains_with_points == 0;
    out.kind = empty ? Judgement::Kind::Vacuous : Judgement::Kind::Holds;
  } else {
    out.kind = Judgement::Kind::Fails;
    // The budget has done its work: what is left is to show the point.
    evaluator.options().points = INT64_MAX;
    out.counterexample = explain_failure(evaluator, *question_.condition, Batch());
    complete(*out.counterexample, vector, evaluator.shape());
  }
  return out;
}

}  // namespace fragproof
