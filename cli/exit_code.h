// The exit code of a run that judged claims.
#pragma once

#include "checkers/result/result.h"

namespace fragproof::cli {

// The kind of the check that stands for a file which could not be read: its ERROR is the user's,
// not ours.
inline constexpr const char* file_kind = "file";

// By precedence: 4 an internal error or engines that disagree; 130 interrupted; 2 a file that
// cannot be read; 1 an opposite or VACUOUS; 3 UNKNOWN; 77 nothing could run (no claim at all, or
// all SKIPPED); 0.
[[nodiscard]] int exit_code(const Record& record);

}  // namespace fragproof::cli
