// The obligations about addresses: `bounds`, `storage`, `alignment`.

#include <algorithm>
#include <numeric>

#include "checkers/enumerate/kernel_trace.h"
#include "checkers/enumerate/kernel_words.h"

namespace fragproof {

namespace {

// The smallest of the faults seen so far, in the order: tile, point, lane, statement.
class Smallest {
 public:
  using Key = std::array<std::int64_t, 4>;
  [[nodiscard]] bool wants(const Key& key) const { return !has_ || key < key_; }
  void take(const Key& key, Counterexample example) {
    key_ = key;
    has_ = true;
    example_ = std::move(example);
  }
  void finish(Finding& finding) {
    finding.asked = finding.of > 0;
    finding.failed = has_;
    if (!has_) return;
    example_.wrong = finding.wrong;
    example_.of = finding.of;
    finding.example = std::move(example_);
  }

 private:
  bool has_ = false;
  Key key_{};
  Counterexample example_;
};

constexpr std::int64_t last = INT64_MAX;  // stores come after all points of their tile

// What may stand for a place: `x[0..0, 0..31]`, `Wp.b128[0..63]`.
std::string range_text(Evaluator& evaluator, const Ref& ref) {
  const Array& array = *ref.array;
  if (ref.index.empty()) {
    const std::optional<Int> bits = evaluator.bits(array);
    if (!bits || ref.units.empty()) return {};
    return array.name + ".b" + std::to_string(ref.units[0].width) + "[0.." +
           to_string(*bits / ref.units[0].width - 1) + "]";
  }
  const std::optional<std::vector<Int>> extents = evaluator.extents(array);
  if (!extents) return {};
  std::string text;
  for (const Int extent : *extents)
    text += (text.empty() ? "[0.." : ", 0..") + to_string(extent - 1);
  return array.name + text + "]";
}

std::string bytes_text(int bits) {
  return bits == 8 ? "1 byte" : std::to_string(bits / 8) + " bytes";
}

int base_width(const Value& value) {
  if (value.kind == Value::Kind::Load) return value.load->width;
  if (value.kind == Value::Kind::Convert) return value.type.width;
  int width = 0;
  for (const Value& part : value.parts) width += part.width;
  return width;
}

class Bounds {
 public:
  explicit Bounds(Trace& trace) : t_(trace) {}

  Finding judge() {
    if (!t_.undefined.empty() || !t_.points->undefined.empty()) {
      const std::string& why = t_.undefined.empty() ? t_.points->undefined : t_.undefined;
      broken_.wrong = broken_.of = 1;
      Counterexample example;
      example.text = why;
      smallest_.take({-2, 0, 0, 0}, std::move(example));
      t_.left_out = true;
      smallest_.finish(broken_);
      t_.storage.emplace();
      return broken_;
    }
    packs();
    for (const KernelPoints::Chunk& chunk : t_.points->points) {
      shared(chunk);
      const KernelPoints::Chunk& lanes = t_.points->with_lanes(chunk);
      for (std::size_t i = 0; i < t_.loads.size(); ++i)
        load(t_.loads[i], static_cast<std::int64_t>(i), lanes);
      lets(lanes);
      parts(t_.kernel.mma->value_a, lanes);
      parts(t_.kernel.mma->value_b, lanes);
    }
    for (const KernelPoints::Chunk& chunk : t_.points->tiles)
      stores(t_.points->with_slots(chunk, t_.c));
    reduce_domains();
    mark_live();
    if (t_.unknown.empty()) t_.unknown = t_.points->unknown;
    smallest_.finish(broken_);
    if (broken_.wrong != 0) t_.left_out = true;
    storage();
    return broken_;
  }

 private:
  [[nodiscard]] std::int64_t tile(std::size_t point) const { return t_.points->tile_of[point]; }

  void stop() {
    if (!t_.unknown.empty()) return;
    t_.unknown = t_.evaluator.undecided();
    if (t_.unknown.empty()) t_.unknown = "a value is beyond 128 bits";
  }

  void memory(const Memory& memory, bool is_new, const Smallest::Key& key, NamedValues at) {
    if (!memory.unknown.empty() && t_.unknown.empty()) t_.unknown = memory.unknown;
    if (!is_new) return;
    broken_.of += memory.sources;
    broken_.wrong += memory.bad_sources;
    filled_.of += memory.writes;
    filled_.wrong += memory.bad_writes;
    const auto tell = [&](Smallest& smallest, const FillFault& fault) {
      if (!smallest.wants(key)) return;
      Counterexample example;
      example.at = at;
      example.at.insert(example.at.end(), fault.at.begin(), fault.at.end());
      example.found = fault.found;
      example.text = fault.text;
      smallest.take(key, std::move(example));
    };
    if (memory.bounds) tell(smallest_, *memory.bounds);
    if (memory.storage) tell(writes_, *memory.storage);
  }

  // Packs are the same at every point, so they come first.
  void packs() {
    for (LoadTrace& load : t_.loads) {
      std::vector<const Array*> behind;
      t_.memories.arrays_behind(*load.load->from.array, behind);
      for (const Array* array : behind) {
        any_array_ = true;
        if (std::find(arrays_.begin(), arrays_.end(), array) == arrays_.end())
          arrays_.push_back(array);
      }
    }
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      if (arrays_[i]->kind != Array::Kind::Pack) continue;
      const Memory& held = t_.memories.pack(*arrays_[i]);
      memory(held, true, {-1, static_cast<std::int64_t>(i), 0, 0}, {});
      if (!held.storage) continue;
      for (LoadTrace& load : t_.loads) {
        if (load.load->from.array == arrays_[i])
          std::fill(load.broken.begin(), load.broken.end(), 1);
      }
    }
  }

  void shared(const KernelPoints::Chunk& chunk) {
    for (const Array* array : arrays_) {
      if (array->kind != Array::Kind::Shared) continue;
      for (std::size_t i = 0; i < chunk.batch.size; ++i) {
        if (chunk.failed[i] != 0) continue;
        const std::size_t point = chunk.first + i;
        bool is_new = false;
        const Memory& held = t_.memories.shared(*array, chunk.batch, i, is_new);
        const bool first_here = is_new && (held.bounds || held.storage);
        memory(held, is_new, {tile(point), static_cast<std::int64_t>(point), -1, 0},
               first_here ? t_.points->at_point(point) : NamedValues{});
        if (!held.storage && held.unknown.empty()) continue;
        for (LoadTrace& load : t_.loads) {
          if (load.load->from.array == array) load.broken[point] = 1;
        }
      }
    }
  }

  void load(LoadTrace& load, std::int64_t order, const KernelPoints::Chunk& lanes) {
    const Batch& batch = lanes.batch;
    std::optional<Values> condition;
    if (load.load->condition != nullptr)
      condition = t_.evaluator.evaluate(*load.load->condition, batch);
    const Places places = t_.evaluator.place(load.load->from, batch);
    const std::optional<Int> bits = t_.evaluator.bits(*load.load->from.array);
    for (std::size_t i = 0; i < batch.size; ++i) {
      Access& access = load.access[lanes.first + i];
      if (lanes.failed[i] != 0) continue;
      if (condition && condition->at(i) != Outcome::Ok) {
        if (condition->at(i) == Outcome::Overflow) return stop();
        ++broken_.of;
        fault(load, order, lanes.first + i, true);
        continue;
      }
      if (condition && condition->members[0].at(i) == 0) {
        access = load.load->else_zero ? Access::Zeroed : Access::Skipped;
        continue;
      }
      if (places.at(i) == Outcome::Overflow) return stop();
      ++broken_.of;
      if (places.at(i) != Outcome::Ok || !bits || places.bit.at(i) + load.bits > *bits) {
        fault(load, order, lanes.first + i, false);
        continue;
      }
      access = Access::Done;
      load.address[lanes.first + i] = static_cast<std::int64_t>(places.bit.at(i));
    }
  }

  void fault(const LoadTrace& load, std::int64_t order, std::size_t at, bool in_condition) {
    ++broken_.wrong;
    const std::size_t point = at / t_.lanes();
    const int lane = static_cast<int>(at % t_.lanes());
    const Smallest::Key key{tile(point), static_cast<std::int64_t>(point), lane, order};
    if (!smallest_.wants(key)) return;
    Counterexample example;
    example.at = t_.points->at_point(point);
    example.lane = lane;
    const Batch one = t_.points->one(point, lane);
    std::string reason, from;
    if (in_condition) {
      reason = "its `if` is undefined: " + t_.evaluator.scalar(*load.load->condition, one).reason;
    } else {
      const Places places = t_.evaluator.place(load.load->from, one, &reason);
      example.found = from = place_text(t_.evaluator, load.load->from, one);
      example.expected = range_text(t_.evaluator, load.load->from);
      if (places.at(0) == Outcome::Ok) reason = ends_outside(load, places.bit.at(0), example);
    }
    example.text = lane_text(t_.a.grid, lane) + ": load " + load.load->name +
                   (from.empty() ? "" : " of " + bytes_text(load.bits) + " from " + from) +
                   at_text(example.at) + ": " + reason;
    smallest_.take(key, std::move(example));
  }

  // The load begins inside the array: which bytes it reads, and how many of them are too many.
  std::string ends_outside(const LoadTrace& load, Int first, Counterexample& example) {
    const Array& array = *load.load->from.array;
    const std::optional<Int> bits = t_.evaluator.bits(array);
    if (!bits) return array.name + " has no size";
    const bool bytes = first % 8 == 0 && *bits % 8 == 0;
    const Int unit = bytes ? 8 : 1;
    const std::string name = bytes ? "bytes " : "bits ";
    const Int end = first + load.bits;
    example.expected = name + "0.." + to_string(*bits / unit - 1) + " of " + array.name;
    example.found = name + to_string(first / unit) + ".." + to_string(end / unit - 1);
    return "that is " + example.found + " of " + array.name + ", which ends with " +
           (bytes ? "byte " : "bit ") + to_string(*bits / unit - 1) + ": " +
           to_string((end - *bits) / unit) + " too many";
  }

  void lets(const KernelPoints::Chunk& lanes) {
    for (std::size_t i = 0; i < lanes.batch.size; ++i) {
      if (lanes.failed[i] == 0) continue;
      const std::size_t point = (lanes.first + i) / t_.lanes();
      if (t_.points->tile_failed[t_.points->tile_of[point]] != 0) continue;
      ++broken_.of;
      ++broken_.wrong;
      const int lane = static_cast<int>((lanes.first + i) % t_.lanes());
      const Smallest::Key key{tile(point), static_cast<std::int64_t>(point), lane, -1};
      if (!smallest_.wants(key)) continue;
      Counterexample example;
      example.at = t_.points->at_point(point);
      example.lane = lane;
      example.text = lane_text(t_.a.grid, lane) + at_text(example.at) + ": " +
                     t_.points->let_reason(lanes.batch.at(i));
      smallest_.take(key, std::move(example));
    }
  }

  // The unit indices of an operand's value: `v.b64[step]`.
  void parts(const Value& value, const KernelPoints::Chunk& lanes) {
    for (const Value& part : value.parts) parts(part, lanes);
    int width = base_width(value);
    for (const Unit& unit : value.units) {
      const Int count = width / unit.width;
      width = unit.width;
      const Values index = t_.evaluator.evaluate(*unit.index, lanes.batch);
      for (std::size_t i = 0; i < lanes.batch.size; ++i) {
        if (lanes.failed[i] != 0) continue;
        ++broken_.of;
        if (index.at(i) == Outcome::Overflow) return stop();
        if (index.at(i) == Outcome::Ok && index.members[0].at(i) >= 0 &&
            index.members[0].at(i) < count)
          continue;
        ++broken_.wrong;
        const std::size_t point = (lanes.first + i) / t_.lanes();
        const int lane = static_cast<int>((lanes.first + i) % t_.lanes());
        const Smallest::Key key{tile(point), static_cast<std::int64_t>(point), lane, last};
        if (!smallest_.wants(key)) continue;
        Counterexample example;
        example.at = t_.points->at_point(point);
        example.lane = lane;
        const Scalar scalar = t_.evaluator.scalar(*unit.index, lanes.batch.at(i));
        const std::string name = value.kind == Value::Kind::Load ? value.load->name : "the value";
        const std::string unit_name = name + ".b" + std::to_string(unit.width);
        if (scalar.outcome == Outcome::Ok)
          example.found = unit_name + "[" + to_string(scalar.value) + "]";
        example.expected = unit_name + "[0.." + to_string(count - 1) + "]";
        example.text = lane_text(t_.a.grid, lane) + at_text(example.at) + ": " +
                       (scalar.outcome == Outcome::Ok
                            ? example.found + " is outside (" + to_string(count) + " units)"
                            : "the index of " + unit_name + " is undefined: " + scalar.reason);
        smallest_.take(key, std::move(example));
      }
    }
  }

  void stores(const KernelPoints::Chunk& slots) {
    const Store& store = *t_.kernel.store;
    const Batch& batch = slots.batch;
    std::optional<Values> condition;
    if (store.condition != nullptr) condition = t_.evaluator.evaluate(*store.condition, batch);
    const Places places = t_.evaluator.place(store.to, batch);
    for (std::size_t i = 0; i < batch.size; ++i) {
      const std::size_t number = slots.first + i;
      const bool in_let = slots.failed[i] != 0;
      if (in_let && t_.points->tile_failed[number / t_.c.size()] != 0) continue;
      const bool in_condition = !in_let && condition && condition->at(i) != Outcome::Ok;
      if (!in_let && condition && condition->at(i) == Outcome::Overflow) return stop();
      if (!in_let && !in_condition && condition && condition->members[0].at(i) == 0) {
        t_.store[number] = Access::Skipped;
        continue;
      }
      ++broken_.of;
      if (!in_let && !in_condition && places.at(i) == Outcome::Overflow) return stop();
      if (!in_let && !in_condition && places.at(i) == Outcome::Ok) {
        t_.store[number] = Access::Done;
        t_.stored[number] = static_cast<std::int64_t>(places.bit.at(i)) / t_.result.width;
        continue;
      }
      ++broken_.wrong;
      store_fault(number, in_let, in_condition, batch.at(i));
    }
  }

  void store_fault(std::size_t number, bool in_let, bool in_condition, const Batch& one) {
    const std::size_t tile = number / t_.c.size();
    const std::size_t slot = number % t_.c.size();
    const Smallest::Key key{static_cast<std::int64_t>(tile), last, static_cast<std::int64_t>(slot),
                            0};
    if (!smallest_.wants(key)) return;
    const Store& store = *t_.kernel.store;
    Counterexample example;
    example.at = t_.points->at_tile(tile);
    example.lane = static_cast<int>(slot) / t_.c.elems;
    example.elem = static_cast<int>(slot) % t_.c.elems;
    example.reg = register_text(t_.c, *example.elem);
    example.half = half_text(t_.c, *example.elem);
    std::string reason;
    if (in_let) {
      reason = t_.points->let_reason(one);
    } else if (in_condition) {
      reason = "its `if` is undefined: " + t_.evaluator.scalar(*store.condition, one).reason;
    } else {
      (void)t_.evaluator.place(store.to, one, &reason);
      example.found = place_text(t_.evaluator, store.to, one);
      example.expected = range_text(t_.evaluator, store.to);
    }
    example.text = slot_text(t_.c, *example.lane, *example.elem) + ": store" +
                   (example.found.empty() ? "" : " to " + example.found) + at_text(example.at) +
                   ": " + reason;
    smallest_.take(key, std::move(example));
  }

  void reduce_domains() {
    for (std::size_t tile = 0; tile < t_.points->tile_count(); ++tile) {
      if (t_.points->tile_failed[tile] == 0) continue;
      ++broken_.of;
      ++broken_.wrong;
      const Smallest::Key key{static_cast<std::int64_t>(tile), -1, 0, 0};
      if (!smallest_.wants(key)) continue;
      Counterexample example;
      example.at = t_.points->at_tile(tile);
      example.text = t_.points->tile_reason + at_text(example.at);
      smallest_.take(key, std::move(example));
    }
  }

  // A row or column is live if something of it is stored.
  void mark_live() {
    for (std::size_t number = 0; number < t_.store.size(); ++number) {
      if (t_.store[number] != Access::Done) continue;
      const std::size_t tile = number / t_.c.size();
      const auto i = static_cast<std::size_t>(t_.c.row[number % t_.c.size()]);
      const auto j = static_cast<std::size_t>(t_.c.col[number % t_.c.size()]);
      t_.live_row[tile * t_.m() + i] = 1;
      t_.live_col[tile * t_.n() + j] = 1;
      t_.target[t_.pair(tile, i, j)] = t_.stored[number];
    }
  }

  void storage() {
    writes_.finish(filled_);
    if (!any_array_) {
      filled_.asked = true;
      filled_.note = "nothing to check: no pack and no shared array is read";
    }
    t_.storage = std::move(filled_);
  }

  Trace& t_;
  Finding broken_, filled_;
  Smallest smallest_, writes_;
  std::vector<const Array*> arrays_;  // packs and shared arrays behind the loads
  bool any_array_ = false;
};

}  // namespace

Finding judge_bounds(Trace& trace) { return Bounds(trace).judge(); }

Finding judge_storage(Trace& trace) {
  for (LoadTrace& load : trace.loads) {
    for (std::size_t i = 0; i < load.access.size(); ++i) {
      if (load.broken[i / trace.lanes()] == 0) continue;
      load.access[i] = Access::Failed;
      trace.left_out = true;
    }
  }
  return *trace.storage;
}

Finding judge_alignment(Trace& trace) {
  Finding finding;
  Smallest smallest;
  for (std::size_t order = 0; order < trace.loads.size(); ++order) {
    LoadTrace& load = trace.loads[order];
    for (std::size_t i = 0; i < load.access.size(); ++i) {
      if (load.access[i] != Access::Done) continue;
      ++finding.of;
      if (load.address[i] % load.bits == 0) continue;
      ++finding.wrong;
      load.access[i] = Access::Failed;
      trace.left_out = true;
      const std::size_t point = i / trace.lanes();
      const int lane = static_cast<int>(i % trace.lanes());
      const Smallest::Key key{trace.points->tile_of[point], static_cast<std::int64_t>(point), lane,
                              static_cast<std::int64_t>(order)};
      if (!smallest.wants(key)) continue;
      Counterexample example;
      example.at = trace.points->at_point(point);
      example.lane = lane;
      example.found = load.address[i] % 8 == 0 ? "byte " + std::to_string(load.address[i] / 8)
                                               : "bit " + std::to_string(load.address[i]);
      example.expected = "a multiple of " + bytes_text(load.bits);
      example.text = lane_text(trace.a.grid, lane) + ": load " + load.load->name + " from " +
                     place_text(trace.evaluator, load.load->from, trace.points->one(point, lane)) +
                     at_text(example.at) + " reads " + example.found + " of " +
                     load.load->from.array->name + ", which is no multiple of " +
                     std::to_string(load.bits / 8);
      smallest.take(key, std::move(example));
    }
  }
  smallest.finish(finding);
  return finding;
}

}  // namespace fragproof
