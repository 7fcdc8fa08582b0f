// Walking domains in lexicographic batches, and `forall`, which is a walk.
#include <algorithm>

#include "spec/columns.h"
#include "spec/eval.h"

namespace fragproof {

// Extends a batch by one coordinate after the other. Every level hands on batches as full as it
// can, so that even a domain of many short coordinates is evaluated in long columns.
struct Evaluator::Walker {
  Evaluator& evaluator;
  const Domain& domain;
  const std::function<bool(const Batch&)>& visit;
  Walk& walk;
  std::size_t outer_size;
  bool found = false;

  void fail(std::uint32_t outer, Outcome outcome) { mark(walk.domain, outer, outer_size, outcome); }

  // The reason why the extent or `where` of this one point is undefined, told once.
  void tell(const Expr& expr, const Batch& batch, std::size_t point, const char* otherwise) {
    if (!walk.reason.empty()) return;
    const Scalar scalar = evaluator.scalar(expr, batch.at(point));
    walk.reason = scalar.reason.empty() ? evaluator.text_of(expr) + otherwise : scalar.reason;
  }

  // Which values the coordinate takes at a point of extent `extent`: all, or the corners.
  [[nodiscard]] bool cornered(std::int64_t extent) const {
    return evaluator.options_.corners && extent > 8;
  }

  bool expand(std::size_t level, const Batch& batch) {
    if (level == domain.coordinates.size()) return leaf(batch);
    const Coordinate& coordinate = domain.coordinates[level];
    std::vector<std::int64_t> extents;
    if (coordinate.extent == nullptr) {
      extents.assign(1, static_cast<std::int64_t>(evaluator.options_.unbounded));
      walk.truncated = true;
    } else {
      const Values extent = evaluator.eval(*coordinate.extent, batch, nullptr);
      extents = spread(extent.members[0], extent.members[0].size());
      if (!extent.all_ok() ||
          std::any_of(extents.begin(), extents.end(), [](auto e) { return e < 0; })) {
        extents = spread(extent.members[0], batch.size);
        for (std::size_t p = 0; p < batch.size; ++p) {
          if (extent.at(p) == Outcome::Ok && extents[p] >= 0) continue;
          const bool unknown = extent.at(p) == Outcome::Overflow;
          if (!unknown) tell(*coordinate.extent, batch, p, " is negative: no extent");
          fail(batch.parent[p], unknown ? Outcome::Overflow : Outcome::Undefined);
          extents[p] = 0;
        }
      }
    }

    const std::size_t capacity = evaluator.options_.batch;
    std::vector<std::uint32_t> rows;
    std::vector<std::int64_t> values;
    rows.reserve(capacity);
    values.reserve(capacity);
    const auto flush = [&] {
      if (rows.empty()) return true;
      Batch child = batch.select(rows);
      const bool same =
          std::all_of(values.begin(), values.end(), [&](auto v) { return v == values[0]; });
      child.bind(coordinate.variable, Values(same ? Column(Int{values[0]}) : Column(values)));
      evaluator.bind_digits_of(coordinate, child);
      rows.clear();
      values.clear();
      if (level + 1 < domain.coordinates.size()) {
        evaluator.points_ +=
            static_cast<std::int64_t>(child.size / 8);  // no domain is walked for nothing
      }
      return expand(level + 1, child);
    };
    for (std::size_t p = 0; p < batch.size; ++p) {
      const std::int64_t extent = extents[extents.size() == 1 ? 0 : p];
      const bool corners = cornered(extent);
      if (corners) walk.truncated = true;
      std::int64_t value = 0;
      while (value < extent) {
        if (corners) {
          rows.push_back(static_cast<std::uint32_t>(p));
          values.push_back(value);
          value = value == 0            ? 1
                  : value == 1          ? extent / 2
                  : value == extent / 2 ? extent - 2
                                        : value + 1;
        } else {
          const auto room = static_cast<std::int64_t>(capacity - rows.size());
          const std::int64_t stop = std::min(extent, value + room);
          rows.insert(rows.end(), static_cast<std::size_t>(stop - value),
                      static_cast<std::uint32_t>(p));
          for (; value < stop; ++value) values.push_back(value);
        }
        if (rows.size() >= capacity && !flush()) return false;
      }
    }
    return flush();
  }

  bool leaf(const Batch& batch) {
    if (evaluator.exhausted()) {
      walk.end = Walk::End::Budget;
      return false;
    }
    evaluator.points_ += static_cast<std::int64_t>(batch.size);
    walk.points += static_cast<std::int64_t>(batch.size);
    if (domain.where == nullptr) {
      found = true;
      return call(batch);
    }
    const Values where = evaluator.eval(*domain.where, batch, nullptr);
    const Column& holds = where.members[0];
    std::vector<std::uint32_t> kept;
    for (std::size_t p = 0; p < batch.size; ++p) {
      if (where.at(p) != Outcome::Ok) {
        if (where.at(p) == Outcome::Undefined) tell(*domain.where, batch, p, " is undefined");
        fail(batch.parent[p], where.at(p));
      } else if (holds.at(p) != 0) {
        kept.push_back(static_cast<std::uint32_t>(p));
      }
    }
    if (kept.empty()) return true;
    found = true;
    return kept.size() == batch.size ? call(batch) : call(batch.select(kept));
  }

  bool call(const Batch& batch) {
    if (visit(batch)) return true;
    walk.end = Walk::End::Stopped;
    return false;
  }
};

Walk Evaluator::walk(const Domain& domain, const Batch& outer,
                     const std::function<bool(const Batch&)>& visit) {
  Walk walk;
  std::string* wanted =
      std::exchange(reason_, nullptr);  // of many points, none is the one to explain
  Walker walker{*this, domain, visit, walk, outer.size};
  Batch start = outer;
  start.parent.resize(outer.size);
  for (std::size_t p = 0; p < outer.size; ++p) start.parent[p] = static_cast<std::uint32_t>(p);
  walker.expand(0, start);
  reason_ = wanted;
  ++domains_met;
  if (walker.found) ++domains_with_points;
  if (walk.end == Walk::End::Budget) set_undecided("the budget of points ran out");
  return walk;
}

Values Evaluator::eval_forall(const Expr& expr, const Batch& batch) {
  std::vector<Outcome> seen(batch.size, Outcome::Ok);  // Undefined here: false at some point
  std::size_t failed = 0;
  const Expr& body = *expr.args[0];
  Walk walk = this->walk(expr.domain, batch, [&](const Batch& points) {
    const Values holds = eval(body, points, nullptr);
    const Column& value = holds.members[0];
    if (holds.all_ok() && value.uniform() && value.at(0) != 0) return true;
    for (std::size_t p = 0; p < points.size; ++p) {
      const Outcome outcome = holds.at(p);
      if (outcome == Outcome::Ok && value.at(p) != 0) continue;
      Outcome& of = seen[points.parent[p]];
      if (outcome == Outcome::Overflow) {
        set_undecided("a value of `" + text_of(body) + "` leaves 128 bits");
        if (of == Outcome::Ok) of = Outcome::Overflow;
      } else if (of != Outcome::Undefined) {
        of = Outcome::Undefined;
        ++failed;
      }
    }
    return failed < batch.size;
  });
  Column value;
  value.narrow.resize(batch.size);
  Outcomes outcome;
  for (std::size_t p = 0; p < batch.size; ++p) {
    const Outcome domain =
        walk.domain.empty() ? Outcome::Ok : walk.domain[walk.domain.size() == 1 ? 0 : p];
    value.narrow[p] = seen[p] == Outcome::Ok ? 1 : 0;
    if (seen[p] == Outcome::Undefined) continue;  // false, whatever the rest is
    if (domain == Outcome::Undefined) {
      mark(outcome, p, batch.size, Outcome::Undefined);
    } else if (domain == Outcome::Overflow || seen[p] == Outcome::Overflow || walk.truncated ||
               walk.end == Walk::End::Budget) {
      if (walk.truncated) {
        set_undecided(options_.corners ? "only the extremes of its coordinates were looked at"
                                       : "a coordinate without an extent was followed only to " +
                                             to_string(options_.unbounded - 1));
      }
      mark(outcome, p, batch.size, Outcome::Overflow);
    }
  }
  if (!outcome.empty() && outcome[0] == Outcome::Undefined) explain([&] { return walk.reason; });
  Values out(std::move(value));
  out.outcome = std::move(outcome);
  return out;
}

}  // namespace fragproof
