// The admissible vectors of sizes in order: see shape_search.h.
//
// Sizes are set one after the other, whole columns of partial vectors at a time; each conjunct is
// judged as soon as its sizes are set. An equality sets a size at once, a remainder steps it. Every
// round finds all vectors up to some sum, so the order in which sizes are set is free.
#include "checkers/enumerate/shape_search.h"

#include <algorithm>
#include <set>

#include "checkers/enumerate/uses.h"
#include "spec/columns.h"

namespace fragproof {
namespace {

constexpr std::int64_t largest_size = std::int64_t{1} << 61;
constexpr std::size_t chunk = 4096;
constexpr std::uint32_t nowhere = UINT32_MAX;

std::set<const Variable*> sizes_of(const Expr* expr) {
  Uses uses;
  uses.add(expr);
  return uses.sizes;
}

bool is_size(const Expr& expr, const Variable* size) {
  return expr.kind == Expr::Kind::Variable && expr.variable == size;
}

bool subset(const std::set<const Variable*>& part, const std::set<const Variable*>& of) {
  return std::includes(of.begin(), of.end(), part.begin(), part.end());
}

// `size % e == r`: e and r (null for 0).
bool is_modulus(const Expr& expr, const Variable* size, const Expr*& divisor, const Expr*& rest) {
  if (expr.kind != Expr::Kind::Binary || expr.binary != Binary::Equal) return false;
  const Expr& left = *expr.args[0];
  if (left.kind != Expr::Kind::Binary || left.binary != Binary::Mod ||
      !is_size(*left.args[0], size))
    return false;
  divisor = left.args[1];
  rest = expr.args[1];
  return sizes_of(divisor).count(size) == 0 && sizes_of(rest).count(size) == 0;
}

// `size == e` or `e == size`: e.
const Expr* equal_to(const Expr& expr, const Variable* size) {
  if (expr.kind != Expr::Kind::Binary || expr.binary != Binary::Equal) return nullptr;
  for (int side = 0; side < 2; ++side) {
    const Expr* other = expr.args[static_cast<std::size_t>(1 - side)];
    if (is_size(*expr.args[static_cast<std::size_t>(side)], size) &&
        sizes_of(other).count(size) == 0)
      return other;
  }
  return nullptr;
}

}  // namespace

// Partial vectors: the sizes set so far are bound in `batch`.
struct ShapeSearch::Rows {
  Batch batch;
  std::vector<std::int64_t> sum;         // of the sizes set
  std::vector<std::uint32_t> undefined;  // number of the first undefined conjunct, or `nowhere`

  [[nodiscard]] Rows select(const std::vector<std::uint32_t>& kept) const {
    Rows out;
    out.batch = batch.select(kept);
    for (const std::uint32_t row : kept) {
      out.sum.push_back(sum[row]);
      out.undefined.push_back(undefined[row]);
    }
    return out;
  }
};

ShapeSearch::ShapeSearch(const Spec& spec, std::vector<const Variable*> sizes,
                         const std::vector<const Expr*>& conjuncts,
                         const std::vector<std::pair<const Variable*, Int>>& fixed,
                         std::int64_t limit, const std::atomic<bool>* stop)
    : spec_(&spec),
      sizes_(std::move(sizes)),
      evaluator_(std::make_unique<Evaluator>(spec, Shape())),
      limit_(limit),
      stop_(stop) {
  bounds_.resize(sizes_.size());
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    for (const auto& [size, value] : fixed) {
      if (size != sizes_[i]) continue;
      bounds_[i].low = std::max<Int>(value, 1);
      bounds_[i].high = value;
    }
  }
  plan(conjuncts);
}

void ShapeSearch::plan(const std::vector<const Expr*>& conjuncts) {
  // Conjuncts about sizes alone are judged here, up to the first that is not and may be undefined.
  std::vector<const Expr*> early;
  std::vector<const Expr*>
      firm;  // those that no conjunct which may be undefined goes before: false excludes
  bool all_late = false;
  bool doubt = false;
  for (const Expr* conjunct : conjuncts) {
    const bool here = over_sizes(*conjunct) && !all_late;
    const bool may = may_be_undefined(*conjunct);
    if (here) {
      early.push_back(conjunct);
      if (!doubt) firm.push_back(conjunct);
    } else {
      late_.push_back(conjunct);
      all_late = all_late || may;
    }
    doubt = doubt || may;
  }
  find_bounds(firm);

  // The order of the sizes: each after those that an equality or a remainder makes it depend on,
  // where that is possible.
  std::vector<bool> placed(sizes_.size(), false);
  std::set<const Variable*> known;
  const auto needs = [&](std::size_t i) {
    std::set<const Variable*> out;
    for (const Expr* conjunct : firm) {
      const Expr* divisor = nullptr;
      const Expr* rest = nullptr;
      if (const Expr* equal = equal_to(*conjunct, sizes_[i])) {
        const auto mentioned = sizes_of(equal);
        // Of two sizes that are equal the later one follows.
        const bool mutual =
            equal->kind == Expr::Kind::Variable && equal->variable->kind == Variable::Kind::Size &&
            std::find(sizes_.begin(), sizes_.end(), equal->variable) - sizes_.begin() >
                static_cast<std::ptrdiff_t>(i);
        if (!mutual) out.insert(mentioned.begin(), mentioned.end());
      } else if (is_modulus(*conjunct, sizes_[i], divisor, rest)) {
        const auto mentioned = sizes_of(divisor);
        out.insert(mentioned.begin(), mentioned.end());
      }
    }
    return out;
  };
  while (levels_.size() < sizes_.size()) {
    std::size_t chosen = sizes_.size();
    for (std::size_t i = 0; i < sizes_.size() && chosen == sizes_.size(); ++i) {
      if (!placed[i] && subset(needs(i), known)) chosen = i;
    }
    for (std::size_t i = 0; i < sizes_.size() && chosen == sizes_.size(); ++i) {
      if (!placed[i]) chosen = i;  // a circle: break it here
    }
    Level& level = levels_.emplace_back();
    level.size = chosen;
    placed[chosen] = true;
    for (const Expr* conjunct : firm) {
      Modulus modulus;
      if (const Expr* equal = equal_to(*conjunct, sizes_[chosen])) {
        if (subset(sizes_of(equal), known)) level.equals = equal;
      } else if (is_modulus(*conjunct, sizes_[chosen], modulus.expr, modulus.rest)) {
        if (subset(sizes_of(modulus.expr), known) && subset(sizes_of(modulus.rest), known)) {
          level.moduli.push_back(modulus);
        }
      }
    }
    known.insert(sizes_[chosen]);
  }

  // A conjunct is judged when its sizes are set, and after those before it that may be undefined.
  std::size_t at_least = 0;
  for (const Expr* conjunct : early) {
    const auto mentioned = sizes_of(conjunct);
    std::size_t level = at_least;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      if (mentioned.count(sizes_[levels_[l].size]) > 0) level = std::max(level, l + 1);
    }
    const Conjunct item{conjunct, level, all_.size()};
    all_.push_back(conjunct);
    if (level == 0) {
      constants_.push_back(item);
    } else {
      levels_[level - 1].conjuncts.push_back(item);
    }
    if (may_be_undefined(*conjunct)) at_least = level;
  }

  rest_low_.assign(levels_.size() + 1, 0);
  for (std::size_t l = levels_.size(); l-- > 0;) {
    const Int low = std::min<Int>(bounds_[levels_[l].size].low, largest_size);
    rest_low_[l] = static_cast<std::int64_t>(std::min<Int>(rest_low_[l + 1] + low, largest_size));
  }
}

void ShapeSearch::find_bounds(const std::vector<const Expr*>& firm) {
  for (int pass = 0; pass < 3; ++pass) {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      for (const Expr* conjunct : firm) {
        if (may_be_undefined(*conjunct)) continue;
        const SizeBounds more = bounds_of(*evaluator_, *conjunct, sizes_[i], sizes_, bounds_);
        bounds_[i].low = std::max(bounds_[i].low, more.low);
        if (more.high && (!bounds_[i].high || *more.high < *bounds_[i].high))
          bounds_[i].high = more.high;
      }
    }
  }
  for (const SizeBounds& bounds : bounds_) {
    if (bounds.high && *bounds.high < bounds.low) complete_ = true;  // nothing satisfies these
  }
  // From there to the first value that every conjunct about this size alone admits.
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    if (bounds_[i].low >= largest_size) continue;
    std::vector<std::int64_t> values(chunk);
    for (std::size_t v = 0; v < chunk; ++v) {
      values[v] = static_cast<std::int64_t>(bounds_[i].low) + static_cast<std::int64_t>(v);
    }
    Batch batch;
    batch.size = chunk;
    batch.bind(sizes_[i], Values(Column(values)));
    std::size_t first = 0;
    std::vector<bool> good(chunk, true);
    for (const Expr* conjunct : firm) {
      const auto mentioned = sizes_of(conjunct);
      if (mentioned.size() != 1 || mentioned.count(sizes_[i]) == 0) continue;
      const Values holds = evaluator_->evaluate_over_sizes(*conjunct, batch);
      for (std::size_t v = 0; v < chunk; ++v) {
        if (holds.at(v) == Outcome::Ok && holds.members[0].at(v) == 0) good[v] = false;
      }
    }
    while (first < chunk && !good[first]) ++first;
    if (first < chunk) bounds_[i].low += static_cast<Int>(first);
  }
}

bool ShapeSearch::out_of_budget() const {
  return looked_at_ >= limit_ || (stop_ != nullptr && stop_->load());
}

void ShapeSearch::filter(const Level& level, Rows& rows) {
  for (const Conjunct& conjunct : level.conjuncts) {
    if (rows.sum.empty()) return;
    const Values holds = evaluator_->evaluate_over_sizes(*conjunct.expr, rows.batch);
    const auto number = static_cast<std::uint32_t>(conjunct.number);
    std::vector<std::uint32_t> kept;
    for (std::size_t row = 0; row < rows.batch.size; ++row) {
      const bool matters =
          rows.undefined[row] > number;  // else an earlier one is undefined already
      const Outcome outcome = holds.at(row);
      if (matters && outcome == Outcome::Overflow) {
        doubtful_ = true;
        continue;
      }
      if (matters && outcome == Outcome::Ok && holds.members[0].at(row) == 0) continue;
      if (matters && outcome == Outcome::Undefined) rows.undefined[row] = number;
      kept.push_back(static_cast<std::uint32_t>(row));
    }
    if (kept.size() == rows.batch.size) continue;
    if (kept.empty()) {
      rows.sum.clear();
      return;
    }
    rows = rows.select(kept);
  }
}

void ShapeSearch::expand(std::size_t index, const Rows& rows) {
  if (index == levels_.size()) {
    collect(rows);
    return;
  }
  const Level& level = levels_[index];
  const SizeBounds& bounds = bounds_[level.size];
  const std::int64_t low = static_cast<std::int64_t>(std::min<Int>(bounds.low, largest_size));
  const std::int64_t high =
      bounds.high ? static_cast<std::int64_t>(std::clamp<Int>(*bounds.high, 0, largest_size))
                  : largest_size;
  const std::size_t n = rows.batch.size;

  // By row: the least value, and the step.
  Values equals;
  if (level.equals != nullptr) equals = evaluator_->evaluate_over_sizes(*level.equals, rows.batch);
  std::vector<std::int64_t> step(n, 1);
  std::vector<std::int64_t> start(n, low);
  for (const Modulus& modulus : level.moduli) {
    const Values divisor = evaluator_->evaluate_over_sizes(*modulus.expr, rows.batch);
    const Values rest = evaluator_->evaluate_over_sizes(*modulus.rest, rows.batch);
    for (std::size_t row = 0; row < n; ++row) {
      if (divisor.at(row) != Outcome::Ok || rest.at(row) != Outcome::Ok) continue;
      const Int d = divisor.members[0].at(row);
      const Int r = rest.members[0].at(row);
      if (d <= step[row] || d > largest_size || r < 0 || r >= d) continue;
      step[row] = static_cast<std::int64_t>(d);
      const Int first = low + ((r - low) % d + d) % d;
      start[row] = static_cast<std::int64_t>(std::min<Int>(first, largest_size));
    }
  }

  std::vector<std::uint32_t> picked;
  std::vector<std::int64_t> values;
  const auto flush = [&] {
    if (picked.empty()) return;
    Rows next;
    next.batch = rows.batch.select(picked);
    next.batch.size = picked.size();
    for (std::size_t i = 0; i < picked.size(); ++i) {
      next.sum.push_back(rows.sum[picked[i]] + values[i]);
      next.undefined.push_back(rows.undefined[picked[i]]);
    }
    next.batch.bind(sizes_[level.size], Values(Column(values)));
    looked_at_ += static_cast<std::int64_t>(picked.size());
    picked.clear();
    values.clear();
    filter(level, next);
    if (!next.sum.empty()) expand(index + 1, next);
  };
  for (std::size_t row = 0; row < n; ++row) {
    if (out_of_budget() || overfull_) return;
    const std::int64_t most = to_ - rows.sum[row] - rest_low_[index + 1];
    if (level.equals != nullptr && equals.at(row) == Outcome::Ok) {
      const Int value = equals.members[0].at(row);
      if (value < low || value > high) continue;
      if (value > most) {
        cut_ = true;
        continue;
      }
      picked.push_back(static_cast<std::uint32_t>(row));
      values.push_back(static_cast<std::int64_t>(value));
      if (picked.size() == chunk) flush();
      continue;
    }
    if (std::min(high, largest_size - 1) > most) cut_ = true;
    const std::int64_t last = std::min(high, most);
    for (std::int64_t value = start[row]; value <= last; value += step[row]) {
      picked.push_back(static_cast<std::uint32_t>(row));
      values.push_back(value);
      if (picked.size() < chunk) continue;
      flush();
      if (out_of_budget() || overfull_) return;
    }
  }
  flush();
}

void ShapeSearch::collect(const Rows& rows) {
  std::vector<std::vector<std::int64_t>> columns;
  for (const Variable* size : sizes_)
    columns.push_back(spread(rows.batch.find(size)->members[0], rows.batch.size));
  for (std::size_t row = 0; row < rows.batch.size; ++row) {
    if (rows.sum[row] <= from_ || rows.sum[row] > to_) continue;
    if (found_.size() >= most_) {
      overfull_ = true;
      return;
    }
    SizeVector& vector = found_.emplace_back();
    for (const auto& column : columns) vector.values.push_back(column[row]);
    if (rows.undefined[row] != nowhere) vector.undefined = all_[rows.undefined[row]];
  }
}

void ShapeSearch::round(std::int64_t from, std::int64_t to) {
  from_ = from;
  to_ = to;
  cut_ = false;
  overfull_ = false;
  found_.clear();
  Rows start;
  start.batch.size = 1;
  start.sum = {0};
  start.undefined = {nowhere};
  Level constants;
  constants.conjuncts = constants_;
  filter(constants, start);
  if (!start.sum.empty()) expand(0, start);
}

std::vector<SizeVector> ShapeSearch::next(std::size_t about) {
  if (done_ < 0) {
    done_ = rest_low_[0] - 1;  // the least sum there can be, less one
    step_ = 1;
  }
  while (!complete_ && !out_of_budget()) {
    most_ = std::max<std::size_t>(about, 64);
    const std::int64_t to = done_ > largest_size - step_ ? largest_size : done_ + step_;
    round(done_, to);
    if (out_of_budget() && !overfull_) break;
    if (overfull_) {
      if (step_ > 1) {
        step_ = step_ / 2;
        continue;
      }
      most_ = std::size_t{1} << 20;  // one sum alone: take all of it
      round(done_, to);
      if (overfull_) break;
    }
    done_ = to;
    if (!cut_) complete_ = true;
    if (found_.size() * 4 < about && step_ < largest_size / 4) step_ *= 2;
    if (found_.empty()) continue;
    const auto sum = [](const SizeVector& v) {
      std::int64_t total = 0;
      for (const std::int64_t value : v.values) total += value;
      return total;
    };
    std::sort(found_.begin(), found_.end(), [&](const SizeVector& a, const SizeVector& b) {
      const std::int64_t x = sum(a);
      const std::int64_t y = sum(b);
      return x != y ? x < y : a.values < b.values;
    });
    return std::move(found_);
  }
  return {};
}

std::optional<SizeVector> ShapeSearch::near(const std::vector<std::int64_t>& target) {
  constexpr std::int64_t tries = 64;
  Rows rows;
  rows.batch.size = 1;
  rows.sum = {0};
  rows.undefined = {nowhere};
  Level constants;
  constants.conjuncts = constants_;
  filter(constants, rows);
  for (const Level& level : levels_) {
    if (rows.sum.empty()) return std::nullopt;
    const std::int64_t low =
        static_cast<std::int64_t>(std::min<Int>(bounds_[level.size].low, largest_size));
    std::int64_t value = std::max(low, target[level.size]);
    if (bounds_[level.size].high) {
      value = static_cast<std::int64_t>(std::min<Int>(value, *bounds_[level.size].high));
    }
    std::int64_t step = 1;
    std::int64_t count = tries;
    if (level.equals != nullptr) {
      const Values equals = evaluator_->evaluate_over_sizes(*level.equals, rows.batch);
      if (equals.at(0) != Outcome::Ok || equals.members[0].at(0) > largest_size)
        return std::nullopt;
      value = static_cast<std::int64_t>(equals.members[0].at(0));
      count = 1;
    }
    for (const Modulus& modulus : level.moduli) {
      const Values divisor = evaluator_->evaluate_over_sizes(*modulus.expr, rows.batch);
      const Values rest = evaluator_->evaluate_over_sizes(*modulus.rest, rows.batch);
      if (divisor.at(0) != Outcome::Ok || rest.at(0) != Outcome::Ok) continue;
      const Int d = divisor.members[0].at(0);
      const Int r = rest.members[0].at(0);
      if (d <= step || d > largest_size || r < 0 || r >= d || level.equals != nullptr) continue;
      step = static_cast<std::int64_t>(d);
      const std::int64_t top = std::max(value, low);
      value = top - static_cast<std::int64_t>(((Int{top} - r) % d + d) % d);
      if (value < low) value += step;  // the least one, though above the target
    }
    Rows best;
    for (std::int64_t i = 0; i < count && value >= low; ++i, value -= step) {
      Rows tried = rows;
      tried.batch.bind(sizes_[level.size], Int{value});
      filter(level, tried);
      if (tried.sum.empty()) continue;
      best = std::move(tried);
      break;
    }
    if (best.sum.empty()) return std::nullopt;
    rows = std::move(best);
  }
  if (rows.sum.empty()) return std::nullopt;
  SizeVector out;
  for (const Variable* size : sizes_) {
    out.values.push_back(static_cast<std::int64_t>(rows.batch.find(size)->members[0].at(0)));
  }
  if (rows.undefined[0] != nowhere) out.undefined = all_[rows.undefined[0]];
  return out;
}

}  // namespace fragproof
