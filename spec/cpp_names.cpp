// The names of a layout file as C++ identifiers.
#include "spec/cpp_names.h"

#include <algorithm>
#include <array>

namespace fragproof {
namespace {

// C++'s keywords, names that a C or CUDA header may have made a macro of, and the names that the
// header gives to things of its own.
constexpr auto taken = std::to_array<std::string_view>({
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "reinterpret_cast",
    "NULL",
    "EOF",
    "INFINITY",
    "NAN",
    "assert",
    "errno",
    "stdin",
    "stdout",
    "stderr",
    "linux",
    "unix",
    "major",
    "minor",
    "std",
    "fragproof",
    "int64_t",
    "at",
    "inverse",
    "contains",
    "bits",
    "registers",
    "register_of",
    "bit_of",
    "count",
    "index",
    "source",
    "source_index",
    "Value",
    "Point",
    "ceildiv",
    "smaller",
    "larger",
    "shift_left",
    "shift_right",
    "result",
    "rest",
    "main",
});

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string cpp_identifier(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const char word = is_word(c) ? c : '_';
    if (word == '_' && (text.empty() || text.back() == '_')) continue;
    text += word;
  }
  if (text.empty() || (text.front() >= '0' && text.front() <= '9')) text.insert(0, "n_");
  const bool counts = text.size() > 6 && text.ends_with("_count");  // the extents are called so
  if (counts || std::find(taken.begin(), taken.end(), text) != taken.end()) {
    if (text.back() != '_') text += '_';
  }
  return text;
}

bool cpp_mentions(std::string_view text, std::string_view identifier) {
  for (std::size_t at = text.find(identifier); at != std::string_view::npos;
       at = text.find(identifier, at + 1)) {
    const std::size_t end = at + identifier.size();
    const bool starts = at == 0 || !is_word(text[at - 1]);
    if (starts && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

}  // namespace fragproof
