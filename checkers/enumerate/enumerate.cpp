// The enumerator's order of work: shapes from the smallest on, then a directed search where widths
// can overflow.
#include "checkers/enumerate/enumerate.h"

#include <algorithm>
#include <memory>
#include <set>

#include "checkers/enumerate/cone.h"
#include "checkers/enumerate/directed.h"
#include "checkers/enumerate/explain.h"
#include "checkers/enumerate/probe.h"
#include "checkers/enumerate/shape_judge.h"
#include "checkers/enumerate/shape_search.h"
#include "checkers/enumerate/table_choices.h"
#include "spec/syntax.h"

namespace fragproof {
namespace {

// From this budget on, the first shape may overdraw it (up to so many points), and extra searches
// are made.
constexpr std::int64_t generous_budget = 10'000'000;
constexpr std::int64_t first_shape_points = 64'000'000;
constexpr std::int64_t first_shapes = 20;  // judged before any is tried out of order
// Shapes judged to show that a counterexample met out of order is the smallest; the sum of its
// sizes up to which that is tried for one of the directed search.
constexpr std::int64_t settle_shapes = 50'000;
constexpr Int settled_sum = 4'096;
constexpr std::size_t probes_at_most = 200;
constexpr std::int64_t probe_points = 400'000;  // a shape
constexpr std::int64_t rest_limit = 200'000;    // vectors looked at for sizes that do not matter
constexpr int directed_evaluations = 1'500;
constexpr std::int64_t directed_points = 200'000;  // a shape of the directed search
constexpr std::int64_t unbounded_first = 16;
constexpr std::int64_t unbounded_more = 160;

class Enumeration {
 public:
  Enumeration(const Question& question, const NamedValues& at, const Budget& budget)
      : question_(question), budget_(budget), cone_(cone_of(question)) {
    for (const auto& [name, value] : at) {
      for (const Variable* size : question.spec->sizes) {
        if (size->name == name) fixed_.emplace_back(size, value);
      }
    }
  }

  Answer run() {
    if (!settle_the_rest()) return finish();
    const std::int64_t limit = std::max<std::int64_t>(budget_.points, 1'000'000) * 2;
    search_ = std::make_unique<ShapeSearch>(*question_.spec, cone_.sizes, cone_.conjuncts, fixed_,
                                            limit, budget_.stop);
    judge_ = std::make_unique<ShapeJudge>(question_, cone_.sizes, rest_, late(), cone_.tables,
                                          cone_.tables_matter, budget_.stop);
    const bool over_many = question_.kernel == nullptr && !cone_.uses.has_points &&
                           over_sizes(*question_.condition) && search_->late().empty() &&
                           cone_.tables.empty() && rest_late_.empty();
    if (over_many) {
      by_columns();
    } else {
      // Out of order only where a counterexample is expected, or where there is much to spend.
      const bool expected = question_.claim != nullptr && question_.claim->refute;
      shape_limit_ = expected ? std::min(first_shapes, budget_.shapes) : budget_.shapes;
      by_shapes(nullptr);
      if (may_go_on() && (expected || budget_.points >= generous_budget)) {
        if (const auto found = probe()) settle(*found, ShapeJudge::Effort());
      }
      shape_limit_ = std::max(shape_limit_, budget_.shapes);
      if (may_go_on()) by_shapes(nullptr);
    }
    if (!decided() && cone_.uses.has_width) directed();
    return finish();
  }

 private:
  // ---- sizes that do not matter

  // The sizes that the question does not speak of, at their smallest admissible values. False:
  // there are none.
  bool settle_the_rest() {
    rest_late_ = cone_.other_conjuncts;
    if (!cone_.other_sizes.empty()) {
      ShapeSearch search(*question_.spec, cone_.other_sizes, cone_.other_conjuncts, fixed_,
                         rest_limit, budget_.stop);
      const std::vector<SizeVector> vectors = search.next(64);
      if (vectors.empty()) return nothing_admitted(search.complete());
      rest_late_ = search.late();
      for (std::size_t i = 0; i < cone_.other_sizes.size(); ++i) {
        rest_.emplace_back(cone_.other_sizes[i], vectors[0].values[i]);
      }
    }
    // Tables that the question does not speak of: it is enough that there are some.
    Uses uses;
    for (const Expr* conjunct : rest_late_) uses.add(conjunct);
    const std::vector<const Table*> tables(uses.tables.begin(), uses.tables.end());
    if (tables.empty()) return true;
    Shape shape;
    shape.sizes = rest_;
    Evaluator sizes(*question_.spec, shape);
    const TableChoices choices = choose_tables(sizes, tables, rest_late_, 1000);
    const auto admitted = [&](const auto& choice) {
      shape.tables = choice;
      Evaluator evaluator(*question_.spec, shape, {}, scalar_of_atom);
      return std::all_of(rest_late_.begin(), rest_late_.end(), [&](const Expr* conjunct) {
        const Scalar scalar = evaluator.scalar(*conjunct);
        return scalar.outcome == Outcome::Ok && scalar.value != 0;
      });
    };
    if (!std::any_of(choices.choices.begin(), choices.choices.end(), admitted)) {
      return nothing_admitted(choices.all && cone_.other_sizes.empty());
    }
    rest_late_.clear();
    return true;
  }

  bool nothing_admitted(bool surely) {
    if (surely) answer_.verdict = Verdict::Vacuous;
    answer_.reason =
        surely ? "no sizes satisfy the requires" : "no sizes that satisfy the requires were found";
    return false;
  }

  std::vector<const Expr*> late() const {
    std::vector<const Expr*> all = search_->late();
    all.insert(all.end(), rest_late_.begin(), rest_late_.end());
    return all;
  }

  // ---- shapes in order

  [[nodiscard]] bool stopped() const { return budget_.stop != nullptr && budget_.stop->load(); }
  [[nodiscard]] std::int64_t left() const { return budget_.points - judge_->points(); }
  [[nodiscard]] bool may_go_on() const {
    return !decided() && !stopped() && !cone_.sizes.empty() && !search_->complete();
  }
  [[nodiscard]] bool decided() const { return answer_.verdict != Verdict::Unknown; }

  void refute(Judgement&& judgement, bool smallest) {
    answer_.verdict = Verdict::Refuted;
    answer_.counterexample = std::move(judgement.counterexample);
    answer_.counterexample->smallest = smallest && !undecided_;
  }

  void by_columns() {
    constexpr std::size_t many = 4096;
    ShapeJudge::Effort effort;
    std::size_t about = 256;
    while (left() > 0 && !stopped()) {
      const std::vector<SizeVector> vectors = search_->next(about);
      if (vectors.empty()) break;
      about = std::min<std::size_t>(about * 4, 65536);
      for (std::size_t first = 0; first < vectors.size(); first += many) {
        const std::size_t count = std::min(many, vectors.size() - first);
        const Values holds = judge_->judge_many(vectors, first, count);
        for (std::size_t v = 0; v < count; ++v) {
          const SizeVector& vector = vectors[first + v];
          const Outcome outcome = holds.at(v);
          if (vector.undefined == nullptr && outcome == Outcome::Ok &&
              holds.members[0].at(v) != 0) {
            ++answer_.shapes_tried;
            ++held_;
            continue;
          }
          Judgement judgement = judge_->judge(vector, effort);
          if (take(std::move(judgement))) return;
        }
      }
    }
    close();
  }

  // The next vector in order; null when there are no more within reach.
  const SizeVector* next_vector() {
    if (next_ == pending_.size()) {
      const std::int64_t room =
          std::clamp<std::int64_t>(shape_limit_ - answer_.shapes_tried, 1, 1024);
      pending_ = search_->next(static_cast<std::size_t>(room) + 16);
      next_ = 0;
      if (pending_.empty()) return nullptr;
    }
    return &pending_[next_];
  }

  // Judges shapes in order, up to `bound` where that is given. True when all of those have been
  // judged.
  bool by_shapes(const SizeVector* bound) {
    ShapeJudge::Effort effort;
    effort.unbounded = unbounded_first;
    const bool all_relevant = cone_.relevant.size() == cone_.sizes.size();
    while (!decided()) {
      const SizeVector* vector = next_vector();
      if (vector == nullptr) {
        close();
        return search_->complete();
      }
      if (bound != nullptr && !comes_before(*vector, *bound)) return true;
      const bool first = answer_.shapes_tried == 0;
      if (answer_.shapes_tried >= shape_limit_ || stopped()) return false;
      if (left() <= 0 && !first) {
        why_stopped_ = "the budget of points ran out";
        return false;
      }
      ++next_;
      if (!all_relevant && vector->undefined == nullptr && search_->late().empty()) {
        std::vector<std::int64_t> key;
        for (const std::size_t i : cone_.relevant) key.push_back(vector->values[i]);
        if (!judged_.insert(key).second) continue;  // for the question the same shape again
      }
      const bool overdraw = first && budget_.points >= generous_budget;
      effort.points = std::max<std::int64_t>(left(), overdraw ? first_shape_points : 0);
      if (take(judge_->judge(*vector, effort))) return true;
      if (undecided_ && cone_.sizes.empty() && left() > 0 && effort.unbounded == unbounded_first) {
        // The only shape there is: look further along its coordinates.
        undecided_ = false;
        reason_.clear();
        --answer_.shapes_tried;
        effort.unbounded = unbounded_more;
        effort.points = left();
        if (take(judge_->judge(*vector, effort))) return true;
      }
    }
    return true;
  }

  // ---- shapes that the text suggests

  std::optional<SizeVector> probe() {
    Uses all = cone_.uses;
    for (const Expr* conjunct : cone_.conjuncts) all.add(conjunct);
    ShapeJudge::Effort effort;
    effort.image_cells = std::int64_t{1} << 20;
    const std::int64_t until = judge_->points() + left() / 4;
    for (const SizeVector& vector : suggested_shapes(*search_, all.numbers, probes_at_most)) {
      if (stopped() || judge_->points() >= until) return std::nullopt;
      effort.points = std::min(until - judge_->points(), probe_points);
      if (judge_->judge(vector, effort).kind == Judgement::Kind::Fails) return vector;
    }
    return std::nullopt;
  }

  // A counterexample out of order: is there a smaller one?
  void settle(const SizeVector& found, const ShapeJudge::Effort& effort) {
    shape_limit_ = std::max(shape_limit_, answer_.shapes_tried + settle_shapes);
    const bool all_smaller = by_shapes(&found);
    if (decided()) return;
    Judgement judgement = judge_->judge(found, effort);
    if (judgement.kind == Judgement::Kind::Fails) refute(std::move(judgement), all_smaller);
  }

  // Notes what became of one shape; true when the question is decided.
  bool take(Judgement&& judgement) {
    switch (judgement.kind) {
      case Judgement::Kind::Excluded:
        if (!judgement.all_tables) undecided_tables_ = true;
        excluded_ = judgement.reason;
        return false;
      case Judgement::Kind::Fails:
        ++answer_.shapes_tried;
        refute(std::move(judgement), true);
        return true;
      case Judgement::Kind::Unknown:
        ++answer_.shapes_tried;
        undecided_ = true;
        if (reason_.empty()) reason_ = judgement.reason;
        return false;
      case Judgement::Kind::Vacuous:
        ++answer_.shapes_tried;
        ++vacuous_;
        if (vacuous_reason_.empty()) vacuous_reason_ = judgement.reason;
        break;
      case Judgement::Kind::Holds:
        ++answer_.shapes_tried;
        ++held_;
        answer_.note = judgement.note;
        break;
    }
    if (!judgement.all_tables) undecided_tables_ = true;
    return false;
  }

  // All shapes that there are have been judged, unless the search gave up.
  void close() {
    if (!search_->complete() || stopped() || undecided_) return;
    if (undecided_tables_) return;
    if (held_ == 0) {
      answer_.verdict = Verdict::Vacuous;
      answer_.reason = vacuous_ == 0 ? no_shapes()
                       : vacuous_reason_.empty()
                           ? "every domain is empty, at all " + shapes_text(vacuous_)
                           : vacuous_reason_;
      return;
    }
    answer_.verdict = Verdict::Proved;
    Proof& proof = answer_.proof.emplace();
    proof.method = "enumerate";
    ProofStep& step = proof.steps.emplace_back();
    step.lemma = "enumerated";
    step.statement = cone_.sizes.empty()
                         ? "true at all " + std::to_string(judge_->points()) + " points"
                         : "true at all " + shapes_text(held_ + vacuous_) +
                               " that satisfy the requires, " + std::to_string(judge_->points()) +
                               " points";
  }

  [[nodiscard]] std::string no_shapes() const {
    if (!fixed_.empty()) {
      std::string text;
      for (const auto& [size, value] : fixed_) {
        text += (text.empty() ? "" : ", ") + size->name + " = " + to_string(value);
      }
      return text + " does not satisfy the requires";
    }
    return excluded_.empty() ? "no sizes satisfy the requires"
                             : "no sizes satisfy the requires: " + excluded_;
  }

  static std::string shapes_text(std::int64_t count) {
    return std::to_string(count) + (count == 1 ? " shape" : " shapes");
  }

  // ---- large sizes

  void directed() {
    if (stopped() || (search_->complete() && !undecided_)) return;
    ShapeJudge::Effort effort;
    effort.corners = true;
    effort.image_cells = std::int64_t{1} << 18;
    effort.points = directed_points;
    effort.tables = 4;
    const bool kernel = cone_.uses.has_kernel;
    if (kernel && !pointwise()) return;
    if (cone_.sizes.empty()) {
      Judgement judgement = judge_->judge(SizeVector(), effort);
      if (judgement.kind == Judgement::Kind::Fails) refute(std::move(judgement), false);
      return;
    }
    const bool eager = budget_.points >= generous_budget ||
                       (question_.claim != nullptr && question_.claim->refute);
    const auto fails = [&](const SizeVector& vector) {
      if (stopped()) return false;
      ++answer_.shapes_tried;
      return judge_->judge(vector, effort).kind == Judgement::Kind::Fails;
    };
    const auto found =
        directed_search(*search_, fails, eager ? directed_evaluations : directed_evaluations / 10);
    if (!found) return;
    ShapeJudge::Effort full;
    full.points = first_shape_points / 16;
    full.image_cells = effort.image_cells;
    if (!kernel && judge_->judge(*found, full).kind != Judgement::Kind::Fails) full = effort;
    if (kernel) full = effort;
    if (sum_of(*found) <= settled_sum) return settle(*found, full);
    Judgement judgement = judge_->judge(*found, full);
    if (judgement.kind == Judgement::Kind::Fails) refute(std::move(judgement), false);
  }

  // Kernel obligations that fail at single points, so that a sample of points can refute them.
  [[nodiscard]] bool pointwise() const {
    return question_.kernel != nullptr && cone_.uses.has_width &&
           question_.obligation == Obligation::Overflow;
  }

  // ---- the answer

  Answer finish() {
    if (judge_) answer_.points = judge_->points();
    answer_.only_vacuous = vacuous_ > 0 && held_ == 0 && !undecided_;
    if (decided() || !answer_.reason.empty()) return std::move(answer_);
    if (stopped()) {
      answer_.reason = "interrupted";
      return std::move(answer_);
    }
    const std::int64_t judged = held_ + vacuous_;
    if (judged == 0 && !undecided_) {
      answer_.reason = "no sizes that satisfy the requires were found";
    } else if (held_ == 0 && vacuous_ > 0) {
      answer_.reason = "every domain is empty at the " + shapes_text(vacuous_) + " tried";
    } else if (judged == 0) {
      answer_.reason = cone_.sizes.empty()
                           ? "no counterexample as far as it was looked for: " + reason_
                           : reason_;
    } else {
      answer_.reason = search_->complete()
                           ? "true at " + shapes_text(judged)
                           : "true at the " + std::to_string(judged) +
                                 (judged == 1 ? " smallest shape" : " smallest shapes");
      if (undecided_tables_) answer_.reason += ", for some of their tables";
      if (!reason_.empty()) {
        answer_.reason += "; " + reason_;
      } else if (!why_stopped_.empty()) {
        answer_.reason += "; " + why_stopped_;
      }
    }
    return std::move(answer_);
  }

  const Question& question_;
  const Budget& budget_;
  std::vector<std::pair<const Variable*, Int>> fixed_;
  Cone cone_;
  std::vector<const Expr*> rest_late_;
  std::vector<std::pair<const Variable*, Int>> rest_;
  std::unique_ptr<ShapeSearch> search_;
  std::unique_ptr<ShapeJudge> judge_;
  Answer answer_;
  std::int64_t held_ = 0, vacuous_ = 0;
  bool undecided_ = false, undecided_tables_ = false;
  std::int64_t shape_limit_ = 0;
  std::vector<SizeVector> pending_;  // found by the search, not yet judged from `next_` on
  std::size_t next_ = 0;
  std::set<std::vector<std::int64_t>> judged_;  // the relevant sizes of shapes judged
  std::string reason_, vacuous_reason_, excluded_, why_stopped_;
};

}  // namespace

Answer enumerate(const Question& question, const Budget& budget) {
  return Enumeration(question, {}, budget).run();
}

Answer enumerate_at(const Question& question, const NamedValues& at, const Budget& budget) {
  for (const auto& [name, value] : at) {
    if (value <= Int{1} << 61) continue;
    Answer answer;
    answer.reason = "sizes above 2^61 are not enumerated (" + name + ")";
    return answer;
  }
  return Enumeration(question, at, budget).run();
}

}  // namespace fragproof
