// What a kernel's obligations came to at shapes that were judged before in this run.
//
// `prove K` is fourteen questions about the same kernel, and each looks at the same small shapes
// first. The first to come judges all obligations there; the others read. A verdict costs the same
// points either way, so that how far a search gets does not depend on who came first. A claim about
// one obligation `alone` judges that one.
#pragma once

#include <cstdint>

#include "checkers/enumerate/kernel_judge.h"

namespace fragproof {

// judge_kernel() of one obligation, remembered. `spec` owns the kernel. Thread-safe.
[[nodiscard]] KernelVerdict judge_kernel_once(const Spec& spec, Evaluator& evaluator,
                                              const Kernel& kernel, Obligation obligation,
                                              bool alone, std::int64_t& points);

}  // namespace fragproof
