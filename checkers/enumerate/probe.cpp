// Shapes that the numbers of a text suggest: see probe.h.
#include "checkers/enumerate/probe.h"

#include <algorithm>

namespace fragproof {
namespace {

constexpr Int largest = 1 << 20;

}  // namespace

Int sum_of(const SizeVector& vector) {
  Int total = 0;
  for (const std::int64_t value : vector.values) total += value;
  return total;
}

bool comes_before(const SizeVector& a, const SizeVector& b) {
  const Int x = sum_of(a);
  const Int y = sum_of(b);
  return x != y ? x < y : a.values < b.values;
}

std::vector<SizeVector> suggested_shapes(ShapeSearch& search, const std::set<Int>& numbers,
                                         std::size_t limit) {
  std::set<std::int64_t> interesting;
  for (const Int number : numbers) {
    if (number < 2 || number > largest) continue;
    for (const Int near : {number - 1, number, number + 1, 2 * number}) {
      interesting.insert(static_cast<std::int64_t>(near));
    }
  }
  std::vector<std::int64_t> least;
  for (const SizeBounds& bounds : search.bounds()) {
    least.push_back(static_cast<std::int64_t>(std::min<Int>(bounds.low, INT64_MAX / 4)));
  }
  std::vector<SizeVector> found;
  std::set<std::vector<std::int64_t>> known;
  const auto add = [&](const std::vector<std::int64_t>& target) {
    if (found.size() >= limit * 4) return;
    std::optional<SizeVector> vector = search.near(target);
    if (vector && known.insert(vector->values).second) found.push_back(std::move(*vector));
  };
  for (std::size_t i = 0; i < least.size(); ++i) {
    for (const std::int64_t value : interesting) {
      std::vector<std::int64_t> target = least;
      target[i] = value;
      add(target);
      for (std::size_t k = 0; k < least.size(); ++k) {
        if (k == i) continue;
        target[k] = least[k] + 1;  // a second size off its least
        add(target);
        target[k] = least[k];
      }
    }
  }
  std::sort(found.begin(), found.end(), comes_before);
  if (found.size() > limit) found.resize(limit);
  return found;
}

}  // namespace fragproof
