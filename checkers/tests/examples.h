// The example files as test data: where they are, how one is judged.
#pragma once

#include <string>
#include <vector>

#include "checkers/portfolio.h"
#include "spec/load.h"

namespace fragproof::examples {

// Names of all files examples/*.layout, without the suffix, sorted.
[[nodiscard]] std::vector<std::string> names();

// The path of an example.
[[nodiscard]] std::string path_of(const std::string& name);

// One loaded example; `questions` point into `loaded`.
struct Example {
  LoadResult loaded;
  std::vector<Question> questions;
};
[[nodiscard]] Example load(const std::string& name);

// Budgets that make a verdict independent of the speed of the machine: the wall-clock guards are
// far away.
[[nodiscard]] PortfolioOptions patient_options();

// The lines of a data file of this folder without comments (`#`) and blank lines, split at `|`,
// trimmed.
[[nodiscard]] std::vector<std::vector<std::string>> read_table(const std::string& file);

}  // namespace fragproof::examples
