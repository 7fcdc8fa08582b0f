// What probing one mnemonic came to.
#pragma once

#include <string>
#include <vector>

namespace fragproof::gpu {

// One place where device and spec disagree.
struct Disagreement {
  std::string entry;     // "mma.m16n8k16.b16.A"
  std::string slot;      // "lane 5, register a1, high half (element 3)"
  std::string expected;  // "row 9, col 3"
  std::string found;
};

struct ProbeOutcome {
  enum class Verdict { Agrees, Disagrees, Skipped };
  std::string mnemonic;
  std::vector<std::string> entries;  // of the spec that it speaks about
  Verdict verdict = Verdict::Agrees;
  std::string reason;  // of Skipped; of Disagrees when the device refuses the text
  int slots = 0;       // (lane, element) places compared one by one
  long long warps = 0;
  double milliseconds = 0;
  std::vector<Disagreement> disagreements;
};
[[nodiscard]] const char* name_of(ProbeOutcome::Verdict verdict);  // "AGREES", ..

}  // namespace fragproof::gpu
