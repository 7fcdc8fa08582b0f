// Reading .npy, .csv and .txt tables.
#include "spec/table_file.h"

#include <cstdint>
#include <optional>

namespace fragproof {
namespace {

constexpr std::size_t most_values = std::size_t{1} << 24;

TableFile failed(std::string error) {
  TableFile file;
  file.error = std::move(error);
  return file;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The text behind `'key':` in the header of a NumPy file, spaces skipped.
std::optional<std::string_view> entry(std::string_view header, std::string_view key) {
  std::size_t at = header.find("'" + std::string(key) + "'");
  if (at == std::string_view::npos) return std::nullopt;
  at = header.find(':', at + key.size() + 2);
  if (at == std::string_view::npos) return std::nullopt;
  ++at;
  while (at < header.size() && is_space(header[at])) ++at;
  return header.substr(at);
}

// A word of the file as it may stand in a message.
std::string shown(std::string_view word) {
  std::string text(word.substr(0, 20));
  for (char& letter : text) {
    if (static_cast<unsigned char>(letter) < 0x20 || static_cast<unsigned char>(letter) > 0x7e)
      letter = '?';
  }
  return text;
}

// What `descr` says between its quotes ("<i4"); of a structured type ("[('a', '<i4')]") the list up
// to its end.
std::string_view type_of(std::string_view descr) {
  if (!descr.empty() && (descr.front() == '\'' || descr.front() == '"')) {
    const std::size_t end = descr.find(descr.front(), 1);
    return descr.substr(1, end == std::string_view::npos ? end : end - 1);
  }
  const std::size_t end = descr.find_first_of("]}");
  return descr.substr(0, end == std::string_view::npos ? end : end + (descr[end] == ']' ? 1 : 0));
}

std::optional<std::vector<Int>> parse_shape(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  const std::size_t end = text.find(')');
  if (end == std::string_view::npos) return std::nullopt;
  std::vector<Int> shape;
  std::string digits;
  for (const char c : text.substr(1, end - 1)) {
    if (c >= '0' && c <= '9') {
      digits += c;
    } else if (c == ',' && !digits.empty()) {
      const std::optional<Int> extent = parse_int(digits);
      if (!extent) return std::nullopt;
      shape.push_back(*extent);
      digits.clear();
    } else if (!is_space(c) && c != 'L') {
      return std::nullopt;
    }
  }
  if (!digits.empty()) {
    const std::optional<Int> extent = parse_int(digits);
    if (!extent) return std::nullopt;
    shape.push_back(*extent);
  }
  return shape;
}

TableFile read_npy(std::string_view bytes) {
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < 10) return failed("this is no NumPy file");
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const int major = byte(6);
  if (major < 1 || major > 3)
    return failed("NumPy format version " + std::to_string(major) + " is not known");
  const std::size_t start = major == 1 ? 10 : 12;
  if (bytes.size() < start) return failed("the file ends inside its header");
  std::size_t length = byte(8) + std::size_t{256} * byte(9);
  if (major > 1) length += (std::size_t{byte(10)} << 16) + (std::size_t{byte(11)} << 24);
  if (bytes.size() < start + length) return failed("the file ends inside its header");
  const std::string_view header = bytes.substr(start, length);
  const std::string_view data = bytes.substr(start + length);

  const std::optional<std::string_view> descr = entry(header, "descr");
  const std::optional<std::string_view> order = entry(header, "fortran_order");
  const std::optional<std::string_view> shape_text = entry(header, "shape");
  if (!descr || !order || !shape_text)
    return failed("its header lacks `descr`, `fortran_order` or `shape`");
  const std::string_view type = type_of(*descr);
  const bool is_signed = type.size() == 3 && type[1] == 'i';
  const bool is_integer = is_signed || (type.size() == 3 && type[1] == 'u');
  const std::size_t width = is_integer ? static_cast<std::size_t>(type[2] - '0') : 0;
  const bool right_order =
      is_integer && (type[0] == '<' || (width == 1 && (type[0] == '|' || type[0] == '>')));
  if (!right_order || (width != 1 && width != 2 && width != 4 && width != 8)) {
    return failed("its elements are `" + shown(type) +
                  "`; little-endian integers are read (<i4, <i8, <u4, |u1 ..)");
  }
  const std::optional<std::vector<Int>> shape = parse_shape(*shape_text);
  if (!shape) return failed("its header has no proper `shape`");
  if (order->starts_with("True") && shape->size() > 1) {
    return failed("it is in Fortran order; save it in C order (`numpy.ascontiguousarray`)");
  }
  Int count = 1;
  for (const Int extent : *shape) {
    if (!mul(count, extent, count)) return failed("its shape is too large");
  }
  if (count > static_cast<Int>(most_values)) return failed("it has more than 16 million values");
  const std::size_t n = static_cast<std::size_t>(count);
  if (data.size() != n * width) {
    return failed("its shape asks for " + std::to_string(n * width) + " bytes of data, it has " +
                  std::to_string(data.size()));
  }
  TableFile file;
  file.shape = *shape;
  file.values.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t value = 0;
    for (std::size_t j = width; j-- > 0;)
      value = value << 8 | static_cast<unsigned char>(data[i * width + j]);
    const std::uint64_t sign = std::uint64_t{1} << (8 * width - 1);
    Int wide = static_cast<Int>(value);
    if (is_signed && (value & sign) != 0) wide -= Int{1} << (8 * width);
    file.values.push_back(wide);
  }
  return file;
}

TableFile read_list(std::string_view bytes) {
  TableFile file;
  std::size_t line = 1;
  std::size_t i = 0;
  while (i < bytes.size()) {
    const char c = bytes[i];
    if (c == '#') {
      while (i < bytes.size() && bytes[i] != '\n') ++i;
      continue;
    }
    if (is_space(c) || c == ',' || c == ';') {
      if (c == '\n') ++line;
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < bytes.size() && !is_space(bytes[end]) && bytes[end] != ',' && bytes[end] != ';' &&
           bytes[end] != '#')
      ++end;
    const std::string_view word = bytes.substr(i, end - i);
    const std::optional<Int> value = parse_int(word);
    if (!value) {
      return failed("line " + std::to_string(line) + ": `" + shown(word) + "` is no integer");
    }
    file.values.push_back(*value);
    if (file.values.size() > most_values) return failed("it has more than 16 million values");
    i = end;
  }
  file.shape = {static_cast<Int>(file.values.size())};
  return file;
}

}  // namespace

TableFile read_table(std::string_view path, std::string_view bytes) {
  if (path.ends_with(".npy")) return read_npy(bytes);
  if (path.ends_with(".csv") || path.ends_with(".txt")) return read_list(bytes);
  return failed("tables are read from `.npy`, `.csv` and `.txt` files");
}

}  // namespace fragproof
