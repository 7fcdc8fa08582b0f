// The kernel obligations and the metrics of a kernel's loads at one shape (the evaluator's), by enumeration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "checkers/result/result.h"
#include "spec/eval.h"

namespace fragproof {

// What became of a kernel's obligation at one shape. `unknown`: could not be decided (`reason`). `vacuous`: nothing was
// left to judge (`holds` is then true). A counterexample comes with `holds` false; its sizes and tables are filled
// in by the caller, and so is `smallest`.
struct KernelVerdict {
  bool holds = true;
  bool vacuous = false;
  bool unknown = false;
  std::string reason;
  std::optional<Counterexample> counterexample;
};

// Judges one obligation, or all of them (in the order of LANGUAGE.md section 6, the first that fails tells), and adds
// the points it evaluated to `points`.
[[nodiscard]] KernelVerdict judge_kernel(Evaluator& evaluator, const Kernel& kernel,
                                         std::optional<Obligation> obligation, std::int64_t& points);

// A metric of a load over all its indices: `value` for ways and sectors, 0 or 1 for coalesced. Undefined (with
// `reason`) when an address is undefined or misaligned. `vacuous`: no lane loads at any point. `worst` names the
// point of the maximum (of the first that is not coalesced): at, text.
struct LoadMetric {
  Outcome outcome = Outcome::Ok;
  Int value = 0;
  std::string reason;
  bool vacuous = false;
  std::optional<Counterexample> worst;
};
[[nodiscard]] LoadMetric judge_load(Evaluator& evaluator, const Kernel& kernel, const Load& load, Metric metric,
                                    std::int64_t& points);

}  // namespace fragproof
