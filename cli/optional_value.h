// `--svg` and `--svg FILE`: options of `show` whose file may be left out (then the answer goes to
// stdout).
#pragma once

#include <string>
#include <vector>

namespace fragproof::cli {

// Rewrites the arguments of `show` so that each of --csv --json --svg --html --md has a value: the
// next word when it ends like a file of that format or is a path or "-" ("--svg out.svg" becomes
// "--svg=out.svg"), else "-". Arguments of other commands are left alone, and so is "--svg=FILE".
[[nodiscard]] std::vector<std::string> join_optional_values(std::vector<std::string> arguments);

}  // namespace fragproof::cli
