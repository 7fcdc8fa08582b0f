#include "fuzz/emulate/contraction.h"

#include <algorithm>
#include <cmath>

namespace fragproof {
namespace {

// An index of the equation: how far and how it moves in each tensor.
struct Index {
  std::string name;
  std::int64_t extent = 1;
  std::int64_t y = 0, first = 0, second = 0;  // strides in elements; 0: it is not an index there
};

void add_indices(const Factor& factor, const std::vector<std::int64_t>& extents,
                 std::int64_t Index::*stride, std::vector<Index>& indices) {
  std::int64_t step = 1;
  for (std::size_t i = extents.size(); i-- > 0;) {
    auto it = std::find_if(indices.begin(), indices.end(),
                           [&](const Index& index) { return index.name == factor.indices[i]; });
    if (it == indices.end()) {
      indices.push_back({});
      it = std::prev(indices.end());
      it->name = factor.indices[i];
    }
    it->extent = extents[i];
    (*it).*stride = step;
    step *= extents[i];
  }
}

std::vector<std::int64_t> extents_of(Evaluator& evaluator, const Factor& factor) {
  std::vector<std::int64_t> out;
  const std::optional<std::vector<Int>> extents = evaluator.extents(*factor.tensor);
  for (const Int extent : extents.value()) out.push_back(static_cast<std::int64_t>(extent));
  return out;
}

}  // namespace

Contraction contract(Evaluator& evaluator, const Kernel& kernel, const Blocks& blocks,
                     DataMode mode) {
  std::vector<Index> indices;
  add_indices(kernel.result, extents_of(evaluator, kernel.result), &Index::y, indices);
  const std::size_t outer = indices.size();
  add_indices(kernel.first, extents_of(evaluator, kernel.first), &Index::first, indices);
  add_indices(kernel.second, extents_of(evaluator, kernel.second), &Index::second, indices);
  std::int64_t results = 1, terms = 1;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    (i < outer ? results : terms) *= indices[i].extent;
  }

  Contraction out;
  out.terms = terms;
  const bool integers = mode == DataMode::Integers;
  const auto size = static_cast<std::size_t>(results);
  out.integers.assign(integers ? size : 0, 0);
  out.reals.assign(integers ? 0 : size, 0);
  out.magnitudes.assign(integers ? 0 : size, 0);
  const auto elements = [&](const Factor& factor) {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents_of(evaluator, factor)) count *= extent;
    return count;
  };
  // Unsigned: sums wrap.
  std::vector<std::uint64_t> a, b;
  std::vector<double> c, d;
  if (integers) {
    a = blocks.integers_of(*kernel.first.tensor, elements(kernel.first));
    b = blocks.integers_of(*kernel.second.tensor, elements(kernel.second));
  } else {
    c = blocks.reals_of(*kernel.first.tensor, elements(kernel.first));
    d = blocks.reals_of(*kernel.second.tensor, elements(kernel.second));
  }

  // The last index runs innermost; the others count up like the digits of a number.
  const Index inner = indices.back();
  indices.pop_back();
  std::vector<std::int64_t> at(indices.size(), 0);
  const std::int64_t rounds = inner.extent == 0 ? 0 : results * terms / inner.extent;
  for (std::int64_t round = 0; round < rounds; ++round) {
    std::int64_t y = 0, first = 0, second = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      y += at[i] * indices[i].y;
      first += at[i] * indices[i].first;
      second += at[i] * indices[i].second;
    }
    for (std::int64_t k = 0; k < inner.extent; ++k) {
      const auto f = static_cast<std::size_t>(first + k * inner.first);
      const auto s = static_cast<std::size_t>(second + k * inner.second);
      const auto e = static_cast<std::size_t>(y + k * inner.y);
      if (integers) {
        out.integers[e] += a[f] * b[s];
      } else {
        out.reals[e] += c[f] * d[s];
        out.magnitudes[e] += std::fabs(c[f] * d[s]);
      }
    }
    for (std::size_t i = indices.size(); i-- > 0;) {
      if (++at[i] < indices[i].extent) break;
      at[i] = 0;
    }
  }
  return out;
}

}  // namespace fragproof
