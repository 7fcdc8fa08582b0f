// The points of a kernel's `parallel` and `reduce` domains at one shape, in order, with the values
// of its lets.
//
// A tile is a point of parallel (p), a point is one of both (p, r). Points come in chunks small
// enough to be evaluated over all lanes at once; what depends on fewer indices is evaluated once
// for those.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checkers/result/result.h"
#include "spec/eval.h"

namespace fragproof {

// A fragment as a table: where lane `lane`, element `elem` lies. For operands (row, col), for loads
// (src, col).
struct Grid {
  const Map* map = nullptr;
  char letter = 'a';  // of its registers
  int lanes = 32;
  int elems = 0;                  // a lane
  int width = 16;                 // bits of an element
  std::vector<std::int32_t> row;  // [lane*elems + elem]
  std::vector<std::int32_t> col;
  [[nodiscard]] int register_bits() const { return width > 32 ? 64 : 32; }
  [[nodiscard]] std::size_t size() const { return row.size(); }
};

// The table of a fragment with two outputs. Empty `row` and a `reason` where it is not total or not
// finite.
[[nodiscard]] Grid grid_of(Evaluator& evaluator, const Map& map, char letter, std::string& reason);

class KernelPoints {
 public:
  struct Chunk {
    Batch batch;
    std::vector<std::uint8_t> failed;  // some let is undefined here
    std::size_t first = 0;             // number of its first tile or point
  };

  KernelPoints(Evaluator& evaluator, const Kernel& kernel, int lanes);

  // Walks both domains; gives up, with a reason in `unknown`, past `limit` points.
  void walk(std::int64_t limit);

  // Every point of a chunk of `points` for every lane (lane fastest), with all lets but those about
  // the store. Valid until the next call.
  [[nodiscard]] const Chunk& with_lanes(const Chunk& points);
  // Every tile of a chunk of `tiles` for every slot of the result (lane, then elem, fastest).
  [[nodiscard]] Chunk with_slots(const Chunk& tiles, const Grid& result);
  // One point (or tile) with one lane, to ask for reasons.
  [[nodiscard]] Batch one(std::size_t point, int lane);
  [[nodiscard]] Batch one_point(std::size_t point) const;
  [[nodiscard]] Batch one_slot(std::size_t tile, const Grid& result, std::size_t slot);
  // Why a let is undefined at a batch of one point; "" when none is.
  [[nodiscard]] std::string let_reason(const Batch& point);

  [[nodiscard]] NamedValues at_tile(std::size_t tile) const;
  [[nodiscard]] NamedValues at_point(std::size_t point) const;
  [[nodiscard]] std::size_t tile_count() const { return tile_failed.size(); }
  [[nodiscard]] std::size_t point_count() const { return tile_of.size(); }

  std::string unknown;    // why the walk cannot tell all points; "" when it can
  std::string undefined;  // why the parallel domain is undefined; "" when it is not
  std::vector<Chunk> tiles;
  std::vector<Chunk> points;
  std::vector<std::uint32_t> tile_of;     // of each point
  std::vector<std::uint32_t> first;       // first point of each tile, and the end
  std::vector<std::uint8_t> tile_failed;  // its reduce domain is undefined
  std::string tile_reason;                // of the first such tile

 private:
  enum class Level { Base, Tile, Point, Lane, Slot };
  void bind(Chunk& chunk, Level low, Level high, bool with_reduce);
  void add_points(Chunk chunk);

  Evaluator& evaluator_;
  const Kernel& kernel_;
  int lanes_;
  std::vector<Level> level_;           // of each binding
  std::vector<bool> reduces_;          // it depends on a reduce index
  Chunk lanes_of_;                     // what with_lanes() made last ..
  const Chunk* lanes_from_ = nullptr;  // .. and of what: most shapes have one chunk of points
};

}  // namespace fragproof
