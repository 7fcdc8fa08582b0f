// The search for a large counterexample: see directed.h.
#include "checkers/enumerate/directed.h"

#include <algorithm>

namespace fragproof {
namespace {

constexpr int highest_power = 40;
constexpr std::size_t raised_at_most = 3;

class Directed {
 public:
  Directed(ShapeSearch& search, const std::function<bool(const SizeVector&)>& fails,
           int evaluations)
      : search_(search), fails_(fails), left_(evaluations) {
    for (const SizeBounds& bounds : search.bounds()) {
      low_.push_back(static_cast<std::int64_t>(std::min<Int>(bounds.low, Int{1} << highest_power)));
    }
  }

  std::optional<SizeVector> run() {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < low_.size(); ++i) {
      const auto& high = search_.bounds()[i].high;
      if (!high || *high > low_[i]) free.push_back(i);
    }
    // All of them, then each alone, then pairs, then threes.
    if (!free.empty()) attempt(free);
    for (const std::size_t a : free) attempt({a});
    for (std::size_t a = 0; a < free.size(); ++a) {
      for (std::size_t b = a + 1; b < free.size(); ++b) attempt({free[a], free[b]});
    }
    for (std::size_t a = 0; a < free.size() && raised_at_most > 2; ++a) {
      for (std::size_t b = a + 1; b < free.size(); ++b) {
        for (std::size_t c = b + 1; c < free.size(); ++c) attempt({free[a], free[b], free[c]});
      }
    }
    return std::move(best_);
  }

 private:
  static Int sum(const SizeVector& vector) {
    Int total = 0;
    for (const std::int64_t value : vector.values) total += value;
    return total;
  }

  std::optional<SizeVector> failing(const std::vector<std::int64_t>& target) {
    if (left_ <= 0) return std::nullopt;
    std::optional<SizeVector> vector = search_.near(target);
    if (!vector) return std::nullopt;
    --left_;
    if (!fails_(*vector)) return std::nullopt;
    return vector;
  }

  std::vector<std::int64_t> raise(const std::vector<std::size_t>& raised, std::int64_t to) const {
    std::vector<std::int64_t> target = low_;
    for (const std::size_t i : raised) {
      target[i] = std::max(low_[i], to);
      const auto& high = search_.bounds()[i].high;
      if (high && *high < target[i]) target[i] = static_cast<std::int64_t>(*high);
    }
    return target;
  }

  void attempt(const std::vector<std::size_t>& raised) {
    std::int64_t good = 0;  // a level that does not fail
    std::int64_t bad = 0;   // one that does
    std::optional<SizeVector> found;
    for (int power = 1; power <= highest_power && !found && left_ > 0; ++power) {
      const std::int64_t to = std::int64_t{1} << power;
      found = failing(raise(raised, to));
      (found ? bad : good) = to;
    }
    if (!found) return;
    while (bad - good > 1 && left_ > 0) {
      const std::int64_t middle = good + (bad - good) / 2;
      if (auto better = failing(raise(raised, middle))) {
        found = std::move(better);
        bad = middle;
      } else {
        good = middle;
      }
    }
    keep(lowered(std::move(*found), raised));
  }

  // Each size brought down alone, the others as they are.
  SizeVector lowered(SizeVector vector, const std::vector<std::size_t>& raised) {
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t r = raised.size(); r-- > 0;) {
        const std::size_t i = raised[r];
        std::int64_t good = low_[i] - 1;
        std::int64_t bad = vector.values[i];
        while (bad - good > 1 && left_ > 0) {
          std::vector<std::int64_t> target = vector.values;
          target[i] = good + (bad - good) / 2;
          auto better = failing(target);
          if (better && sum(*better) < sum(vector)) {
            vector = std::move(*better);
            bad = std::min(bad - 1, vector.values[i]);
          } else {
            good = target[i];
          }
        }
      }
    }
    return vector;
  }

  void keep(SizeVector vector) {
    if (!best_ || sum(vector) < sum(*best_)) best_ = std::move(vector);
  }

  ShapeSearch& search_;
  const std::function<bool(const SizeVector&)>& fails_;
  int left_;
  std::vector<std::int64_t> low_;
  std::optional<SizeVector> best_;
};

}  // namespace

std::optional<SizeVector> directed_search(ShapeSearch& search,
                                          const std::function<bool(const SizeVector&)>& fails,
                                          int evaluations) {
  return Directed(search, fails, evaluations).run();
}

}  // namespace fragproof
