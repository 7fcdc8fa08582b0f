// The tool as a user starts it: a fresh process that proves everything built in.
#pragma once

#include <string>
#include <vector>

namespace fragproof::bench {

struct ClaimTime {
  std::string id;
  std::string verdict;
  double ms = 0;
  bool as_expected = false;
};

struct ColdRun {
  std::string error;   // not empty: the tool could not be run, or left no record
  double seconds = 0;  // wall time of the whole process
  std::vector<ClaimTime> claims;
};

// Runs `fragproof prove` without a file, its output thrown away but for the record.
[[nodiscard]] ColdRun run_cold();

}  // namespace fragproof::bench
