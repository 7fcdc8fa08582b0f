// Arithmetic that stays affine over GF(2), and elimination.
#include "checkers/linear/bits.h"

#include <algorithm>
#include <utility>

namespace fragproof::gf2 {
namespace {

constexpr std::size_t max_bits = 126;

Bits trimmed(Bits bits) {
  while (!bits.empty() && bits.back().is_zero()) bits.pop_back();
  return bits;
}

Form at(const Bits& bits, std::size_t i) { return i < bits.size() ? bits[i] : Form{}; }

Form sum(const Form& a, const Form& b) { return {a.mask ^ b.mask, a.constant != b.constant}; }

Bits shifted(const Bits& a, std::size_t by) {
  if (a.empty()) return a;
  Bits out(by);
  out.insert(out.end(), a.begin(), a.end());
  return out;
}

std::size_t lowest(Mask mask) {
  std::size_t i = 0;
  while (((mask >> i) & 1U) == 0) ++i;
  return i;
}

// The product of two bits, where that is affine.
std::optional<Form> product(const Form& a, const Form& b) {
  if (a.is_zero() || b.is_zero()) return Form{};
  if (a.mask == 0) return b;
  if (b.mask == 0) return a;
  if (a == b) return a;
  if (a.mask == b.mask) return Form{};  // a bit and its opposite
  return std::nullopt;
}

}  // namespace

Bits constant_bits(Int value) {
  Bits out;
  for (; value > 0; value /= 2) out.push_back({0, value % 2 == 1});
  return out;
}

Bits input_bits(std::size_t first, std::size_t count) {
  Bits out;
  for (std::size_t i = 0; i < count; ++i) out.push_back({Mask{1} << (first + i), false});
  return out;
}

std::optional<Int> constant_of(const Bits& bits) {
  Int value = 0;
  for (std::size_t i = bits.size(); i-- > 0;) {
    if (bits[i].mask != 0) return std::nullopt;
    value = 2 * value + (bits[i].constant ? 1 : 0);
  }
  return value;
}

std::optional<std::size_t> log2_of(Int value) {
  if (value < 1) return std::nullopt;
  std::size_t log = 0;
  for (; value % 2 == 0; value /= 2) ++log;
  if (value != 1) return std::nullopt;
  return log;
}

bool surely_below(const Bits& bits, Int limit) {
  if (const auto constant = constant_of(bits)) return *constant < limit;
  return limit > 0 && bits.size() < max_bits && Int{1} << bits.size() <= limit;
}

std::optional<Bits> add(const Bits& a, const Bits& b) {
  const auto x = constant_of(a);
  const auto y = constant_of(b);
  if (a.size() >= max_bits || b.size() >= max_bits) return std::nullopt;
  if (x && y) return constant_bits(*x + *y);
  Bits out(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto carry = product(at(a, i), at(b, i));
    if (!carry || !carry->is_zero()) return std::nullopt;
    out[i] = sum(at(a, i), at(b, i));
  }
  return trimmed(std::move(out));
}

std::optional<Bits> subtract(const Bits& a, const Bits& b) {
  const auto x = constant_of(a);
  const auto y = constant_of(b);
  if (x && y) return *x < *y ? std::nullopt : std::optional(constant_bits(*x - *y));
  // Without borrow: every bit of b is a bit of a there.
  Bits out = a;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (b[i].is_zero()) continue;
    const auto both = product(at(a, i), b[i]);
    if (!both || !(*both == b[i])) return std::nullopt;
    out[i] = sum(a[i], b[i]);
  }
  return trimmed(std::move(out));
}

std::optional<Bits> multiply(const Bits& a, const Bits& b) {
  const auto by = constant_of(b);
  if (!by) return constant_of(a) ? multiply(b, a) : std::nullopt;
  std::optional<Bits> out = Bits();
  for (std::size_t i = 0; i < b.size() && out; ++i) {
    if (!b[i].constant) continue;
    if (a.size() + i > max_bits) return std::nullopt;
    out = add(*out, shifted(a, i));
  }
  return out;
}

std::optional<Bits> divide(const Bits& a, const Bits& b) {
  const auto by = constant_of(b);
  if (!by || *by == 0) return std::nullopt;
  if (const auto x = constant_of(a)) return constant_bits(*x / *by);
  if (const auto log = log2_of(*by)) {
    return Bits(a.begin() + static_cast<std::ptrdiff_t>(std::min(*log, a.size())), a.end());
  }
  return surely_below(a, *by) ? std::optional(Bits()) : std::nullopt;
}

std::optional<Bits> remainder(const Bits& a, const Bits& b) {
  const auto by = constant_of(b);
  if (!by || *by == 0) return std::nullopt;
  if (const auto x = constant_of(a)) return constant_bits(*x % *by);
  if (const auto log = log2_of(*by)) {
    return trimmed(
        Bits(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(*log, a.size()))));
  }
  return surely_below(a, *by) ? std::optional(a) : std::nullopt;
}

std::optional<Bits> shift_left(const Bits& a, const Bits& by) {
  const auto count = constant_of(by);
  if (!count || *count > static_cast<Int>(max_bits)) return std::nullopt;
  if (a.size() + static_cast<std::size_t>(*count) > max_bits) return std::nullopt;
  return shifted(a, static_cast<std::size_t>(*count));
}

std::optional<Bits> shift_right(const Bits& a, const Bits& by) {
  const auto count = constant_of(by);
  if (!count || *count > static_cast<Int>(max_bits)) return std::nullopt;
  const auto drop = std::min(static_cast<std::size_t>(*count), a.size());
  return Bits(a.begin() + static_cast<std::ptrdiff_t>(drop), a.end());
}

std::optional<Bits> bitwise_and(const Bits& a, const Bits& b) {
  Bits out(std::min(a.size(), b.size()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto both = product(a[i], b[i]);
    if (!both) return std::nullopt;
    out[i] = *both;
  }
  return trimmed(std::move(out));
}

std::optional<Bits> bitwise_or(const Bits& a, const Bits& b) {
  Bits out(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto both = product(at(a, i), at(b, i));
    if (!both) return std::nullopt;
    out[i] = sum(sum(at(a, i), at(b, i)), *both);
  }
  return trimmed(std::move(out));
}

Bits bitwise_xor(const Bits& a, const Bits& b) {
  Bits out(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = sum(at(a, i), at(b, i));
  return trimmed(std::move(out));
}

bool value_of(const Form& form, Mask inputs) {
  bool value = form.constant;
  for (Mask rest = form.mask & inputs; rest != 0; rest &= rest - 1) value = !value;
  return value;
}

Int value_of(const Bits& bits, Mask inputs) {
  Int value = 0;
  for (std::size_t i = bits.size(); i-- > 0;)
    value = 2 * value + (value_of(bits[i], inputs) ? 1 : 0);
  return value;
}

Rank rank_of(const std::vector<Form>& forms, std::size_t inputs) {
  // By columns: input i as the set of forms it changes, beside the inputs added up so far. A column
  // that becomes empty is a vector of the kernel; its topmost input is i.
  struct Column {
    std::vector<bool> changes;
    Mask of = 0;
  };
  std::vector<Column> kept;
  std::vector<std::size_t> pivots;
  Rank out;
  for (std::size_t i = 0; i < inputs; ++i) {
    Column column;
    column.of = Mask{1} << i;
    for (const Form& form : forms) column.changes.push_back(((form.mask >> i) & 1U) != 0);
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (!column.changes[pivots[k]]) continue;
      column.of ^= kept[k].of;
      for (std::size_t f = 0; f < forms.size(); ++f)
        column.changes[f] = column.changes[f] != kept[k].changes[f];
    }
    const auto pivot = std::find(column.changes.begin(), column.changes.end(), true);
    if (pivot == column.changes.end()) {
      out.kernel.push_back(column.of);
      continue;
    }
    pivots.push_back(static_cast<std::size_t>(pivot - column.changes.begin()));
    kept.push_back(std::move(column));
  }
  out.rank = kept.size();
  return out;
}

std::optional<std::vector<Form>> solve(const std::vector<Form>& forms,
                                       const std::vector<Form>& values, std::size_t inputs) {
  // Rows `mask . x = value`, reduced until each input has a row of its own.
  std::vector<std::pair<Mask, Form>> rows;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    rows.emplace_back(forms[i].mask, sum(values[i], Form{0, forms[i].constant}));
  }
  std::vector<Form> out(inputs);
  std::size_t done = 0;
  for (std::size_t i = 0; i < inputs; ++i) {
    std::size_t row = done;
    while (row < rows.size() && ((rows[row].first >> i) & 1U) == 0) ++row;
    if (row == rows.size()) return std::nullopt;  // this input is not determined
    std::swap(rows[done], rows[row]);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (k == done || ((rows[k].first >> i) & 1U) == 0) continue;
      rows[k].first ^= rows[done].first;
      rows[k].second = sum(rows[k].second, rows[done].second);
    }
    ++done;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i >= done && !rows[i].second.is_zero()) return std::nullopt;  // contradictory, or it may be
  }
  for (std::size_t i = 0; i < done; ++i) out[lowest(rows[i].first)] = rows[i].second;
  return out;
}

}  // namespace fragproof::gf2
