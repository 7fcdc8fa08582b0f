// Which tables an uninterpreted table is tried as: see table_choices.h.
#include "checkers/enumerate/table_choices.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace fragproof {
namespace {

constexpr Int entry_limit = 1 << 20;
constexpr int random_tables = 8;

struct Options {
  std::vector<std::vector<Int>> tables;
  bool all = true;
};

// Every table of n entries below `range` in lexicographic order, with no value twice when
// `distinct`; false when there are more than `limit`.
bool every_table(std::size_t n, Int range, bool distinct, std::size_t limit,
                 std::vector<std::vector<Int>>& out) {
  std::vector<Int> table(n, 0);
  std::vector<Int> used;
  const auto fill = [&](const auto& self, std::size_t at) -> bool {
    if (at == n) {
      if (out.size() >= limit) return false;
      out.push_back(table);
      return true;
    }
    for (Int value = 0; value < range; ++value) {
      if (distinct && std::find(used.begin(), used.end(), value) != used.end()) continue;
      table[at] = value;
      used.push_back(value);
      const bool good = self(self, at + 1);
      used.pop_back();
      if (!good) return false;
    }
    return true;
  };
  if (n > 12 && range > 1) return false;
  return fill(fill, 0);
}

// Tables that mistakes show on: in order, two exchanged, reversed, turned, and a few by a fixed
// seed.
Options some_tables(std::size_t n, Int range, bool distinct) {
  Options out;
  out.all = false;
  std::vector<Int> order(n);
  std::iota(order.begin(), order.end(), Int{0});
  const auto add = [&](std::vector<Int> table) {
    for (Int& value : table) value %= range;
    if (std::find(out.tables.begin(), out.tables.end(), table) == out.tables.end())
      out.tables.push_back(std::move(table));
  };
  if (!distinct) add(std::vector<Int>(n, 0));
  add(order);
  if (n >= 2) {
    std::vector<Int> swapped = order;
    std::swap(swapped[0], swapped[1]);
    add(swapped);
    swapped = order;
    std::swap(swapped[n - 1], swapped[n - 2]);
    add(swapped);
    swapped = order;
    std::swap(swapped[0], swapped[n - 1]);
    add(swapped);
  }
  add(std::vector<Int>(order.rbegin(), order.rend()));
  std::vector<Int> turned = order;
  if (n > 0) std::rotate(turned.begin(), turned.begin() + 1, turned.end());
  add(turned);
  if (!distinct) add(std::vector<Int>(n, range - 1));
  std::mt19937_64 random(20240229);
  for (int i = 0; i < random_tables; ++i) {
    std::vector<Int> table = order;
    for (std::size_t k = n; k > 1; --k) std::swap(table[k - 1], table[random() % k]);
    if (!distinct) {
      for (Int& value : table) value = static_cast<Int>(random() >> 1) % range;
    } else if (range > static_cast<Int>(n)) {
      for (Int& value : table) value += range - static_cast<Int>(n);
    }
    add(table);
  }
  return out;
}

bool says_distinct(const Table& table, const std::vector<const Expr*>& conjuncts) {
  return std::any_of(conjuncts.begin(), conjuncts.end(), [&](const Expr* expr) {
    return expr->kind == Expr::Kind::Predicate && expr->table == &table &&
           (expr->predicate == Predicate::Injective || expr->predicate == Predicate::Bijective);
  });
}

Options options_of(Evaluator& evaluator, const Table& table,
                   const std::vector<const Expr*>& conjuncts, std::size_t limit) {
  const auto extents = evaluator.extents(table);
  Int n = 1;
  bool good = extents.has_value();
  for (std::size_t i = 0; good && i < extents->size(); ++i) good = mul(n, (*extents)[i], n);
  Options out;
  if (!good || n > entry_limit) {
    out.all = false;
    out.tables.emplace_back();  // every lookup is undefined or too large
    return out;
  }
  std::optional<Int> range;
  if (table.range != nullptr) {
    const Scalar scalar = evaluator.scalar(*table.range);
    if (scalar.outcome == Outcome::Ok) range = scalar.value;
  }
  const bool distinct = says_distinct(table, conjuncts);
  if (range && *range <= 0 && n > 0) return out;  // no such table
  if (range && distinct && *range < n) return out;
  if (range && every_table(static_cast<std::size_t>(n), *range, distinct, limit, out.tables))
    return out;
  return some_tables(static_cast<std::size_t>(n), range ? *range : 2 * n + 2, distinct);
}

}  // namespace

TableChoices choose_tables(Evaluator& evaluator, const std::vector<const Table*>& tables,
                           const std::vector<const Expr*>& conjuncts, std::size_t limit) {
  TableChoices out;
  out.choices.emplace_back();
  for (const Table* table : tables) {
    const Options options = options_of(evaluator, *table, conjuncts, limit);
    out.all = out.all && options.all;
    std::vector<std::map<const Table*, std::vector<Int>>> next;
    const bool product = out.choices.size() * options.tables.size() <= limit;
    if (!product) out.all = false;
    for (std::size_t i = 0; i < out.choices.size(); ++i) {
      for (std::size_t k = 0; k < options.tables.size(); ++k) {
        if (!product && k != i % options.tables.size())
          continue;  // too many pairs: each with some other
        next.push_back(out.choices[i]);
        next.back()[table] = options.tables[k];
      }
    }
    out.choices = std::move(next);
  }
  return out;
}

}  // namespace fragproof
