// From loads to operand slots: reads the bits of each load, takes units of them, joins and converts
// them, and says of each slot of an operand whether it is one whole element of a factor, zero, or
// neither.

#include <algorithm>
#include <numeric>

#include "checkers/enumerate/kernel_trace.h"

namespace fragproof {

namespace {

// A value at all lanes of a chunk: `per` granules a lane.
struct Bits {
  std::size_t per = 0;
  std::vector<std::int64_t> codes;
};

int needed_granule(Trace& trace, const Value& value) {
  int granule = 0;
  if (value.kind == Value::Kind::Load) granule = load_granule(trace, *value.load);
  if (value.kind == Value::Kind::Convert) granule = value.type.width;
  for (const Value& part : value.parts)
    granule = std::gcd(granule, std::gcd(part.width, needed_granule(trace, part)));
  for (const Unit& unit : value.units) granule = std::gcd(granule, unit.width);
  return granule;
}

class Assembler {
 public:
  Assembler(Trace& trace, Operand& operand) : t_(trace), o_(operand) {}

  void run() {
    o_.granule = std::gcd(o_.grid.width, needed_granule(t_, *o_.value));
    o_.per = static_cast<std::size_t>(o_.grid.width / o_.granule);
    const std::size_t cells = t_.points->point_count() * o_.grid.size();
    o_.codes.assign(cells * o_.per, code_failed);
    o_.held.assign(cells, Held::Bad);
    o_.out.assign(cells, 1);
    o_.in_factor.assign(cells, 0);
    for (const KernelPoints::Chunk& chunk : t_.points->points) {
      points_ = &chunk;
      lanes_ = &t_.points->with_lanes(chunk);
      const Bits bits = value(*o_.value);
      const std::size_t slots = static_cast<std::size_t>(o_.grid.elems) * o_.per;
      for (std::size_t i = 0; i < lanes_->batch.size; ++i) {
        if (lanes_->failed[i] != 0) continue;
        std::copy_n(bits.codes.begin() + static_cast<std::ptrdiff_t>(i * bits.per),
                    std::min(bits.per, slots),
                    o_.codes.begin() + static_cast<std::ptrdiff_t>((lanes_->first + i) * slots));
      }
    }
    for (std::size_t cell = 0; cell < cells; ++cell) classify(cell);
  }

 private:
  Bits value(const Value& value) {
    Bits bits = base(value);
    std::size_t width = bits.per;
    for (const Unit& unit : value.units) {
      const std::size_t per = static_cast<std::size_t>(unit.width / o_.granule);
      const Values index = t_.evaluator.evaluate(*unit.index, lanes_->batch);
      Bits part{per, std::vector<std::int64_t>(per * lanes_->batch.size, code_failed)};
      for (std::size_t i = 0; i < lanes_->batch.size; ++i) {
        if (index.at(i) != Outcome::Ok) continue;
        const Int at = index.members[0].at(i);
        if (at < 0 || at >= static_cast<Int>(width / per)) continue;
        std::copy_n(bits.codes.begin() +
                        static_cast<std::ptrdiff_t>(i * width + static_cast<std::size_t>(at) * per),
                    per, part.codes.begin() + static_cast<std::ptrdiff_t>(i * per));
      }
      bits = std::move(part);
      width = per;
    }
    return bits;
  }

  Bits base(const Value& value) {
    switch (value.kind) {
      case Value::Kind::Load:
        return load(*value.load);
      case Value::Kind::Convert:
        return convert(this->value(value.parts.front()), value.type);
      case Value::Kind::Join:
        break;
    }
    std::vector<Bits> parts;
    Bits joined;
    for (const Value& part : value.parts) {
      parts.push_back(this->value(part));
      joined.per += parts.back().per;
    }
    joined.codes.reserve(joined.per * lanes_->batch.size);
    for (std::size_t i = 0; i < lanes_->batch.size; ++i) {
      for (const Bits& part : parts) {
        const auto from = part.codes.begin() + static_cast<std::ptrdiff_t>(i * part.per);
        joined.codes.insert(joined.codes.end(), from, from + static_cast<std::ptrdiff_t>(part.per));
      }
    }
    return joined;
  }

  Bits load(const Load& load) {
    const auto it = std::find_if(t_.loads.begin(), t_.loads.end(),
                                 [&](const LoadTrace& l) { return l.load == &load; });
    Bits bits;
    bits.per = static_cast<std::size_t>(load.width / o_.granule);
    std::vector<std::int64_t> one;
    bits.codes.reserve(bits.per * lanes_->batch.size);
    for (std::size_t i = 0; i < points_->batch.size; ++i) {
      load_codes(t_, *it, points_->batch, i, points_->first + i, o_.granule, one);
      bits.codes.insert(bits.codes.end(), one.begin(), one.end());
    }
    return bits;
  }

  Bits convert(const Bits& from, const ElementType& to) {
    const auto known = std::find_if(t_.conversions.begin(), t_.conversions.end(),
                                    [&](const ElementType& type) { return type.name == to.name; });
    const auto number = static_cast<std::size_t>(known - t_.conversions.begin());
    if (known == t_.conversions.end()) {
      if (number == most_conversions && t_.unknown.empty())
        t_.unknown = "too many types to convert to";
      if (number < most_conversions) t_.conversions.push_back(to);
    }
    Bits bits;
    bits.per = static_cast<std::size_t>(to.width / o_.granule);
    bits.codes.resize(bits.per * lanes_->batch.size);
    for (std::size_t i = 0; i < lanes_->batch.size; ++i) {
      const std::int64_t* codes = &from.codes[i * from.per];
      const std::int64_t* end = codes + from.per;
      std::int64_t special = code_torn;
      std::int64_t source = -1;
      if (std::find(codes, end, code_failed) != end) {
        special = code_failed;
      } else if (std::all_of(codes, end, [](std::int64_t code) { return code == code_zero; })) {
        special = code_zero;
      } else if (const auto missing =
                     std::find_if(codes, end, [](std::int64_t code) { return code < code_zero; });
                 missing != end) {
        special = *missing;
      } else if (in_order(codes, from.per)) {
        source = whole_source(codes[0], static_cast<int>(from.per) * o_.granule);
      }
      for (std::size_t g = 0; g < bits.per; ++g) {
        bits.codes[i * bits.per + g] =
            source < 0 ? special : converted(number, source, static_cast<int>(g) * o_.granule);
      }
    }
    return bits;
  }

  [[nodiscard]] bool in_order(const std::int64_t* codes, std::size_t count) const {
    if (codes[0] < 0) return false;
    for (std::size_t g = 1; g < count; ++g) {
      if (codes[g] != codes[0] + static_cast<std::int64_t>(g) * o_.granule) return false;
    }
    return true;
  }

  // The code of the element's first bit when `width` bits in order from `code` are one whole
  // element; else -1.
  std::int64_t whole_source(std::int64_t code, int width) {
    if (is_converted(code)) {
      const bool whole = (code & 127) == 0 && t_.conversions[conversion_of(code)].width == width;
      return whole ? source_of(code) : -1;
    }
    for (const FactorTrace& factor : t_.factors) {
      if (code >= factor.base && code < factor.end) {
        return factor.width == width && (code - factor.base) % width == 0 ? code : -1;
      }
    }
    const BitRun run = t_.evaluator.origin(code, width);
    const int own = run.array == nullptr ? 0 : run.array->element.width;
    return own == width && run.bit % width == 0 ? code : -1;
  }

  void classify(std::size_t cell) {
    const std::int64_t* codes = &o_.codes[cell * o_.per];
    const std::int64_t* end = codes + o_.per;
    o_.out[cell] = std::find(codes, end, code_failed) != end ? 1 : 0;
    if (o_.out[cell] != 0) {
      t_.left_out = true;
      return;
    }
    if (std::all_of(codes, end, [](std::int64_t code) { return code == code_zero; })) {
      o_.held[cell] = Held::Zero;
      return;
    }
    if (!in_order(codes, o_.per)) return;
    const std::int64_t source = whole_source(codes[0], o_.grid.width);
    if (source < 0) return;
    for (std::size_t f = 0; f < 2; ++f) {
      if (source >= t_.factors[f].base && source < t_.factors[f].end) {
        o_.in_factor[cell] = static_cast<std::uint8_t>(o_.in_factor[cell] | (1U << f));
      }
    }
    if (o_.in_factor[cell] != 0) o_.held[cell] = Held::Whole;
  }

  Trace& t_;
  Operand& o_;
  const KernelPoints::Chunk* points_ = nullptr;
  const KernelPoints::Chunk* lanes_ = nullptr;
};

// Which factor each operand holds: what most of its elements are; with one tensor for both, A holds
// the first.
void choose_factors(Trace& trace) {
  std::int64_t straight = 0, crossed = 0;
  for (const Operand* operand : {&trace.a, &trace.b}) {
    const unsigned own = operand->is_a ? 1U : 2U;
    for (const std::uint8_t in : operand->in_factor) {
      straight += (in & own) != 0 ? 1 : 0;
      crossed += (in & (3U - own)) != 0 ? 1 : 0;
    }
  }
  trace.a.factor = !trace.same_tensor && crossed > straight ? 1 : 0;
  trace.b.factor = 1 - trace.a.factor;
}

// Where each element of a factor lies: its outer indices as one number, its summed ones as another.
struct ElementNumbers {
  std::vector<std::int64_t> outer, k;
  void fill(const FactorTrace& factor) {
    const std::size_t count = static_cast<std::size_t>((factor.end - factor.base) / factor.width);
    outer.resize(count);
    k.resize(count);
    std::vector<std::int64_t> at(factor.extents.size(), 0);
    std::int64_t outer_now = 0, k_now = 0;
    for (std::size_t element = 0; element < count; ++element) {
      outer[element] = outer_now;
      k[element] = k_now;
      for (std::size_t i = at.size(); i-- > 0;) {
        outer_now += factor.outer_stride[i];
        k_now += factor.k_stride[i];
        if (++at[i] < factor.extents[i]) break;
        outer_now -= at[i] * factor.outer_stride[i];
        k_now -= at[i] * factor.k_stride[i];
        at[i] = 0;
      }
    }
  }
};

void number_elements(Trace& trace, Operand& operand) {
  const FactorTrace& factor = trace.held(operand);
  operand.outer.assign(operand.held.size(), 0);
  operand.k.assign(operand.held.size(), 0);
  const auto element_of = [&](std::size_t cell) {
    const std::int64_t code = operand.codes[cell * operand.per];
    return ((is_converted(code) ? source_of(code) : code) - factor.base) / factor.width;
  };
  // A table costs as much as there are elements: only where they are no more than the cells.
  ElementNumbers numbers;
  if (static_cast<std::size_t>((factor.end - factor.base) / factor.width) <= operand.held.size())
    numbers.fill(factor);
  for (std::size_t cell = 0; cell < operand.held.size(); ++cell) {
    if (operand.held[cell] != Held::Whole) continue;
    if ((operand.in_factor[cell] >> operand.factor & 1) == 0) {
      operand.held[cell] = Held::Bad;  // an element of the other factor
      continue;
    }
    const std::int64_t element = element_of(cell);
    if (!numbers.k.empty()) {
      operand.outer[cell] = numbers.outer[static_cast<std::size_t>(element)];
      operand.k[cell] = numbers.k[static_cast<std::size_t>(element)];
      continue;
    }
    for (std::size_t i = 0; i < factor.extents.size(); ++i) {
      const std::int64_t coordinate = element / factor.stride[i] % factor.extents[i];
      operand.outer[cell] += coordinate * factor.outer_stride[i];
      operand.k[cell] += coordinate * factor.k_stride[i];
    }
  }
}

}  // namespace

int load_granule(Trace& trace, const Load& load) {
  const Array& array = *load.from.array;
  int granule = load.instruction != nullptr ? 16 : load.width;
  if (array.kind == Array::Kind::Tensor && load.from.units.empty())
    return std::gcd(granule, array.element.width);
  granule = std::gcd(granule, array.element.width);
  for (const Unit& unit : load.from.units) granule = std::gcd(granule, unit.width);
  if (array.kind == Array::Kind::Tensor) return granule;
  return std::gcd(granule, trace.memories.granule(array));
}

void load_codes(Trace& trace, const LoadTrace& load, const Batch& points,
                std::size_t point_in_chunk, std::size_t point, int granule,
                std::vector<std::int64_t>& out) {
  const Array& array = *load.load->from.array;
  const std::size_t lanes = trace.lanes();
  const std::size_t per = static_cast<std::size_t>(load.load->width / granule);
  const Access* access = &load.access[point * lanes];
  const std::int64_t* address = &load.address[point * lanes];
  out.assign(lanes * per, code_failed);
  const bool any = std::any_of(access, access + lanes, [](Access a) { return a == Access::Done; });
  const Memory* memory = nullptr;
  std::int64_t base = 0;
  if (any && array.kind == Array::Kind::Tensor) base = trace.evaluator.code(array, 0);
  if (any && array.kind == Array::Kind::Pack) memory = &trace.memories.pack(array);
  bool is_new = false;
  if (any && array.kind == Array::Kind::Shared) {
    memory = &trace.memories.shared(array, points, point_in_chunk, is_new);
  }
  const auto read = [&](std::size_t lane, std::int64_t offset, std::size_t count,
                        std::int64_t* to) {
    switch (access[lane]) {
      case Access::Failed:
        return;
      case Access::Skipped:
        std::fill_n(to, count, code_unloaded);
        return;
      case Access::Zeroed:
        std::fill_n(to, count, code_zero);
        return;
      case Access::Done:
        break;
    }
    const std::int64_t bit = address[lane] + offset;
    if (memory != nullptr) return read_codes(*memory, bit, granule, count, to);
    for (std::size_t g = 0; g < count; ++g)
      to[g] = base + bit + static_cast<std::int64_t>(g) * granule;
  };
  if (load.load->instruction == nullptr) {
    for (std::size_t lane = 0; lane < lanes; ++lane) read(lane, 0, per, &out[lane * per]);
    return;
  }
  // ldmatrix: unit `col` of the row that lane `src` points at.
  const Grid& grid = load.grid;
  const std::size_t unit = static_cast<std::size_t>(grid.width / granule);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    read(static_cast<std::size_t>(grid.row[i]), std::int64_t{grid.col[i]} * grid.width, unit,
         &out[i * unit]);
  }
}

void assemble(Trace& trace) {
  Assembler(trace, trace.a).run();
  Assembler(trace, trace.b).run();
  choose_factors(trace);
  number_elements(trace, trace.a);
  number_elements(trace, trace.b);
}

}  // namespace fragproof
