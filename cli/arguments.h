// Values on the command line: what must stand behind an option, and the numbers among them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fragproof::cli {

// Throws Failure for what CLI11 would take for something else than the user meant: an empty
// argument; an option of `command` without its value ("--json=", "--json --html"); an option given
// twice that takes one value.
void expect_values(const CLI::App& command, const std::vector<std::string>& arguments);

// "takes a whole number from 1 to 64, not '1e400'".
[[nodiscard]] CLI::Validator whole_number(std::int64_t least, std::int64_t most);
// The same for any that fits 64 bits.
[[nodiscard]] CLI::Validator whole_number();
// Seconds, 0 or more, finite: "takes seconds from 0 to 1000000, not 'nan'".
[[nodiscard]] CLI::Validator seconds();

}  // namespace fragproof::cli
