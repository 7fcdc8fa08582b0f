// One record from those of the shards of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checkers/result/result.h"

namespace fragproof {

struct NamedRecord {
  std::string name;  // of its file, for messages
  Record record;
};

struct MergeResult {
  std::optional<Record> record;
  std::string error;  // one sentence: which records do not go together, and why
};

// All checks of `shards`, in their order. Refused are records of different specs (a text that two
// of them name must have one fingerprint, and each must name the built-in spec) or of different
// versions of fragproof, and records that contradict each other about a check. A check that several
// have is kept once (of shards of a fuzz run, what they tried adds up); UNKNOWN and SKIPPED give
// way to a verdict. The result is interrupted when a shard was and something is still SKIPPED.
// Requires: at least one shard.
[[nodiscard]] MergeResult merge_records(const std::vector<NamedRecord>& shards);

}  // namespace fragproof
