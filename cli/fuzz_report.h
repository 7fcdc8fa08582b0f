// What `fuzz` says of a kernel: the check for the record, and the words for the terminal.
#pragma once

#include <string>

#include "cli/inputs.h"
#include "fuzz/campaign.h"
#include "reports/text.h"

namespace fragproof::cli {

// The check "KERNEL.fuzz". REFUTED: a configuration fails (or, of a kernel that the file refutes,
// an obligation is refuted though the values are right). UNKNOWN, and expected to be: none of those
// tried fails; trying proves nothing. ERROR: the values are wrong where every obligation holds.
// SKIPPED: nothing ran.
[[nodiscard]] Check check_of(const Input& input, const KernelReport& report, bool interrupted);

// The line, what is to be said below it, and the table of what was tried.
[[nodiscard]] std::string text_of(const Check& check, const KernelReport& report,
                                  const TextOptions& options);

// The command that runs a configuration again.
[[nodiscard]] std::string reproduce(const Input& input, const Configuration& configuration);

}  // namespace fragproof::cli
