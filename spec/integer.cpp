// Text of the language's integers, both ways.
#include "spec/integer.h"

#include <algorithm>

namespace fragproof {

std::string to_string(Int value) {
  if (value == 0) return "0";
  const bool negative = value < 0;
  std::string digits;
  while (value !=
         0) {  // digit by digit with the sign kept: the most negative value has no opposite
    const int digit = static_cast<int>(value % 10);
    digits.push_back(static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    value /= 10;
  }
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<Int> parse_int(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  Int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    const Int digit = c - '0';
    if (!mul(value, 10, value)) return std::nullopt;
    if (!(negative ? sub(value, digit, value) : add(value, digit, value))) return std::nullopt;
  }
  return value;
}

}  // namespace fragproof
