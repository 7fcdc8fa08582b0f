// Records that the tests of the reports share: one of every verdict, and one whose every text is
// hostile.
#pragma once

#include <string>

#include "checkers/result/result.h"

namespace fragproof::sample {

// Operand A of m16n8k16 over a GEMV tile in which registers a1 and a2 are swapped: 32 lanes, 8
// elements each.
Picture swapped_picture();

// A picture with each kind of fault: a wrong slot, a hole, an overlap, something where nothing is
// expected.
Picture faulty_picture();

// PROVED with a proof; an unexpected REFUTED with that picture; an expected REFUTED; UNKNOWN;
// VACUOUS; SKIPPED.
Record record();

// <script>, quotes, ]]>, control characters, ANSI escapes, right-to-left overrides, bytes that are
// not UTF-8.
extern const std::string hostile_text;
Record hostile_record();

}  // namespace fragproof::sample
