// `f.inverse(y)`: a table from the values of a map (or table) to the one point that has each, made
// once a shape.
#include <algorithm>
#include <numeric>

#include "spec/columns.h"
#include "spec/eval.h"

namespace fragproof {

// Points and their values, a row each, sorted by value.
struct Evaluator::Inverse {
  bool usable = true;  // false: unbounded, too large or out of budget
  std::string reason;
  std::size_t inputs = 0, outputs = 0;
  std::vector<std::int64_t> points;  // inputs numbers a row
  std::vector<std::int64_t> images;  // outputs numbers a row
  std::vector<std::uint32_t> order;  // rows by image, then by point

  [[nodiscard]] const std::int64_t* image(std::uint32_t row) const {
    return images.data() + std::size_t{row} * outputs;
  }
  [[nodiscard]] int compare(const std::int64_t* a, const std::int64_t* b) const {
    for (std::size_t i = 0; i < outputs; ++i) {
      if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    }
    return 0;
  }
  void sort() {
    order.resize(inputs == 0 ? 0 : points.size() / inputs);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const int c = compare(image(a), image(b));
      return c != 0 ? c < 0 : a < b;
    });
  }
  // How many rows have this image, and the first of them.
  [[nodiscard]] std::pair<std::size_t, std::uint32_t> find(const std::int64_t* wanted) const {
    auto first = std::lower_bound(
        order.begin(), order.end(), wanted,
        [&](std::uint32_t row, const std::int64_t* w) { return compare(image(row), w) < 0; });
    std::size_t count = 0;
    const std::uint32_t row = first == order.end() ? 0 : *first;
    for (; first != order.end() && compare(image(*first), wanted) == 0; ++first) ++count;
    return {count, row};
  }
};

const Evaluator::Inverse& Evaluator::inverse_of(const Map* map, const Table* table) {
  const void* key = map != nullptr ? static_cast<const void*>(map) : table;
  auto& slot = inverses_[key];
  if (slot != nullptr) return *slot;
  slot = std::make_shared<Inverse>();
  Inverse& inverse = *slot;
  const auto limit = static_cast<std::size_t>(options_.image_cells);
  const auto give_up = [&](std::string reason) {
    inverse.usable = false;
    inverse.reason = std::move(reason);
  };
  if (table != nullptr) {
    const auto extents = this->extents(*table);
    const std::vector<Int>& entries = values(*table);
    inverse.inputs = table->extents.size();
    inverse.outputs = 1;
    for (std::size_t e = 0; extents && e < entries.size(); ++e) {
      Int rest = static_cast<Int>(e);
      inverse.points.resize(inverse.points.size() + inverse.inputs);
      for (std::size_t i = inverse.inputs; i-- > 0;) {
        const Int extent = (*extents)[i] > 0 ? (*extents)[i] : 1;
        inverse.points[e * inverse.inputs + i] = static_cast<std::int64_t>(rest % extent);
        rest /= extent;
      }
      inverse.images.push_back(spread(Column(entries[e]), 1)[0]);
    }
    inverse.sort();
    return inverse;
  }
  inverse.inputs = map->domain.coordinates.size();
  inverse.outputs = map->outputs.size();
  std::string* outer = std::exchange(reason_, nullptr);
  const Batch once;
  const Walk walk = this->walk(map->domain, once, [&](const Batch& points) {
    std::vector<Column> columns;
    for (const Coordinate& coordinate : map->domain.coordinates) {
      columns.push_back(points.find(coordinate.variable)->members[0]);
    }
    const Values image = apply(*map, columns, points.size);
    for (std::size_t p = 0; p < points.size; ++p) {
      if (image.at(p) == Outcome::Overflow) {
        give_up("a value of " + map->name + " leaves 128 bits");
        return false;
      }
      if (image.at(p) != Outcome::Ok) continue;
      for (const Column& column : columns) {
        inverse.points.push_back(static_cast<std::int64_t>(column.at(p)));
      }
      for (const Column& column : image.members) {
        if (column.is_wide()) {
          give_up("a value of " + map->name + " leaves 64 bits");
          return false;
        }
        inverse.images.push_back(static_cast<std::int64_t>(column.at(p)));
      }
    }
    if (inverse.points.size() > limit) {
      give_up("the inverse of " + map->name + " is too large a table");
      return false;
    }
    return true;
  });
  reason_ = outer;
  if (walk.truncated) give_up("the domain of " + map->name + " has no end");
  if (walk.end == Walk::End::Budget) give_up("the budget of points ran out");
  if (inverse.usable) inverse.sort();
  return inverse;
}

Values Evaluator::eval_inverse(const Expr& expr, const Batch& batch) {
  const std::size_t count =
      expr.map != nullptr ? expr.map->domain.coordinates.size() : expr.table->extents.size();
  Outcomes outcome;
  const std::vector<Column> wanted = arguments(expr.args, batch, outcome);
  if (nowhere_defined(outcome)) return nothing(count, outcome);
  const Inverse& inverse = inverse_of(expr.map, expr.table);
  if (!inverse.usable) {
    set_undecided(inverse.reason);
    extend(outcome, Outcomes(1, Outcome::Overflow), batch.size);
    return nothing(count, outcome);
  }
  std::size_t n = outcome.size() <= 1 ? 1 : batch.size;
  for (const Column& column : wanted) n = std::max(n, column.size());
  Values out;
  out.members.resize(count);
  for (Column& column : out.members) column.narrow.assign(n, 0);
  std::vector<std::int64_t> value(inverse.outputs);
  Outcomes mine;
  for (std::size_t p = 0; p < n; ++p) {
    bool possible = wanted.size() == inverse.outputs;
    for (std::size_t i = 0; possible && i < wanted.size(); ++i) {
      const Int v = wanted[i].at(p);
      possible = v >= INT64_MIN && v <= INT64_MAX;
      value[i] = static_cast<std::int64_t>(v);
    }
    const auto [hits, row] =
        possible ? inverse.find(value.data()) : std::pair<std::size_t, std::uint32_t>{0, 0};
    if (hits != 1) {
      mark(mine, p, n, Outcome::Undefined);
      if (p == 0 && (outcome.empty() || outcome[0] == Outcome::Ok)) {
        const std::size_t points = hits;
        explain([&] {
          std::string text =
              (expr.map != nullptr ? expr.map->name : expr.table->name) + ".inverse(";
          for (std::size_t i = 0; i < wanted.size(); ++i) {
            text += (i > 0 ? ", " : "") + to_string(wanted[i].at(0));
          }
          return text +
                 (points == 0 ? "): no such point" : "): " + std::to_string(points) + " points");
        });
      }
      continue;
    }
    for (std::size_t i = 0; i < count; ++i) {
      out.members[i].narrow[p] = inverse.points[std::size_t{row} * count + i];
    }
  }
  extend(outcome, mine, batch.size);
  out.outcome = std::move(outcome);
  return out;
}

}  // namespace fragproof
