// `ways`, `sectors` and `coalesced` of a map from (lane, others) to byte addresses, at one shape.
#include <algorithm>
#include <optional>
#include <vector>

#include "checkers/enumerate/access.h"
#include "checkers/enumerate/predicate.h"

namespace fragproof {
namespace {

constexpr std::size_t warp = 32;
constexpr std::int64_t lane_limit = 1024;

struct Point {
  std::vector<std::int64_t> others;
  std::int64_t lane = 0;
  std::int64_t address = 0;
};

AtomVerdict cannot(Outcome outcome, std::string reason) {
  AtomVerdict verdict;
  verdict.outcome = outcome;
  verdict.reason = std::move(reason);
  return verdict;
}

// The coordinate that counts lanes: the one of that name, else the first.
std::size_t lane_coordinate(const Map& map) {
  for (std::size_t i = 0; i < map.domain.coordinates.size(); ++i) {
    if (map.domain.coordinates[i].name == "lane") return i;
  }
  return 0;
}

// Gathers the addresses of all points; nothing when the metric is undefined or cannot be told
// (`verdict`).
std::optional<std::vector<Point>> gather_points(Evaluator& evaluator, const Map& map,
                                                std::int64_t bytes, AtomVerdict& verdict) {
  std::vector<Point> points;
  const std::size_t lane = lane_coordinate(map);
  std::optional<AtomVerdict> failure;
  const std::int64_t limit = evaluator.options().image_cells / 16;
  const Walk walk = evaluator.walk(map.domain, Batch(), [&](const Batch& batch) {
    std::vector<Column> arguments;
    for (const Coordinate& coordinate : map.domain.coordinates) {
      arguments.push_back(batch.find(coordinate.variable)->members[0]);
    }
    const Values values = evaluator.apply(map, arguments, batch.size);
    for (std::size_t p = 0; p < batch.size; ++p) {
      const Int address = values.members[0].at(p);
      std::string at = map.name + "(";
      const auto call = [&] {
        for (std::size_t i = 0; i < arguments.size(); ++i)
          at += (i > 0 ? ", " : "") + to_string(arguments[i].at(p));
        return at + ")";
      };
      if (values.at(p) == Outcome::Overflow) {
        failure = cannot(Outcome::Overflow, "a value of " + map.name + " leaves 128 bits");
      } else if (values.at(p) == Outcome::Undefined) {
        failure = cannot(Outcome::Undefined, call() + " is undefined");
      } else if (address < 0 || address % bytes != 0) {
        failure = cannot(Outcome::Undefined, call() + " = " + to_string(address) +
                                                 " is no multiple of " + std::to_string(bytes));
      } else if (address > INT64_MAX / 2 || static_cast<std::int64_t>(points.size()) > limit) {
        failure = cannot(Outcome::Overflow,
                         "the addresses of " + map.name + " are too many or too large");
      }
      if (failure) return false;
      Point& point = points.emplace_back();
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto value = static_cast<std::int64_t>(arguments[i].at(p));
        if (i == lane) {
          point.lane = value;
        } else {
          point.others.push_back(value);
        }
      }
      point.address = static_cast<std::int64_t>(address);
      if (point.lane >= lane_limit) {
        failure = cannot(Outcome::Overflow,
                         map.name + " has more than " + std::to_string(lane_limit) + " lanes");
        return false;
      }
    }
    return true;
  });
  if (!failure && !walk.domain.empty()) failure = cannot(walk.domain[0], walk.reason);
  if (!failure && (walk.truncated || walk.end == Walk::End::Budget)) {
    failure = cannot(Outcome::Overflow, "the domain of " + map.name + " was not walked whole");
  }
  if (failure) {
    verdict = *failure;
    return std::nullopt;
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const Point& a, const Point& b) { return a.others < b.others; });
  return points;
}

}  // namespace

AtomVerdict judge_map_metric(Evaluator& evaluator, const Expr& expr, bool explain) {
  const Map& map = *expr.map;
  const Scalar width = evaluator.scalar(*expr.args[0]);
  if (width.outcome != Outcome::Ok) return cannot(width.outcome, width.reason);
  if (width.value < 1 || width.value > 1024) {
    return cannot(Outcome::Undefined, "an access of " + to_string(width.value) + " bytes");
  }
  const int bytes = static_cast<int>(width.value);
  AtomVerdict verdict;
  const auto points = gather_points(evaluator, map, bytes, verdict);
  if (!points) return verdict;

  const bool is_coalesced = expr.metric == Metric::Coalesced;
  verdict.value = is_coalesced ? 1 : 0;
  for (std::size_t first = 0; first < points->size();) {
    std::size_t end = first;
    std::vector<std::optional<std::int64_t>> lanes;
    for (; end < points->size() && (*points)[end].others == (*points)[first].others; ++end) {
      const auto lane = static_cast<std::size_t>((*points)[end].lane);
      if (lanes.size() <= lane) lanes.resize(lane + 1);
      lanes[lane] = (*points)[end].address;
    }
    for (std::size_t base = 0; base < lanes.size(); base += warp) {
      const LaneAddresses one =
          LaneAddresses(lanes).subspan(base, std::min(warp, lanes.size() - base));
      const Int value = expr.metric == Metric::Ways      ? Int{ways(one, bytes)}
                        : expr.metric == Metric::Sectors ? Int{sectors(one, bytes)}
                                                         : Int{coalesced(one, bytes) ? 1 : 0};
      const bool worse = is_coalesced ? value < verdict.value : value > verdict.value;
      if (!worse) continue;
      verdict.value = value;
      if (!explain) continue;
      Counterexample& why = verdict.why.emplace();
      std::size_t other = 0;
      for (std::size_t i = 0; i < map.domain.coordinates.size(); ++i) {
        if (i == lane_coordinate(map)) continue;
        why.at.emplace_back(map.domain.coordinates[i].name, (*points)[first].others[other++]);
      }
      why.found = is_coalesced ? "not coalesced" : to_string(value);
      std::string call =
          std::string(name_of(expr.metric)) + "(" + map.name + ", " + std::to_string(bytes) + ")";
      why.text = is_coalesced
                     ? "the bytes that the warp touches are no gapless run of whole sectors"
                     : call + " is " + to_string(value);
    }
    first = end;
  }
  return verdict;
}

}  // namespace fragproof
