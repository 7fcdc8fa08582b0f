// A configuration of a kernel as one line: `gemv N=64 K=512 M=13 S=1 NW=8 U=2`. It is an argument,
// a corpus line and a reproducer alike. A table is `T=@7` (the table of seed 7) or `T={2, 0, 1}`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checkers/result/result.h"

namespace fragproof {

struct TableChoice {
  bool seeded = true;
  std::uint64_t seed = 0;   // of a seeded one; 0 is the table in order
  std::vector<Int> values;  // else
  friend bool operator==(const TableChoice&, const TableChoice&) = default;
};

struct Configuration {
  std::string file;    // "gemv.layout", as a corpus line may begin; "" mostly
  std::string kernel;  // "" when the line begins with a size: the only kernel
  NamedValues sizes;
  std::vector<std::pair<std::string, TableChoice>> tables;
  friend bool operator==(const Configuration&, const Configuration&) = default;
};

// The line; parse(to_text(c)) is c.
[[nodiscard]] std::string to_text(const Configuration& configuration);

struct ParsedConfiguration {
  std::optional<Configuration> configuration;
  std::string error;  // one sentence
};
[[nodiscard]] ParsedConfiguration parse_configuration(std::string_view line);

}  // namespace fragproof
