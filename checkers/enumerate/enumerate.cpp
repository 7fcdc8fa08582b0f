// The enumerator's order of work: shapes from the smallest on, then a directed search where widths
// can overflow.
#include "checkers/enumerate/enumerate.h"

#include <algorithm>
#include <memory>
#include <set>

#include "checkers/enumerate/directed.h"
#include "checkers/enumerate/shape_judge.h"
#include "checkers/enumerate/shape_search.h"
#include "checkers/enumerate/uses.h"
#include "spec/syntax.h"

namespace fragproof {
namespace {

constexpr std::int64_t first_shape_points =
    64'000'000;  // the first shape may overdraw the budget up to here
constexpr int directed_evaluations = 1'500;
constexpr std::int64_t directed_points = 200'000;  // a shape of the directed search
constexpr std::int64_t unbounded_first = 16;
constexpr std::int64_t unbounded_more = 160;

class Enumeration {
 public:
  Enumeration(const Question& question, const NamedValues& at, const Budget& budget)
      : question_(question), budget_(budget) {
    for (const auto& [name, value] : at) {
      for (const Variable* size : question.spec->sizes) {
        if (size->name == name) fixed_.emplace_back(size, value);
      }
    }
  }

  Answer run() {
    find_cone();
    if (!settle_the_rest()) return finish();
    const std::int64_t limit = std::max<std::int64_t>(budget_.points, 1'000'000) * 2;
    search_ = std::make_unique<ShapeSearch>(*question_.spec, cone_, cone_conjuncts_, fixed_, limit,
                                            budget_.stop);
    judge_ = std::make_unique<ShapeJudge>(question_, cone_, rest_, late(), tables_, budget_.stop);
    const bool over_many = question_.kernel == nullptr && !uses_.has_points &&
                           over_sizes(*question_.condition) && search_->late().empty() &&
                           tables_.empty() && rest_late_.empty();
    over_many ? by_columns() : by_shapes();
    if (!decided() && (uses_.has_width || uses_.has_kernel)) directed();
    return finish();
  }

 private:
  // ---- which sizes matter
  // --------------------------------------------------------------------------------

  // The sizes and tables of the condition and the where, and all that the requires connect with
  // them.
  void find_cone() {
    if (question_.kernel != nullptr) uses_.add(*question_.kernel);
    uses_.add(question_.condition);
    Uses all = uses_;
    all.add(question_.where_clause);
    std::vector<const Expr*> conjuncts;
    for (const Expr* require : question_.requires_) split_conjuncts(require, conjuncts);
    split_conjuncts(question_.where_clause, conjuncts);
    std::vector<Uses> of(conjuncts.size());
    for (std::size_t i = 0; i < conjuncts.size(); ++i) of[i].add(conjuncts[i]);
    std::set<const Variable*> sizes = all.sizes;
    std::set<const Table*> tables = all.tables;
    std::vector<bool> inside(conjuncts.size(), false);
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t i = 0; i < conjuncts.size(); ++i) {
        if (inside[i]) continue;
        const bool constant = of[i].sizes.empty() && of[i].tables.empty();
        const bool touches =
            std::any_of(of[i].sizes.begin(), of[i].sizes.end(),
                        [&](const Variable* size) { return sizes.count(size) > 0; }) ||
            std::any_of(of[i].tables.begin(), of[i].tables.end(),
                        [&](const Table* table) { return tables.count(table) > 0; });
        if (!constant && !touches) continue;
        inside[i] = grown = true;
        sizes.insert(of[i].sizes.begin(), of[i].sizes.end());
        tables.insert(of[i].tables.begin(), of[i].tables.end());
      }
    }
    for (const Variable* size : question_.spec->sizes) {
      if (sizes.count(size) > 0) {
        cone_.push_back(size);
      } else {
        others_.push_back(size);
      }
    }
    for (const Table* table : question_.spec->tables) {
      if (tables.count(table) > 0) tables_.push_back(table);
    }
    for (std::size_t i = 0; i < conjuncts.size(); ++i) {
      (inside[i] ? cone_conjuncts_ : rest_conjuncts_).push_back(conjuncts[i]);
    }
    for (std::size_t i = 0; i < cone_.size(); ++i) {
      if (uses_.sizes.count(cone_[i]) > 0) relevant_.push_back(i);
    }
  }

  // The sizes that the question does not speak of, at their smallest admissible values.
  bool settle_the_rest() {
    if (others_.empty()) {
      rest_late_ = rest_conjuncts_;  // about tables alone
      return true;
    }
    ShapeSearch search(*question_.spec, others_, rest_conjuncts_, fixed_, 200'000, budget_.stop);
    const std::vector<SizeVector> vectors = search.next(64);
    if (vectors.empty()) {
      if (search.complete()) {
        answer_.verdict = Verdict::Vacuous;
        answer_.reason = "no sizes satisfy the requires";
      } else {
        answer_.reason = "no sizes that satisfy the requires were found";
      }
      return false;
    }
    rest_late_ = search.late();
    for (std::size_t i = 0; i < others_.size(); ++i)
      rest_.emplace_back(others_[i], vectors[0].values[i]);
    for (const Expr* conjunct : rest_late_) {
      Uses uses;
      uses.add(conjunct);
      for (const Table* table : question_.spec->tables) {
        const bool known = std::find(tables_.begin(), tables_.end(), table) != tables_.end();
        if (uses.tables.count(table) > 0 && !known) rest_tables_ = true;
      }
    }
    if (rest_tables_)
      rest_late_.clear();  // tables that nothing here speaks of: some such table is taken to exist
    return true;
  }

  std::vector<const Expr*> late() const {
    std::vector<const Expr*> all = search_->late();
    all.insert(all.end(), rest_late_.begin(), rest_late_.end());
    return all;
  }

  // ---- shapes in order
  // -----------------------------------------------------------------------------------

  [[nodiscard]] bool stopped() const { return budget_.stop != nullptr && budget_.stop->load(); }
  [[nodiscard]] std::int64_t left() const { return budget_.points - judge_->points(); }
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

  void by_shapes() {
    ShapeJudge::Effort effort;
    effort.unbounded = unbounded_first;
    bool first = true;
    std::set<std::vector<std::int64_t>> judged;
    const bool all_relevant = relevant_.size() == cone_.size();
    while (answer_.shapes_tried < budget_.shapes && !stopped()) {
      const auto room = static_cast<std::size_t>(
          std::max<std::int64_t>(budget_.shapes - answer_.shapes_tried, 1));
      const std::vector<SizeVector> vectors = search_->next(std::min<std::size_t>(room + 16, 1024));
      if (vectors.empty()) {
        close();
        return;
      }
      for (const SizeVector& vector : vectors) {
        if (answer_.shapes_tried >= budget_.shapes || stopped() || (left() <= 0 && !first)) {
          why_stopped_ = left() <= 0 ? "the budget of points ran out" : "";
          return;
        }
        if (!all_relevant && vector.undefined == nullptr) {
          std::vector<std::int64_t> key;
          for (const std::size_t i : relevant_) key.push_back(vector.values[i]);
          // The same point of the question; but conjuncts that the judge sees may differ.
          if (search_->late().empty() && !judged.insert(key).second) continue;
        }
        effort.points = std::max<std::int64_t>(left(), first ? first_shape_points : 0);
        first = false;
        if (take(judge_->judge(vector, effort))) return;
        if (!unbounded_ && undecided_ && cone_.empty()) unbounded_ = &vector;
        if (unbounded_ && left() > 0) {  // a single shape: look further along its coordinates
          unbounded_ = nullptr;
          ShapeJudge::Effort further = effort;
          further.unbounded = unbounded_more;
          further.points = left();
          --answer_.shapes_tried;
          undecided_ = false;
          reason_.clear();
          if (take(judge_->judge(vector, further))) return;
        }
      }
    }
    if (answer_.shapes_tried < budget_.shapes) return;
    // The budget of shapes may be just what there is.
    if (search_->next(64).empty()) close();
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
    step.statement = cone_.empty() ? "true at all " + std::to_string(judge_->points()) + " points"
                                   : "true at all " + shapes_text(held_ + vacuous_) +
                                         " that satisfy the requires, " +
                                         std::to_string(judge_->points()) + " points";
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
  // ---------------------------------------------------------------------------------------

  void directed() {
    if (stopped() || cone_.empty() || search_->complete()) return;
    ShapeJudge::Effort effort;
    effort.corners = true;
    effort.image_cells = std::int64_t{1} << 18;
    effort.points = directed_points;
    effort.tables = 4;
    const bool kernel = uses_.has_kernel;
    if (kernel && !pointwise()) return;
    const auto fails = [&](const SizeVector& vector) {
      if (stopped()) return false;
      ++answer_.shapes_tried;
      return judge_->judge(vector, effort).kind == Judgement::Kind::Fails;
    };
    const auto found = directed_search(*search_, fails, directed_evaluations);
    if (!found) return;
    ShapeJudge::Effort full;
    full.points = first_shape_points / 16;
    full.image_cells = effort.image_cells;
    Judgement judgement = kernel ? Judgement() : judge_->judge(*found, full);
    if (judgement.kind != Judgement::Kind::Fails) judgement = judge_->judge(*found, effort);
    if (judgement.kind != Judgement::Kind::Fails) return;
    refute(std::move(judgement), false);
  }

  // Kernel obligations that fail at single points, so that a sample of points can refute them.
  [[nodiscard]] bool pointwise() const {
    return question_.kernel != nullptr && uses_.has_width &&
           question_.obligation == Obligation::Overflow;
  }

  // ---- the answer
  // ----------------------------------------------------------------------------------------

  Answer finish() {
    if (judge_) answer_.points = judge_->points();
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
      answer_.reason = reason_;
    } else {
      const bool whole = search_->complete();
      answer_.reason = cone_.empty() ? "true as far as it was looked at"
                       : whole       ? "true at " + shapes_text(judged)
                               : "true at the " + shapes_text(judged) + " tried, the smallest";
      if (undecided_tables_) answer_.reason += ", for some of their tables";
      if (!reason_.empty()) answer_.reason += "; " + reason_;
      if (!why_stopped_.empty() && reason_.empty()) answer_.reason += "; " + why_stopped_;
    }
    return std::move(answer_);
  }

  const Question& question_;
  const Budget& budget_;
  std::vector<std::pair<const Variable*, Int>> fixed_;
  Uses uses_;  // of the condition
  std::vector<const Variable*> cone_, others_;
  std::vector<std::size_t> relevant_;  // indices into cone_ of the condition's own sizes
  std::vector<const Table*> tables_;
  std::vector<const Expr*> cone_conjuncts_, rest_conjuncts_, rest_late_;
  bool rest_tables_ = false;
  std::vector<std::pair<const Variable*, Int>> rest_;
  std::unique_ptr<ShapeSearch> search_;
  std::unique_ptr<ShapeJudge> judge_;
  Answer answer_;
  std::int64_t held_ = 0, vacuous_ = 0;
  bool undecided_ = false, undecided_tables_ = false;
  const SizeVector* unbounded_ = nullptr;
  std::string reason_, vacuous_reason_, excluded_, why_stopped_;
};

}  // namespace

Answer enumerate(const Question& question, const Budget& budget) {
  return Enumeration(question, {}, budget).run();
}

Answer enumerate_at(const Question& question, const NamedValues& at, const Budget& budget) {
  return Enumeration(question, at, budget).run();
}

}  // namespace fragproof
