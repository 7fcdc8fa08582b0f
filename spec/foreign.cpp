// Tables of other languages' names: see foreign.h.
#include "spec/foreign.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "spec/ast.h"

namespace fragproof {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array<Pair, 37> types = {{
    {"int8_t", "s8"},
    {"int8", "s8"},
    {"char", "s8"},
    {"uint8_t", "u8"},
    {"uint8", "u8"},
    {"uchar", "u8"},
    {"int16_t", "s16"},
    {"int16", "s16"},
    {"short", "s16"},
    {"uint16_t", "u16"},
    {"uint16", "u16"},
    {"int32_t", "s32"},
    {"int32", "s32"},
    {"int", "s32"},
    {"uint32_t", "u32"},
    {"uint32", "u32"},
    {"unsigned", "u32"},
    {"uint", "u32"},
    {"int64_t", "s64"},
    {"int64", "s64"},
    {"uint64_t", "u64"},
    {"uint64", "u64"},
    {"half", "f16"},
    {"__half", "f16"},
    {"float16", "f16"},
    {"fp16", "f16"},
    {"bfloat16", "bf16"},
    {"__nv_bfloat16", "bf16"},
    {"nv_bfloat16", "bf16"},
    {"float", "f32"},
    {"float32", "f32"},
    {"fp32", "f32"},
    {"double", "f64"},
    {"__nv_fp8_e4m3", "e4m3"},
    {"__nv_fp8_e5m2", "e5m2"},
    {"float8_e4m3fn", "e4m3"},
    {"float8_e5m2", "e5m2"},
}};

// CUDA's vectors: a width, and no element type.
constexpr std::array<std::pair<std::string_view, int>, 17> vectors = {{
    {"float4", 128},
    {"int4", 128},
    {"uint4", 128},
    {"double2", 128},
    {"float2", 64},
    {"int2", 64},
    {"uint2", 64},
    {"half2", 32},
    {"__half2", 32},
    {"nv_bfloat162", 32},
    {"__nv_bfloat162", 32},
    {"char4", 32},
    {"uchar4", 32},
    {"short2", 32},
    {"ushort2", 32},
    {"longlong2", 128},
    {"ulonglong2", 128},
}};

std::vector<std::string_view> segments(std::string_view dotted) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= dotted.size();) {
    const std::size_t end = std::min(dotted.find('.', at), dotted.size());
    parts.push_back(dotted.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// m16n8k16
bool is_shape(std::string_view part) {
  std::string letters;
  for (const char c : part) {
    if (c < '0' || c > '9') letters += c;
  }
  return letters == "mnk" && part.front() == 'm';
}

std::string mma_entry(const std::vector<std::string_view>& parts) {
  const auto shape = std::find_if(parts.begin(), parts.end(), is_shape);
  if (shape == parts.end()) return "";
  std::vector<std::string_view> kinds;  // of D, A, B, C
  for (auto part = shape + 1; part != parts.end(); ++part) {
    if (find_type(*part)) kinds.push_back(*part);
  }
  if (kinds.size() != 4) return "";
  std::string entry = "mma." + std::string(*shape) + ".";
  if (kinds[1] == kinds[2]) return entry + std::string(kinds[1]);
  return entry + "b" + std::to_string(find_type(kinds[1])->width);  // mixed signs
}

}  // namespace

std::string foreign_type(std::string_view word) {
  for (const auto& [name, type] : types) {
    if (name == word) return std::string(type);
  }
  return "";
}

std::string foreign_type_help(std::string_view word) {
  if (const std::string type = foreign_type(word); !type.empty()) return "write `" + type + "`";
  if (word == "fp8" || word == "float8") return "write `e4m3` or `e5m2`";
  if (word == "int4" || word == "uint4") {
    return std::string("a ") + (word == "int4" ? "signed" : "unsigned") + " 4-bit integer is `" +
           (word == "int4" ? "s4" : "u4") + "`, CUDA's vector of four words is `b128`";
  }
  for (const auto& [name, width] : vectors) {
    if (name == word) return "write `b" + std::to_string(width) + "`";
  }
  return "";
}

int foreign_width(std::string_view word) {
  for (const auto& [name, width] : vectors) {
    if (name == word) return width;
  }
  const std::string type = foreign_type(word);
  const auto known = find_type(type.empty() ? word : std::string_view(type));
  return known ? known->width : 0;
}

std::string foreign_step_help(std::string_view op) {
  if (op == "view" || op == "flatten" || op == "unflatten")
    return "write `reshape(..)`, with all extents";
  if (op == "transpose" || op == "t" || op == "T" || op == "swapaxes" || op == "movedim")
    return "write `permute(..)`, with all axes in their new order";
  if (op == "clone" || op == "cuda" || op == "to") return "leave it out: it moves no element";
  return "";
}

bool is_ptx(std::string_view dotted) {
  constexpr std::array<std::string_view, 4> starts = {"mma.sync", "ldmatrix.sync", "stmatrix.sync",
                                                      "movmatrix.sync"};
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return dotted.starts_with(start); });
}

std::string ptx_entry(std::string_view dotted) {
  if (!is_ptx(dotted)) return "";
  const std::vector<std::string_view> parts = segments(dotted);
  if (parts[0] == "mma") return mma_entry(parts);
  std::string entry(parts[0]);
  for (const std::string_view part : parts) {
    if (part == "x1" || part == "x2" || part == "x4" || part == "trans")
      entry += "." + std::string(part);
  }
  return entry;
}

}  // namespace fragproof
