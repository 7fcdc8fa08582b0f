#include "checkers/enumerate/kernel_points.h"

#include <algorithm>
#include <unordered_map>

#include "checkers/enumerate/kernel_uses.h"

namespace fragproof {

namespace {

// What a binding depends on, directly or through other bindings.
struct Uses {
  bool parallel = false, reduce = false, lane = false, slot = false;
  void operator|=(const Uses& other) {
    parallel |= other.parallel;
    reduce |= other.reduce;
    lane |= other.lane;
    slot |= other.slot;
  }
};
using UsesOf = std::unordered_map<const Variable*, Uses>;

void note_domain(const std::optional<Domain>& domain, Uses uses, UsesOf& known) {
  if (!domain) return;
  for (const Coordinate& coordinate : domain->coordinates) {
    known[coordinate.variable] = uses;
    for (const DigitBinding& digit : coordinate.digits) known[digit.variable] = uses;
  }
}

Uses uses_of(const Expr* expr, const UsesOf& known) {
  Uses uses;
  for_each_inside(expr, [&](const Expr& inside) {
    if (inside.kind != Expr::Kind::Variable) return;
    if (const auto it = known.find(inside.variable); it != known.end()) uses |= it->second;
  });
  return uses;
}

std::vector<std::uint32_t> repeated(std::size_t count, std::size_t times) {
  std::vector<std::uint32_t> rows(count * times);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint32_t>(i / times);
  return rows;
}

void append(NamedValues& out, const std::optional<Domain>& domain, const Batch& batch,
            std::size_t i) {
  if (!domain) return;
  for (const Coordinate& coordinate : domain->coordinates) {
    out.emplace_back(coordinate.variable->name, batch.value(coordinate.variable, i));
  }
}

const KernelPoints::Chunk& chunk_of(const std::vector<KernelPoints::Chunk>& chunks,
                                    std::size_t number) {
  const auto after = std::upper_bound(
      chunks.begin(), chunks.end(), number,
      [](std::size_t value, const KernelPoints::Chunk& chunk) { return value < chunk.first; });
  return *std::prev(after);
}

}  // namespace

Grid grid_of(Evaluator& evaluator, const Map& map, char letter, std::string& reason) {
  Grid grid;
  grid.map = &map;
  grid.letter = letter;
  grid.width = map.element.width;
  std::vector<std::int64_t> extents;
  for (const Coordinate& coordinate : map.domain.coordinates) {
    const Scalar extent =
        coordinate.extent == nullptr ? Scalar{} : evaluator.scalar(*coordinate.extent);
    if (extent.outcome != Outcome::Ok || extent.value < 1 || extent.value > 4096) {
      reason = "fragment " + map.name + " has no fixed number of lanes and elements";
      return grid;
    }
    extents.push_back(static_cast<std::int64_t>(extent.value));
  }
  if (extents.size() != 2 || map.outputs.size() != 2) {
    reason = "fragment " + map.name + " is not a table of (lane, elem)";
    return grid;
  }
  grid.lanes = static_cast<int>(extents[0]);
  grid.elems = static_cast<int>(extents[1]);
  const std::size_t size = static_cast<std::size_t>(extents[0] * extents[1]);
  std::vector<std::int64_t> lane(size), elem(size);
  for (std::size_t i = 0; i < size; ++i) {
    lane[i] = static_cast<std::int64_t>(i) / extents[1];
    elem[i] = static_cast<std::int64_t>(i) % extents[1];
  }
  std::vector<Column> arguments;
  arguments.emplace_back(std::move(lane));
  arguments.emplace_back(std::move(elem));
  const Values values = evaluator.apply(map, std::move(arguments), size);
  for (std::size_t i = 0; i < size; ++i) {
    if (values.at(i) != Outcome::Ok) {
      reason = "fragment " + map.name + " is undefined for some lane";
      grid.row.clear();
      return grid;
    }
    grid.row.push_back(static_cast<std::int32_t>(values.members[0].at(i)));
    grid.col.push_back(static_cast<std::int32_t>(values.members[1].at(i)));
  }
  return grid;
}

KernelPoints::KernelPoints(Evaluator& evaluator, const Kernel& kernel, int lanes)
    : evaluator_(evaluator), kernel_(kernel), lanes_(lanes) {
  UsesOf known;
  note_domain(kernel.parallel, {.parallel = true}, known);
  note_domain(kernel.reduce, {.reduce = true}, known);
  known[kernel.lane] = {.lane = true};
  known[kernel.row] = known[kernel.col] = known[kernel.elem] = {.lane = true, .slot = true};
  for (const Binding& binding : kernel.bindings) {
    Uses uses = uses_of(binding.value, known);
    uses |= uses_of(binding.next, known);
    if (binding.over != nullptr) {
      if (const auto it = known.find(binding.over); it != known.end()) uses |= it->second;
    }
    for (const DigitBinding& digit : binding.digits) uses |= uses_of(digit.radix, known);
    if (binding.variable != nullptr) known[binding.variable] = uses;
    for (const DigitBinding& digit : binding.digits) known[digit.variable] = uses;
    level_.push_back(uses.slot       ? Level::Slot
                     : uses.lane     ? Level::Lane
                     : uses.reduce   ? Level::Point
                     : uses.parallel ? Level::Tile
                                     : Level::Base);
    reduces_.push_back(uses.reduce);
  }
}

void KernelPoints::bind(Chunk& chunk, Level low, Level high, bool with_reduce) {
  chunk.failed.resize(chunk.batch.size, 0);
  Scope scope;
  if (high > Level::Base && kernel_.parallel) scope.domains.push_back(&*kernel_.parallel);
  if (with_reduce && kernel_.reduce) scope.domains.push_back(&*kernel_.reduce);
  for (std::size_t b = 0; b < kernel_.bindings.size(); ++b) {
    const Binding& binding = kernel_.bindings[b];
    if (level_[b] > high || (reduces_[b] && !with_reduce)) continue;
    if (level_[b] >= low) {
      const std::vector<Outcome> outcome = evaluator_.bind(binding, scope, chunk.batch);
      for (std::size_t i = 0; !outcome.empty() && i < chunk.batch.size; ++i) {
        const Outcome one = outcome[outcome.size() == 1 ? 0 : i];
        if (one != Outcome::Ok) chunk.failed[i] = 1;
        if (one == Outcome::Overflow && unknown.empty()) {
          unknown =
              evaluator_.undecided().empty() ? "a let is beyond 128 bits" : evaluator_.undecided();
        }
      }
    }
    scope.bindings.push_back(&binding);
  }
}

void KernelPoints::add_points(Chunk chunk) {
  chunk.first = tile_of.size();
  for (std::size_t i = 0; i < chunk.batch.size; ++i) tile_of.push_back(chunk.batch.parent[i]);
  bind(chunk, Level::Point, Level::Point, true);
  points.push_back(std::move(chunk));
}

void KernelPoints::walk(std::int64_t limit) {
  const std::size_t whole = evaluator_.options().batch;
  evaluator_.options().batch = std::max<std::size_t>(1, whole / static_cast<std::size_t>(lanes_));
  const auto over = [&](std::size_t count) {
    if (static_cast<std::int64_t>(count) <= limit) return false;
    unknown = "more than " + std::to_string(limit) +
              " points of parallel and reduce, too many for the budget";
    return true;
  };

  Chunk base;
  bind(base, Level::Base, Level::Base, false);
  const auto add_tiles = [&](const Batch& batch) {
    Chunk chunk;
    chunk.batch = batch;
    chunk.failed.assign(batch.size, base.failed[0]);
    chunk.first = tile_failed.size();
    tile_failed.resize(tile_failed.size() + batch.size, 0);
    bind(chunk, Level::Tile, Level::Tile, false);
    tiles.push_back(std::move(chunk));
    return !over(tile_failed.size());
  };
  const auto ended = [&](const Walk& walk) {
    if (unknown.empty() && walk.end == Walk::End::Budget) unknown = "the budget of points is spent";
    if (unknown.empty() && walk.truncated)
      unknown = "parallel or reduce has an index without extent";
    for (const Outcome outcome : walk.domain) {
      if (unknown.empty() && outcome == Outcome::Overflow)
        unknown = "an extent: " + evaluator_.undecided();
    }
  };

  if (kernel_.parallel) {
    const Walk walked = evaluator_.walk(*kernel_.parallel, base.batch, add_tiles);
    ended(walked);
    if (!walked.domain.empty() && walked.domain[0] == Outcome::Undefined) {
      undefined = "parallel: " + walked.reason;
      tiles.clear();
      tile_failed.clear();
    }
  } else {
    add_tiles(base.batch);
  }

  for (const Chunk& tile : tiles) {
    if (!unknown.empty()) break;
    if (!kernel_.reduce) {
      Chunk chunk = tile;
      chunk.batch.parent = repeated(tile.batch.size, 1);
      for (std::uint32_t& parent : chunk.batch.parent)
        parent += static_cast<std::uint32_t>(tile.first);
      add_points(std::move(chunk));
      continue;
    }
    const Walk walked = evaluator_.walk(*kernel_.reduce, tile.batch, [&](const Batch& batch) {
      Chunk chunk;
      chunk.batch = batch;
      for (std::uint32_t& parent : chunk.batch.parent) {
        chunk.failed.push_back(tile.failed[parent]);
        parent += static_cast<std::uint32_t>(tile.first);
      }
      add_points(std::move(chunk));
      return !over(tile_of.size());
    });
    ended(walked);
    for (std::size_t i = 0; i < tile.batch.size && !walked.domain.empty(); ++i) {
      if (walked.domain[walked.domain.size() == 1 ? 0 : i] == Outcome::Undefined) {
        tile_failed[tile.first + i] = 1;
        if (tile_reason.empty()) tile_reason = "reduce: " + walked.reason;
      }
    }
  }
  evaluator_.options().batch = whole;

  for (Chunk& chunk : points) {
    for (std::size_t i = 0; i < chunk.batch.size; ++i) {
      if (tile_failed[tile_of[chunk.first + i]] != 0) chunk.failed[i] = 1;
    }
  }
  first.assign(tile_failed.size() + 1, 0);
  for (const std::uint32_t tile : tile_of) ++first[tile + 1];
  for (std::size_t t = 0; t < tile_failed.size(); ++t) first[t + 1] += first[t];
}

const KernelPoints::Chunk& KernelPoints::with_lanes(const Chunk& points) {
  if (lanes_from_ == &points) return lanes_of_;
  const std::size_t lanes = static_cast<std::size_t>(lanes_);
  const std::vector<std::uint32_t> rows = repeated(points.batch.size, lanes);
  Chunk chunk;
  chunk.first = points.first * lanes;
  chunk.batch = points.batch.select(rows);
  std::vector<std::int64_t> lane(rows.size());
  for (std::size_t i = 0; i < lane.size(); ++i) lane[i] = static_cast<std::int64_t>(i % lanes);
  chunk.batch.bind(kernel_.lane, Values(Column(std::move(lane))));
  for (const std::uint32_t row : rows) chunk.failed.push_back(points.failed[row]);
  bind(chunk, Level::Lane, Level::Lane, true);
  lanes_from_ = &points;
  return lanes_of_ = std::move(chunk);
}

KernelPoints::Chunk KernelPoints::with_slots(const Chunk& tiles, const Grid& result) {
  const std::vector<std::uint32_t> rows = repeated(tiles.batch.size, result.size());
  Chunk chunk;
  chunk.first = tiles.first * result.size();
  chunk.batch = tiles.batch.select(rows);
  std::vector<std::int64_t> lane(rows.size()), elem(rows.size()), row(rows.size()),
      col(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t slot = i % result.size();
    lane[i] = static_cast<std::int64_t>(slot) / result.elems;
    elem[i] = static_cast<std::int64_t>(slot) % result.elems;
    row[i] = result.row[slot];
    col[i] = result.col[slot];
  }
  chunk.batch.bind(kernel_.lane, Values(Column(std::move(lane))));
  chunk.batch.bind(kernel_.elem, Values(Column(std::move(elem))));
  chunk.batch.bind(kernel_.row, Values(Column(std::move(row))));
  chunk.batch.bind(kernel_.col, Values(Column(std::move(col))));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    chunk.failed.push_back(
        static_cast<std::uint8_t>(tiles.failed[rows[i]] | tile_failed[tiles.first + rows[i]]));
  }
  bind(chunk, Level::Lane, Level::Slot, false);
  return chunk;
}

Batch KernelPoints::one_point(std::size_t point) const {
  const Chunk& chunk = chunk_of(points, point);
  return chunk.batch.at(point - chunk.first);
}

Batch KernelPoints::one(std::size_t point, int lane) {
  Chunk chunk;
  chunk.batch = one_point(point);
  chunk.batch.bind(kernel_.lane, Int{lane});
  bind(chunk, Level::Lane, Level::Lane, true);
  return chunk.batch;
}

Batch KernelPoints::one_slot(std::size_t tile, const Grid& result, std::size_t slot) {
  const Chunk& tiles_of = chunk_of(tiles, tile);
  Chunk chunk;
  chunk.batch = tiles_of.batch.at(tile - tiles_of.first);
  chunk.batch.bind(kernel_.lane, Int{static_cast<std::int64_t>(slot) / result.elems});
  chunk.batch.bind(kernel_.elem, Int{static_cast<std::int64_t>(slot) % result.elems});
  chunk.batch.bind(kernel_.row, Int{result.row[slot]});
  chunk.batch.bind(kernel_.col, Int{result.col[slot]});
  bind(chunk, Level::Lane, Level::Slot, false);
  return chunk.batch;
}

std::string KernelPoints::let_reason(const Batch& point) {
  for (const Binding& binding : kernel_.bindings) {
    const bool digits = binding.kind == Binding::Kind::Digits;
    const Variable* variable = digits ? binding.digits.front().variable : binding.variable;
    const Values* bound = point.find(variable);
    if (bound == nullptr || bound->at(0) == Outcome::Ok) continue;
    const std::string name = digits ? "let [" + variable->name + ", ..]" : "let " + variable->name;
    const Scalar value = evaluator_.scalar(*binding.value, point);
    if (value.outcome == Outcome::Undefined) return name + ": " + value.reason;
    return digits ? name + ": " + to_string(value.value) + " is outside the digits"
                  : name + " is undefined";
  }
  return {};
}

NamedValues KernelPoints::at_tile(std::size_t tile) const {
  NamedValues out;
  const Chunk& chunk = chunk_of(tiles, tile);
  append(out, kernel_.parallel, chunk.batch, tile - chunk.first);
  return out;
}

NamedValues KernelPoints::at_point(std::size_t point) const {
  NamedValues out;
  const Chunk& chunk = chunk_of(points, point);
  append(out, kernel_.parallel, chunk.batch, point - chunk.first);
  append(out, kernel_.reduce, chunk.batch, point - chunk.first);
  return out;
}

}  // namespace fragproof
