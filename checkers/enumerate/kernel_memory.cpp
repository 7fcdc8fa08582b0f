#include "checkers/enumerate/kernel_memory.h"

#include <algorithm>
#include <numeric>

#include "checkers/enumerate/kernel_uses.h"

namespace fragproof {

namespace {

constexpr std::size_t most_held = std::size_t{1} << 23;  // granules of shared tiles kept at a time

NamedValues point_of(const Domain& domain, const Batch& batch) {
  NamedValues at;
  for (const Coordinate& coordinate : domain.coordinates) {
    at.emplace_back(coordinate.variable->name, batch.value(coordinate.variable, 0));
  }
  return at;
}

std::string why_undecided(const Evaluator& evaluator) {
  return evaluator.undecided().empty() ? "a value is beyond 128 bits" : evaluator.undecided();
}

std::string with_point(const NamedValues& at) {
  std::string text;
  for (const auto& [name, value] : at)
    text += (text.empty() ? "" : ", ") + name + "=" + to_string(value);
  return text.empty() ? text : " (" + text + ")";
}

}  // namespace

void read_codes(const Memory& memory, std::int64_t bit, int granule, std::size_t count,
                std::int64_t* out) {
  for (std::size_t i = 0; i < count; ++i, bit += granule) {
    const std::int64_t code = memory.codes[static_cast<std::size_t>(bit / memory.granule)];
    out[i] = code >= 0 ? code + bit % memory.granule : code;
  }
}

std::string place_text(Evaluator& evaluator, const Ref& ref, const Batch& point) {
  const auto value = [&](const Expr& expr) {
    const Scalar scalar = evaluator.scalar(expr, point);
    return scalar.outcome == Outcome::Ok ? to_string(scalar.value) : std::string("?");
  };
  std::string text = ref.array == nullptr ? ref.name : ref.array->name;
  for (std::size_t i = 0; i < ref.index.size(); ++i)
    text += (i == 0 ? "[" : ", ") + value(*ref.index[i]);
  if (!ref.index.empty()) text += "]";
  for (const Unit& unit : ref.units) {
    text += ".b" + std::to_string(unit.width) + "[" + value(*unit.index) + "]";
  }
  return text;
}

const Memory& Memories::pack(const Array& array) {
  const auto known = packs_.find(&array);
  if (known != packs_.end()) return *known->second;
  auto built = std::make_unique<Memory>(contents(array, evaluator_.image(array), {}));
  return *packs_.emplace(&array, std::move(built)).first->second;
}

Memory Memories::contents(const Array& array, const Image& image, const Batch& point) {
  const bool right = image.outcome == Outcome::Ok && !image.written_twice && !image.place_failed &&
                     !image.source_failed;
  return right ? from(image) : build(array, point);
}

void Memories::add_depends(const Array& array, std::vector<const Variable*>& out) const {
  if (array.kind != Array::Kind::Shared) return;
  for (const Fill& fill : array.fills) {
    for (const Variable* variable : free_variables(fill)) {
      if (std::find(out.begin(), out.end(), variable) == out.end()) out.push_back(variable);
    }
    if (fill.source) add_depends(*fill.source->array, out);
  }
}

int Memories::granule(const Array& array) const {
  int granule = evaluator_.granule(array);
  for (const Fill& fill : array.fills) {
    if (fill.source && fill.source->array->kind != Array::Kind::Tensor) {
      granule = std::gcd(granule, this->granule(*fill.source->array));
    }
  }
  return granule;
}

const Memory& Memories::shared(const Array& array, const Batch& batch, std::size_t i,
                               bool& is_new) {
  Tiles& tiles = tiles_[&array];
  if (tiles.known.empty() && tiles.depends.empty()) add_depends(array, tiles.depends);
  std::vector<Int> key;
  key.reserve(tiles.depends.size());
  for (const Variable* variable : tiles.depends) key.push_back(batch.value(variable, i));
  const auto it = tiles.known.find(key);
  is_new = it == tiles.known.end();
  if (!is_new) return *it->second;
  if (held_ > most_held) {
    for (auto& [other, kept] : tiles_) kept.known.clear();
    held_ = 0;
  }
  const Batch point = batch.at(i);
  auto built =
      std::make_unique<Memory>(contents(array, evaluator_.shared_image(array, point), point));
  held_ += built->codes.size();
  return *tiles_[&array].known.emplace(std::move(key), std::move(built)).first->second;
}

void Memories::arrays_behind(const Array& array, std::vector<const Array*>& out) const {
  if (array.kind == Array::Kind::Tensor || std::find(out.begin(), out.end(), &array) != out.end())
    return;
  for (const Fill& fill : array.fills) {
    if (fill.source) arrays_behind(*fill.source->array, out);
  }
  out.push_back(&array);
}

Memory Memories::from(const Image& image) const {
  Memory memory;
  memory.granule = image.granule;
  memory.codes.resize(image.cells.size());
  for (std::size_t i = 0; i < memory.codes.size(); ++i) {
    memory.codes[i] = image.code(i);
    if (memory.codes[i] >= code_zero) ++memory.writes;
  }
  memory.sources = memory.writes;
  return memory;
}

// The careful way, taken where something is wrong with a fill.
Memory Memories::build(const Array& array, const Batch& point) {
  Memory memory;
  const auto broken = [&](std::string text) {
    memory.writes = memory.bad_writes = 1;
    memory.storage = FillFault{std::move(text), {}, array.name};
    memory.codes.clear();
    return memory;
  };
  for (const Condition& condition : array.conditions) {
    const Scalar holds = evaluator_.scalar(*condition.holds, {});
    if (holds.outcome == Outcome::Overflow) memory.unknown = why_undecided(evaluator_);
    if (holds.outcome == Outcome::Undefined)
      return broken(array.name + ": " + condition.text + ": " + holds.reason);
    if (holds.outcome == Outcome::Ok && holds.value == 0) {
      const std::string missing = missing_require(evaluator_, {condition.holds});
      return broken(array.name + ": " + condition.text +
                    (missing.empty() ? "" : ": add `" + missing + "`"));
    }
  }
  std::string reason;
  if (!evaluator_.extents(array, &reason)) return broken(array.name + ": " + reason);
  const std::optional<Int> bits = evaluator_.bits(array);
  memory.granule = granule(array);
  if (!bits || *bits / memory.granule > evaluator_.options().image_cells) {
    memory.unknown = array.name + " is too large to enumerate";
    return memory;
  }
  memory.codes.assign(static_cast<std::size_t>(*bits / memory.granule), code_unwritten);
  for (const Fill& one : array.fills) fill(array, one, point, memory);
  return memory;
}

void Memories::fill(const Array& array, const Fill& fill, const Batch& point, Memory& memory) {
  const std::size_t per = static_cast<std::size_t>(fill.place.width / memory.granule);
  const auto bad_source = [&](const Batch& one, const std::string& reason) {
    ++memory.bad_sources;
    if (memory.bounds) return;
    const std::string found = place_text(evaluator_, *fill.source, one);
    NamedValues at = point_of(fill.domain, one);
    memory.bounds = FillFault{"the fill of " + place_text(evaluator_, fill.place, one) +
                                  with_point(at) + " reads " + found + ": " + reason,
                              std::move(at), found};
  };
  const auto bad_write = [&](const Batch& one, const std::string& reason) {
    ++memory.bad_writes;
    if (memory.storage) return;
    const std::string found = place_text(evaluator_, fill.place, one);
    NamedValues at = point_of(fill.domain, one);
    memory.storage =
        FillFault{"the fill of " + found + with_point(at) + ": " + reason, std::move(at), found};
  };
  // The source, where that is a shared array too, at this point.
  std::optional<Memory> tile;
  if (fill.source && fill.source->array->kind == Array::Kind::Shared) {
    tile =
        contents(*fill.source->array, evaluator_.shared_image(*fill.source->array, point), point);
  }
  const Walk walked = evaluator_.walk(fill.domain, point, [&](const Batch& batch) {
    const Places places = evaluator_.place(fill.place, batch);
    std::optional<Places> sources;
    if (fill.source) sources = evaluator_.place(*fill.source, batch);
    std::vector<std::int64_t> codes(per, code_zero);
    for (std::size_t i = 0; i < batch.size; ++i) {
      if (places.at(i) == Outcome::Overflow || (sources && sources->at(i) == Outcome::Overflow)) {
        memory.unknown = why_undecided(evaluator_);
        return false;
      }
      if (sources) {
        ++memory.sources;
        std::fill(codes.begin(), codes.end(), code_failed);
        if (sources->at(i) == Outcome::Undefined) {
          const Batch one = batch.at(i);
          std::string reason;
          (void)evaluator_.place(*fill.source, one, &reason);
          bad_source(one, reason);
        } else {
          const auto bit = static_cast<std::int64_t>(sources->bit.at(i));
          const Array& from = *fill.source->array;
          if (from.kind == Array::Kind::Tensor) {
            for (std::size_t g = 0; g < per; ++g) {
              codes[g] = evaluator_.code(from, bit + static_cast<Int>(g) * memory.granule);
            }
          } else if (const Memory& source = tile ? *tile : pack(from);
                     !source.storage && source.unknown.empty()) {
            read_codes(source, bit, memory.granule, per, codes.data());
            if (std::count(codes.begin(), codes.end(), code_unwritten) != 0) {
              bad_source(batch.at(i), "never written");
              std::fill(codes.begin(), codes.end(), code_failed);
            }
          }
        }
      }
      ++memory.writes;
      if (places.at(i) == Outcome::Undefined) {
        const Batch one = batch.at(i);
        std::string reason;
        (void)evaluator_.place(fill.place, one, &reason);
        bad_write(one, reason);
        continue;
      }
      const auto cell = static_cast<std::size_t>(places.bit.at(i) / memory.granule);
      bool twice = false;
      for (std::size_t g = 0; g < per; ++g) {
        std::int64_t& held = memory.codes[cell + g];
        twice = twice || held != code_unwritten;
        held = held == code_unwritten ? codes[g] : code_twice;
      }
      if (twice) bad_write(batch.at(i), "written twice");
    }
    return true;
  });
  for (const Outcome outcome : walked.domain) {
    if (outcome == Outcome::Undefined) {
      ++memory.bad_writes;
      if (!memory.storage)
        memory.storage =
            FillFault{"a fill of " + array.name + ": " + walked.reason, {}, array.name};
    }
    if (outcome == Outcome::Overflow) memory.unknown = why_undecided(evaluator_);
  }
  if (walked.end == Walk::End::Budget) memory.unknown = "the budget of points is spent";
  if (walked.truncated)
    memory.unknown = "a fill of " + array.name + " has a coordinate without extent";
}

}  // namespace fragproof
