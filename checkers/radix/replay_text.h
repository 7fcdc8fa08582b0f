// A proof as the text that fragproof-check replays; docs/proofs.md describes it.
#pragma once

#include <string>
#include <vector>

#include "checkers/radix/context.h"

namespace fragproof::radix {

[[nodiscard]] std::string replay_head(const std::string& claim_id);

// The steps of one case, with the symbols that they speak of as they stand now. A linear step that
// no sum of its grounds gives over the rationals is written as evaluated.
[[nodiscard]] std::string replay_text(Context& context, const std::vector<Step>& steps);

// Closes a proof of `steps` steps.
[[nodiscard]] std::string replay_end(std::size_t steps);

}  // namespace fragproof::radix
