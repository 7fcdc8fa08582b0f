// Braces and the parts of a PTX mnemonic.
#include "gpu_tests/probe/mnemonic.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace fragproof::gpu {
namespace {

// Index of the brace that closes the one at `open`; npos when none does.
std::size_t closing(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i;
  }
  return std::string::npos;
}

// The alternatives inside one pair of braces, split at its own commas.
std::vector<std::string> alternatives(const std::string& inside) {
  std::vector<std::string> all(1);
  int depth = 0;
  for (const char c : inside) {
    if (c == '{') ++depth;
    if (c == '}') --depth;
    if (c == ',' && depth == 0) {
      all.emplace_back();
    } else {
      all.back() += c;
    }
  }
  return all;
}

bool is_type(const std::string& part) {
  static const std::set<std::string> types = {"f16", "bf16", "tf32", "f32", "f64", "e4m3", "e5m2",
                                              "s8",  "u8",   "s4",   "u4",  "b1",  "s32"};
  return types.count(part) != 0;
}

}  // namespace

std::vector<std::string> expand_braces(const std::string& text) {
  const std::size_t open = text.find('{');
  if (open == std::string::npos) {
    return text.find('}') == std::string::npos ? std::vector{text} : std::vector<std::string>{};
  }
  const std::size_t close = closing(text, open);
  if (close == std::string::npos || text.find('}') < open) return {};
  std::vector<std::string> expanded;
  for (const std::string& choice : alternatives(text.substr(open + 1, close - open - 1))) {
    for (const std::string& rest :
         expand_braces(text.substr(0, open) + choice + text.substr(close + 1))) {
      if (std::find(expanded.begin(), expanded.end(), rest) == expanded.end()) {
        expanded.push_back(rest);
      }
    }
  }
  return expanded;
}

std::vector<std::string> parts_of(const std::string& mnemonic) {
  std::vector<std::string> parts(1);
  for (const char c : mnemonic) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

bool read_mma(const std::string& text, MmaMnemonic& mnemonic) {
  mnemonic = MmaMnemonic{};
  mnemonic.text = text;
  const std::vector<std::string> parts = parts_of(text);
  if (parts.size() < 6 || parts[0] != "mma") return false;
  std::vector<std::string> types, majors;
  for (const std::string& part : parts) {
    int length = 0;
    if (std::sscanf(part.c_str(), "m%dn%dk%d%n", &mnemonic.m, &mnemonic.n, &mnemonic.k, &length) ==
            3 &&
        static_cast<std::size_t>(length) == part.size()) {
      continue;
    }
    if (is_type(part)) types.push_back(part);
    if (part == "row" || part == "col") majors.push_back(part);
    if (part == "xor") mnemonic.exclusive = true;
  }
  if (mnemonic.k == 0 || types.size() != 4 || majors.size() != 2) return false;
  mnemonic.d = types[0];
  mnemonic.a = types[1];
  mnemonic.b = types[2];
  mnemonic.c = types[3];
  mnemonic.a_by_row = majors[0] == "row";
  mnemonic.b_by_col = majors[1] == "col";
  return true;
}

}  // namespace fragproof::gpu
