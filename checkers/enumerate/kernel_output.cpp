// The obligation `output`: every element of y is stored once, and each accumulator goes to the
// element that the elements it was made of name.

#include <algorithm>

#include "checkers/enumerate/kernel_cells.h"
#include "checkers/enumerate/kernel_words.h"

namespace fragproof {

namespace {

constexpr std::int64_t unset = -1;
constexpr std::int64_t most_elements = std::int64_t{1} << 26;

class Output {
 public:
  explicit Output(Trace& trace) : t_(trace), a_(lines(trace.a)), b_(lines(trace.b)) {}

  Finding judge() {
    const std::int64_t all = (t_.result.end - t_.result.base) / t_.result.width;
    if (all > most_elements) {
      t_.unknown = "the result is too large to enumerate";
      return finding_;
    }
    by_.assign(static_cast<std::size_t>(all), unset);
    bool complete = !t_.left_out;
    for (std::size_t number = 0; number < t_.store.size(); ++number) {
      if (t_.store[number] == Access::Failed) complete = false;
      if (t_.store[number] != Access::Done) continue;
      if (!one(number)) complete = false;
    }
    const std::int64_t missing = complete ? std::count(by_.begin(), by_.end(), unset) : 0;
    if (complete && all > 0) finding_.asked = true;
    if (missing > 0 && finding_.wrong == 0) {
      tell_missing(missing, all);
      finding_.wrong = missing;
    }
    finding_.failed = finding_.wrong > 0;
    if (finding_.example) {
      finding_.example->wrong = finding_.wrong;
      finding_.example->of = finding_.of;
    }
    return finding_;
  }

 private:
  // The outer indices that a row (column) of each tile holds; unset where nothing is left that has
  // any.
  std::vector<std::int64_t> lines(const Operand& operand) const {
    const std::size_t count = operand.is_a ? t_.m() : t_.n();
    std::vector<std::int64_t> outer(t_.points->tile_count() * count, unset);
    for_each_live(
        t_, operand, [&](std::size_t cell, std::size_t tile, std::size_t, std::size_t slot) {
          std::int64_t& line = outer[tile * count + static_cast<std::size_t>(operand.line(slot))];
          if (operand.held[cell] == Held::Whole && line == unset) line = operand.outer[cell];
        });
    return outer;
  }

  // Judges one store; false: it was left out.
  bool one(std::size_t number) {
    const std::size_t tile = number / t_.c.size(), slot = number % t_.c.size();
    const auto i = static_cast<std::size_t>(t_.c.row[slot]),
               j = static_cast<std::size_t>(t_.c.col[slot]);
    const std::int64_t rho = a_[tile * t_.m() + i], sigma = b_[tile * t_.n() + j];
    if (t_.pair_out[t_.pair(tile, i, j)] != 0 || rho == unset || sigma == unset) return false;
    finding_.asked = true;
    ++finding_.of;
    const std::int64_t element = t_.stored[number];
    std::vector<std::int64_t> of_a(t_.result.extents.size(), unset), of_b = of_a;
    name(t_.held(t_.a), rho, of_a);
    name(t_.held(t_.b), sigma, of_b);
    std::int64_t named = 0, by_b = 0;  // by A where both have an index, and by B
    std::string parted;
    for (std::size_t x = 0; x < of_a.size(); ++x) {
      if (of_a[x] == unset) of_a[x] = std::max(of_b[x], std::int64_t{0});
      if (of_b[x] == unset) of_b[x] = of_a[x];
      if (of_a[x] != of_b[x] && parted.empty()) {
        const std::string& index = t_.kernel.result.indices[x];
        parted = "operand A holds " + index + " = " + std::to_string(of_a[x]) +
                 ", operand B holds " + index + " = " + std::to_string(of_b[x]);
      }
      named += of_a[x] * t_.result.stride[x];
      by_b += of_b[x] * t_.result.stride[x];
    }
    std::int64_t& by = by_[static_cast<std::size_t>(element)];
    const std::int64_t before = by;
    if (by == unset) by = static_cast<std::int64_t>(number);
    if (parted.empty() && named == element && before == unset) return true;
    ++finding_.wrong;
    if (!finding_.example) tell(number, named, by_b, parted, before);
    return true;
  }

  void name(const FactorTrace& factor, std::int64_t outer, std::vector<std::int64_t>& out) const {
    for (std::size_t x = 0; x < factor.extents.size(); ++x) {
      if (factor.result_position[x] < 0 || factor.outer_stride[x] == 0) continue;
      out[static_cast<std::size_t>(factor.result_position[x])] =
          outer / factor.outer_stride[x] % factor.extents[x];
    }
  }

  void tell(std::size_t number, std::int64_t named, std::int64_t by_b, const std::string& parted,
            std::int64_t before) {
    const std::size_t tile = number / t_.c.size(), slot = number % t_.c.size();
    Counterexample example;
    example.at = t_.points->at_tile(tile);
    example.lane = static_cast<int>(slot) / t_.c.elems;
    example.elem = static_cast<int>(slot) % t_.c.elems;
    example.reg = register_text(t_.c, *example.elem);
    example.half = half_text(t_.c, *example.elem);
    const std::string stored = element_text(t_.result, t_.stored[number]);
    example.expected = element_text(t_.result, named);
    example.found = stored;
    example.text = slot_text(t_.c, *example.lane, *example.elem) + at_text(example.at) + ": ";
    if (!parted.empty()) {
      example.found = element_text(t_.result, by_b);
      example.text += parted + " (stored to " + stored + ")";
    } else if (named != t_.stored[number]) {
      example.text += "expected " + example.expected + ", found " + stored +
                      ": the operands' elements make " + example.expected + ", it is stored to " +
                      stored;
    } else {
      const std::size_t old_tile = static_cast<std::size_t>(before) / t_.c.size();
      const std::size_t old_slot = static_cast<std::size_t>(before) % t_.c.size();
      example.found = stored + " twice";
      example.text += stored + " is stored twice, before by " +
                      lane_text(t_.c, static_cast<int>(old_slot) / t_.c.elems) + ", register " +
                      register_text(t_.c, static_cast<int>(old_slot) % t_.c.elems) +
                      at_text(t_.points->at_tile(old_tile));
    }
    finding_.example = std::move(example);
  }

  void tell_missing(std::int64_t missing, std::int64_t all) {
    const auto first = std::find(by_.begin(), by_.end(), unset) - by_.begin();
    Counterexample example;
    example.expected = element_text(t_.result, first);
    example.found = "nothing";
    example.text = example.expected + " is never stored: " + std::to_string(missing) + " of " +
                   std::to_string(all) + " elements are missing";
    finding_.of = all;
    finding_.example = std::move(example);
  }

  Trace& t_;
  std::vector<std::int64_t> a_, b_;
  std::vector<std::int64_t> by_;  // the store of each element of y
  Finding finding_;
};

}  // namespace

Finding judge_output(Trace& trace) { return Output(trace).judge(); }

}  // namespace fragproof
