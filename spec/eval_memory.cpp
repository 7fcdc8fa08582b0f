// Evaluation of memory: extents, bit addresses of places, what a place holds, and the tensor bits
// behind it.
#include <algorithm>
#include <numeric>

#include "spec/columns.h"
#include "spec/eval.h"

namespace fragproof {
namespace {

constexpr int code_shift = 48;  // a code is (number of the tensor, bit in it)
constexpr std::int64_t code_bits = (std::int64_t{1} << code_shift) - 1;

std::string list_text(const std::vector<Int>& values) {
  std::string text;
  for (const Int value : values) text += (text.empty() ? "" : ", ") + to_string(value);
  return text;
}

// ", 1 past the last": how far an index is from 0..last.
std::string past_text(Int index, Int last) {
  if (index < 0) return ", " + to_string(-index) + " below 0";
  return last < 0 ? "" : ", " + to_string(index - last) + " past the last";
}

// "W[9, 2]", "bits 0..15 of W[9, 2]", or bits of the array when the place is not inside one
// element.
std::string place_text(const Array& array, const std::optional<std::vector<Int>>& extents, Int bit,
                       int width) {
  const Int element = array.element.width;
  const auto bits = [&](Int first) {
    return width == 1 ? "bit " + to_string(first)
                      : "bits " + to_string(first) + ".." + to_string(first + width - 1);
  };
  if (!extents || element <= 0 || bit / element != (bit + width - 1) / element) {
    return bits(bit) + " of " + array.name;
  }
  Int rest = bit / element;
  std::vector<Int> index(extents->size());
  for (std::size_t i = index.size(); i-- > 0;) {
    const Int extent = std::max<Int>(1, (*extents)[i]);
    index[i] = rest % extent;
    rest /= extent;
  }
  const std::string name = array.name + "[" + list_text(index) + "]";
  return width == element ? name : bits(bit % element) + " of " + name;
}

}  // namespace

std::optional<std::vector<Int>> Evaluator::extents(const Array& array, std::string* reason) {
  const auto known = extents_.find(&array);
  if (known != extents_.end() && (known->second || reason == nullptr)) return known->second;
  std::vector<Int> out;
  std::optional<std::vector<Int>> result;
  bool good = true;
  for (const Expr* extent : array.extents) {
    const Scalar scalar = this->scalar(*extent);
    if (scalar.outcome == Outcome::Ok && scalar.value >= 0) {
      out.push_back(scalar.value);
      continue;
    }
    if (reason != nullptr) {
      *reason = array.name + ": " +
                (scalar.reason.empty() ? "extent " + to_string(scalar.value) + " is negative"
                                       : scalar.reason);
    }
    good = false;
    break;
  }
  if (good) result = std::move(out);
  extents_[&array] = result;
  return result;
}

std::optional<Int> Evaluator::bits(const Array& array) {
  const auto extents = this->extents(array);
  if (!extents) return std::nullopt;
  Int bits = array.element.width;
  for (const Int extent : *extents) {
    if (!mul(bits, extent, bits)) return std::nullopt;
  }
  return bits;
}

std::optional<std::vector<Int>> Evaluator::extents(const Table& table) {
  std::vector<Int> out;
  for (const Expr* extent : table.extents) {
    const Scalar scalar = this->scalar(*extent);
    if (scalar.outcome != Outcome::Ok || scalar.value < 0) return std::nullopt;
    out.push_back(scalar.value);
  }
  return out;
}

const std::vector<Int>& Evaluator::values(const Table& table) {
  if (table.has_values) return table.numbers;
  const auto known = shape_.tables.find(&table);
  if (known != shape_.tables.end()) return known->second;
  return tables_[&table];  // none chosen: every index is outside
}

Places Evaluator::place(const Ref& ref, const Batch& batch, std::string* reason) {
  const Array& array = *ref.array;
  std::string* outer = std::exchange(reason_, reason);
  Places out;
  std::string path = array.name;  // for reasons: the place at the first point
  Column bit(Int{0});
  Int inside = 0;  // bits of what the next unit is a unit of
  std::string why;
  const auto extents = this->extents(array, reason_ != nullptr ? &why : nullptr);
  const auto total = bits(array);
  if (!extents || !total) {
    explain([&] { return why.empty() ? array.name + " has no size" : why; });
    out.bit = Column(Int{0});
    out.outcome.assign(1, Outcome::Undefined);
    reason_ = outer;
    return out;
  }
  inside = *total;
  if (!ref.index.empty()) {
    Outcomes outcome;
    const std::vector<Column> index = arguments(ref.index, batch, outcome);
    if (reason_ != nullptr) {
      std::vector<Int> at;
      for (const Column& column : index) at.push_back(column.at(0));
      path += "[" + list_text(at) + "]";
    }
    merge(out.outcome, outcome, batch.size);
    for (std::size_t i = 0; i < index.size() && i < extents->size(); ++i) {
      const Column extent((*extents)[i]);
      Outcomes mine;
      if (mark_outside(index[i], extent, batch.size, mine)) {
        if (mine[0] == Outcome::Undefined && out.at(0) == Outcome::Ok) {
          explain([&] {
            const Int last = (*extents)[i] - 1;
            return path + ": index " + to_string(index[i].at(0)) + " is outside " +
                   (last < 0 ? std::string("an empty range") : "0.." + to_string(last)) +
                   (index.size() > 1 ? " of dimension " + std::to_string(i) : "") +
                   past_text(index[i].at(0), last);
          });
        }
        extend(out.outcome, mine, batch.size);
      }
      bit = compute(Binary::Add, compute(Binary::Mul, bit, extent, batch.size, out.outcome),
                    index[i], batch.size, out.outcome);
    }
    inside = array.element.width;
    bit = compute(Binary::Mul, bit, Column(inside), batch.size, out.outcome);
  }
  for (const Unit& unit : ref.units) {
    const Values index = eval(*unit.index, batch, nullptr);
    merge(out.outcome, index.outcome, batch.size);
    const Int count = inside / unit.width;
    if (reason_ != nullptr) {
      path += ".b" + std::to_string(unit.width) + "[" + to_string(index.members[0].at(0)) + "]";
    }
    Outcomes mine;
    if (mark_outside(index.members[0], Column(count), batch.size, mine)) {
      if (mine[0] == Outcome::Undefined && out.at(0) == Outcome::Ok) {
        explain([&] {
          return path + " is outside (" + to_string(count) + (count == 1 ? " unit)" : " units)") +
                 past_text(index.members[0].at(0), count - 1);
        });
      }
      extend(out.outcome, mine, batch.size);
    }
    Outcomes carried;
    const Column width(Int{unit.width});
    bit = compute(Binary::Add, bit,
                  compute(Binary::Mul, index.members[0], width, batch.size, carried), batch.size,
                  carried);
    extend(out.outcome, carried, batch.size);
    inside = unit.width;
  }
  blank(bit, out.outcome, batch.size);
  out.bit = std::move(bit);
  reason_ = outer;
  return out;
}

Values Evaluator::contents(const Array& array, const Places& places, int width, const Batch& batch,
                           const Image* image, std::string* reason) {
  const auto tell = [&](const std::function<std::string()>& text) {
    if (reason != nullptr && reason->empty()) *reason = text();
  };
  Values out;
  out.piece = width;
  out.outcome = places.outcome;
  const auto total = bits(array);
  if (array.kind == Array::Kind::Pack && image == nullptr) image = &this->image(array);
  const bool imaged = array.kind != Array::Kind::Tensor;
  if (!total || (imaged && (image == nullptr || image->outcome != Outcome::Ok))) {
    const Outcome outcome = image != nullptr && image->outcome == Outcome::Overflow
                                ? Outcome::Overflow
                                : Outcome::Undefined;
    if (outcome == Outcome::Overflow) set_undecided(image->reason);
    tell([&] {
      return image != nullptr && !image->reason.empty() ? image->reason
                                                        : array.name + " has no contents";
    });
    extend(out.outcome, Outcomes(1, outcome), batch.size);
    out.members.emplace_back(Int{code_zero});
    return out;
  }
  const std::size_t n = places.outcome.size() <= 1 ? places.bit.size() : batch.size;
  const std::vector<std::int64_t> bit = spread(places.bit, n);

  // Inside the array?
  Outcomes mine;
  for (std::size_t p = 0; p < n; ++p) {
    if (places.at(p) != Outcome::Ok || (bit[p] >= 0 && Int{bit[p]} + width <= *total)) continue;
    mark(mine, p, n, Outcome::Undefined);
    if (p == 0) {
      tell([&] {
        return "bits " + std::to_string(bit[0]) + ".." + to_string(Int{bit[0]} + width - 1) +
               " of " + array.name + " are outside (" + to_string(*total) + " bits)";
      });
    }
  }
  const auto usable = [&](std::size_t p) {
    return places.at(p) == Outcome::Ok && (mine.empty() || mine[p] == Outcome::Ok);
  };

  if (!imaged) {
    if (*total > code_bits) {
      set_undecided(array.name + " is too large");
      mine.assign(1, Outcome::Overflow);
    }
    const std::int64_t base = code(array, 0);
    Column codes;
    codes.narrow.resize(n);
    for (std::size_t p = 0; p < n; ++p) codes.narrow[p] = usable(p) ? base + bit[p] : code_zero;
    out.members.push_back(std::move(codes));
    extend(out.outcome, mine, batch.size);
    return out;
  }

  // Pieces that lie inside one cell of the image.
  int piece = std::gcd(width, image->granule);
  for (std::size_t p = 0; p < n; ++p) {
    if (bit[p] % piece != 0 && usable(p)) {
      piece = static_cast<int>(std::gcd<std::int64_t>(piece, bit[p]));
    }
  }
  out.piece = piece;
  for (int part = 0; part < width / piece; ++part) {
    Column codes;
    codes.narrow.assign(n, code_zero);
    for (std::size_t p = 0; p < n; ++p) {
      if (!usable(p)) continue;
      const std::int64_t at = bit[p] + std::int64_t{part} * piece;
      const std::int64_t code = image->code(static_cast<std::size_t>(at / image->granule));
      if (code >= 0) {
        codes.narrow[p] = code + at % image->granule;
      } else if (code != code_zero) {
        mark(mine, p, n, Outcome::Undefined);
        if (p == 0) {
          tell([&] {
            return place_text(array, extents(array), at, piece) +
                   (code == code_twice ? " was written twice" : " was never written");
          });
        }
      }
    }
    out.members.push_back(std::move(codes));
  }
  extend(out.outcome, mine, batch.size);
  return out;
}

int Evaluator::granule(const Array& array, int read) const {
  int out = std::gcd(array.element.width, read);
  const auto with = [&](const Ref& ref) {
    out = std::gcd(out, ref.array->element.width);
    for (const Unit& unit : ref.units) out = std::gcd(out, unit.width);
  };
  for (const Fill& fill : array.fills) {
    with(fill.place);
    if (!fill.source) continue;
    with(*fill.source);
    if (fill.source->array->kind != Array::Kind::Tensor && fill.source->array != &array) {
      out = granule(*fill.source->array, out);
    }
  }
  return out;
}

std::int64_t Evaluator::code(const Array& tensor, Int bit) const {
  return (tensor_index_.at(&tensor) << code_shift) + static_cast<std::int64_t>(bit);
}

BitRun Evaluator::origin(std::int64_t code, int width) const {
  BitRun run;
  run.width = width;
  if (code < 0) return run;
  run.array = tensors_.at(static_cast<std::size_t>(code >> code_shift));
  run.bit = code & code_bits;
  return run;
}

std::vector<Int> Evaluator::coordinates(const Array& tensor, Int bit) {
  const auto extents = this->extents(tensor);
  std::vector<Int> index(tensor.extents.size());
  Int rest = bit / std::max(1, tensor.element.width);
  for (std::size_t i = index.size(); extents && i-- > 0;) {
    const Int extent = std::max<Int>(1, (*extents)[i]);
    index[i] = rest % extent;
    rest /= extent;
  }
  return index;
}

std::string Evaluator::describe(std::int64_t code, int width) {
  if (code == code_zero) return "zero";
  if (code == code_unwritten) return "never written";
  if (code == code_twice) return "written twice";
  const BitRun run = origin(code, width);
  return place_text(*run.array, extents(*run.array), run.bit, width);
}

std::string Evaluator::describe(const std::vector<BitRun>& contents) {
  std::string text;
  std::size_t told = 0;
  for (const BitRun& run : contents) {
    if (++told > 4) return text + ", ..";
    if (!text.empty()) text += ", ";
    if (run.array == nullptr) {
      text += "zero";
      continue;
    }
    const Int element = run.array->element.width;
    const auto extents = this->extents(*run.array);
    const bool several = run.width > element && run.bit % element == 0 && run.width % element == 0;
    text +=
        place_text(*run.array, extents, run.bit, several ? static_cast<int>(element) : run.width);
    if (several) {
      text += " .. " + place_text(*run.array, extents, run.bit + run.width - element,
                                  static_cast<int>(element));
    }
  }
  return text;
}

}  // namespace fragproof
