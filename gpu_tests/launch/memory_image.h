// Tensors and packs of a kernel as the bytes that a launch needs, filled with small integers, and
// the exact result.
//
// Written apart from the emulator on purpose: packs are read off Evaluator::image, the contraction
// is plain loops.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/eval.h"

namespace fragproof::gpu {

// What went beyond this run's means, as a sentence: a type that is no number, a tensor too large.
struct CannotRun {
  std::string reason;
};

// The integer in element `index` of a tensor, -4 to 4 where the type has those.
[[nodiscard]] std::int64_t element_value(const Array& tensor, std::int64_t index);

// The bytes of a tensor or pack at the evaluator's shape. Throws CannotRun.
[[nodiscard]] std::vector<std::uint8_t> bytes_of(Evaluator& evaluator, const Array& array);

// y of the kernel's contraction, row-major. Throws CannotRun.
[[nodiscard]] std::vector<std::int64_t> exact_result(Evaluator& evaluator, const Kernel& kernel);

// Is `bits` the number `exact`, rounded where the type of `tensor` has no room for it? `text` gets
// the number found.
[[nodiscard]] bool is_number(const Array& tensor, std::uint64_t bits, std::int64_t exact,
                             std::string& text);

// Element `index` of packed elements of `width` bits.
[[nodiscard]] std::uint64_t element_bits(const std::vector<std::uint8_t>& bytes, std::int64_t index,
                                         int width);

}  // namespace fragproof::gpu
