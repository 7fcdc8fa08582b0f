// `--at` with some of the sizes: the others are the smallest that go with them.
#pragma once

#include <atomic>

#include "checkers/engine.h"

namespace fragproof {

// `given` with a value for every size of the question's file, in order of declaration: the smallest
// sum, then the least in that order, among those that satisfy the requires and the claim's `where`.
// `given` as it is when it has them all, and when none such is found (there is none, or the search
// met its limit): then the engine says what there is to say.
[[nodiscard]] NamedValues complete_point(const Question& question, const NamedValues& given,
                                         const std::atomic<bool>* stop);

}  // namespace fragproof
