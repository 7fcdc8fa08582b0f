#include "checkers/enumerate/kernel_types.h"

#include <algorithm>
#include <map>
#include <optional>

namespace fragproof {

namespace {

using Names = std::vector<std::string>;

// The types that an instruction named by a width or by a type takes, in groups that go together. A
// raw bN always fits.
const std::vector<Names>& groups_of(const std::string& type) {
  static const std::map<std::string, std::vector<Names>> known = {
      {"b16", {{"bf16"}, {"f16"}}}, {"b32", {{"tf32", "f32"}}},
      {"tf32", {{"tf32", "f32"}}},  {"b8", {{"s8", "u8"}, {"e4m3", "e5m2"}}},
      {"b4", {{"s4", "u4"}}},       {"b1", {{"b1", "u1", "s1"}}},
      {"b64", {{"f64"}}},
  };
  static const std::vector<Names> none;
  const auto it = known.find(type);
  return it == known.end() ? none : it->second;
}

int width_of(const std::string& type) {
  const std::optional<ElementType> known = find_type(type);
  return !known ? 0 : type == "tf32" ? 32 : known->width;
}

// The group of `type` that a named element type belongs to; -1 when it belongs to none.
int group_of(const std::string& type, const ElementType& operand) {
  const std::vector<Names>& groups = groups_of(type);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (std::find(groups[i].begin(), groups[i].end(), operand.name) != groups[i].end())
      return static_cast<int>(i);
  }
  return groups.empty() && operand.name == type ? 0 : -1;
}

bool is_raw(const ElementType& type) { return type.cls == ElementType::Class::Raw; }

struct Float {
  int exponent = 0, mantissa = 0;
};
std::optional<Float> float_of(const std::string& name) {
  static const std::map<std::string, Float> known = {
      {"f16", {5, 10}},  {"bf16", {8, 7}}, {"tf32", {8, 10}}, {"f32", {8, 23}},
      {"f64", {11, 52}}, {"e4m3", {4, 3}}, {"e5m2", {5, 2}},  {"e2m1", {2, 1}},
  };
  const auto it = known.find(name);
  return it == known.end() ? std::nullopt : std::optional(it->second);
}

// Of the accumulator: float, integer, or (raw operands of an instruction for both) either.
enum class Kind { Float, Integer, Either };
Kind kind_of(const std::string& type, const std::vector<const ElementType*>& operands) {
  if (type == "b8") {
    for (const ElementType* one : operands) {
      if (is_raw(*one)) continue;
      return one->cls == ElementType::Class::Float ? Kind::Float : Kind::Integer;
    }
    return Kind::Either;
  }
  if (type == "b1" || type == "b4") return Kind::Integer;
  const std::optional<ElementType> known = find_type(type);
  return known && (known->cls == ElementType::Class::Signed ||
                   known->cls == ElementType::Class::Unsigned)
             ? Kind::Integer
             : Kind::Float;
}

}  // namespace

bool takes(const std::string& type, const ElementType& operand) {
  if (is_raw(operand)) return operand.width == width_of(type);
  return group_of(type, operand) >= 0;
}

bool takes_both(const std::string& type, const ElementType& a, const ElementType& b) {
  return is_raw(a) || is_raw(b) || group_of(type, a) == group_of(type, b);
}

std::string wanted_by(const std::string& type) {
  std::string text;
  for (const Names& group : groups_of(type)) {
    for (const std::string& name : group) text += (text.empty() ? "" : " or ") + name;
  }
  return text.empty() ? type : text;
}

std::string rule_of(const std::string& type) {
  if (type == "b16") return "bf16 twice or f16 twice";
  if (type == "b8") return "s8 and u8, or e4m3 and e5m2, in any mixture";
  if (type == "b4") return "s4 and u4 in any mixture";
  if (type == "tf32") return "tf32 (or f32) twice";
  return wanted_by(type) + " twice";
}

ResultFault result_fault_of(const std::string& type, const ElementType& result,
                            const std::vector<const ElementType*>& operands) {
  if (result.width < 8) {
    return {"at least 8 bits an element", "the result has elements of " +
                                              std::to_string(result.width) +
                                              " bits, at least 8 are needed"};
  }
  const Kind kind = kind_of(type, operands);
  if (is_raw(result) || kind == Kind::Either) return {};
  const bool is_float = result.cls == ElementType::Class::Float;
  if (is_float == (kind == Kind::Float)) return {};
  const std::string wanted = kind == Kind::Float ? "a float" : "an integer";
  return {wanted + " type",
          "the accumulator is " + wanted + ", the result has elements of " + result.name};
}

bool narrows(const ElementType& from, const ElementType& to) {
  if (is_raw(from) || is_raw(to)) return to.width < from.width;
  const std::optional<Float> old_float = float_of(from.name), new_float = float_of(to.name);
  if (old_float && new_float) {
    return new_float->exponent < old_float->exponent || new_float->mantissa < old_float->mantissa;
  }
  if (old_float) return true;  // to an integer
  const bool was_signed = from.cls == ElementType::Class::Signed;
  const int digits = from.width - (was_signed ? 1 : 0);
  if (new_float)
    return digits > new_float->mantissa + 1 || (digits >> (new_float->exponent - 1)) > 0;
  const bool is_signed = to.cls == ElementType::Class::Signed;
  return (was_signed && !is_signed) || digits > to.width - (is_signed ? 1 : 0);
}

}  // namespace fragproof
