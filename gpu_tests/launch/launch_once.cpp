// Buffers with guard bands, arguments by the `launch` line, and the comparison.
#include "gpu_tests/launch/launch_once.h"

#include <algorithm>
#include <map>

#include "gpu_tests/launch/memory_image.h"

namespace fragproof::gpu {
namespace {

constexpr std::size_t guard = 4096;          // bytes before and after each array
constexpr std::int64_t most_threads = 1024;  // of a block, on every GPU
constexpr unsigned char guard_byte = 0xA5;
constexpr unsigned char poison = 0xFF;  // of the result: NaN in every float format

// An array on the GPU between two guard bands.
struct Guarded {
  const Array* array = nullptr;
  std::size_t bytes = 0;
  Buffer buffer;

  Guarded(const Gpu& gpu, const Array* of, std::size_t size)
      : array(of), bytes(size), buffer(gpu.allocate(size + 2 * guard)) {
    buffer.fill(guard_byte);
  }
  [[nodiscard]] CUdeviceptr address() const { return buffer.address() + guard; }
  // Where a byte of the guards has changed, from the start of the array; nothing when none has.
  [[nodiscard]] std::optional<std::int64_t> damage() const {
    std::vector<unsigned char> all(bytes + 2 * guard);
    buffer.read(all.data(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i >= guard && i < guard + bytes) continue;
      if (all[i] != guard_byte)
        return static_cast<std::int64_t>(i) - static_cast<std::int64_t>(guard);
    }
    return std::nullopt;
  }
};

std::int64_t number_of(Evaluator& evaluator, const Expr& expr, const std::string& what) {
  const Scalar value = evaluator.scalar(expr);
  if (value.outcome != Outcome::Ok) throw CannotRun{what + " is undefined: " + value.reason};
  if (value.value < 0 || value.value > std::int64_t{1} << 40) {
    throw CannotRun{what + " is " + to_string(value.value)};
  }
  return static_cast<std::int64_t>(value.value);
}

Extent3 extent_of(Evaluator& evaluator, const std::vector<Expr*>& exprs, const std::string& what) {
  Extent3 extent;
  unsigned* const parts[] = {&extent.x, &extent.y, &extent.z};
  for (std::size_t i = 0; i < exprs.size() && i < 3; ++i) {
    *parts[i] = static_cast<unsigned>(number_of(evaluator, *exprs[i], what));
    if (*parts[i] == 0) throw CannotRun{what + " is 0"};
  }
  return extent;
}

// Whatever the driver and the module know about the parameters must fit the `launch` line.
void check_parameters(const Module& module, const Function& function, const Arguments& arguments) {
  const auto sizes = module.parameters(function);
  if (!sizes) return;
  const auto& values = arguments.values();
  if (sizes->size() != values.size()) {
    throw CannotRun{"`" + function.name + "` takes " + std::to_string(sizes->size()) +
                    " arguments, the launch line has " + std::to_string(values.size())};
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if ((*sizes)[i] == values[i].size()) continue;
    throw CannotRun{"argument " + std::to_string(i + 1) + " of `" + function.name + "` has " +
                    std::to_string((*sizes)[i]) + " bytes, in the launch line " +
                    std::to_string(values[i].size())};
  }
}

std::string element_name(const Array& tensor, const std::vector<Int>& extents, std::int64_t index) {
  std::string text;
  for (std::size_t i = extents.size(); i-- > 0;) {
    const auto extent = static_cast<std::int64_t>(extents[i]);
    text = std::to_string(index % extent) + (text.empty() ? "" : ", ") + text;
    index /= extent;
  }
  return tensor.name + "[" + text + "]";
}

}  // namespace

LaunchSession::LaunchSession(const Kernel& kernel, const LaunchSetting& setting) : kernel_(kernel) {
  gpu_ = Gpu::open(setting.device, problem_);
  if (!gpu_) return;
  try {
    module_.emplace(gpu_->load(setting.module));
  } catch (const GpuError& error) {
    problem_ = error.what();
  }
}

Emulation LaunchSession::run(const Spec& spec, const Shape& shape) {
  Emulation outcome;
  outcome.reason = problem_;
  if (!problem_.empty()) return outcome;
  try {
    execute(spec, shape, outcome);
  } catch (const CannotRun& cannot) {
    outcome.reason = cannot.reason;
  } catch (const GpuError& error) {
    outcome.reason = error.what();
  }
  return outcome;
}

void LaunchSession::execute(const Spec& spec, const Shape& shape, Emulation& outcome) {
  if (kernel_.launches.empty()) throw CannotRun{"kernel " + kernel_.name + " has no `launch` line"};
  Evaluator evaluator(spec, shape);
  const Array& y = *kernel_.result.tensor;
  const std::vector<std::int64_t> exact = exact_result(evaluator, kernel_);
  std::map<const Array*, std::unique_ptr<Guarded>> arrays;
  std::unique_ptr<Guarded> scratch;
  for (const Launch& launch : kernel_.launches) {
    const Function function = module_->function(symbol_at(launch.symbol, shape));
    Arguments arguments;
    for (const Launch::Argument& argument : launch.args) {
      if (argument.name == "scratch" && argument.value != nullptr) {
        if (!scratch) {
          const auto bytes =
              static_cast<std::size_t>(number_of(evaluator, *argument.value, "scratch"));
          scratch = std::make_unique<Guarded>(*gpu_, nullptr, bytes);
          const std::vector<unsigned char> zeros(bytes, 0);
          scratch->buffer.write(zeros.data(), bytes, guard);
        }
        arguments.add_bytes(scratch->address());
      } else if (argument.value != nullptr) {
        const Scalar value = evaluator.scalar(*argument.value);
        if (value.outcome != Outcome::Ok)
          throw CannotRun{"an argument is undefined: " + value.reason};
        const auto number = static_cast<std::int64_t>(value.value);
        if (argument.width == 64) {
          arguments.add_bytes(number);
        } else {
          arguments.add_bytes(static_cast<std::int32_t>(number));
        }
      } else {
        const auto named =
            std::find_if(spec.arrays.begin(), spec.arrays.end(),
                         [&](const Array* array) { return array->name == argument.name; });
        if (named == spec.arrays.end()) throw CannotRun{"no array " + argument.name};
        auto& place = arrays[*named];
        if (!place) {
          const std::vector<std::uint8_t> bytes = bytes_of(evaluator, **named);
          place = std::make_unique<Guarded>(*gpu_, *named, bytes.size());
          const std::vector<std::uint8_t> poisoned(bytes.size(), poison);
          place->buffer.write(*named == &y ? poisoned.data() : bytes.data(), bytes.size(), guard);
        }
        arguments.add_bytes(place->address());
      }
    }
    check_parameters(*module_, function, arguments);
    const Extent3 grid = extent_of(evaluator, launch.grid, "the grid");
    const Extent3 block = extent_of(evaluator, launch.block, "the block");
    const std::int64_t threads = std::int64_t{block.x} * block.y * block.z;
    if (threads > most_threads) {
      throw CannotRun{"a block of " + std::to_string(threads) + " threads, where a GPU takes " +
                      std::to_string(most_threads)};
    }
    const auto shared =
        launch.shared.empty()
            ? 0U
            : static_cast<unsigned>(number_of(evaluator, *launch.shared[0], "shared"));
    module_->launch(function, grid, block, shared, arguments);
  }
  if (arrays.count(&y) == 0)
    throw CannotRun{"no launch line has " + y.name + " among its arguments"};
  outcome.ran = true;
  outcome.of = static_cast<std::int64_t>(exact.size());
  try {
    gpu_->synchronize();
  } catch (const GpuError& error) {
    lost_ = true;
    outcome.faults.push_back({FaultKind::Bounds, "", {}, {}, error.what()});
    return;
  }
  for (const auto& [array, guarded] : arrays) {
    if (const auto at = guarded->damage()) {
      outcome.faults.push_back({FaultKind::Bounds,
                                "store",
                                {},
                                {},
                                "the kernel wrote outside " + array->name + ": byte " +
                                    std::to_string(*at) + " of " + std::to_string(guarded->bytes)});
    }
  }
  std::vector<std::uint8_t> stored(arrays[&y]->bytes);
  arrays[&y]->buffer.read(stored.data(), stored.size(), guard);
  const std::vector<Int> extents = *evaluator.extents(y);
  const int width = y.element.width;
  std::optional<Fault> missing, wrong;
  for (std::int64_t i = 0; i < outcome.of; ++i) {
    const std::uint64_t bits = element_bits(stored, i, width);
    std::string found;
    if (is_number(y, bits, exact[static_cast<std::size_t>(i)], found)) continue;
    ++outcome.wrong;
    const bool untouched =
        bits == (width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1);
    std::optional<Fault>& fault = untouched ? missing : wrong;
    if (fault) continue;
    const std::string name = element_name(y, extents, i);
    const std::string want = std::to_string(exact[static_cast<std::size_t>(i)]);
    fault = untouched ? Fault{FaultKind::Missing,
                              "store",
                              {},
                              {},
                              name + " is never stored; it should be " + want}
                      : Fault{FaultKind::Value,
                              "store",
                              {},
                              {},
                              name + " is " + found + ", it should be " + want};
  }
  for (const auto& fault : {missing, wrong}) {
    if (fault) outcome.faults.push_back(*fault);
  }
}

}  // namespace fragproof::gpu
