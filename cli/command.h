// What every command gives to main(): its options in CLI11, and what to run when they have been
// read.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/output.h"

namespace fragproof::cli {

struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;  // the exit code; may throw Failure
};

// Adds `--color WHEN` (auto, always or never), which sets `mode`.
void add_colour(CLI::App& app, ColourMode& mode);

// Each adds its subcommand. A new command is one file, one line here and one in main().
[[nodiscard]] Command add_list(CLI::App& root);
[[nodiscard]] Command add_show(CLI::App& root, std::vector<std::string> arguments);
[[nodiscard]] Command add_where(CLI::App& root);
[[nodiscard]] Command add_prove(CLI::App& root, std::string command_line);
[[nodiscard]] Command add_header(CLI::App& root);
[[nodiscard]] Command add_fuzz(CLI::App& root, std::string command_line);
[[nodiscard]] Command add_report(CLI::App& root);
[[nodiscard]] Command add_probe(CLI::App& root);
[[nodiscard]] Command add_configs(CLI::App& root, std::string command_line);
[[nodiscard]] Command add_mutate(CLI::App& root);
[[nodiscard]] Command add_version(CLI::App& root);

}  // namespace fragproof::cli
