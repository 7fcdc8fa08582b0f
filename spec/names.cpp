// How the operators, predicates, obligations and element types of ast.h are written in the
// language.
#include <array>
#include <utility>

#include "spec/ast.h"

namespace fragproof {
namespace {

// The number in `digits` when it is 1..128 without leading zeros, else 0: the width of a type or a
// unit.
int width_of(std::string_view digits) {
  if (digits.empty() || digits.size() > 3 || digits.front() == '0') return 0;
  int width = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return 0;
    width = 10 * width + (c - '0');
  }
  return width <= 128 ? width : 0;
}

constexpr std::array<std::pair<std::string_view, int>, 8> floats = {{{"f16", 16},
                                                                     {"bf16", 16},
                                                                     {"tf32", 32},
                                                                     {"f32", 32},
                                                                     {"f64", 64},
                                                                     {"e4m3", 8},
                                                                     {"e5m2", 8},
                                                                     {"e2m1", 4}}};

}  // namespace

const char* name_of(Obligation obligation) {
  switch (obligation) {
    case Obligation::Bounds:
      return "bounds";
    case Obligation::Storage:
      return "storage";
    case Obligation::Alignment:
      return "alignment";
    case Obligation::Overflow:
      return "overflow";
    case Obligation::AWhole:
      return "A.whole";
    case Obligation::BWhole:
      return "B.whole";
    case Obligation::Types:
      return "types";
    case Obligation::ARows:
      return "A.rows";
    case Obligation::BCols:
      return "B.cols";
    case Obligation::AK:
      return "A.k";
    case Obligation::BK:
      return "B.k";
    case Obligation::Pairing:
      return "pairing";
    case Obligation::Cover:
      return "cover";
    case Obligation::Output:
      return "output";
  }
  return "?";
}

const char* name_of(Predicate predicate) {
  switch (predicate) {
    case Predicate::Total:
      return "total";
    case Predicate::Injective:
      return "injective";
    case Predicate::Onto:
      return "onto";
    case Predicate::Bijective:
      return "bijective";
  }
  return "?";
}

const char* name_of(Metric metric) {
  switch (metric) {
    case Metric::Ways:
      return "ways";
    case Metric::Sectors:
      return "sectors";
    case Metric::Coalesced:
      return "coalesced";
  }
  return "?";
}

const char* symbol_of(Binary op) {
  switch (op) {
    case Binary::Add:
      return "+";
    case Binary::Sub:
      return "-";
    case Binary::Mul:
      return "*";
    case Binary::Div:
      return "/";
    case Binary::Mod:
      return "%";
    case Binary::ShiftLeft:
      return "<<";
    case Binary::ShiftRight:
      return ">>";
    case Binary::And:
      return "&";
    case Binary::Or:
      return "|";
    case Binary::Xor:
      return "^";
    case Binary::Equal:
      return "==";
    case Binary::NotEqual:
      return "!=";
    case Binary::Less:
      return "<";
    case Binary::LessEqual:
      return "<=";
    case Binary::Greater:
      return ">";
    case Binary::GreaterEqual:
      return ">=";
    case Binary::LogicalAnd:
      return "&&";
    case Binary::LogicalOr:
      return "||";
  }
  return "?";
}

int precedence_of(Binary op) {
  switch (op) {
    case Binary::Mul:
    case Binary::Div:
    case Binary::Mod:
      return 10;
    case Binary::Add:
    case Binary::Sub:
      return 9;
    case Binary::ShiftLeft:
    case Binary::ShiftRight:
      return 8;
    case Binary::Less:
    case Binary::LessEqual:
    case Binary::Greater:
    case Binary::GreaterEqual:
      return 7;
    case Binary::Equal:
    case Binary::NotEqual:
      return 6;
    case Binary::And:
      return 5;
    case Binary::Xor:
      return 4;
    case Binary::Or:
      return 3;
    case Binary::LogicalAnd:
      return 2;
    case Binary::LogicalOr:
      return 1;
  }
  return 0;
}

std::optional<ElementType> find_type(std::string_view name) {
  for (const auto& [known, width] : floats) {
    if (name == known) return ElementType{std::string(name), width, ElementType::Class::Float};
  }
  if (name.size() < 2) return std::nullopt;
  const int width = width_of(name.substr(1));
  if (width == 0) return std::nullopt;
  switch (name.front()) {
    case 'b':
      return ElementType{std::string(name), width, ElementType::Class::Raw};
    case 'u':
      return ElementType{std::string(name), width, ElementType::Class::Unsigned};
    case 's':
    case 'i':  // i8 is another name of s8
      return ElementType{"s" + std::string(name.substr(1)), width, ElementType::Class::Signed};
    default:
      return std::nullopt;
  }
}

}  // namespace fragproof
