#include "fuzz/campaign.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "checkers/enumerate/kernel_judge.h"
#include "fuzz/random.h"

namespace fragproof {
namespace {

constexpr std::size_t kept_failures = 3;
constexpr int tables_tried = 8;

using Clock = std::chrono::steady_clock;

bool refutes(const Spec& spec, const Kernel& kernel) {
  return std::any_of(spec.claims.begin(), spec.claims.end(), [&](const Claim& claim) {
    return claim.refute && claim.condition->kind == Expr::Kind::Kernel &&
           claim.condition->kernel == &kernel;
  });
}

// The order of DESIGN section 4: least sum, then lexicographic.
bool smaller(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  std::int64_t x = 0, y = 0;
  for (const std::int64_t value : a) x += value;
  for (const std::int64_t value : b) y += value;
  return x != y ? x < y : a < b;
}

std::vector<std::int64_t> values_of(const KernelSpace& space, const Shape& shape) {
  std::vector<std::int64_t> out;
  for (const Variable* size : space.sizes()) {
    for (const auto& [variable, value] : shape.sizes) {
      if (variable == size) out.push_back(static_cast<std::int64_t>(value));
    }
  }
  return out;
}

}  // namespace

struct Campaign::Subject {
  Subject(const Spec& spec, const Kernel& kernel, const CampaignSetting& setting)
      : space(spec, kernel), emulator(spec, kernel, setting.emulation), runner(setting.runner) {
    space.pin(setting.pinned);
  }
  [[nodiscard]] Emulation run(const Shape& shape) {
    return runner ? runner(emulator.kernel(), shape) : emulator.run(shape);
  }
  KernelSpace space;
  Emulator emulator;
  std::function<Emulation(const Kernel&, const Shape&)> runner;
  std::set<std::string> seen;  // configurations that ran
  std::map<std::string, std::array<std::int64_t, size_classes>> classes;
  std::optional<Configuration> failing;  // the smallest so far
  std::vector<std::int64_t> failing_values;
};

Campaign::Campaign(const Spec& spec, const CampaignSetting& setting,
                   const std::vector<std::string>& kernels)
    : spec_(spec), setting_(setting) {
  for (const Kernel* kernel : kernels_of(spec)) {
    if (!kernels.empty() &&
        std::find(kernels.begin(), kernels.end(), kernel->name) == kernels.end()) {
      continue;
    }
    subjects_.push_back(std::make_unique<Subject>(spec, *kernel, setting_));
    KernelReport& report = reports_.emplace_back();
    report.kernel = kernel;
    report.refuted_by_file = refutes(spec, *kernel);
  }
}

Campaign::~Campaign() = default;

bool Campaign::stopped() const { return setting_.stop != nullptr && setting_.stop->load(); }

void Campaign::count(const Subject& subject, KernelReport& report,
                     const Configuration& configuration) {
  for (const auto& [name, value] : configuration.sizes) {
    const auto classes = classes_of(static_cast<std::int64_t>(value), subject.space.divisors());
    for (int cls = 0; cls < size_classes; ++cls) {
      const auto is_it = [&](const ClassCount& other) {
        return other.size == name && static_cast<int>(other.cls) == cls;
      };
      auto it = std::find_if(report.classes.begin(), report.classes.end(), is_it);
      if (it == report.classes.end()) {
        report.classes.push_back({name, static_cast<SizeClass>(cls), 0});
        it = std::prev(report.classes.end());
      }
      it->count += classes[static_cast<std::size_t>(cls)] ? 1 : 0;
    }
  }
}

bool Campaign::execute(Subject& subject, KernelReport& report, const Configuration& configuration) {
  std::string error;
  const std::optional<Shape> shape = subject.space.shape_of(configuration, error);
  if (!shape) {
    report.not_run_reason = error;
    ++report.not_run;
    return false;
  }
  const Emulation emulation = subject.run(*shape);
  if (!emulation.ran) {
    report.not_run_reason = emulation.reason;
    ++report.not_run;
    return false;
  }
  ++report.tried;
  report.mmas += emulation.mmas;
  if (subject.seen.insert(to_text(configuration)).second) ++report.different;
  count(subject, report, configuration);
  if (emulation.right()) return true;
  ++report.failing;
  if (report.first_failures.size() < kept_failures) {
    report.first_failures.push_back(configuration);
  }
  const std::vector<std::int64_t> values = values_of(subject.space, *shape);
  if (!subject.failing || smaller(values, subject.failing_values)) {
    subject.failing = configuration;
    subject.failing_values = values;
  }
  return true;
}

std::string Campaign::replay(const Configuration& configuration) {
  const bool any = configuration.kernel.empty() && subjects_.size() == 1;
  for (std::size_t i = 0; i < subjects_.size(); ++i) {
    Subject& subject = *subjects_[i];
    if (!any && subject.space.kernel().name != configuration.kernel) continue;
    std::string error;
    const std::optional<Shape> shape = subject.space.shape_of(configuration, error);
    if (!shape) return error;
    const std::string excluded = subject.space.excluded_by(*shape);
    if (!excluded.empty()) return "a `require` excludes it: " + excluded;
    // The whole configuration, with what it left out.
    const Configuration whole =
        subject.space.configuration_of(values_of(subject.space, *shape), configuration.tables);
    return execute(subject, reports_[i], whole) ? "" : reports_[i].not_run_reason;
  }
  return configuration.kernel.empty() ? "the file has several kernels: name one"
                                      : "no kernel named " + configuration.kernel;
}

void Campaign::run(const std::function<void(std::int64_t, std::int64_t)>& progress) {
  const Clock::time_point start = Clock::now();
  const auto out_of_time = [&] {
    return setting_.seconds > 0 &&
           std::chrono::duration<double>(Clock::now() - start).count() >= setting_.seconds;
  };
  std::int64_t done = 0;
  for (std::int64_t number = setting_.shard - 1; setting_.seconds > 0 || number < setting_.cases;
       number += setting_.shards) {
    for (std::size_t i = 0; i < subjects_.size(); ++i) {
      if (stopped() || out_of_time()) return;
      Subject& subject = *subjects_[i];
      const std::optional<Configuration> configuration =
          generate(subject.space, setting_.seed, static_cast<std::uint64_t>(number));
      if (configuration) {
        (void)execute(subject, reports_[i], *configuration);
      } else {
        ++reports_[i].no_case;
      }
      ++done;
    }
    if (progress) {
      std::int64_t failing = 0;
      for (const KernelReport& report : reports_) failing += report.failing;
      progress(done, failing);
    }
  }
}

void explain(const Spec& spec, const Kernel& kernel, const Shape& shape, Failure& failure) {
  Evaluator evaluator(spec, shape);
  KernelJudge judge(evaluator, kernel);
  for (int i = 0; i < obligation_count; ++i) {
    const auto obligation = static_cast<Obligation>(i);
    const KernelVerdict verdict = judge.judge(obligation);
    if (verdict.unknown) return;
    if (verdict.holds) continue;
    failure.obligation = obligation;
    failure.why = verdict.counterexample;
    if (failure.why) {
      failure.why->sizes = failure.configuration.sizes;
      failure.why->smallest = failure.smallest;
    }
    return;
  }
  failure.agrees = failure.emulation.right();
}

Failure Campaign::shrink(Subject& subject, const Configuration& failing) const {
  Failure out;
  out.configuration = failing;
  const KernelSpace& space = subject.space;
  std::string error;
  const std::vector<std::int64_t> bound = values_of(space, *space.shape_of(failing, error));
  // Smallest first, up to the failing one: the first that fails is the smallest there is.
  ShapeSearch search = space.search(setting_.pinned, 50'000'000, setting_.stop);
  std::int64_t looked_at = 0;
  bool found = false, cut = false;
  while (!found && !cut) {
    const std::vector<SizeVector> vectors = search.next(64);
    if (vectors.empty()) {
      cut = !search.complete();
      break;
    }
    for (const SizeVector& vector : vectors) {
      if (found || cut) break;
      if (vector.undefined != nullptr) continue;
      if (!smaller(vector.values, bound) && vector.values != bound) {
        found = true;  // nothing below it fails
        break;
      }
      std::vector<TableChoice> choices(space.tables().empty() ? 1 : tables_tried);
      for (std::size_t i = 0; i < choices.size(); ++i) choices[i].seed = i;
      for (const TableChoice& choice : choices) {
        std::vector<std::pair<std::string, TableChoice>> tables;
        for (const Table* table : space.tables()) tables.emplace_back(table->name, choice);
        const Configuration configuration = space.configuration_of(vector.values, tables);
        cut = ++looked_at > setting_.shrink_shapes || stopped();
        if (cut) break;
        const std::optional<Shape> shape = space.shape_of(configuration, error);
        if (!shape || (!tables.empty() && space.first_violated(*shape) != nullptr)) continue;
        const Emulation emulation = subject.run(*shape);
        if (!emulation.ran || emulation.right()) continue;
        out.configuration = configuration;
        found = true;
        break;
      }
    }
  }
  out.smallest = found;
  const std::optional<Shape> shape = space.shape_of(out.configuration, error);
  out.emulation = subject.run(*shape);
  explain(spec_, space.kernel(), *shape, out);
  // A compiled kernel may well be wrong where its text is right.
  if (setting_.runner) out.agrees = true;
  return out;
}

std::optional<Failure> Campaign::refuted_obligation(Subject& subject) const {
  constexpr int shapes = 60;
  const KernelSpace& space = subject.space;
  ShapeSearch search = space.search(setting_.pinned, 1'000'000, setting_.stop);
  int looked_at = 0;
  for (std::vector<SizeVector> vectors = search.next(shapes);
       !vectors.empty() && looked_at < shapes; vectors = search.next(shapes)) {
    for (const SizeVector& vector : vectors) {
      if (vector.undefined != nullptr || ++looked_at > shapes || stopped()) continue;
      Failure failure;
      failure.configuration = space.configuration_of(vector.values);
      failure.smallest = true;
      std::string error;
      const std::optional<Shape> shape = space.shape_of(failure.configuration, error);
      if (!shape) continue;
      failure.emulation = subject.run(*shape);
      explain(spec_, space.kernel(), *shape, failure);
      if (failure.obligation) return failure;
    }
  }
  return std::nullopt;
}

void Campaign::conclude() {
  for (std::size_t i = 0; i < subjects_.size(); ++i) {
    Subject& subject = *subjects_[i];
    KernelReport& report = reports_[i];
    if (subject.failing) {
      report.failure = shrink(subject, *subject.failing);
    } else if (report.refuted_by_file) {
      report.failure = refuted_obligation(subject);
    }
  }
}

Shrunk shrink_configuration(const Spec& spec, const Kernel& kernel,
                            const Configuration& configuration, const CampaignSetting& setting) {
  Campaign campaign(spec, setting, {kernel.name});
  Shrunk out;
  Configuration named = configuration;
  named.kernel = kernel.name;
  out.error = campaign.replay(named);
  if (!out.error.empty()) return out;
  if (campaign.reports().front().failing == 0) return out;
  campaign.conclude();
  out.failure = campaign.reports().front().failure;
  return out;
}

}  // namespace fragproof
