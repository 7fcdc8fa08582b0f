// Predicates of maps and tables at one shape: see predicate.h.
#include "checkers/enumerate/predicate.h"

#include <algorithm>
#include <functional>

#include "checkers/enumerate/pack_predicate.h"
#include "checkers/enumerate/register.h"
#include "checkers/enumerate/seen_values.h"

namespace fragproof {
namespace {

constexpr std::int64_t counted_at_most = std::int64_t{1} << 22;

std::string tuple_text(const std::vector<Int>& values, bool bare) {
  std::string text;
  for (const Int value : values) text += (text.empty() ? "" : ", ") + to_string(value);
  return bare || values.size() == 1 ? text : "(" + text + ")";
}

// A map or table as columns of points and values.
class Function {
 public:
  Function(Evaluator& evaluator, const Map* map, const Table* table)
      : evaluator_(evaluator), map_(map), table_(table) {}

  [[nodiscard]] const std::string& name() const {
    return map_ != nullptr ? map_->name : table_->name;
  }
  [[nodiscard]] std::string call(const std::vector<Int>& at) const {
    return map_ != nullptr ? name() + "(" + tuple_text(at, true) + ")"
                           : name() + "[" + tuple_text(at, true) + "]";
  }

  // The extents of the codomain; nothing when an output has none. Undefined ones make every point
  // undefined.
  [[nodiscard]] std::optional<std::vector<Int>> codomain() {
    std::vector<Int> out;
    const auto with = [&](const Expr* extent) {
      if (extent == nullptr) return false;
      const Scalar scalar = evaluator_.scalar(*extent);
      if (scalar.outcome != Outcome::Ok) return false;
      out.push_back(scalar.value < 0 ? Int{0} : scalar.value);
      return true;
    };
    if (table_ != nullptr) return with(table_->range) ? std::optional(out) : std::nullopt;
    for (const OutputDef& output : map_->outputs) {
      if (!with(output.codomain)) return std::nullopt;
    }
    return out;
  }
  [[nodiscard]] std::size_t arity() const { return table_ != nullptr ? 1 : map_->outputs.size(); }
  [[nodiscard]] const Domain* domain() const { return map_ != nullptr ? &map_->domain : nullptr; }

  // Visits points and their values.
  Walk walk(const std::function<bool(const Batch&, const Values&)>& visit) {
    if (map_ != nullptr) {
      return evaluator_.walk(map_->domain, Batch(), [&](const Batch& points) {
        std::vector<Column> arguments;
        for (const Coordinate& coordinate : map_->domain.coordinates) {
          arguments.push_back(points.find(coordinate.variable)->members[0]);
        }
        return visit(points, evaluator_.apply(*map_, std::move(arguments), points.size));
      });
    }
    Walk walk;
    const auto extents = evaluator_.extents(*table_);
    if (!extents) {
      walk.domain.assign(1, Outcome::Undefined);
      walk.reason = "an extent of `" + table_->name + "` is undefined";
      return walk;
    }
    Int count = 1;
    for (const Int extent : *extents) {
      if (!mul(count, extent, count)) count = 0;
    }
    ++evaluator_.domains_met;
    if (count > 0) ++evaluator_.domains_with_points;
    const std::vector<Int>& entries = evaluator_.values(*table_);
    const std::optional<std::vector<Int>> range = codomain();
    for (Int i = 0; i < count; ++i) {
      Values value{Column(
          i < static_cast<Int>(entries.size()) ? entries[static_cast<std::size_t>(i)] : Int{0})};
      const Int entry = value.members[0].at(0);
      const bool outside = range && (entry < 0 || entry >= (*range)[0]);
      if (i >= static_cast<Int>(entries.size()) || outside)
        value.outcome.assign(1, Outcome::Undefined);
      ++walk.points;
      if (!visit(Batch(), value)) {
        walk.end = Walk::End::Stopped;
        return walk;
      }
    }
    evaluator_.spend(walk.points);
    return walk;
  }

  // The coordinates of point `point` of a batch; of a table, of its `number`-th entry.
  [[nodiscard]] std::vector<Int> coordinates(const Batch& points, std::size_t point,
                                             std::int64_t number) {
    std::vector<Int> out;
    if (map_ != nullptr) {
      for (const Coordinate& coordinate : map_->domain.coordinates) {
        out.push_back(points.value(coordinate.variable, point));
      }
      return out;
    }
    const auto extents = evaluator_.extents(*table_);
    out.resize(extents->size());
    Int rest = number;
    for (std::size_t i = out.size(); i-- > 0;) {
      const Int extent = (*extents)[i];
      out[i] = rest % extent;
      rest /= extent;
    }
    return out;
  }

  void place(Counterexample& why, const Batch& points, std::size_t point, std::int64_t number) {
    if (map_ != nullptr) {
      place_at(why, map_->domain, points, point, map_);
      return;
    }
    int i = 0;
    for (const Int value : coordinates(points, point, number)) {
      why.at.emplace_back(table_->extents.size() == 1 ? "index" : "index " + std::to_string(i++),
                          value);
    }
  }

  // Why the map is undefined at a point.
  [[nodiscard]] std::string reason(const Batch& points, std::size_t point, std::int64_t number) {
    if (table_ != nullptr)
      return call(coordinates(points, point, number)) + " is outside the table's range";
    Expr application;
    application.kind = Expr::Kind::Apply;
    application.map = const_cast<Map*>(map_);
    application.type.kind = Type::Kind::Tuple;
    std::vector<Expr> arguments(map_->domain.coordinates.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      arguments[i].kind = Expr::Kind::Number;
      arguments[i].number = points.value(map_->domain.coordinates[i].variable, point);
      application.args.push_back(&arguments[i]);
    }
    return evaluator_.scalar(application).reason;
  }

 private:
  Evaluator& evaluator_;
  const Map* map_;
  const Table* table_;
};

// One predicate of one function.
class Judge {
 public:
  Judge(Evaluator& evaluator, const Expr& expr, bool explain)
      : evaluator_(evaluator),
        function_(evaluator, expr.map, expr.table),
        predicate_(expr.predicate),
        explain_(explain) {}

  AtomVerdict judge() {
    const bool wants_injective =
        predicate_ == Predicate::Injective || predicate_ == Predicate::Bijective;
    const bool wants_onto = predicate_ == Predicate::Onto || predicate_ == Predicate::Bijective;
    const auto codomain = function_.codomain();
    if (wants_onto && !codomain)
      return undefined("a codomain of " + function_.name() + " is undefined");
    std::optional<SeenValues> seen;
    if (wants_injective || wants_onto) {
      seen.emplace(function_.arity(), codomain, evaluator_.options().image_cells);
    }
    const bool stop_early = !explain_;
    // To show a failure takes no more than to find it did; counting them all ends there.
    const std::int64_t most = explain_ ? std::max(counted_at_most, evaluator_.points()) : INT64_MAX;
    bool too_large = false;
    bool overflow = false;
    std::int64_t points = 0;
    std::int64_t undefined_points = 0;
    std::vector<std::int64_t> row(function_.arity());
    const Walk walk = function_.walk([&](const Batch& batch, const Values& values) {
      for (const Column& column : values.members) overflow = overflow || column.is_wide();
      if (overflow) return false;
      std::vector<const std::int64_t*> data;
      std::vector<std::size_t> stride;
      for (const Column& column : values.members) {
        data.push_back(column.narrow.data());
        stride.push_back(column.uniform() ? 0 : 1);
      }
      for (std::size_t p = 0; p < batch.size; ++p) {
        const std::int64_t number = points++;
        if (values.at(p) == Outcome::Overflow) {
          overflow = true;
          return false;
        }
        if (values.at(p) == Outcome::Undefined) {
          if (undefined_points++ == 0 && explain_) {
            Counterexample& why = verdict_.why.emplace();
            function_.place(why, batch, p, number);
            why.text = function_.reason(batch, p, number);
            why.found = "undefined";
          }
          if (stop_early) return false;
          continue;
        }
        if (!seen || undefined_points > 0) continue;
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = data[i][p * stride[i]];
        if (!seen->add(row.data())) {
          too_large = true;
          return false;
        }
      }
      return points < most && !(stop_early && wants_injective && seen && seen->again() > 0);
    });
    if (undefined_points > 0) {
      if (verdict_.why) count(*verdict_.why, undefined_points, points, walk);
      return verdict_;  // not total: false
    }
    if (!walk.domain.empty()) {
      if (walk.domain[0] == Outcome::Undefined) return undefined(walk.reason);
      return unknown(evaluator_.undecided());
    }
    if (overflow) return unknown("a value of " + function_.name() + " leaves 64 bits");
    if (seen) {
      if (!seen->finish(evaluator_.options().stop)) return unknown("interrupted");
      if (wants_injective && seen->again() > 0) {
        if (explain_) explain_collision(*seen, walk);
        return verdict_;
      }
    }
    if (too_large) return unknown("the values of " + function_.name() + " are too many to compare");
    if (walk.end == Walk::End::Budget) return unknown("the budget of points ran out");
    if (walk.truncated)
      return unknown("the domain of " + function_.name() + " was not walked whole");
    if (wants_onto && Int{seen->distinct()} != *seen->codomain()) {
      if (explain_) explain_missing(*seen);
      return verdict_;
    }
    verdict_.value = 1;
    return verdict_;
  }

 private:
  AtomVerdict undefined(std::string reason) {
    verdict_.outcome = Outcome::Undefined;
    verdict_.reason = std::move(reason);
    return verdict_;
  }
  AtomVerdict unknown(std::string reason) {
    verdict_.outcome = Outcome::Overflow;
    verdict_.reason = std::move(reason);
    verdict_.why.reset();
    return verdict_;
  }
  static void count(Counterexample& why, std::int64_t wrong, std::int64_t of, const Walk& walk) {
    if (walk.end != Walk::End::Complete || walk.truncated) return;
    why.wrong = wrong;
    why.of = of;
  }

  // Walks again for the first point whose value an earlier one has, and for that one.
  void explain_collision(const SeenValues& seen, const Walk& walk) {
    std::vector<Int> value;
    Counterexample& why = verdict_.why.emplace();
    std::vector<Int> later;
    find(seen.first_again(),
         [&](const Batch& points, std::size_t p, std::int64_t number, const Values& values) {
           later = function_.coordinates(points, p, number);
           for (const Column& column : values.members) value.push_back(column.at(p));
           function_.place(why, points, p, number);
         });
    std::vector<Int> earlier;
    std::int64_t number = 0;
    (void)function_.walk([&](const Batch& points, const Values& values) {
      for (std::size_t p = 0; p < points.size; ++p, ++number) {
        bool same = values.at(p) == Outcome::Ok;
        for (std::size_t i = 0; same && i < value.size(); ++i)
          same = values.members[i].at(p) == value[i];
        if (!same) continue;
        earlier = function_.coordinates(points, p, number);
        return false;
      }
      return true;
    });
    why.found = tuple_text(value, false);
    why.expected = "a value that no other point has";
    why.text = function_.call(earlier) + " and " + function_.call(later) + " are both " + why.found;
    count(why, seen.again(), seen.count(), walk);
  }

  void explain_missing(const SeenValues& seen) {
    Counterexample& why = verdict_.why.emplace();
    const auto missing = seen.first_missing();
    const Int lost = *seen.codomain() - seen.distinct();
    const std::string all = to_string(*seen.codomain());
    if (missing) {
      why.expected = tuple_text(*missing, false);
      why.found = "never reached";
      why.text = why.expected + " is no value of " + function_.name() + ": " + to_string(lost) +
                 " of " + all + (lost == 1 ? " is missing" : " are missing");
    } else {
      why.text = to_string(lost) + " of " + all + " are no values of " + function_.name();
    }
    if (lost <= INT64_MAX && *seen.codomain() <= INT64_MAX) {
      why.wrong = static_cast<std::int64_t>(lost);
      why.of = static_cast<std::int64_t>(*seen.codomain());
    }
  }

  void find(
      std::int64_t wanted,
      const std::function<void(const Batch&, std::size_t, std::int64_t, const Values&)>& use) {
    std::int64_t number = 0;
    (void)function_.walk([&](const Batch& points, const Values& values) {
      if (number + static_cast<std::int64_t>(points.size) <= wanted) {
        number += static_cast<std::int64_t>(points.size);
        return true;
      }
      use(points, static_cast<std::size_t>(wanted - number), wanted, values);
      return false;
    });
  }

  Evaluator& evaluator_;
  Function function_;
  Predicate predicate_;
  bool explain_;
  AtomVerdict verdict_;
};

}  // namespace

AtomVerdict judge_predicate(Evaluator& evaluator, const Expr& expr, bool explain) {
  if (expr.array != nullptr) return judge_pack(evaluator, *expr.array, expr.predicate, explain);
  return Judge(evaluator, expr, explain).judge();
}

void place_at(Counterexample& counterexample, const Domain& domain, const Batch& points,
              std::size_t point, const Map* map) {
  std::optional<Int> lane;
  std::optional<Int> elem;
  for (std::size_t i = 0; i < domain.coordinates.size(); ++i) {
    const Coordinate& coordinate = domain.coordinates[i];
    const Int value = points.value(coordinate.variable, point);
    counterexample.at.emplace_back(coordinate.name, value);
    const bool fragment = map != nullptr && map->is_fragment;
    if (coordinate.name == "lane" || (fragment && i == 0)) lane = value;
    if (coordinate.name == "elem" || (fragment && i == 1)) elem = value;
  }
  if (map != nullptr && map->is_fragment && lane && elem) {
    locate(counterexample, *map, *lane, *elem);
    return;
  }
  if (lane && *lane >= 0 && *lane < 1'000'000) counterexample.lane = static_cast<int>(*lane);
  if (elem && *elem >= 0 && *elem < 1'000'000) counterexample.elem = static_cast<int>(*elem);
}

}  // namespace fragproof
