// Host evaluation: an expression over many points at once, in checked integers. Never wraps, never guesses.
//
// A Batch holds n points. Columns are evaluated one expression at a time over the points that are active; each
// result has a value, an `undefined` flag or an `overflow` flag a point (overflow: a true value outside 128 bits; the
// caller answers UNKNOWN, never a verdict). `&&`, `||`, `?:` evaluate the arm that C skips for no point.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spec/ast.h"

namespace fragproof {

// Values of the sizes (by Variable::index) and of the uninterpreted tables at one shape.
struct Shape {
  std::vector<std::pair<const Variable*, Int>> sizes;
  std::map<const Table*, std::vector<Int>> tables;
};

enum class Outcome : std::uint8_t { Ok, Undefined, Overflow };

// Bits at a place, as runs of one origin, lowest first. `array` null: zeros.
struct BitRun {
  const Array* array = nullptr;   // a tensor
  Int bit = 0;                    // first bit, from the start of the tensor
  int width = 0;
  friend bool operator==(const BitRun&, const BitRun&) = default;
};

// A scalar result with the reason why it is undefined.
struct Scalar {
  Outcome outcome = Outcome::Ok;
  Int value = 0;                    // Number; Condition: 0 or 1
  std::vector<Int> tuple;           // Tuple
  std::vector<BitRun> contents;     // Contents
  std::string reason;               // of Undefined: "digit h = 2 is outside 0..1", "marlin(16, 0): word = 64 is outside 0..63 (line 5)"
};

}  // namespace fragproof
