// The sentences that every format shares: where a refutation happens, at which shape, what was
// expected.
#pragma once

#include <cstddef>
#include <string>

#include "checkers/result/result.h"

namespace fragproof {

// "N=16, K=32"; "" for no values.
[[nodiscard]] std::string values_phrase(const NamedValues& values);

// "lane 5 (g=1, t=1), register a1, low half (element 2)"; "" when the counterexample names no lane
// and no register.
[[nodiscard]] std::string place_phrase(const Counterexample& counterexample);

// "expected W[9, 2], found W[1, 10]"; "" when neither is given.
[[nodiscard]] std::string difference_phrase(const Counterexample& counterexample);

// "64 of 512 slots wrong"; "" when not counted.
[[nodiscard]] std::string count_phrase(const Counterexample& counterexample);

// "N=16, K=32; rb=0: lane 5 .., register a1: expected W[9, 2], found W[1, 10]": all of it in one
// line.
[[nodiscard]] std::string short_phrase(const Counterexample& counterexample);

// What is the matter with a check that did not pass, one sentence of at most `width` columns: "lane
// 5 .., register a1, low half (element 2): expected W[9, 2], found W[1, 10]", or its reason. ""
// for a check that got what it expects. Made visible (no control characters).
[[nodiscard]] std::string finding_phrase(const Check& check, std::size_t width = 600);

// The shape and the point: "N=16, K=32; rb=0, step=1"; "" for none.
[[nodiscard]] std::string point_phrase(const Counterexample& counterexample);

// "T = {0, 2, 1}" for each uninterpreted table, long ones cut after 16 values; "" for none.
[[nodiscard]] std::string tables_phrase(const Counterexample& counterexample);

// "radix+enumerate"; "-" for none.
[[nodiscard]] std::string methods_phrase(const Check& check);

// "3 ms", "0.4 ms", "1.25 s".
[[nodiscard]] std::string time_phrase(double time_ms);

// The part of its register that element `elem` of `bits` bits fills: "low", "high", "byte 2",
// "nibble 5", "bit 7", or "" when it fills whole registers. Sizes that make no sense give "".
[[nodiscard]] std::string part_of_register(int elem, int bits, int register_bits);

}  // namespace fragproof
