#include "fuzz/emulate/run.h"

#include <algorithm>
#include <cstring>

#include "checkers/enumerate/kernel_types.h"
#include "fuzz/emulate/number.h"

namespace fragproof {
namespace {

Evaluator::Options options_of() {
  Evaluator::Options options;
  options.batch = 4096;
  return options;
}

// The tensor whose elements an array holds.
const Array& root_of(const Array& array) {
  const Array* at = &array;
  while (at->kind != Array::Kind::Tensor) {
    const auto fill = std::find_if(at->fills.begin(), at->fills.end(),
                                   [](const Fill& f) { return f.source.has_value(); });
    if (fill == at->fills.end()) break;
    at = fill->source->array;
  }
  return *at;
}

// Bits of the fraction with the one before it; of an integer or raw type, its width.
int precision_of(const ElementType& type) {
  if (type.name == "f16" || type.name == "tf32") return 11;
  if (type.name == "bf16") return 8;
  if (type.name == "e4m3") return 4;
  if (type.name == "e5m2") return 3;
  if (type.name == "e2m1") return 2;
  if (type.name == "f32") return 24;
  return type.width;
}

// What the bits of raw tensors mean in float mode: what the instruction reads; of a raw
// instruction, a float type of its width.
std::optional<ElementType> raw_meaning(const Kernel& kernel) {
  const std::optional<ElementType> named = find_type(kernel.mma->type);
  if (!named || named->cls != ElementType::Class::Raw) return named;
  switch (named->width) {
    case 16:
      return find_type("bf16");
    case 32:
      return find_type("tf32");
    case 64:
      return find_type("f64");
    default:
      return find_type("s" + std::to_string(named->width));
  }
}

int value_bits_of(const OperandProgram& a, const OperandProgram& b) {
  return std::min(a.narrowest_conversion(), b.narrowest_conversion());
}

int largest(const std::vector<std::int32_t>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

}  // namespace

Emulator::Run::Run(Emulator& owner, const Shape& shape, World& world)
    : owner_(owner),
      kernel_(owner.kernel_),
      world_(world),
      evaluator_(owner.spec_, shape, options_of()),
      blocks_(evaluator_, world.arrays,
              {.mode = owner.setting_.mode,
               .seed = owner.setting_.seed,
               .value_bits = value_bits_of(owner.a_, owner.b_),
               .raw_as = raw_meaning(kernel_),
               .limit = owner.setting_.bytes}),
      real_(owner.setting_.mode == DataMode::Floats) {}

void Emulator::Run::give_up(const std::string& reason) {
  if (result_.reason.empty()) result_.reason = reason;
}

bool Emulator::Run::grid(Grid& out, const Map& map, char letter) {
  // A built-in fragment is the same at every shape.
  const auto known = owner_.grids_.find(&map);
  if (known != owner_.grids_.end()) {
    out = known->second;
  } else {
    std::string reason;
    out = grid_of(evaluator_, map, letter, reason);
    if (!reason.empty()) {
      give_up(reason);
      return false;
    }
    if (map.is_builtin) owner_.grids_.emplace(&map, out);
  }
  out.letter = letter;
  if (lanes_ == 0) lanes_ = static_cast<std::size_t>(out.lanes);
  if (static_cast<std::size_t>(out.lanes) == lanes_) return true;
  give_up("its fragments have different numbers of lanes");
  return false;
}

bool Emulator::Run::lay_out_result() {
  for (const Factor* factor : {&kernel_.first, &kernel_.second, &kernel_.result}) {
    std::string reason;
    if (evaluator_.extents(*factor->tensor, &reason)) continue;
    Fault fault;
    fault.text = "extents of " + factor->tensor->name + ": " + reason;
    tell(FaultKind::Undefined, std::move(fault));
    return false;
  }
  Int elements = 1;
  const std::optional<std::vector<Int>> extents = evaluator_.extents(*kernel_.result.tensor);
  for (const Int extent : *extents) {
    if (!mul(elements, extent, elements) || elements * 8 > owner_.setting_.bytes) {
      give_up("its result needs more than " + std::to_string(owner_.setting_.bytes >> 20) +
              " MiB, the limit of the emulation");
      return false;
    }
    y_extents_.push_back(static_cast<std::int64_t>(extent));
  }
  const auto size = static_cast<std::size_t>(elements);
  // What nobody stores is poison; `stores_` says so too.
  y_.assign(real_ ? 0 : size, std::int64_t{0x5afe5afe5afe5afe});
  y_real_.assign(real_ ? size : 0, -1e300);
  stores_.assign(size, 0);
  return true;
}

void Emulator::Run::plan_arithmetic() {
  for (const Load* load : kernel_.loads) {
    load_types_.push_back(&blocks_.type_of(root_of(*load->from.array)));
  }
  const std::string& name = kernel_.mma->type;
  const auto type_of = [&](const OperandProgram& program) {
    const std::optional<ElementType> named = find_type(name);
    if (named && named->cls != ElementType::Class::Raw) return *named;
    if (const ElementType* converted = program.converted_to()) return *converted;
    return *load_types_[program.first_load()];
  };
  const ElementType a_type = type_of(owner_.a_);
  const ElementType b_type = type_of(owner_.b_);
  Arithmetic arithmetic = Arithmetic::Wide;
  const int value_bits = value_bits_of(owner_.a_, owner_.b_);
  if (fits_narrow(a_.width, b_.width, value_bits, depth_)) arithmetic = Arithmetic::Narrow;
  if (real_) arithmetic = Arithmetic::Real;
  multiplier_ =
      std::make_unique<Multiplier>(a_, b_, rows_, cols_, depth_, arithmetic, a_type, b_type);
  for (const OperandProgram* program : {&owner_.a_, &owner_.b_}) {
    const ElementType& held = *load_types_[program->first_load()];
    const ElementType& read = program == &owner_.a_ ? a_type : b_type;
    // A tensor core cuts an f32 off to tf32; a conversion rounds.
    if (narrows(held, read)) conversion_error_ += 2 / static_cast<double>(1 << precision_of(read));
  }
}

bool Emulator::Run::prepare() {
  const Mma& mma = *kernel_.mma;
  if (!grid(a_, *mma.a, 'a') || !grid(b_, *mma.b, 'b') || !grid(c_, *mma.c, 'c')) return false;
  load_grids_.resize(kernel_.loads.size());
  for (std::size_t i = 0; i < kernel_.loads.size(); ++i) {
    const Load& load = *kernel_.loads[i];
    if (load.instruction != nullptr && !grid(load_grids_[i], *load.instruction, 'r')) return false;
  }
  rows_ = 1 + std::max(largest(a_.row), largest(c_.row));
  cols_ = 1 + std::max(largest(b_.col), largest(c_.col));
  depth_ = 1 + std::max(largest(a_.col), largest(b_.row));
  if (!lay_out_result()) return false;
  plan_arithmetic();

  points_ = std::make_unique<KernelPoints>(evaluator_, kernel_, static_cast<int>(lanes_));
  points_->walk(owner_.setting_.points);
  if (!points_->unknown.empty()) {
    give_up(points_->unknown);
    return false;
  }
  Fault fault;
  fault.text = points_->undefined.empty() ? points_->tile_reason : points_->undefined;
  if (!fault.text.empty()) {
    tell(FaultKind::Undefined, std::move(fault));
    return false;
  }
  const std::size_t sums = points_->tile_count() * multiplier_->tile_size();
  if (static_cast<std::int64_t>(sums) * 8 > owner_.setting_.bytes) {
    give_up("its accumulators need more than " + std::to_string(owner_.setting_.bytes >> 20) +
            " MiB, the limit of the emulation");
    return false;
  }
  sums_.assign(real_ ? 0 : sums, 0);
  real_sums_.assign(real_ ? sums : 0, 0);
  owner_.hoist_.start(evaluator_, static_cast<int>(lanes_));
  return true;
}

Emulation Emulator::Run::execute() {
  const bool goes = prepare();
  if (!result_.reason.empty()) return std::move(result_);
  result_.ran = true;
  if (goes) {
    for (const KernelPoints::Chunk& chunk : points_->points) {
      run_chunk(chunk);
      if (!result_.reason.empty()) break;
    }
    for (const KernelPoints::Chunk& chunk : points_->tiles) {
      if (!result_.reason.empty()) break;
      store(points_->with_slots(chunk, c_));
    }
    for (const BlockFault& wrong : blocks_.faults()) {
      Fault fault;
      fault.at = wrong.at;
      fault.text = wrong.text;
      tell(wrong.of_source ? FaultKind::Bounds : FaultKind::Storage, std::move(fault));
    }
    if (result_.reason.empty()) compare();
  }
  if (!blocks_.unknown.empty()) give_up(blocks_.unknown);
  if (!points_ || !result_.reason.empty()) {
    result_.ran = result_.reason.empty();
  } else if (!points_->unknown.empty()) {
    give_up(points_->unknown);
    result_.ran = false;
  }
  std::stable_sort(result_.faults.begin(), result_.faults.end(),
                   [](const Fault& a, const Fault& b) { return a.kind < b.kind; });
  return std::move(result_);
}

void Emulator::Run::run_chunk(const KernelPoints::Chunk& chunk) {
  std::vector<std::uint8_t> failed;
  Batch batch;
  if (owner_.setting_.hoist && owner_.hoist_.possible()) {
    batch = owner_.hoist_.batch(evaluator_, chunk, failed);
  } else {
    KernelPoints::Chunk lanes = points_->with_lanes(chunk);
    batch = std::move(lanes.batch);
    failed = std::move(lanes.failed);
    owner_.hoist_.bind_parts(evaluator_, batch);
  }
  const auto bad = std::find(failed.begin(), failed.end(), 1);
  if (bad != failed.end() && !told(FaultKind::Undefined)) {
    tell_lets(chunk.first * lanes_ + static_cast<std::size_t>(bad - failed.begin()));
  }
  for (std::size_t i = 0; i < kernel_.loads.size(); ++i) load(i, chunk, batch, failed);
  if (result_.reason.empty()) multiply(chunk, batch, failed);
}

void Emulator::Run::multiply(const KernelPoints::Chunk& chunk, const Batch& batch,
                             const std::vector<std::uint8_t>& failed) {
  const OperandProgram::Chunk context{evaluator_,           batch,      failed, owner_.registers_,
                                      owner_.setting_.mode, load_types_};
  std::optional<PartFault> part;
  const RegisterFile& a = owner_.a_.run(context, part);
  const RegisterFile& b = owner_.b_.run(context, part);
  if (part && !told(FaultKind::Bounds)) tell_part(*part, chunk.first * lanes_);
  const std::size_t size = multiplier_->tile_size();
  for (std::size_t i = 0; i < chunk.batch.size; ++i) {
    const std::size_t tile = points_->tile_of[chunk.first + i];
    multiplier_->load_a(a.at(i * lanes_), a.stride);
    multiplier_->load_b(b.at(i * lanes_), b.stride);
    if (real_) {
      multiplier_->accumulate(&real_sums_[tile * size]);
    } else {
      multiplier_->accumulate(&sums_[tile * size]);
    }
  }
  result_.mmas += static_cast<std::int64_t>(chunk.batch.size);
}

}  // namespace fragproof
