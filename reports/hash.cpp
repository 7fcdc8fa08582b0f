// FNV-1a.
#include "reports/hash.h"

#include <cstdint>

namespace fragproof {

std::string fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string name;
  for (int shift = 60; shift >= 0; shift -= 4) name += digits[hash >> shift & 15u];
  return name;
}

}  // namespace fragproof
