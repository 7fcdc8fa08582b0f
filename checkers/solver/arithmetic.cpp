// C's operators on Z3 integer terms, with the bounds that are plain from the operands.
#include <algorithm>
#include <string>

#include "checkers/solver/terms.h"

namespace fragproof {
namespace {

using Bound = std::optional<Int>;

template <class Operation>
Bound combine(const Bound& a, const Bound& b, const Operation& operation) {
  Int result = 0;
  if (!a || !b || !operation(*a, *b, result)) return std::nullopt;
  return result;
}

constexpr int widest_bits = 16;  // of an operand that is taken apart bit by bit

}  // namespace

z3::expr Arithmetic::both(const z3::expr& a, const z3::expr& b) const {
  if (a.is_true() || b.is_false()) return b;
  if (b.is_true() || a.is_false()) return a;
  return a && b;
}

z3::expr Arithmetic::either(const z3::expr& a, const z3::expr& b) const {
  if (a.is_false() || b.is_true()) return b;
  if (b.is_false() || a.is_true()) return a;
  return a || b;
}

z3::expr Arithmetic::negation(const z3::expr& a) const {
  if (a.is_true() || a.is_false()) return truth(a.is_false());
  return !a;
}

SymbolicNumber Arithmetic::number(Int value) const {
  return {session_.numeral(value), value, value};
}

SymbolicNumber Arithmetic::fresh(const std::string& name) {
  return {context().int_const((name + "!" + std::to_string(fresh_++)).c_str()), {}, {}};
}

z3::expr Arithmetic::compare(Binary op, const SymbolicNumber& a, const SymbolicNumber& b) const {
  const bool less = a.high && b.low && *a.high < *b.low;
  const bool not_less = a.low && b.high && *a.low >= *b.high;
  const bool greater = a.low && b.high && *a.low > *b.high;
  const bool not_greater = a.high && b.low && *a.high <= *b.low;
  switch (op) {
    case Binary::Less:
      return less || not_less ? truth(less) : a.term < b.term;
    case Binary::GreaterEqual:
      return less || not_less ? truth(not_less) : a.term >= b.term;
    case Binary::Greater:
      return greater || not_greater ? truth(greater) : a.term > b.term;
    case Binary::LessEqual:
      return greater || not_greater ? truth(not_greater) : a.term <= b.term;
    case Binary::Equal:
      if (a.known() && b.known()) return truth(*a.known() == *b.known());
      return less || greater ? truth(false) : a.term == b.term;
    case Binary::NotEqual:
      if (a.known() && b.known()) return truth(*a.known() != *b.known());
      return less || greater ? truth(true) : a.term != b.term;
    default:
      throw NotSpoken{"internal: not a comparison"};
  }
}

z3::expr Arithmetic::inside(const SymbolicNumber& value, const SymbolicNumber& extent) const {
  return both(compare(Binary::GreaterEqual, value, number(0)),
              compare(Binary::Less, value, extent));
}

SymbolicNumber Arithmetic::add(const SymbolicNumber& a, const SymbolicNumber& b) const {
  const auto sum = [](Int x, Int y, Int& out) { return fragproof::add(x, y, out); };
  const Bound low = combine(a.low, b.low, sum), high = combine(a.high, b.high, sum);
  if (low && high && *low == *high) return number(*low);
  if (a.known() == Int{0}) return b;
  if (b.known() == Int{0}) return a;
  return {a.term + b.term, low, high};
}

SymbolicNumber Arithmetic::subtract(const SymbolicNumber& a, const SymbolicNumber& b) const {
  const auto difference = [](Int x, Int y, Int& out) { return fragproof::sub(x, y, out); };
  const Bound low = combine(a.low, b.high, difference), high = combine(a.high, b.low, difference);
  if (low && high && *low == *high) return number(*low);
  if (b.known() == Int{0}) return a;
  return {a.term - b.term, low, high};
}

SymbolicNumber Arithmetic::multiply(const SymbolicNumber& a, const SymbolicNumber& b) const {
  if (a.known() == Int{1}) return b;
  if (b.known() == Int{1}) return a;
  if (a.known() == Int{0} || b.known() == Int{0}) return number(0);
  const auto product = [](Int x, Int y, Int& out) { return fragproof::mul(x, y, out); };
  Bound low, high;
  if (a.low && a.high && b.low && b.high) {
    const Bound corners[] = {combine(a.low, b.low, product), combine(a.low, b.high, product),
                             combine(a.high, b.low, product), combine(a.high, b.high, product)};
    if (std::ranges::all_of(corners, [](const Bound& c) { return c.has_value(); })) {
      low = std::ranges::min(corners, {}, [](const Bound& c) { return *c; });
      high = std::ranges::max(corners, {}, [](const Bound& c) { return *c; });
    }
  } else if (a.low && b.low && *a.low >= 0 && *b.low >= 0) {
    low = combine(a.low, b.low, product);
  }
  if (low && high && *low == *high) return number(*low);
  return {a.term * b.term, low, high};
}

SymbolicNumber Arithmetic::quotient(const SymbolicNumber& a, const SymbolicNumber& b) const {
  if (b.known() == Int{1}) return a;
  SymbolicNumber result{z3::expr(context()), {}, {}};
  const bool natural = a.low && *a.low >= 0;
  if (natural) result.low = 0;
  if (natural && b.known() && *b.known() >= 1) result.low = *a.low / *b.known();
  if (natural && a.high) result.high = *a.high / std::max<Int>(b.low.value_or(1), 1);
  if (result.known()) return number(*result.known());
  result.term = a.term / b.term;
  return result;
}

SymbolicNumber Arithmetic::remainder(const SymbolicNumber& a, const SymbolicNumber& b) const {
  if (b.known() == Int{1}) return number(0);
  if (a.low && *a.low >= 0 && a.high && b.low && *a.high < *b.low) return a;
  SymbolicNumber result{z3::expr(context()), Int{0}, {}};
  if (b.high && *b.high >= 1) result.high = *b.high - 1;
  if (a.low && *a.low >= 0 && a.high)
    result.high = std::min(*a.high, result.high.value_or(*a.high));
  if (a.known() && b.known() && *a.known() >= 0 && *b.known() >= 1)
    return number(*a.known() % *b.known());
  result.term = z3::mod(a.term, b.term);
  return result;
}

SymbolicNumber Arithmetic::smallest(const SymbolicNumber& a, const SymbolicNumber& b) const {
  SymbolicNumber result = choose(compare(Binary::LessEqual, a, b), a, b);
  if (a.high || b.high)
    result.high = a.high && b.high ? std::min(*a.high, *b.high) : a.high ? a.high : b.high;
  return result;
}

SymbolicNumber Arithmetic::largest(const SymbolicNumber& a, const SymbolicNumber& b) const {
  SymbolicNumber result = choose(compare(Binary::GreaterEqual, a, b), a, b);
  if (a.low || b.low)
    result.low = a.low && b.low ? std::max(*a.low, *b.low) : a.low ? a.low : b.low;
  return result;
}

SymbolicNumber Arithmetic::choose(const z3::expr& condition, const SymbolicNumber& a,
                                  const SymbolicNumber& b) const {
  if (condition.is_true()) return a;
  if (condition.is_false()) return b;
  SymbolicNumber result{z3::ite(condition, a.term, b.term), {}, {}};
  if (a.low && b.low) result.low = std::min(*a.low, *b.low);
  if (a.high && b.high) result.high = std::max(*a.high, *b.high);
  return result;
}

SymbolicNumber Arithmetic::power_of_two(const SymbolicNumber& exponent) {
  if (const std::optional<Int> known = exponent.known()) {
    if (*known >= 0 && *known < 127) return number(Int{1} << static_cast<int>(*known));
    throw NotSpoken{"a shift by " + to_string(*known) + " is beyond the direct engine"};
  }
  // One case an exponent; beyond the last any value, which can only make the claim harder.
  const Int first = std::max<Int>(exponent.low.value_or(0), 0);
  const Int last = std::min<Int>(exponent.high.value_or(63), 126);
  SymbolicNumber result = fresh("shift");
  const bool all_cases = exponent.high && *exponent.high <= last;
  for (Int e = last; e >= first; --e) {
    const SymbolicNumber power = number(Int{1} << static_cast<int>(e));
    if (e == last && all_cases) {
      result = power;
      continue;
    }
    SymbolicNumber next{
        z3::ite(exponent.term == session_.numeral(e), power.term, result.term), {}, {}};
    if (result.low) next.low = std::min(*power.low, *result.low);
    if (result.high) next.high = std::max(*power.high, *result.high);
    result = next;
  }
  return result;
}

SymbolicNumber Arithmetic::mask(const SymbolicNumber& a, Int bits) const {
  // Each run of ones, bits first .. end-1, is a remainder of a quotient.
  SymbolicNumber sum = number(0);
  for (int first = 0; first < 126; ++first) {
    if (((bits >> first) & 1) == 0) continue;
    int end = first;
    while (end < 126 && ((bits >> end) & 1) != 0) ++end;
    const SymbolicNumber upper = quotient(a, number(Int{1} << first));
    const SymbolicNumber run = remainder(upper, number(Int{1} << (end - first)));
    sum = add(sum, multiply(run, number(Int{1} << first)));
    first = end;
  }
  if (sum.known()) return sum;
  sum.low = std::max<Int>(sum.low.value_or(0), 0);
  sum.high = std::min(sum.high.value_or(bits), bits);
  return sum;
}

SymbolicNumber Arithmetic::bit_and(const SymbolicNumber& a, const SymbolicNumber& b) const {
  constexpr Int limit = Int{1} << 126;
  for (const auto& [operand, constant] : {std::pair(&a, b.known()), std::pair(&b, a.known())}) {
    if (!constant || *constant >= limit || *constant <= -limit) continue;
    if (*constant >= 0) return mask(*operand, *constant);
    return subtract(*operand, mask(*operand, -1 - *constant));
  }
  const auto small = [](const SymbolicNumber& n) {
    return n.low && n.high && *n.low >= 0 && *n.high < (Int{1} << widest_bits);
  };
  if (!small(a) && !small(b)) {
    throw NotSpoken{"`&`, `|` or `^` of two operands of which neither is constant nor bounded"};
  }
  const SymbolicNumber& narrow = small(a) && (!small(b) || *a.high <= *b.high) ? a : b;
  const SymbolicNumber& other = &narrow == &a ? b : a;
  SymbolicNumber sum = number(0);
  for (int bit = 0; (*narrow.high >> bit) != 0; ++bit) {
    const auto is_set = [&](const SymbolicNumber& n) {
      return compare(Binary::Equal, mask(quotient(n, number(Int{1} << bit)), 1), number(1));
    };
    sum = add(sum, choose(both(is_set(narrow), is_set(other)), number(Int{1} << bit), number(0)));
  }
  sum.low = std::max<Int>(sum.low.value_or(0), 0);
  sum.high = std::min(sum.high.value_or(*narrow.high), *narrow.high);
  return sum;
}

SymbolicNumber Arithmetic::apply(Binary op, const SymbolicNumber& a, const SymbolicNumber& b,
                                 z3::expr& defined) {
  const auto require = [&](const SymbolicNumber& n, Int least) {
    defined = both(defined, compare(Binary::GreaterEqual, n, number(least)));
  };
  switch (op) {
    case Binary::Add:
      return add(a, b);
    case Binary::Sub:
      return subtract(a, b);
    case Binary::Mul:
      return multiply(a, b);
    case Binary::Div:
      require(a, 0);
      require(b, 1);
      return quotient(a, b);
    case Binary::Mod:
      require(a, 0);
      require(b, 1);
      return remainder(a, b);
    case Binary::ShiftLeft:
      require(a, 0);
      require(b, 0);
      return multiply(a, power_of_two(b));
    case Binary::ShiftRight:
      require(a, 0);
      require(b, 0);
      return quotient(a, power_of_two(b));
    case Binary::And:
      return bit_and(a, b);
    case Binary::Or:
      return subtract(add(a, b), bit_and(a, b));
    case Binary::Xor: {
      const SymbolicNumber shared = bit_and(a, b);
      SymbolicNumber result = subtract(add(a, b), add(shared, shared));
      if (a.low && a.high && b.low && b.high && *a.low >= 0 && *b.low >= 0) {
        Int top = 1;
        while (top <= std::max(*a.high, *b.high) && top < (Int{1} << 125)) top *= 2;
        result.low = std::max<Int>(result.low.value_or(0), 0);
        result.high = std::min(result.high.value_or(top - 1), top - 1);
      }
      return result;
    }
    default:
      throw NotSpoken{"internal: not an operator on numbers"};
  }
}

}  // namespace fragproof
