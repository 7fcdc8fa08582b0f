// A set of tuples that tells which were met before: see seen_values.h.
#include "checkers/enumerate/seen_values.h"

#include <algorithm>
#include <numeric>

namespace fragproof {
namespace {

// Many questions are judged at the same time. Rows are sorted through an index of half their size,
// and grow by copying.
constexpr std::int64_t most_numbers = std::int64_t{1} << 22;
constexpr std::int64_t most_bits = std::int64_t{1} << 29;

struct Stopped {};  // leaves std::sort

}  // namespace

SeenValues::SeenValues(std::size_t arity, const std::optional<std::vector<Int>>& extents,
                       std::int64_t limit)
    : arity_(arity), limit_(std::min(limit, most_numbers)) {
  if (!extents) return;
  Int product = 1;
  for (const Int extent : *extents) {
    if (!mul(product, extent, product)) return;
  }
  codomain_ = product;
  if (product < 0 || product > std::min(Int{limit} * 32, Int{most_bits})) return;  // a bit a member
  for (const Int extent : *extents) extents_.push_back(static_cast<std::int64_t>(extent));
  bits_.assign(static_cast<std::size_t>(product / 64 + 1), 0);
}

bool SeenValues::add(const std::int64_t* row) {
  if (bits_.empty()) {
    if (static_cast<std::int64_t>(rows_.size() + arity_) > limit_) return false;
    rows_.insert(rows_.end(), row, row + arity_);
    ++count_;
    return true;
  }
  std::int64_t index = 0;
  for (std::size_t i = 0; i < arity_; ++i) index = index * extents_[i] + row[i];
  std::uint64_t& word = bits_[static_cast<std::size_t>(index / 64)];
  const std::uint64_t bit = std::uint64_t{1} << (index % 64);
  if ((word & bit) != 0) {
    if (again_ == 0) first_again_ = count_;
    ++again_;
  }
  word |= bit;
  ++count_;
  return true;
}

bool SeenValues::finish(const std::atomic<bool>* stop) {
  if (!bits_.empty()) return true;
  if (stop != nullptr && stop->load()) return false;
  std::vector<std::uint32_t> order(static_cast<std::size_t>(count_));
  std::iota(order.begin(), order.end(), 0U);
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t i = 0; i < arity_; ++i) {
      const std::int64_t x = rows_[a * arity_ + i];
      const std::int64_t y = rows_[b * arity_ + i];
      if (x != y) return x < y ? -1 : 1;
    }
    return 0;
  };
  std::uint32_t comparisons = 0;
  try {
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (++comparisons % 65536 == 0 && stop != nullptr && stop->load()) throw Stopped{};
      const int c = compare(a, b);
      return c != 0 ? c < 0 : a < b;
    });
  } catch (const Stopped&) {
    return false;
  }
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (compare(order[i - 1], order[i]) != 0) continue;
    ++again_;
    if (first_again_ < 0 || std::int64_t{order[i]} < first_again_) first_again_ = order[i];
  }
  return true;
}

std::optional<std::vector<Int>> SeenValues::first_missing() const {
  if (bits_.empty() || !codomain_) return std::nullopt;
  for (std::int64_t index = 0; Int{index} < *codomain_; ++index) {
    const std::uint64_t word = bits_[static_cast<std::size_t>(index / 64)];
    if (~word == 0) index |= 63;  // all of this word were met
    if ((word >> (index % 64) & 1) != 0) continue;
    std::vector<Int> member(arity_);
    std::int64_t rest = index;
    for (std::size_t i = arity_; i-- > 0;) {
      member[i] = rest % extents_[i];
      rest /= extents_[i];
    }
    return member;
  }
  return std::nullopt;
}

}  // namespace fragproof
