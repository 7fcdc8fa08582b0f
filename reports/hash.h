// Short names for long texts: fingerprints of findings and of specs.
#pragma once

#include <string>
#include <string_view>

namespace fragproof {

// 16 hexadecimal digits (FNV-1a, 64 bits): the same for the same bytes on every machine. It tells
// texts apart that differ by accident; it is no defence against an adversary.
[[nodiscard]] std::string fingerprint(std::string_view text);

}  // namespace fragproof
