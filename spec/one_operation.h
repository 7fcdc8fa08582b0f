// One operator on one pair of operands, in 64 or in 128 bits: what the language says, and nothing
// about columns.
#pragma once

#include <algorithm>

#include "spec/eval.h"

namespace fragproof {

// What one operator makes of one pair of operands. Undefined and Overflow leave `out` 0.
template <class T>
Outcome divide(T a, T b, T& out) {
  if (a < 0 || b <= 0) return Outcome::Undefined;
  out = a / b;
  return Outcome::Ok;
}
template <class T>
Outcome modulo(T a, T b, T& out) {
  if (a < 0 || b <= 0) return Outcome::Undefined;
  out = a % b;
  return Outcome::Ok;
}
// The quotient rounded up. a + b - 1 could leave the width, so it is not formed.
template <class T>
Outcome ceil_divide(T a, T b, T& out) {
  if (a < 0 || b <= 0) return Outcome::Undefined;
  out = a / b + (a % b != 0 ? 1 : 0);
  return Outcome::Ok;
}
template <class T>
Outcome shift_left(T a, T b, T& out) {
  if (a < 0 || b < 0) return Outcome::Undefined;
  constexpr T bits = static_cast<T>(sizeof(T) * 8 - 1);
  const T most = static_cast<T>(~(T{1} << bits));
  if (a == 0) {
    out = 0;
    return Outcome::Ok;
  }
  if (b >= bits || a > (most >> b)) return Outcome::Overflow;
  out = static_cast<T>(a << b);
  return Outcome::Ok;
}
template <class T>
Outcome shift_right(T a, T b, T& out) {
  if (a < 0 || b < 0) return Outcome::Undefined;
  constexpr T bits = static_cast<T>(sizeof(T) * 8 - 1);
  out = b >= bits ? T{0} : static_cast<T>(a >> b);
  return Outcome::Ok;
}
template <class T>
Outcome checked(bool overflow, T& out) {
  if (!overflow) return Outcome::Ok;
  out = 0;
  return Outcome::Overflow;
}

template <class T>
Outcome one(Binary op, T a, T b, T& out) {
  out = 0;
  switch (op) {
    case Binary::Add:
      return checked(__builtin_add_overflow(a, b, &out), out);
    case Binary::Sub:
      return checked(__builtin_sub_overflow(a, b, &out), out);
    case Binary::Mul:
      return checked(__builtin_mul_overflow(a, b, &out), out);
    case Binary::Div:
      return divide(a, b, out);
    case Binary::Mod:
      return modulo(a, b, out);
    case Binary::ShiftLeft:
      return shift_left(a, b, out);
    case Binary::ShiftRight:
      return shift_right(a, b, out);
    case Binary::And:
      out = a & b;
      return Outcome::Ok;
    case Binary::Or:
      out = a | b;
      return Outcome::Ok;
    case Binary::Xor:
      out = a ^ b;
      return Outcome::Ok;
    case Binary::Equal:
      out = a == b;
      return Outcome::Ok;
    case Binary::NotEqual:
      out = a != b;
      return Outcome::Ok;
    case Binary::Less:
      out = a < b;
      return Outcome::Ok;
    case Binary::LessEqual:
      out = a <= b;
      return Outcome::Ok;
    case Binary::Greater:
      out = a > b;
      return Outcome::Ok;
    case Binary::GreaterEqual:
      out = a >= b;
      return Outcome::Ok;
    case Binary::LogicalAnd:
      out = a != 0 && b != 0;
      return Outcome::Ok;
    case Binary::LogicalOr:
      out = a != 0 || b != 0;
      return Outcome::Ok;
  }
  return Outcome::Undefined;
}
template <class T>
Outcome one(Builtin op, T a, T b, T& out) {
  out = 0;
  switch (op) {
    case Builtin::Min:
      out = std::min(a, b);
      return Outcome::Ok;
    case Builtin::Max:
      out = std::max(a, b);
      return Outcome::Ok;
    case Builtin::CeilDiv:
      return ceil_divide(a, b, out);
  }
  return Outcome::Undefined;
}

}  // namespace fragproof
