#include "fuzz/generate.h"

#include <algorithm>

#include "fuzz/random.h"

namespace fragproof {
namespace {

constexpr int attempts = 12;
constexpr std::int64_t large = 128;
// Elements of a tensor that a case may have: of most, and of one in sixteen. Larger draws are drawn
// again, smaller.
constexpr Int usual_elements = 1 << 14;
constexpr Int most_elements = 1 << 17;

bool is_prime(std::int64_t value) {
  if (value < 2) return false;
  for (std::int64_t d = 2; d * d <= value; ++d) {
    if (value % d == 0) return false;
  }
  return true;
}

// A value of a class drawn; `halvings` makes it smaller.
std::int64_t draw_target(Draws& draws, const std::vector<std::int64_t>& divisors, int halvings) {
  constexpr std::array<std::int64_t, 12> primes{2, 3, 5, 7, 11, 13, 17, 31, 37, 61, 67, 127};
  const std::uint64_t kind = draws.below(20);
  const std::uint64_t pick = draws.next();
  const std::int64_t divisor =
      divisors.empty() ? 16 : divisors[static_cast<std::size_t>(pick % divisors.size())];
  const std::int64_t times = 1 + static_cast<std::int64_t>((pick >> 32) % 4);
  std::int64_t value = 1;
  if (kind < 4) {
    value = 1;
  } else if (kind < 8) {
    value = 2 + static_cast<std::int64_t>(pick % 8);
  } else if (kind < 10) {
    value = primes[static_cast<std::size_t>(pick % primes.size())];
  } else if (kind < 12) {
    value = std::int64_t{2} << pick % 7;
  } else if (kind < 15) {
    value = divisor * times;
  } else if (kind < 18) {
    value = divisor * times + (pick >> 40 & 1 ? 1 : -1);
  } else {
    value = large + static_cast<std::int64_t>(pick % 384);
  }
  return std::max<std::int64_t>(1, value >> halvings);
}

// The elements of the kernel's three tensors, or as many as are too many.
Int elements_of(const KernelSpace& space, const Shape& shape) {
  Evaluator evaluator(space.spec(), shape);
  Int most = 0;
  const Kernel& kernel = space.kernel();
  for (const Factor* factor : {&kernel.result, &kernel.first, &kernel.second}) {
    const std::optional<std::vector<Int>> extents = evaluator.extents(*factor->tensor);
    if (!extents) continue;  // the emulator says why
    Int count = 1;
    for (const Int extent : *extents) {
      if (!mul(count, extent, count) || count > most_elements) return most_elements + 1;
    }
    most = std::max(most, count);
  }
  return most;
}

}  // namespace

const char* name_of(SizeClass cls) {
  switch (cls) {
    case SizeClass::One:
      return "one";
    case SizeClass::Prime:
      return "prime";
    case SizeClass::PowerOfTwo:
      return "power of two";
    case SizeClass::Multiple:
      return "multiple";
    case SizeClass::OneOff:
      return "one off";
    case SizeClass::Large:
      return "large";
  }
  return "?";
}

std::array<bool, size_classes> classes_of(std::int64_t value,
                                          const std::vector<std::int64_t>& divisors) {
  std::array<bool, size_classes> out{};
  const auto set = [&](SizeClass cls, bool is) { out[static_cast<std::size_t>(cls)] = is; };
  set(SizeClass::One, value == 1);
  set(SizeClass::Prime, is_prime(value));
  set(SizeClass::PowerOfTwo, value > 1 && (value & (value - 1)) == 0);
  set(SizeClass::Large, value >= large);
  bool multiple = false, near = false;
  for (const std::int64_t divisor : divisors) {
    multiple = multiple || value % divisor == 0;
    near = near || (value > 1 && (value % divisor == 1 || value % divisor == divisor - 1));
  }
  set(SizeClass::Multiple, multiple);
  set(SizeClass::OneOff, near);
  return out;
}

std::optional<Configuration> generate(KernelSpace& space, std::uint64_t seed,
                                      std::uint64_t number) {
  Draws draws(seed, hashed(space.kernel().name), number);
  const Int limit = draws.below(16) == 0 ? most_elements : usual_elements;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    std::vector<std::int64_t> target;
    for (std::size_t i = 0; i < space.sizes().size(); ++i) {
      target.push_back(draw_target(draws, space.divisors(), attempt / 2));
    }
    const std::optional<std::vector<std::int64_t>> sizes = space.near(target);
    if (!sizes) continue;
    std::vector<std::pair<std::string, TableChoice>> tables;
    for (const Table* table : space.tables()) {
      TableChoice choice;
      choice.seed = draws.below(4) == 0 ? 0 : draws.below(1000);
      tables.emplace_back(table->name, choice);
    }
    const Configuration configuration = space.configuration_of(*sizes, tables);
    std::string error;
    const std::optional<Shape> shape = space.shape_of(configuration, error);
    if (!shape || elements_of(space, *shape) > limit) continue;
    if (!space.tables().empty() && space.first_violated(*shape) != nullptr) continue;
    return configuration;
  }
  return std::nullopt;
}

}  // namespace fragproof
