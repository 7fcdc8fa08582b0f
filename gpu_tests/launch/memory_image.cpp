// Filling, packing and multiplying, element by element.
#include "gpu_tests/launch/memory_image.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>

#include "gpu_tests/probe/number.h"

namespace fragproof::gpu {
namespace {

constexpr std::int64_t most_bits = std::int64_t{1} << 33;      // of one array: 1 GiB
constexpr std::int64_t most_products = std::int64_t{1} << 28;  // of the reference

NumberFormat format_of(const Array& tensor) {
  std::string name = tensor.element.name;
  if (name[0] == 'i') name[0] = 's';
  const auto format = find_number(name);
  if (!format) {
    throw CannotRun{tensor.name + " : " + tensor.element.name +
                    " is no number that a launch can be given"};
  }
  return *format;
}

std::int64_t bits_of(Evaluator& evaluator, const Array& array) {
  const std::optional<Int> bits = evaluator.bits(array);
  if (!bits || *bits > most_bits)
    throw CannotRun{array.name + " has no size, or is larger than 1 GiB"};
  return static_cast<std::int64_t>(*bits);
}

void put_bits(std::vector<std::uint8_t>& bytes, std::int64_t bit, int width, std::uint64_t value) {
  if (bit % 8 == 0 && width % 8 == 0) {
    for (int i = 0; i < width / 8; ++i) {
      bytes[static_cast<std::size_t>(bit / 8 + i)] = static_cast<std::uint8_t>(value >> (8 * i));
    }
    return;
  }
  for (int i = 0; i < width; ++i) {
    std::uint8_t& byte = bytes[static_cast<std::size_t>((bit + i) / 8)];
    const int at = static_cast<int>((bit + i) % 8);
    byte = static_cast<std::uint8_t>((byte & ~(1 << at)) | static_cast<int>(value >> i & 1) << at);
  }
}

std::vector<std::uint8_t> tensor_bytes(Evaluator& evaluator, const Array& tensor) {
  const std::int64_t bits = bits_of(evaluator, tensor);
  const NumberFormat format = format_of(tensor);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>((bits + 7) / 8), 0);
  for (std::int64_t i = 0; i < bits / tensor.element.width; ++i) {
    put_bits(bytes, i * tensor.element.width, tensor.element.width,
             encode(format, element_value(tensor, i)).value());
  }
  return bytes;
}

std::uint64_t read_bits(const std::vector<std::uint8_t>& bytes, std::int64_t bit, int width) {
  std::uint64_t value = 0;
  for (int i = 0; i < width; ++i) {
    const auto byte = bytes[static_cast<std::size_t>((bit + i) / 8)];
    value |= static_cast<std::uint64_t>(byte >> ((bit + i) % 8) & 1) << i;
  }
  return value;
}

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace

std::int64_t element_value(const Array& tensor, std::int64_t index) {
  const NumberFormat format = format_of(tensor);
  std::uint64_t salt = 0;
  for (const char c : tensor.name) salt = salt * 131 + static_cast<unsigned char>(c);
  const std::uint64_t code = mixed(static_cast<std::uint64_t>(index) + (salt << 32));
  if (!format.is_signed) return static_cast<std::int64_t>(code % (format.bits == 1 ? 2 : 9));
  return static_cast<std::int64_t>(code % 9) - 4;
}

std::vector<std::uint8_t> bytes_of(Evaluator& evaluator, const Array& array) {
  if (array.kind == Array::Kind::Tensor) return tensor_bytes(evaluator, array);
  const std::int64_t bits = bits_of(evaluator, array);
  const Image& image = evaluator.image(array);
  if (image.outcome != Outcome::Ok) throw CannotRun{array.name + ": " + image.reason};
  std::map<const Array*, std::vector<std::uint8_t>> tensors;
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>((bits + 7) / 8),
                                  0xA5);  // where nothing goes
  for (std::size_t cell = 0; cell < image.cells.size(); ++cell) {
    const std::int64_t code = image.code(cell);
    if (code == code_unwritten || code == code_twice) continue;
    const BitRun from = evaluator.origin(code, image.granule);
    std::uint64_t value = 0;
    if (from.array != nullptr) {
      auto& source = tensors[from.array];
      if (source.empty()) source = tensor_bytes(evaluator, *from.array);
      for (int part = 0; part < image.granule; part += 64) {
        const int width = std::min(64, image.granule - part);
        value = read_bits(source, static_cast<std::int64_t>(from.bit) + part, width);
        put_bits(bytes, static_cast<std::int64_t>(cell) * image.granule + part, width, value);
      }
    } else {
      for (int part = 0; part < image.granule; ++part) {
        put_bits(bytes, static_cast<std::int64_t>(cell) * image.granule + part, 1, 0);
      }
    }
  }
  return bytes;
}

std::vector<std::int64_t> exact_result(Evaluator& evaluator, const Kernel& kernel) {
  // All indices: those of the result, then the summed ones; each with its extent.
  std::vector<std::string> names = kernel.result.indices;
  names.insert(names.end(), kernel.summed.begin(), kernel.summed.end());
  std::map<std::string, std::int64_t> extent;
  for (const Factor* factor : {&kernel.result, &kernel.first, &kernel.second}) {
    const auto extents = evaluator.extents(*factor->tensor);
    if (!extents) throw CannotRun{factor->name + " has no extents here"};
    for (std::size_t i = 0; i < factor->indices.size(); ++i) {
      extent[factor->indices[i]] = static_cast<std::int64_t>((*extents)[i]);
    }
  }
  std::int64_t all = 1, results = 1;
  for (const std::string& name : names) {
    all *= extent[name];
    if (all > most_products) throw CannotRun{"more than 2^28 products at this shape"};
  }
  for (const std::string& name : kernel.result.indices) results *= extent[name];
  // How far one step of each index moves in each tensor.
  const auto strides_of = [&](const Factor& factor) {
    std::vector<std::int64_t> strides(names.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t i = factor.indices.size(); i-- > 0;) {
      const auto at = std::find(names.begin(), names.end(), factor.indices[i]) - names.begin();
      strides[static_cast<std::size_t>(at)] = stride;
      stride *= extent[factor.indices[i]];
    }
    return strides;
  };
  const auto values_of = [&](const Array& tensor) {
    std::vector<std::int64_t> values(
        static_cast<std::size_t>(bits_of(evaluator, tensor) / tensor.element.width));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = element_value(tensor, static_cast<std::int64_t>(i));
    }
    return values;
  };
  const auto first = strides_of(kernel.first), second = strides_of(kernel.second);
  const auto a = values_of(*kernel.first.tensor), b = values_of(*kernel.second.tensor);
  std::vector<std::int64_t> y(static_cast<std::size_t>(results), 0), index(names.size(), 0);
  for (std::int64_t i = 0; i < all; ++i) {
    std::int64_t at_a = 0, at_b = 0;
    for (std::size_t n = 0; n < names.size(); ++n) {
      at_a += index[n] * first[n];
      at_b += index[n] * second[n];
    }
    y[static_cast<std::size_t>(i / (all / results))] +=
        a[static_cast<std::size_t>(at_a)] * b[static_cast<std::size_t>(at_b)];
    for (std::size_t n = names.size(); n-- > 0;) {
      if (++index[n] < extent[names[n]]) break;
      index[n] = 0;
    }
  }
  return y;
}

bool is_number(const Array& tensor, std::uint64_t bits, std::int64_t exact, std::string& text) {
  const NumberFormat format = format_of(tensor);
  const auto found = decode(format, bits);
  text = found ? std::to_string(*found) : "no integer";
  if (!found) return false;
  if (*found == exact) return true;
  if (!format.is_float || encode(format, exact)) return false;
  // Rounded to the nearest: off by at most half of the last place.
  const int top =
      static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::llabs(exact)))) - 1;
  return 2 * std::llabs(*found - exact) <= std::int64_t{1} << std::max(0, top - format.mantissa);
}

std::uint64_t element_bits(const std::vector<std::uint8_t>& bytes, std::int64_t index, int width) {
  return read_bits(bytes, index * width, width);
}

}  // namespace fragproof::gpu
