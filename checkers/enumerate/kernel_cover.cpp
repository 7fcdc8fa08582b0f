// The obligation `cover`: each stored element of y counts every k once.
//
// Rows with the same pattern of zeros and left-out slots behave alike, and so do columns: each pair
// of patterns is judged once a tile.

#include <algorithm>
#include <map>

#include "checkers/enumerate/kernel_trace.h"
#include "checkers/enumerate/kernel_words.h"

namespace fragproof {

namespace {

enum : char { absent = 0, zero = 1, held = 2, left_out = 3 };

// The pattern of each row (column) of a tile over its (point, slot), and which rows share one.
struct Patterns {
  std::vector<std::string> distinct;
  std::vector<std::size_t> of;  // of each row
};

struct Fault {
  bool twice = false;
  bool missing = false;
  bool out = false;                  // something was left out
  bool term = false;                 // something was counted
  std::size_t first = 0, again = 0;  // (point - first point)*depth + slot of the two that hold `k`
  std::int64_t k = 0;                // the smallest missing, or the first counted twice
  [[nodiscard]] bool wrong() const { return twice || missing; }
  [[nodiscard]] bool judged() const { return term || !out; }
};

class Cover {
 public:
  explicit Cover(Trace& trace) : t_(trace), depth_(static_cast<std::size_t>(trace.depth)) {}

  Finding judge() {
    for (std::size_t tile = 0; tile < t_.points->tile_count(); ++tile) judge_tile(tile);
    finding_.asked = finding_.of > 0;
    finding_.failed = finding_.wrong > 0;
    if (finding_.example) {
      finding_.example->wrong = finding_.wrong;
      finding_.example->of = finding_.of;
    }
    return finding_;
  }

 private:
  [[nodiscard]] std::size_t first_point(std::size_t tile) const { return t_.points->first[tile]; }

  Patterns patterns(const Operand& operand, std::size_t tile, std::size_t lines) const {
    const std::size_t begin = first_point(tile), end = t_.points->first[tile + 1];
    std::vector<std::string> lines_of(lines, std::string((end - begin) * depth_, absent));
    for (std::size_t point = begin; point < end; ++point) {
      for (std::size_t slot = 0; slot < operand.grid.size(); ++slot) {
        const std::size_t cell = point * operand.grid.size() + slot;
        lines_of[static_cast<std::size_t>(operand.line(slot))]
                [(point - begin) * depth_ + static_cast<std::size_t>(operand.slot_k(slot))] =
                    operand.out[cell] != 0             ? left_out
                    : operand.held[cell] == Held::Zero ? zero
                                                       : held;
      }
    }
    Patterns result;
    for (std::string& line : lines_of) {
      const auto it = std::find(result.distinct.begin(), result.distinct.end(), line);
      result.of.push_back(static_cast<std::size_t>(it - result.distinct.begin()));
      if (it == result.distinct.end()) result.distinct.push_back(std::move(line));
    }
    return result;
  }

  // The k of each (point, slot) of a tile: rows agree on it, and so do A and B, where nothing was
  // left out.
  void gather_k(std::size_t tile) {
    const std::size_t begin = first_point(tile), end = t_.points->first[tile + 1];
    k_.assign((end - begin) * depth_, -1);
    for (const Operand* operand : {&t_.a, &t_.b}) {
      const std::vector<std::uint8_t>& live = operand->is_a ? t_.live_row : t_.live_col;
      const std::size_t lines = operand->is_a ? t_.m() : t_.n();
      for (std::size_t point = begin; point < end; ++point) {
        for (std::size_t slot = 0; slot < operand->grid.size(); ++slot) {
          const std::size_t cell = point * operand->grid.size() + slot;
          if (operand->out[cell] != 0 || operand->held[cell] != Held::Whole ||
              live[tile * lines + static_cast<std::size_t>(operand->line(slot))] == 0) {
            continue;
          }
          k_[(point - begin) * depth_ + static_cast<std::size_t>(operand->slot_k(slot))] =
              operand->k[cell];
        }
      }
    }
  }

  Fault pair_fault(const std::string& row, const std::string& column, bool whole_tile_failed) {
    Fault fault;
    fault.out = whole_tile_failed;
    seen_.assign(static_cast<std::size_t>(t_.k_count), -1);
    for (std::size_t i = 0; i < k_.size(); ++i) {
      if (row[i] == left_out || column[i] == left_out) {
        fault.out = true;
        continue;
      }
      if (row[i] != held || column[i] != held || k_[i] < 0) continue;
      fault.term = true;
      std::int64_t& seen = seen_[static_cast<std::size_t>(k_[i])];
      if (seen >= 0 && !fault.twice) {
        fault.twice = true;
        fault.first = static_cast<std::size_t>(seen);
        fault.again = i;
        fault.k = k_[i];
      }
      if (seen < 0) seen = static_cast<std::int64_t>(i);
    }
    if (fault.out || fault.twice) return fault;
    const auto gap = std::find(seen_.begin(), seen_.end(), -1);
    fault.missing = gap != seen_.end();
    fault.k = gap - seen_.begin();
    return fault;
  }

  void judge_tile(std::size_t tile) {
    gather_k(tile);
    const Patterns rows = patterns(t_.a, tile, t_.m());
    const Patterns columns = patterns(t_.b, tile, t_.n());
    std::map<std::pair<std::size_t, std::size_t>, Fault> known;
    for (std::size_t slot = 0; slot < t_.c.size(); ++slot) {
      const auto i = static_cast<std::size_t>(t_.c.row[slot]),
                 j = static_cast<std::size_t>(t_.c.col[slot]);
      if (t_.store[tile * t_.c.size() + slot] != Access::Done) continue;
      const std::pair key(rows.of[i], columns.of[j]);
      auto it = known.find(key);
      if (it == known.end()) {
        it = known
                 .emplace(key, pair_fault(rows.distinct[key.first], columns.distinct[key.second],
                                          t_.points->tile_failed[tile] != 0))
                 .first;
      }
      if (!it->second.judged()) continue;
      ++finding_.of;
      if (!it->second.wrong()) continue;
      ++finding_.wrong;
      t_.pair_out[t_.pair(tile, i, j)] = 1;
      if (!finding_.example) tell(tile, slot, it->second);
    }
    if (finding_.wrong > 0) t_.left_out = true;
  }

  // The cell of an operand in a row (column) and k slot at a point.
  [[nodiscard]] std::size_t cell_of(const Operand& operand, std::size_t point, std::size_t line,
                                    std::size_t k) const {
    for (std::size_t slot = 0; slot < operand.grid.size(); ++slot) {
      if (static_cast<std::size_t>(operand.line(slot)) == line &&
          static_cast<std::size_t>(operand.slot_k(slot)) == k) {
        return point * operand.grid.size() + slot;
      }
    }
    return 0;
  }

  void tell(std::size_t tile, std::size_t slot, const Fault& fault) {
    const auto i = static_cast<std::size_t>(t_.c.row[slot]),
               j = static_cast<std::size_t>(t_.c.col[slot]);
    const std::string y = element_text(t_.result, t_.stored[tile * t_.c.size() + slot]);
    const std::string k = k_text(t_, fault.k);
    Counterexample example;
    if (fault.twice) {
      const std::size_t point = first_point(tile) + fault.again / depth_;
      const std::size_t before = first_point(tile) + fault.first / depth_;
      const std::size_t cell = cell_of(t_.a, point, i, fault.again % depth_);
      const CellPlace at = place_of(t_.a, cell);
      const CellPlace was = place_of(t_.a, cell_of(t_.a, before, i, fault.first % depth_));
      example = example_at(t_, t_.a, cell);
      example.found = k + " twice";
      example.text = y + " counts " + k + " twice: in slot " +
                     std::to_string(fault.first % depth_) + at_text(t_.points->at_point(before)) +
                     " (" + slot_text(t_.a.grid, was.lane, was.elem) + ") and in slot " +
                     std::to_string(fault.again % depth_) + at_text(example.at) + " (" +
                     slot_text(t_.a.grid, at.lane, at.elem) + ")";
      std::vector<std::uint8_t> wrong(t_.a.held.size(), 0);
      wrong[cell] = 1;
      // The element is in its place; that its k was counted before is what is wrong.
      Picture& picture = example.picture.emplace(picture_of(t_, t_.a, point, wrong));
      for (PictureCell& one : picture.cells) {
        if (one.wrong) one.expected = "another k";
      }
    } else if (!tell_zero(tile, i, j, fault.k, y, example)) {
      example.at = t_.points->at_tile(tile);
      example.lane = static_cast<int>(slot) / t_.c.elems;
      example.elem = static_cast<int>(slot) % t_.c.elems;
      example.reg = register_text(t_.c, *example.elem);
      example.half = half_text(t_.c, *example.elem);
      example.text = slot_text(t_.c, *example.lane, *example.elem) + at_text(example.at) + ": " +
                     y + " never counts " + k + counted(tile, i, j);
    }
    example.expected = k + " once in " + y;
    if (example.found.empty()) example.found = k + " never";
    finding_.example = std::move(example);
  }

  // A missing k that one operand holds against a zero of the other: the zero is named.
  bool tell_zero(std::size_t tile, std::size_t i, std::size_t j, std::int64_t k,
                 const std::string& y, Counterexample& example) {
    for (std::size_t at = 0; at < k_.size(); ++at) {
      if (k_[at] != k) continue;
      const std::size_t point = first_point(tile) + at / depth_;
      const std::size_t cell_a = cell_of(t_.a, point, i, at % depth_);
      const std::size_t cell_b = cell_of(t_.b, point, j, at % depth_);
      const bool zero_a = t_.a.held[cell_a] == Held::Zero;
      if (!zero_a && t_.b.held[cell_b] != Held::Zero) continue;
      const Operand& operand = zero_a ? t_.a : t_.b;
      const std::size_t cell = zero_a ? cell_a : cell_b;
      const CellPlace place = place_of(operand, cell);
      example = example_at(t_, operand, cell);
      example.found = "zero";
      example.text = slot_text(operand.grid, place.lane, place.elem) + at_text(example.at) +
                     " is zero" + ", so " + y + " never counts " + k_text(t_, k) +
                     counted(tile, i, j);
      std::vector<std::uint8_t> wrong(operand.held.size(), 0);
      wrong[cell] = 1;
      example.picture = picture_of(t_, operand, point, wrong);
      return true;
    }
    return false;
  }

  // ": it has 24 of 32 k".
  [[nodiscard]] std::string counted(std::size_t tile, std::size_t i, std::size_t j) {
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(t_.k_count), 0);
    for (std::size_t at = 0; at < k_.size(); ++at) {
      const std::size_t point = first_point(tile) + at / depth_;
      if (k_[at] >= 0 && t_.a.held[cell_of(t_.a, point, i, at % depth_)] == Held::Whole &&
          t_.b.held[cell_of(t_.b, point, j, at % depth_)] == Held::Whole) {
        seen[static_cast<std::size_t>(k_[at])] = 1;
      }
    }
    return ": it has " + std::to_string(std::count(seen.begin(), seen.end(), std::uint8_t{1})) +
           " of " + std::to_string(t_.k_count) + " terms";
  }

  Trace& t_;
  std::size_t depth_;
  std::vector<std::int64_t> k_;     // of the tile at hand
  std::vector<std::int64_t> seen_;  // first (point, slot) of each k
  Finding finding_;
};

}  // namespace

Finding judge_cover(Trace& trace) { return Cover(trace).judge(); }

}  // namespace fragproof
