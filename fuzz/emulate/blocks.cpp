#include "fuzz/emulate/blocks.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "checkers/enumerate/kernel_memory.h"
#include "checkers/enumerate/kernel_uses.h"
#include "fuzz/emulate/data.h"
#include "fuzz/emulate/number.h"
#include "spec/columns.h"

namespace fragproof {
namespace {

constexpr std::size_t slack = 32;  // bytes after the end that may be read

std::string reason_of_place(Evaluator& evaluator, const Ref& ref, const Batch& one) {
  std::string reason;
  (void)evaluator.place(ref, one, &reason);
  return reason;
}

}  // namespace

bool Block::is_written(std::int64_t bit, int width) const {
  if (written.empty()) return true;
  const auto first = static_cast<std::size_t>(bit / granule);
  const auto last = static_cast<std::size_t>((bit + width - 1) / granule);
  for (std::size_t cell = first; cell <= last; ++cell) {
    if (written[cell] != 1) return false;
  }
  return true;
}

std::uint64_t read_bits(const std::uint8_t* from, std::int64_t bit, int width) {
  std::uint64_t word = 0;
  const auto first = static_cast<std::size_t>(bit / 8);
  const int shift = static_cast<int>(bit % 8);
  std::memcpy(&word, from + first, 8);
  word >>= shift;
  if (shift != 0 && shift + width > 64) {
    word |= static_cast<std::uint64_t>(from[first + 8]) << (64 - shift);
  }
  return width == 64 ? word : word & ((std::uint64_t{1} << width) - 1);
}

void write_bits(std::uint8_t* to, std::int64_t bit, int width, std::uint64_t value) {
  for (int i = 0; i < width;) {
    const auto at = static_cast<std::size_t>((bit + i) / 8);
    const int shift = static_cast<int>((bit + i) % 8);
    const int take = std::min(8 - shift, width - i);
    const auto mask = static_cast<std::uint8_t>(((1U << take) - 1) << shift);
    const auto part = static_cast<std::uint8_t>((value >> i) << shift);
    to[at] = static_cast<std::uint8_t>((to[at] & ~mask) | (part & mask));
    i += take;
  }
}

void copy_bits(const std::uint8_t* from, std::int64_t from_bit, std::uint8_t* to,
               std::int64_t to_bit, int width) {
  if (((from_bit | to_bit | width) & 7) == 0) {
    const std::uint8_t* source = from + from_bit / 8;
    std::uint8_t* target = to + to_bit / 8;
    switch (width) {
      case 8:
        *target = *source;
        return;
      case 16:
        std::memcpy(target, source, 2);
        return;
      case 32:
        std::memcpy(target, source, 4);
        return;
      default:
        std::memcpy(target, source, static_cast<std::size_t>(width / 8));
        return;
    }
  }
  for (int done = 0; done < width; done += 32) {
    const int part = std::min(32, width - done);
    write_bits(to, to_bit + done, part, read_bits(from, from_bit + done, part));
  }
}

Blocks::Blocks(Evaluator& evaluator, std::shared_ptr<Arrays> arrays, const DataSetting& setting)
    : evaluator_(evaluator), arrays_(std::move(arrays)), setting_(setting) {}

std::unique_ptr<Block> Blocks::new_block(const Array& array, bool written) {
  std::string reason;
  if (!evaluator_.extents(array, &reason)) {
    arrays_->faults.push_back({false, array.name + ": " + reason, {}});
    return nullptr;
  }
  const std::optional<Int> bits = evaluator_.bits(array);
  if (!bits || *bits / 8 > setting_.limit - arrays_->bytes) {
    unknown = "its arrays need more than " + std::to_string(setting_.limit >> 20) +
              " MiB, the limit of the emulation";
    return nullptr;
  }
  auto block = std::make_unique<Block>();
  block->bits = static_cast<std::int64_t>(*bits);
  const auto bytes = static_cast<std::size_t>((block->bits + 7) / 8);
  arrays_->bytes += static_cast<std::int64_t>(bytes);
  block->bytes.resize(bytes + slack);
  if (written) return block;
  block->granule = std::gcd(evaluator_.granule(array), array.element.width);
  block->written.assign(static_cast<std::size_t>(block->bits / block->granule), 0);
  for (std::size_t i = 0; i < block->bytes.size(); i += 8) {  // what nobody wrote is garbage
    const std::uint64_t garbage = mixed(setting_.seed ^ (0xbadU + i));
    std::memcpy(&block->bytes[i], &garbage, std::min<std::size_t>(8, block->bytes.size() - i));
  }
  return block;
}

std::size_t Blocks::number_of(const Array& tensor) const {
  const std::vector<Array*>& arrays = evaluator_.spec().arrays;
  return static_cast<std::size_t>(std::find(arrays.begin(), arrays.end(), &tensor) -
                                  arrays.begin());
}

const ElementType& Blocks::type_of(const Array& tensor) const {
  const bool raw = setting_.mode == DataMode::Floats &&
                   tensor.element.cls == ElementType::Class::Raw && setting_.raw_as &&
                   setting_.raw_as->width == tensor.element.width;
  return raw ? *setting_.raw_as : tensor.element;
}

std::uint64_t Blocks::float_bits_of(const ElementType& type, std::size_t number,
                                    std::int64_t element) const {
  return bits_of(type, real_code(setting_.seed, number, element, type));
}

std::vector<std::uint64_t> Blocks::integers_of(const Array& tensor, std::int64_t count) const {
  const std::size_t number = number_of(tensor);
  const int bits = std::min(tensor.element.width, setting_.value_bits);
  std::vector<std::uint64_t> out(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<std::uint64_t>(
        integer_code(setting_.seed, number, static_cast<std::int64_t>(i), bits));
  }
  return out;
}

std::vector<double> Blocks::reals_of(const Array& tensor, std::int64_t count) const {
  const std::size_t number = number_of(tensor);
  const ElementType& type = type_of(tensor);
  std::vector<double> out(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = value_of(type, float_bits_of(type, number, static_cast<std::int64_t>(i)));
  }
  return out;
}

std::unique_ptr<Block> Blocks::tensor(const Array& array) {
  std::unique_ptr<Block> block = new_block(array, true);
  if (block == nullptr) return block;
  const int width = array.element.width;
  const std::int64_t count = block->bits / width;
  if (width > 64) {
    unknown = "elements of " + array.name + " have more than 64 bits";
    return nullptr;
  }
  const std::size_t number = number_of(array);
  const int bits = std::min(width, setting_.value_bits);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto code = setting_.mode == DataMode::Integers
                          ? static_cast<std::uint64_t>(integer_code(setting_.seed, number, i, bits))
                          : float_bits_of(type_of(array), number, i);
    if (width == 16) {
      const auto half = static_cast<std::uint16_t>(code);
      std::memcpy(&block->bytes[static_cast<std::size_t>(2 * i)], &half, 2);
    } else {
      write_bits(block->bytes.data(), i * width, width, code);
    }
  }
  return block;
}

const Block* Blocks::block(const Array& array) {
  const auto known = arrays_->blocks.find(&array);
  if (known != arrays_->blocks.end()) return known->second.get();
  std::unique_ptr<Block> block =
      array.kind == Array::Kind::Tensor ? tensor(array) : new_block(array, false);
  if (block != nullptr && array.kind == Array::Kind::Pack) {
    for (const Condition& condition : array.conditions) {
      const Scalar holds = evaluator_.scalar(*condition.holds, {});
      if (holds.outcome == Outcome::Ok && holds.value != 0) continue;
      const std::string why = holds.reason.empty() ? "" : ": " + holds.reason;
      arrays_->faults.push_back({false, array.name + ": " + condition.text + why, {}});
      block.reset();
      break;
    }
    if (block != nullptr) {
      const std::vector<Block*> one{block.get()};
      for (const Fill& each : array.fills) fill(array, each, {}, one);
      finish(*block);
    }
  }
  return arrays_->blocks.emplace(&array, std::move(block)).first->second.get();
}

void Blocks::finish(Block& block) const {
  const bool whole =
      std::all_of(block.written.begin(), block.written.end(), [](auto mark) { return mark == 1; });
  if (whole) block.written.clear();
}

void Blocks::tell(const Array& array, bool of_source, const Fill& fill, const Batch& one,
                  const std::string& reason) {
  if (!arrays_->told.insert({&array, of_source}).second) return;
  BlockFault fault;
  fault.of_source = of_source;
  std::string point;
  for (const Coordinate& coordinate : fill.domain.coordinates) {
    const Int value = one.value(coordinate.variable, 0);
    fault.at.emplace_back(coordinate.variable->name, value);
    point += (point.empty() ? "" : ", ") + coordinate.variable->name + "=" + to_string(value);
  }
  fault.text = "the fill of " + place_text(evaluator_, fill.place, one) +
               (point.empty() ? "" : " (" + point + ")");
  if (of_source) fault.text += " reads " + place_text(evaluator_, *fill.source, one);
  fault.text += ": " + reason;
  arrays_->faults.push_back(std::move(fault));
}

void Blocks::fill(const Array& array, const Fill& fill, const Batch& outer,
                  const std::vector<Block*>& blocks) {
  std::vector<const Block*> from(blocks.size(), nullptr);
  if (fill.source) {
    if (fill.source->array->kind == Array::Kind::Shared) {
      tiles(*fill.source->array, outer, from);
    } else {
      std::fill(from.begin(), from.end(), block(*fill.source->array));
    }
  }
  const int width = fill.place.width;
  const Walk walked = evaluator_.walk(fill.domain, outer, [&](const Batch& batch) {
    const Places places = evaluator_.place(fill.place, batch);
    Places sources;
    if (fill.source) sources = evaluator_.place(*fill.source, batch);
    const std::vector<std::int64_t> to = spread(places.bit, batch.size);
    const std::vector<std::int64_t> source_bit =
        fill.source ? spread(sources.bit, batch.size) : std::vector<std::int64_t>();
    for (std::size_t i = 0; i < batch.size; ++i) {
      const std::size_t tile = blocks.size() == 1 ? 0 : batch.parent[i];
      Block& block = *blocks[tile];
      if (places.at(i) == Outcome::Overflow ||
          (fill.source && sources.at(i) == Outcome::Overflow)) {
        unknown = "a place of " + array.name + " is beyond 128 bits";
        return false;
      }
      bool has_source = true;
      if (fill.source && sources.at(i) != Outcome::Ok) {
        tell(array, true, fill, batch.at(i),
             reason_of_place(evaluator_, *fill.source, batch.at(i)));
        has_source = false;
      } else if (fill.source && from[tile] == nullptr) {
        has_source = false;  // its own fault is told
      } else if (fill.source && !from[tile]->is_written(source_bit[i], width)) {
        tell(array, true, fill, batch.at(i), "never written");
        has_source = false;
      }
      if (places.at(i) != Outcome::Ok) {
        tell(array, false, fill, batch.at(i), reason_of_place(evaluator_, fill.place, batch.at(i)));
        continue;
      }
      const auto cell = static_cast<std::size_t>(to[i] / block.granule);
      const auto cells = static_cast<std::size_t>(width / block.granule);
      for (std::size_t c = cell; c < cell + cells; ++c) {
        if (block.written[c] != 0) tell(array, false, fill, batch.at(i), "written twice");
        block.written[c] = has_source ? 1 : 2;
      }
      if (!has_source) continue;
      if (fill.source) {
        copy_bits(from[tile]->bytes.data(), source_bit[i], block.bytes.data(), to[i], width);
      } else {
        for (int done = 0; done < width; done += 64) {
          write_bits(block.bytes.data(), to[i] + done, std::min(64, width - done), 0);
        }
      }
    }
    return true;
  });
  for (const Outcome outcome : walked.domain) {
    if (outcome == Outcome::Ok) continue;
    if (outcome == Outcome::Overflow) unknown = "a fill of " + array.name + " is beyond 128 bits";
    if (outcome == Outcome::Undefined && arrays_->told.insert({&array, false}).second) {
      arrays_->faults.push_back({false, "a fill of " + array.name + ": " + walked.reason, {}});
    }
  }
  if (walked.end == Walk::End::Budget) unknown = "the budget of points is spent";
  if (walked.truncated) unknown = "a fill of " + array.name + " has a coordinate without extent";
}

void Blocks::add_depends(const Array& array, std::vector<const Variable*>& out) const {
  if (array.kind != Array::Kind::Shared) return;
  for (const Fill& fill : array.fills) {
    for (const Variable* variable : free_variables(fill)) {
      if (std::find(out.begin(), out.end(), variable) == out.end()) out.push_back(variable);
    }
    if (fill.source) add_depends(*fill.source->array, out);
  }
}

void Blocks::tiles(const Array& array, const Batch& points, std::vector<const Block*>& out) {
  Tiles& tiles = tiles_[&array];
  if (!tiles.planned) add_depends(array, tiles.depends);
  tiles.planned = true;
  if (tiles.bytes > setting_.limit / 4) {
    tiles.known.clear();
    tiles.bytes = 0;
  }
  out.assign(points.size, nullptr);
  std::vector<std::vector<std::int64_t>> columns;
  for (const Variable* variable : tiles.depends) {
    const Values* values = points.find(variable);
    // A size, or a let about sizes alone, is the same at every point.
    if (values != nullptr) columns.push_back(spread(values->members[0], points.size));
  }
  std::vector<std::uint32_t> fresh;
  std::vector<std::unique_ptr<Block>*> slots;
  std::vector<std::unique_ptr<Block>*> of_point(points.size);
  for (std::size_t i = 0; i < points.size; ++i) {
    std::vector<std::int64_t> key;
    for (const auto& column : columns) key.push_back(column[i]);
    const auto [it, is_new] = tiles.known.try_emplace(std::move(key));
    of_point[i] = &it->second;
    if (is_new) {
      fresh.push_back(static_cast<std::uint32_t>(i));
      slots.push_back(&it->second);
    }
  }
  if (!fresh.empty()) {
    std::vector<Block*> blocks;
    for (std::unique_ptr<Block>* slot : slots) {
      const std::int64_t before = arrays_->bytes;
      *slot = new_block(array, false);
      tiles.bytes += arrays_->bytes - before;
      arrays_->bytes = before;
      if (*slot == nullptr) return;
      blocks.push_back(slot->get());
    }
    const Batch outer = points.select(fresh);
    for (const Fill& each : array.fills) fill(array, each, outer, blocks);
    for (Block* block : blocks) finish(*block);
  }
  for (std::size_t i = 0; i < points.size; ++i) out[i] = of_point[i]->get();
}

}  // namespace fragproof
