// The way back of a map that rearranges digits, found from its values and compared with them.
#include "spec/digit_inverse.h"

#include <algorithm>

namespace fragproof {
namespace {

// A digit of a coordinate, of prime radix: it moves one output by multiples of `stride`.
struct Digit {
  std::size_t coordinate = 0;
  Int weight = 1;  // in its coordinate
  Int radix = 2;
  std::size_t output = 0;
  Int stride = 0;
};

// The prime factors of an extent as digits, most significant first. Which prime comes first does
// not matter where it is a power of one; otherwise larger ones are tried as the more significant.
std::vector<Digit> digits_of(std::size_t coordinate, Int extent) {
  std::vector<Digit> digits;
  Int weight = 1;
  for (Int prime = 2; extent > 1; ++prime) {
    if (prime * prime > extent) prime = extent;
    for (; extent % prime == 0; extent /= prime) {
      digits.push_back({coordinate, weight, prime, 0, 0});
      weight *= prime;
    }
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

Int digit_of(const Digit& digit, const std::vector<Int>& value) {
  return value[digit.output] / digit.stride % digit.radix;
}

// Gives each digit the one output that it moves, and by how much.
bool find_strides(std::vector<Digit>& digits, const std::vector<Int>& point_weights,
                  const std::vector<std::vector<Int>>& values) {
  const std::vector<Int>& origin = values.front();
  if (std::any_of(origin.begin(), origin.end(), [](Int value) { return value != 0; })) return false;
  for (Digit& digit : digits) {
    const Int point = point_weights[digit.coordinate] * digit.weight;
    const std::vector<Int>& moved = values[static_cast<std::size_t>(point)];
    int outputs = 0;
    for (std::size_t o = 0; o < moved.size(); ++o) {
      if (moved[o] == 0) continue;
      ++outputs;
      digit.output = o;
      digit.stride = moved[o];
    }
    if (outputs != 1 || digit.stride < 0) return false;
  }
  return true;
}

// Are all coordinates the sums of their digits, at every point?
bool holds(const std::vector<Digit>& digits, const std::vector<Int>& extents,
           const std::vector<Int>& point_weights, const std::vector<std::vector<Int>>& values) {
  std::vector<Int> back(extents.size());
  for (std::size_t point = 0; point < values.size(); ++point) {
    std::fill(back.begin(), back.end(), Int{0});
    for (const Digit& digit : digits) {
      back[digit.coordinate] += digit_of(digit, values[point]) * digit.weight;
    }
    for (std::size_t c = 0; c < extents.size(); ++c) {
      if (back[c] != static_cast<Int>(point) / point_weights[c] % extents[c]) return false;
    }
  }
  return true;
}

// Neighbours that go on in one output as they do in their coordinate are one digit.
std::vector<DigitTerm> merged(const std::vector<Digit>& digits, std::size_t coordinate,
                              const std::vector<Int>& codomains) {
  std::vector<DigitTerm> terms;
  for (const Digit& digit : digits) {  // most significant first
    if (digit.coordinate != coordinate) continue;
    const bool joins = !terms.empty() && terms.back().output == digit.output &&
                       terms.back().stride == digit.stride * digit.radix &&
                       terms.back().weight == digit.weight * digit.radix;
    if (joins) {
      terms.back() = {digit.output, digit.stride, terms.back().radix * digit.radix, false,
                      digit.weight};
    } else {
      terms.push_back({digit.output, digit.stride, digit.radix, false, digit.weight});
    }
  }
  for (DigitTerm& term : terms) {
    term.top = !codomains.empty() && term.stride * term.radix >= codomains[term.output];
  }
  return terms;
}

}  // namespace

std::optional<DigitInverse> digit_inverse(const std::vector<Int>& extents,
                                          const std::vector<Int>& codomains,
                                          const std::vector<std::vector<Int>>& values) {
  const bool partial =
      values.empty() || std::any_of(values.begin(), values.end(),
                                    [](const std::vector<Int>& value) { return value.empty(); });
  if (partial) return std::nullopt;
  std::vector<Int> point_weights(extents.size(), 1);
  for (std::size_t c = extents.size(); c-- > 1;) {
    point_weights[c - 1] = point_weights[c] * extents[c];
  }
  std::vector<Digit> digits;
  for (std::size_t c = 0; c < extents.size(); ++c) {
    const std::vector<Digit> own = digits_of(c, extents[c]);
    digits.insert(digits.end(), own.begin(), own.end());
  }
  if (!find_strides(digits, point_weights, values) ||
      !holds(digits, extents, point_weights, values)) {
    return std::nullopt;
  }
  DigitInverse inverse;
  for (std::size_t c = 0; c < extents.size(); ++c) {
    inverse.push_back(merged(digits, c, codomains));
  }
  return inverse;
}

std::string to_text(const std::vector<DigitTerm>& terms, const std::vector<std::string>& outputs,
                    bool spaced) {
  const std::string divide = spaced ? " / " : "/", times = spaced ? " * " : "*";
  std::string sum;
  for (const DigitTerm& term : terms) {
    std::string text = outputs[term.output];
    if (term.stride != 1) text += divide + to_string(term.stride);
    if (!term.top) text += " % " + to_string(term.radix);
    if (term.weight != 1) {
      const bool simple = term.stride == 1 && term.top;
      text = to_string(term.weight) + times + (simple ? text : "(" + text + ")");
    }
    sum += (sum.empty() ? "" : " + ") + text;
  }
  return sum.empty() ? "0" : sum;
}

}  // namespace fragproof
