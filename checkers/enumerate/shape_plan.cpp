// How a ShapeSearch goes about its work: bounds of the sizes, the order in which they are set, when
// each conjunct is judged.
#include <algorithm>
#include <set>

#include "checkers/enumerate/shape_search.h"
#include "checkers/enumerate/uses.h"

namespace fragproof {
namespace {

constexpr std::int64_t largest_size = std::int64_t{1} << 61;
constexpr std::size_t scanned = 4096;  // values looked at for the least that a size can have

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
    if (level.equals != nullptr && is_monotone(*level.equals)) level.floors.push_back(level.equals);
    for (const Modulus& modulus : level.moduli) {
      const bool zero = modulus.rest->kind == Expr::Kind::Number && modulus.rest->number == 0;
      if (zero && is_monotone(*modulus.expr)) level.floors.push_back(modulus.expr);
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
    std::vector<std::int64_t> values(scanned);
    for (std::size_t v = 0; v < scanned; ++v) {
      values[v] = static_cast<std::int64_t>(bounds_[i].low) + static_cast<std::int64_t>(v);
    }
    Batch batch;
    batch.size = scanned;
    batch.bind(sizes_[i], Values(Column(values)));
    std::size_t first = 0;
    std::vector<bool> good(scanned, true);
    for (const Expr* conjunct : firm) {
      const auto mentioned = sizes_of(conjunct);
      if (mentioned.size() != 1 || mentioned.count(sizes_[i]) == 0) continue;
      const Values holds = evaluator_->evaluate_over_sizes(*conjunct, batch);
      for (std::size_t v = 0; v < scanned; ++v) {
        if (holds.at(v) == Outcome::Ok && holds.members[0].at(v) == 0) good[v] = false;
      }
    }
    while (first < scanned && !good[first]) ++first;
    if (first < scanned) bounds_[i].low += static_cast<Int>(first);
  }
}

}  // namespace fragproof
