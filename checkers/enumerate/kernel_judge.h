// The kernel obligations and the metrics of a kernel's loads at one shape (the evaluator's), by
// enumeration.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "checkers/result/result.h"
#include "spec/eval.h"

namespace fragproof {

// What became of a kernel's obligation at one shape. `unknown`: could not be decided (`reason`).
// `vacuous`: nothing was left to judge (`holds` is then true). A counterexample comes with `holds`
// false; its sizes and tables are filled in by the caller, and so is `smallest`.
struct KernelVerdict {
  bool holds = true;
  bool vacuous = false;
  bool unknown = false;
  std::string reason;
  std::optional<Counterexample> counterexample;
  std::string note;  // e.g. "nothing to check: no pack and no shared array is read"
};

struct Trace;
struct Finding;

// A kernel at one shape: traces it once and judges as many of its obligations as are asked, each at
// most once. The evaluator must outlive it.
class KernelJudge {
 public:
  KernelJudge(Evaluator& evaluator, const Kernel& kernel);
  ~KernelJudge();
  [[nodiscard]] KernelVerdict judge(Obligation obligation);
  // All of them, in order; the first that fails tells. Vacuous when every one is.
  [[nodiscard]] KernelVerdict judge_all();
  // Points evaluated so far.
  [[nodiscard]] std::int64_t points() const;
  // The tables behind the verdicts, judged down to and including `overflow`, operands assembled;
  // null when they cannot be made (`unknown`).
  [[nodiscard]] Trace* trace();
  [[nodiscard]] std::string unknown() const;

 private:
  void advance(int stage);
  Evaluator& evaluator_;
  std::unique_ptr<Trace> trace_;
  std::array<std::unique_ptr<Finding>, obligation_count> findings_;
  int stage_ = -1;
  int unknown_from_ = 1 << 30;  // the first stage that could not be decided
  bool prepared_ = false;
};

// Judges one obligation, or all of them (in the order of LANGUAGE.md section 6, the first that
// fails tells), and adds the points it evaluated to `points`.
[[nodiscard]] KernelVerdict judge_kernel(Evaluator& evaluator, const Kernel& kernel,
                                         std::optional<Obligation> obligation,
                                         std::int64_t& points);

// A metric of a load over all its indices: `value` for ways and sectors, 0 or 1 for coalesced.
// Undefined (with `reason`) when an address is undefined or misaligned. `vacuous`: no lane loads at
// any point. `worst` names the point of the maximum (of the first that is not coalesced): at, text.
struct LoadMetric {
  Outcome outcome = Outcome::Ok;
  Int value = 0;
  std::string reason;
  bool vacuous = false;
  std::optional<Counterexample> worst;
};
[[nodiscard]] LoadMetric judge_load(Evaluator& evaluator, const Kernel& kernel, const Load& load,
                                    Metric metric, std::int64_t& points);

}  // namespace fragproof
