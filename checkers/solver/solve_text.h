// Any SMT-LIB 2 text put to Z3: for the lemmas that the guided proof rests on, and for the
// benchmark's rival.
#pragma once

#include <cstdint>
#include <string>

namespace fragproof {

enum class Satisfiable { No, Yes, Unknown };

// Whether the assertions of `text` have a model. Unknown when Z3 gives up within `rlimit` (its own
// count of steps) and `timeout_ms` (0: no limit of time), or the text cannot be read.
[[nodiscard]] Satisfiable solve_text(const std::string& text, std::int64_t rlimit,
                                     unsigned timeout_ms = 0);

}  // namespace fragproof
