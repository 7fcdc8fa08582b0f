// `ways`, `sectors` and `coalesced` of a kernel's load, over all its indices.

#include "checkers/enumerate/access.h"
#include "checkers/enumerate/kernel_judge.h"
#include "checkers/enumerate/kernel_trace.h"
#include "checkers/enumerate/kernel_words.h"

namespace fragproof {

namespace {

// Lanes whose address counts: those that ldmatrix.x1 and .x2 read rows for; all lanes of another
// load.
std::size_t counting_lanes(const Trace& trace, const LoadTrace& load) {
  if (load.load->instruction == nullptr) return trace.lanes();
  std::size_t rows = 0;
  for (const std::int32_t src : load.grid.row)
    rows = std::max(rows, static_cast<std::size_t>(src) + 1);
  return std::min(rows, trace.lanes());
}

std::string metric_text(Metric metric, const Load& load,
                        const std::vector<std::optional<std::int64_t>>& bytes, Int value) {
  std::string text = "load " + load.name;
  if (metric == Metric::Ways)
    return text + " needs " + to_string(value) + (value == 1 ? " pass" : " passes");
  if (metric == Metric::Sectors) return text + " touches " + to_string(value) + " sectors";
  for (std::size_t lane = 0; lane < bytes.size(); ++lane) {
    if (!bytes[lane]) continue;
    text += " is no gapless run of whole sectors: lane " + std::to_string(lane) +
            " reads from byte " + std::to_string(*bytes[lane]);
    break;
  }
  return text;
}

}  // namespace

LoadMetric judge_load(Evaluator& evaluator, const Kernel& kernel, const Load& load, Metric metric,
                      std::int64_t& points) {
  LoadMetric result;
  Trace trace(evaluator, kernel);
  const auto undecided = [&](const std::string& why) {
    result.outcome = Outcome::Overflow;
    result.reason = why.empty() ? "a value is beyond 128 bits" : why;
    evaluator.set_undecided(result.reason);
    return result;
  };
  if (!trace.prepare()) return undecided(trace.unknown);
  const auto undefined = [&](std::string why) {
    result.outcome = Outcome::Undefined;
    result.reason = std::move(why);
    return result;
  };
  if (!trace.undefined.empty()) return undefined(trace.undefined);
  if (!trace.points->undefined.empty()) return undefined(trace.points->undefined);
  if (!trace.points->tile_reason.empty()) return undefined(trace.points->tile_reason);
  const LoadTrace* traced = nullptr;
  for (const LoadTrace& one : trace.loads) {
    if (one.load == &load) traced = &one;
  }
  if (traced == nullptr)
    return undecided("load " + load.name + " is none of kernel " + kernel.name);
  const int bytes = traced->bits / 8;
  const std::size_t counting = counting_lanes(trace, *traced);
  result.vacuous = true;
  result.value = metric == Metric::Coalesced ? 1 : 0;
  for (const KernelPoints::Chunk& chunk : trace.points->points) {
    const KernelPoints::Chunk& lanes = trace.points->with_lanes(chunk);
    std::optional<Values> condition;
    if (load.condition != nullptr)
      condition = trace.evaluator.evaluate(*load.condition, lanes.batch);
    const Places places = trace.evaluator.place(load.from, lanes.batch);
    for (std::size_t i = 0; i < chunk.batch.size; ++i) {
      std::vector<std::optional<std::int64_t>> at(counting);
      bool any = false;
      for (std::size_t lane = 0; lane < counting; ++lane) {
        const std::size_t row = i * trace.lanes() + lane;
        const auto where = [&] {
          return lane_text(trace.a.grid, static_cast<int>(lane)) + ": load " + load.name +
                 at_text(trace.points->at_point(chunk.first + i)) + ": ";
        };
        if (lanes.failed[row] != 0)
          return undefined(where() + trace.points->let_reason(lanes.batch.at(row)));
        if (condition && condition->at(row) == Outcome::Undefined) {
          return undefined(where() +
                           trace.evaluator.scalar(*load.condition, lanes.batch.at(row)).reason);
        }
        if (condition && condition->at(row) == Outcome::Overflow)
          return undecided(trace.evaluator.undecided());
        if (condition && condition->members[0].at(row) == 0) continue;
        if (places.at(row) == Outcome::Overflow) return undecided(trace.evaluator.undecided());
        if (places.at(row) == Outcome::Undefined) {
          std::string reason;
          (void)trace.evaluator.place(load.from, lanes.batch.at(row), &reason);
          return undefined(where() + reason);
        }
        const auto bit = static_cast<std::int64_t>(places.bit.at(row));
        if (bit % traced->bits != 0) {
          return undefined(where() + "byte " + std::to_string(bit / 8) + " is no multiple of " +
                           std::to_string(bytes));
        }
        at[lane] = bit / 8;
        any = true;
      }
      if (!any) continue;
      Int value = 0;
      switch (metric) {
        case Metric::Ways:
          value = ways(at, bytes);
          break;
        case Metric::Sectors:
          value = sectors(at, bytes);
          break;
        case Metric::Coalesced:
          value = coalesced(at, bytes) ? 1 : 0;
          break;
      }
      const bool worse = metric == Metric::Coalesced ? value < result.value : value > result.value;
      if (worse || result.vacuous) {
        result.value = value;
        Counterexample worst;
        worst.at = trace.points->at_point(chunk.first + i);
        worst.text = metric_text(metric, load, at, value) + at_text(worst.at);
        result.worst = std::move(worst);
      }
      result.vacuous = false;
    }
  }
  if (!trace.points->unknown.empty()) return undecided(trace.points->unknown);
  if (metric == Metric::Coalesced && result.value == 1) result.worst.reset();
  points += trace.evaluator.points();
  evaluator.spend(trace.evaluator.points());
  return result;
}

}  // namespace fragproof
