// Arithmetic on columns: see columns.h.
#include "spec/columns.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "spec/one_operation.h"

namespace fragproof {
namespace {

constexpr std::int64_t narrow_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t narrow_min = std::numeric_limits<std::int64_t>::min();

bool fits_narrow(Int value) { return value >= narrow_min && value <= narrow_max; }

// Runs `f` over the pairs of two 64-bit columns; false as soon as nothing but 128 bits will do.
template <class F>
bool over_pairs(const Column& a, const Column& b, std::size_t size, Column& out, F f) {
  const std::int64_t* pa = a.narrow.data();
  const std::int64_t* pb = b.narrow.data();
  const bool both = a.uniform() && b.uniform();
  const std::size_t n = both ? 1 : size;
  out.narrow.resize(n);
  std::int64_t* po = out.narrow.data();
  bool bad = false;
  if (!a.uniform() && !b.uniform()) {
    for (std::size_t i = 0; i < n; ++i) bad |= f(pa[i], pb[i], po[i]);
  } else if (a.uniform()) {
    const std::int64_t x = pa[0];
    for (std::size_t i = 0; i < n; ++i) bad |= f(x, pb[i], po[i]);
  } else {
    const std::int64_t y = pb[0];
    for (std::size_t i = 0; i < n; ++i) bad |= f(pa[i], y, po[i]);
  }
  return !bad;
}

// Division and remainder by one positive power of two: a shift and a mask (most layouts).
bool by_power_of_two(Binary op, const Column& a, std::int64_t d, std::size_t size, Column& out) {
  if (d <= 0 || (d & (d - 1)) != 0) return false;
  const int shift = __builtin_ctzll(static_cast<unsigned long long>(d));
  const std::int64_t mask = d - 1;
  const std::size_t n = a.uniform() ? 1 : size;
  out.narrow.resize(n);
  const std::int64_t* pa = a.narrow.data();
  std::int64_t* po = out.narrow.data();
  std::int64_t all = 0;
  if (op == Binary::Div) {
    for (std::size_t i = 0; i < n; ++i) {
      all |= pa[i];
      po[i] = pa[i] >> shift;
    }
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      all |= pa[i];
      po[i] = pa[i] & mask;
    }
  }
  return all >= 0;
}

// Division by one positive divisor of numbers that fit 32 bits: half the latency of the 64-bit
// instruction.
bool by_small(Binary op, const Column& a, std::int64_t d, std::size_t size, Column& out) {
  if (d <= 0 || d > std::numeric_limits<std::uint32_t>::max()) return false;
  const std::size_t n = a.uniform() ? 1 : size;
  const std::int64_t* pa = a.narrow.data();
  std::int64_t all = 0;
  for (std::size_t i = 0; i < n; ++i) all |= pa[i];
  if (all < 0 || all > std::numeric_limits<std::uint32_t>::max()) return false;
  out.narrow.resize(n);
  std::int64_t* po = out.narrow.data();
  const auto divisor = static_cast<std::uint32_t>(d);
  if (op == Binary::Div) {
    for (std::size_t i = 0; i < n; ++i) po[i] = static_cast<std::uint32_t>(pa[i]) / divisor;
  } else {
    for (std::size_t i = 0; i < n; ++i) po[i] = static_cast<std::uint32_t>(pa[i]) % divisor;
  }
  return true;
}

// The fast paths: operators that cannot be undefined, and divisions by one divisor. False: use
// `slow`.
bool fast(Binary op, const Column& a, const Column& b, std::size_t size, Column& out) {
  using I = std::int64_t;
  switch (op) {
    case Binary::Add:
      return over_pairs(a, b, size, out,
                        [](I x, I y, I& r) { return __builtin_add_overflow(x, y, &r); });
    case Binary::Sub:
      return over_pairs(a, b, size, out,
                        [](I x, I y, I& r) { return __builtin_sub_overflow(x, y, &r); });
    case Binary::Mul:
      return over_pairs(a, b, size, out,
                        [](I x, I y, I& r) { return __builtin_mul_overflow(x, y, &r); });
    case Binary::And:
      return over_pairs(a, b, size, out, [](I x, I y, I& r) {
        r = x & y;
        return false;
      });
    case Binary::Or:
      return over_pairs(a, b, size, out, [](I x, I y, I& r) {
        r = x | y;
        return false;
      });
    case Binary::Xor:
      return over_pairs(a, b, size, out, [](I x, I y, I& r) {
        r = x ^ y;
        return false;
      });
    case Binary::Equal:
      return over_pairs(a, b, size, out, [](I x, I y, I& r) {
        r = x == y;
        return false;
      });
    case Binary::NotEqual:
      return over_pairs(a, b, size, out, [](I x, I y, I& r) {
        r = x != y;
        return false;
      });
    case Binary::Less:
      return over_pairs(a, b, size, out, [](I x, I y, I& r) {
        r = x < y;
        return false;
      });
    case Binary::LessEqual:
      return over_pairs(a, b, size, out, [](I x, I y, I& r) {
        r = x <= y;
        return false;
      });
    case Binary::Greater:
      return over_pairs(a, b, size, out, [](I x, I y, I& r) {
        r = x > y;
        return false;
      });
    case Binary::GreaterEqual:
      return over_pairs(a, b, size, out, [](I x, I y, I& r) {
        r = x >= y;
        return false;
      });
    case Binary::LogicalAnd:
      return over_pairs(a, b, size, out, [](I x, I y, I& r) {
        r = x != 0 && y != 0;
        return false;
      });
    case Binary::LogicalOr:
      return over_pairs(a, b, size, out, [](I x, I y, I& r) {
        r = x != 0 || y != 0;
        return false;
      });
    case Binary::Div:
    case Binary::Mod:
      if (!b.uniform()) return false;
      return by_power_of_two(op, a, b.narrow[0], size, out) ||
             by_small(op, a, b.narrow[0], size, out);
    case Binary::ShiftLeft:
    case Binary::ShiftRight:
      return false;
  }
  return false;
}

// One point at a time: 64 bits, else 128, else Overflow.
template <class Op>
Column slow(Op op, const Column& a, const Column& b, std::size_t size, Outcomes& outcomes) {
  const std::size_t n = a.uniform() && b.uniform() ? 1 : size;
  Column out;
  out.wide.resize(n);
  Outcomes mine;
  for (std::size_t i = 0; i < n; ++i) {
    const Int x = a.at(i);
    const Int y = b.at(i);
    Outcome outcome = Outcome::Overflow;
    if (fits_narrow(x) && fits_narrow(y)) {
      std::int64_t small = 0;
      outcome =
          one<std::int64_t>(op, static_cast<std::int64_t>(x), static_cast<std::int64_t>(y), small);
      out.wide[i] = small;
    }
    if (outcome == Outcome::Overflow) outcome = one<Int>(op, x, y, out.wide[i]);
    if (outcome != Outcome::Ok) {
      out.wide[i] = 0;
      mark(mine, i, n, outcome);
    }
  }
  narrow(out);
  if (!mine.empty()) merge(outcomes, mine, size);
  return out;
}

}  // namespace

Column::Column(Int value) {
  if (fits_narrow(value)) {
    narrow.assign(1, static_cast<std::int64_t>(value));
  } else {
    wide.assign(1, value);
  }
}

Column compute(Binary op, const Column& a, const Column& b, std::size_t size, Outcomes& outcomes) {
  if (!a.is_wide() && !b.is_wide()) {
    Column out;
    if (fast(op, a, b, size, out)) return out;
  }
  return slow(op, a, b, size, outcomes);
}

Column compute(Unary op, const Column& a, std::size_t size, Outcomes& outcomes) {
  switch (op) {
    case Unary::Negate:
      return compute(Binary::Sub, Column(Int{0}), a, size, outcomes);
    case Unary::Complement:
      return compute(Binary::Xor, Column(Int{-1}), a, size, outcomes);
    case Unary::Not:
      return compute(Binary::Equal, a, Column(Int{0}), size, outcomes);
  }
  return a;
}

Column compute(Builtin op, const Column& a, const Column& b, std::size_t size, Outcomes& outcomes) {
  using I = std::int64_t;
  if (!a.is_wide() && !b.is_wide() && op != Builtin::CeilDiv) {
    Column out;
    if (op == Builtin::Min) {
      over_pairs(a, b, size, out, [](I x, I y, I& r) {
        r = std::min(x, y);
        return false;
      });
    } else {
      over_pairs(a, b, size, out, [](I x, I y, I& r) {
        r = std::max(x, y);
        return false;
      });
    }
    return out;
  }
  return slow(op, a, b, size, outcomes);
}

void multiply_add(Column& a, const Column& by, const Column& plus, std::size_t size,
                  Outcomes& outcomes) {
  if (!a.is_wide() && !by.is_wide() && !plus.is_wide() && by.uniform()) {
    const std::int64_t b = by.narrow[0];
    bool bad = false;
    if (a.uniform()) {
      std::int64_t base = 0;
      bad = __builtin_mul_overflow(a.narrow[0], b, &base);
      Column out = plus;
      for (std::int64_t& value : out.narrow) bad |= __builtin_add_overflow(value, base, &value);
      if (!bad) {
        a = std::move(out);
        return;
      }
    } else {
      // Checked before it is written: the column is still needed when 64 bits are not enough.
      std::int64_t least = 0;
      std::int64_t most = 0;
      for (const std::int64_t value : a.narrow) {
        least = std::min(least, value);
        most = std::max(most, value);
      }
      std::int64_t low = 0;
      std::int64_t high = 0;
      std::int64_t least_plus = 0;
      std::int64_t most_plus = 0;
      for (const std::int64_t value : plus.narrow) {
        least_plus = std::min(least_plus, value);
        most_plus = std::max(most_plus, value);
      }
      bad = b < 0 || __builtin_mul_overflow(least, b, &low) ||
            __builtin_mul_overflow(most, b, &high) ||
            __builtin_add_overflow(low, least_plus, &low) ||
            __builtin_add_overflow(high, most_plus, &high);
      if (!bad) {
        std::int64_t* pa = a.narrow.data();
        const std::int64_t* pp = plus.narrow.data();
        if (plus.uniform()) {
          for (std::size_t i = 0; i < size; ++i) pa[i] = pa[i] * b + pp[0];
        } else {
          for (std::size_t i = 0; i < size; ++i) pa[i] = pa[i] * b + pp[i];
        }
        return;
      }
    }
  }
  a = compute(Binary::Add, compute(Binary::Mul, a, by, size, outcomes), plus, size, outcomes);
}

Column choose(const Column& condition, const Column& yes, const Column& no, std::size_t size) {
  if (condition.uniform()) return condition.at(0) != 0 ? yes : no;
  Column out;
  if (!yes.is_wide() && !no.is_wide()) {
    out.narrow.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      out.narrow[i] = condition.narrow[i] != 0 ? yes.narrow[yes.uniform() ? 0 : i]
                                               : no.narrow[no.uniform() ? 0 : i];
    }
    return out;
  }
  out.wide.resize(size);
  for (std::size_t i = 0; i < size; ++i) out.wide[i] = condition.at(i) != 0 ? yes.at(i) : no.at(i);
  narrow(out);
  return out;
}

bool mark_outside(const Column& column, const Column& bound, std::size_t size, Outcomes& outcomes) {
  const std::size_t n = column.uniform() && bound.uniform() ? 1 : size;
  if (!column.is_wide() &&
      !bound.is_wide()) {  // the usual case: nothing outside, found without branches
    const std::int64_t* pc = column.narrow.data();
    const std::int64_t* pb = bound.narrow.data();
    bool bad = false;
    if (column.uniform()) {
      for (std::size_t i = 0; i < n; ++i)
        bad |= (pc[0] < 0) | (pc[0] >= pb[bound.uniform() ? 0 : i]);
    } else if (bound.uniform()) {
      const std::int64_t b = pb[0];
      for (std::size_t i = 0; i < n; ++i) bad |= (pc[i] < 0) | (pc[i] >= b);
    } else {
      for (std::size_t i = 0; i < n; ++i) bad |= (pc[i] < 0) | (pc[i] >= pb[i]);
    }
    if (!bad) return false;
  }
  Outcomes mine(n, Outcome::Ok);
  bool any = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (column.at(i) < 0 || column.at(i) >= bound.at(i)) {
      mine[i] = Outcome::Undefined;
      any = true;
    }
  }
  if (any) merge(outcomes, mine, size);
  return any;
}

Column gather(const Column& column, std::span<const std::uint32_t> points) {
  if (column.uniform() || points.empty()) return column;
  Column out;
  if (std::all_of(points.begin(), points.end(), [&](auto p) { return p == points.front(); })) {
    return Column(column.at(points.front()));
  }
  if (column.is_wide()) {
    out.wide.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) out.wide[i] = column.wide[points[i]];
    narrow(out);
    return out;
  }
  out.narrow.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) out.narrow[i] = column.narrow[points[i]];
  return out;
}

Outcomes gather(const Outcomes& outcomes, std::span<const std::uint32_t> points) {
  if (outcomes.size() <= 1 || points.empty()) return outcomes;
  Outcomes out(points.size());
  bool any = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    out[i] = outcomes[points[i]];
    any = any || out[i] != Outcome::Ok;
  }
  if (!any) out.clear();
  return out;
}

std::vector<std::int64_t> spread(const Column& column, std::size_t size) {
  const auto clip = [](Int value) {
    return static_cast<std::int64_t>(std::clamp<Int>(value, narrow_min, narrow_max));
  };
  if (column.uniform()) return std::vector<std::int64_t>(size, clip(column.at(0)));
  if (!column.is_wide()) return column.narrow;
  std::vector<std::int64_t> out(size);
  for (std::size_t i = 0; i < size; ++i) out[i] = clip(column.wide[i]);
  return out;
}

void narrow(Column& column) {
  if (!column.is_wide() || !std::all_of(column.wide.begin(), column.wide.end(), fits_narrow))
    return;
  column.narrow.resize(column.wide.size());
  for (std::size_t i = 0; i < column.wide.size(); ++i) {
    column.narrow[i] = static_cast<std::int64_t>(column.wide[i]);
  }
  column.wide.clear();
}

}  // namespace fragproof
