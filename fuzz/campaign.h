// A fuzz campaign over the kernels of one file: cases by number, failures shrunk to the smallest,
// explained in the prover's words.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checkers/engine.h"
#include "fuzz/emulate/emulate.h"
#include "fuzz/generate.h"
#include "fuzz/space.h"

namespace fragproof {

struct CampaignSetting {
  std::int64_t cases = 1000;  // of each kernel; ignored with `seconds`
  double seconds = 0;         // 0: no limit by time
  std::uint64_t seed = 1;
  std::int64_t shard = 1, shards = 1;  // cases whose number is shard-1 modulo shards
  NamedValues pinned;                  // sizes that every case has
  EmulationSetting emulation;
  std::int64_t shrink_shapes = 20'000;  // smaller shapes that are tried, at most
  // Executes a kernel at a shape in place of the emulated warp: a compiled one, on a GPU.
  std::function<Emulation(const Kernel&, const Shape&)> runner;
  const std::atomic<bool>* stop = nullptr;  // set: end now, keep what was found
};

// A failing configuration.
struct Failure {
  Configuration configuration;
  Emulation emulation;    // `right` when only an obligation is refuted
  bool smallest = false;  // no smaller admissible configuration fails
  // The first obligation that is refuted there, and how; nothing when none is (`agrees` false) or
  // it cannot be told.
  std::optional<Obligation> obligation;
  std::optional<Counterexample> why;
  bool agrees = true;  // false: every obligation holds, and yet the values are wrong
};

// How often a class of values of a size was met among the configurations that ran.
struct ClassCount {
  std::string size;
  SizeClass cls = SizeClass::One;
  std::int64_t count = 0;
};

// What became of one kernel.
struct KernelReport {
  const Kernel* kernel = nullptr;
  bool refuted_by_file = false;  // some claim of the file refutes it, so that it must fail
  std::int64_t tried = 0, different = 0, failing = 0;
  std::int64_t not_run = 0;  // too large for the emulation's limits: `not_run_reason`
  std::int64_t no_case = 0;  // case numbers for which no admissible configuration was drawn
  std::string not_run_reason;
  std::int64_t mmas = 0;
  std::vector<ClassCount> classes;
  std::vector<Configuration> first_failures;  // as generated or replayed, at most a few
  std::optional<Failure> failure;             // the smallest
};

class Campaign {
 public:
  // Keeps references to `spec`. Kernels: those of kernels_of(), or the named ones of them.
  Campaign(const Spec& spec, const CampaignSetting& setting,
           const std::vector<std::string>& kernels = {});
  ~Campaign();

  // Runs one configuration first. Returns why it cannot be run; "" when it ran.
  std::string replay(const Configuration& configuration);
  // Runs the cases. `progress(done, failing)` is called now and then.
  void run(const std::function<void(std::int64_t done, std::int64_t failing)>& progress = {});
  // Shrinks and explains what failed, and looks for a refuted obligation of kernels that must fail
  // and did not.
  void conclude();

  [[nodiscard]] const std::vector<KernelReport>& reports() const { return reports_; }
  [[nodiscard]] bool stopped() const;

 private:
  struct Subject;
  // Runs a configuration and counts it. False: not run.
  bool execute(Subject& subject, KernelReport& report, const Configuration& configuration);
  void count(const Subject& subject, KernelReport& report, const Configuration& configuration);
  [[nodiscard]] Failure shrink(Subject& subject, const Configuration& failing) const;
  [[nodiscard]] std::optional<Failure> refuted_obligation(Subject& subject) const;

  const Spec& spec_;
  CampaignSetting setting_;
  std::vector<std::unique_ptr<Subject>> subjects_;
  std::vector<KernelReport> reports_;
};

// Runs `configuration`, and shrinks it if it fails.
struct Shrunk {
  std::optional<Failure> failure;  // nothing: it does not fail
  std::string error;               // it cannot be run
};
[[nodiscard]] Shrunk shrink_configuration(const Spec& spec, const Kernel& kernel,
                                          const Configuration& configuration,
                                          const CampaignSetting& setting);

// Judges the obligations of a kernel at a shape, in order: the first that is refuted.
void explain(const Spec& spec, const Kernel& kernel, const Shape& shape, Failure& failure);

}  // namespace fragproof
