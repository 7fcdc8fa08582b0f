// The memory side of an execution: where each lane reads, what it gets, where results are stored.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "checkers/enumerate/kernel_memory.h"
#include "checkers/enumerate/kernel_words.h"
#include "fuzz/emulate/data.h"
#include "fuzz/emulate/run.h"
#include "spec/columns.h"

namespace fragproof {
namespace {

constexpr std::int64_t gets_zeros = -1;
constexpr std::int64_t gets_garbage = -2;  // its load failed or was skipped

// 64 bytes that look like data and are none.
const std::uint8_t* garbage_at(std::size_t pair) {
  static const std::vector<std::uint8_t> bytes = [] {
    std::vector<std::uint8_t> out(4096 + 64);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<std::uint8_t>(mixed(0x6172626167650000U + i));
    }
    return out;
  }();
  return &bytes[pair * 16 % 4096];
}

constexpr std::uint8_t zeros[64] = {};

template <std::size_t size>
void copy_units(const std::vector<const Block*>& blocks, const std::vector<std::int64_t>& address,
                std::size_t lanes, RegisterFile& to) {
  std::uint8_t* target = to.at(0);
  for (std::size_t point = 0, pair = 0; point < blocks.size(); ++point) {
    const std::uint8_t* base = blocks[point] == nullptr ? zeros : blocks[point]->bytes.data();
    for (std::size_t lane = 0; lane < lanes; ++lane, ++pair, target += size) {
      const std::int64_t bit = address[pair];
      const std::uint8_t* from = bit >= 0            ? base + bit / 8
                                 : bit == gets_zeros ? zeros
                                                     : garbage_at(pair);
      std::memcpy(target, from, size);
    }
  }
}

}  // namespace

void Emulator::Run::addresses(std::size_t number, const KernelPoints::Chunk& chunk,
                              const Batch& batch, std::vector<std::uint8_t>& failed,
                              std::vector<std::int64_t>& out) {
  const Load& load = *kernel_.loads[number];
  const int bits = load.instruction != nullptr ? 128 : load.width;
  const std::size_t first = chunk.first * lanes_;
  const std::optional<Int> total = evaluator_.bits(*load.from.array);
  const std::int64_t end = total ? static_cast<std::int64_t>(*total) - bits : -1;
  std::optional<Values> condition;
  if (load.condition != nullptr)
    condition = evaluator_.evaluate(*owner_.conditions_[number], batch);
  const Places places = evaluator_.place(owner_.places_[number], batch);
  out = spread(places.bit, batch.size);
  const bool simple = !condition && places.outcome.empty();
  for (std::size_t i = 0; i < batch.size; ++i) {
    if (failed[i] != 0) {
      out[i] = gets_garbage;
      continue;
    }
    if (!simple) {
      if (condition && condition->at(i) != Outcome::Ok) {
        if (condition->at(i) == Outcome::Overflow) return give_up("an `if` is beyond 128 bits");
        tell_load(FaultKind::Undefined, number, first + i, "its `if` is undefined");
        out[i] = gets_garbage;
        continue;
      }
      if (condition && condition->members[0].at(i) == 0) {
        out[i] = load.else_zero ? gets_zeros : gets_garbage;
        if (!load.else_zero && doubtful_.empty()) {
          tell_load(FaultKind::Unwritten, number, first + i,
                    "it is skipped, its bits are undefined");
        }
        continue;
      }
      if (places.at(i) == Outcome::Overflow) return give_up("an address is beyond 128 bits");
      if (places.at(i) != Outcome::Ok) {
        tell_load(FaultKind::Bounds, number, first + i, "");
        out[i] = gets_garbage;
        continue;
      }
    }
    if (out[i] > end) {
      tell_load(
          FaultKind::Bounds, number, first + i,
          std::to_string(bits / 8) + " bytes from there end outside " + load.from.array->name);
      out[i] = gets_garbage;
    } else if ((out[i] & (bits - 1)) != 0) {  // a load is a power of two wide
      tell_load(
          FaultKind::Alignment, number, first + i,
          "byte " + std::to_string(out[i] / 8) + " is no multiple of " + std::to_string(bits / 8));
      out[i] = gets_garbage;
    }
  }
}

void Emulator::Run::load(std::size_t number, const KernelPoints::Chunk& chunk, const Batch& batch,
                         std::vector<std::uint8_t>& failed) {
  const Load& load = *kernel_.loads[number];
  const Array& array = *load.from.array;
  std::vector<std::int64_t> address;
  addresses(number, chunk, batch, failed, address);
  std::vector<const Block*> blocks;
  if (array.kind == Array::Kind::Shared) {
    blocks_.tiles(array, chunk.batch, blocks);
  } else {
    blocks.assign(chunk.batch.size, blocks_.block(array));
  }
  if (!blocks_.unknown.empty()) return give_up(blocks_.unknown);
  const int bits = load.instruction != nullptr ? 128 : load.width;
  for (std::size_t point = 0; point < blocks.size(); ++point) {
    const Block* block = blocks[point];
    if (block != nullptr && block->written.empty()) continue;
    for (std::size_t pair = point * lanes_; pair < (point + 1) * lanes_; ++pair) {
      if (address[pair] < 0) continue;
      if (block == nullptr) {
        address[pair] = gets_garbage;
      } else if (doubtful_.empty() && !block->is_written(address[pair], bits)) {
        tell_load(FaultKind::Unwritten, number, chunk.first * lanes_ + pair,
                  "it reads bits that nobody wrote");
      }
    }
  }
  RegisterFile& target =
      load.instruction != nullptr ? owner_.rows_of_[number] : owner_.registers_[number];
  target.resize(batch.size, bits);
  switch (bits) {
    case 128:
      copy_units<16>(blocks, address, lanes_, target);
      break;
    case 64:
      copy_units<8>(blocks, address, lanes_, target);
      break;
    case 32:
      copy_units<4>(blocks, address, lanes_, target);
      break;
    case 16:
      copy_units<2>(blocks, address, lanes_, target);
      break;
    default:
      copy_units<1>(blocks, address, lanes_, target);
      break;
  }
  if (load.instruction != nullptr) gather_rows(number, chunk.batch.size);
}

// ldmatrix: unit `col` of the row that lane `src` points at.
void Emulator::Run::gather_rows(std::size_t number, std::size_t points) {
  const Grid& grid = load_grids_[number];
  const RegisterFile& rows = owner_.rows_of_[number];
  RegisterFile& to = owner_.registers_[number];
  to.resize(points * lanes_, grid.elems * grid.width);
  for (std::size_t point = 0; point < points; ++point) {
    for (std::size_t slot = 0; slot < grid.size(); ++slot) {
      const std::size_t elem = slot % static_cast<std::size_t>(grid.elems);
      const std::size_t lane = slot / static_cast<std::size_t>(grid.elems);
      const auto src = static_cast<std::size_t>(grid.row[slot]);
      copy_bits(rows.at(point * lanes_ + src), std::int64_t{grid.col[slot]} * grid.width,
                to.at(point * lanes_ + lane), static_cast<std::int64_t>(elem) * grid.width,
                grid.width);
    }
  }
}

void Emulator::Run::store(const KernelPoints::Chunk& slots) {
  const Store& store = *kernel_.store;
  const Batch& batch = slots.batch;
  std::optional<Values> condition;
  if (store.condition != nullptr) condition = evaluator_.evaluate(*store.condition, batch);
  const Places places = evaluator_.place(store.to, batch);
  const int width = kernel_.result.tensor->element.width;
  const std::size_t size = multiplier_->tile_size();
  for (std::size_t i = 0; i < batch.size; ++i) {
    const std::size_t tile = (slots.first + i) / c_.size();
    const std::size_t slot = (slots.first + i) % c_.size();
    const auto wrong = [&](FaultKind kind, const std::string& reason) {
      if (told(kind)) return;
      Fault fault;
      fault.instruction = "store";
      fault.lane = static_cast<int>(slot) / c_.elems;
      fault.at = points_->at_tile(tile);
      fault.text = slot_text(c_, *fault.lane, static_cast<int>(slot) % c_.elems) + ": store to " +
                   place_text(evaluator_, store.to, batch.at(i)) + at_text(fault.at) + ": " +
                   reason;
      tell(kind, std::move(fault));
    };
    if (slots.failed[i] != 0) {
      wrong(FaultKind::Undefined, points_->let_reason(batch.at(i)));
      continue;
    }
    if (condition && condition->at(i) == Outcome::Undefined) {
      wrong(FaultKind::Undefined,
            "its `if` is undefined: " + evaluator_.scalar(*store.condition, batch.at(i)).reason);
      continue;
    }
    if (condition && condition->at(i) == Outcome::Ok && condition->members[0].at(i) == 0) continue;
    if (places.at(i) == Outcome::Overflow || (condition && condition->at(i) != Outcome::Ok)) {
      return give_up("a store is beyond 128 bits");
    }
    if (places.at(i) != Outcome::Ok) {
      std::string reason;
      (void)evaluator_.place(store.to, batch.at(i), &reason);
      wrong(FaultKind::Bounds, reason);
      continue;
    }
    const auto element = static_cast<std::size_t>(places.bit.at(i) / width);
    if (stores_[element] == 1) {
      wrong(FaultKind::Twice, "that element has been stored already");
    }
    stores_[element] = static_cast<std::uint8_t>(std::min(stores_[element] + 1, 2));
    const std::size_t sum =
        tile * size + static_cast<std::size_t>(c_.row[slot]) * static_cast<std::size_t>(cols_) +
        static_cast<std::size_t>(c_.col[slot]);
    if (real_) {
      y_real_[element] = real_sums_[sum];
    } else {
      y_[element] = sums_[sum];
    }
  }
}

}  // namespace fragproof
