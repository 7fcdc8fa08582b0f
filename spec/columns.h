// Arithmetic on columns: every operator of the language at all points of a batch, in 64 bits while
// that is exact, in 128 where it is not, and "cannot say" beyond. The only place where numbers are
// computed.
#pragma once

#include <cstddef>
#include <vector>

#include "spec/eval.h"

namespace fragproof {

using Outcomes = std::vector<Outcome>;  // as in Values: empty, one entry, or one a point

// The worse of the two, a point at a time (Undefined over Overflow over Ok), into `into`.
void merge(Outcomes& into, const Outcomes& from, std::size_t size);
// What an operator makes of operands whose outcome is `into`: where that is Ok, `own`; else it
// stays. (Where an operand could not be told, the operator has worked on a placeholder, and what it
// says of that is nothing.)
void extend(Outcomes& into, const Outcomes& own, std::size_t size);
// Marks point `point` of a column of `size` entries (one entry: all points). `outcomes` is spread
// as needed.
void mark(Outcomes& outcomes, std::size_t point, std::size_t size, Outcome outcome);
// Are all points Undefined?
[[nodiscard]] bool nowhere_defined(const Outcomes& outcomes);
// Puts 0 where the outcome is not Ok.
void blank(Column& column, const Outcomes& outcomes, std::size_t size);

// Arithmetic, bitwise operators and comparisons (0 or 1). Operands out of the operator's domain
// mark `outcomes` Undefined; results outside 128 bits mark it Overflow; both give 0 there.
[[nodiscard]] Column compute(Binary op, const Column& a, const Column& b, std::size_t size,
                             Outcomes& outcomes);
[[nodiscard]] Column compute(Unary op, const Column& a, std::size_t size, Outcomes& outcomes);
[[nodiscard]] Column compute(Builtin op, const Column& a, const Column& b, std::size_t size,
                             Outcomes& outcomes);

// a*by + plus: one step of a mixed-radix number, in place of `a`.
void multiply_add(Column& a, const Column& by, const Column& plus, std::size_t size,
                  Outcomes& outcomes);
// For each point, `yes` where `condition` is not 0, else `no`.
[[nodiscard]] Column choose(const Column& condition, const Column& yes, const Column& no,
                            std::size_t size);
// Marks Undefined each point where the column is outside 0 .. bound-1; true when there is any.
bool mark_outside(const Column& column, const Column& bound, std::size_t size, Outcomes& outcomes);
// The entries at the listed points.
[[nodiscard]] Column gather(const Column& column, std::span<const std::uint32_t> points);
[[nodiscard]] Outcomes gather(const Outcomes& outcomes, std::span<const std::uint32_t> points);
// As 64-bit numbers: `narrow`, spread to `size` entries; values that do not fit become the nearest
// that does.
[[nodiscard]] std::vector<std::int64_t> spread(const Column& column, std::size_t size);
// Holds the column in 64 bits again when all of it fits.
void narrow(Column& column);

}  // namespace fragproof
