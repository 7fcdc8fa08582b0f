// Random numbers that depend on nothing but a seed and a case's number: the same on every machine,
// for any number of shards, in any order of execution.
#pragma once

#include <cstdint>
#include <string_view>

#include "fuzz/emulate/data.h"

namespace fragproof {

// The draws of one case: draw number c of case i under seed s is a fixed function of (s, stream, i,
// c).
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t stream, std::uint64_t number)
      : key_(mixed(mixed(seed + 0x9e3779b97f4a7c15U) ^ mixed(stream) ^
                   mixed(number * 0xd1342543de82ef95U + 1))) {}

  [[nodiscard]] std::uint64_t next() { return mixed(key_ + 0x9e3779b97f4a7c15U * ++counter_); }
  // From 0 to n-1. Requires: n > 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t n) {
    __extension__ typedef unsigned __int128 Wide;
    return static_cast<std::uint64_t>(static_cast<Wide>(next()) * n >> 64);
  }
  // From low to high, both included.
  [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low + 1)));
  }

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

// A number for a name (FNV-1a).
[[nodiscard]] constexpr std::uint64_t hashed(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace fragproof
