// The admissible vectors of sizes in order: see shape_search.h.
//
// Sizes are set one after the other, whole columns of partial vectors at a time; each conjunct is
// judged as soon as its sizes are set. An equality sets a size at once, a remainder steps it. Every
// round finds all vectors up to some sum, so the order in which sizes are set is free.
#include "checkers/enumerate/shape_search.h"

#include <algorithm>

#include "spec/columns.h"

namespace fragproof {
namespace {

constexpr std::int64_t largest_size = std::int64_t{1} << 61;
constexpr std::size_t chunk = 4096;
constexpr std::uint32_t nowhere = UINT32_MAX;

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

// Drops rows whose sum must pass the limit, by what the sizes set so far ask of those that follow:
// K % (32*S*NW) == 0 makes K at least 32*S*NW.
void ShapeSearch::drop_too_large(std::size_t index, Rows& rows) {
  std::vector<std::int64_t> least(rows.batch.size, rest_low_[index]);
  bool any = false;
  std::optional<Batch> with_least;
  for (std::size_t l = index; l < levels_.size(); ++l) {
    if (levels_[l].floors.empty()) continue;
    if (!with_least) {
      with_least = rows.batch;
      for (std::size_t k = index; k < levels_.size(); ++k) {
        with_least->bind(sizes_[levels_[k].size],
                         std::min<Int>(bounds_[levels_[k].size].low, largest_size));
      }
    }
    const Int low = std::min<Int>(bounds_[levels_[l].size].low, largest_size);
    std::vector<std::int64_t> more(rows.batch.size, 0);
    for (const Expr* floor : levels_[l].floors) {
      const Values values = evaluator_->evaluate_over_sizes(*floor, *with_least);
      for (std::size_t row = 0; row < rows.batch.size; ++row) {
        if (values.at(row) != Outcome::Ok) continue;
        const Int above = std::min<Int>(values.members[0].at(row), largest_size) - low;
        if (above > more[row]) more[row] = static_cast<std::int64_t>(above);
      }
    }
    for (std::size_t row = 0; row < rows.batch.size; ++row) {
      least[row] = std::min(least[row] + more[row], largest_size);
      any = any || more[row] > 0;
    }
  }
  if (!any) return;
  std::vector<std::uint32_t> kept;
  for (std::size_t row = 0; row < rows.batch.size; ++row) {
    if (rows.sum[row] <= to_ - least[row]) kept.push_back(static_cast<std::uint32_t>(row));
  }
  if (kept.size() == rows.batch.size) return;
  cut_ = true;
  if (kept.empty()) {
    rows.sum.clear();
  } else {
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
  // Sizes beyond the largest are not looked at: then the search has not seen all there is.
  if (bounds.low > largest_size || (bounds.high && *bounds.high > largest_size)) cut_ = true;
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
    if (!next.sum.empty()) drop_too_large(index + 1, next);
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
