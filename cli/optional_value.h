// `--svg` and `--svg FILE`: options of `show` whose file may be left out (then the answer goes to
// stdout).
#pragma once

#include <string>
#include <vector>

namespace fragproof::cli {

// Rewrites the arguments of `show` so that each of --csv --json --svg --html --md has a value. The
// next word is the file when it ends like one of that format, is a path or "-" ("--svg out.svg"
// becomes "--svg=out.svg"), or when the command has more words than WHAT and PART; else there is
// none ("--svg=-"). In `prove` and `report`, `--github` means stdout where no file to write
// follows. Arguments of other commands are left alone, and so is "--svg=FILE".
[[nodiscard]] std::vector<std::string> join_optional_values(std::vector<std::string> arguments);

// The option of `show` behind which `word` stands without having been taken for its file:
// "--csv" of "show gemv.layout --csv a.out"; "" for none. For a message when the word is nothing
// else either.
[[nodiscard]] std::string option_before(const std::vector<std::string>& arguments,
                                        const std::string& word);

}  // namespace fragproof::cli
