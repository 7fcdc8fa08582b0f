// Mutants of a file: its spec changed as data in one place, a mistake of the kinds that people
// make. A claim of the file, or an execution of its kernels, must catch each, or the mutant must be
// shown to mean the same.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "checkers/portfolio.h"
#include "spec/load.h"

namespace fragproof {

struct Mutant {
  std::string what;           // "a number", "a dropped term", "two digits exchanged", ..
  int line = 0;               // of the file
  std::string before, after;  // that line
  std::string owner;          // the map, array or kernel that it is in
  std::string text;           // the whole file
};

// All mutants of the main file of `spec`, in order of their place; claims, requires and sizes are
// left as they are. Some may not load: then they are none.
[[nodiscard]] std::vector<Mutant> mutants_of(const Spec& spec);

enum class Fate {
  Killed,    // a claim got the opposite, or an execution differs
  Equal,     // shown to mean the same
  Survived,  // neither
  Invalid,   // it does not load
};
[[nodiscard]] const char* name_of(Fate fate);  // "killed", ..

struct MutantVerdict {
  Fate fate = Fate::Survived;
  std::string by;  // "gemv/gemv.pairing", "fuzz gemv N=16 K=32", or why it is the same
};

struct MutationSetting {
  std::int64_t cases = 20;  // of each kernel, executed
  PortfolioOptions prove;   // for what small shapes and executions do not kill
};

// What becomes of a mutant. `original` is the loaded file that it was made from, `stem` what ids
// start with.
[[nodiscard]] MutantVerdict judge_mutant(const Spec& original, const Mutant& mutant,
                                         const std::string& stem, const MutationSetting& setting,
                                         const FileReader& reader = read_text_file);

}  // namespace fragproof
