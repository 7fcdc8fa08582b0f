// Records of hostile texts, drawn at random from a seed.
#pragma once

#include <cstdint>

#include "checkers/result/result.h"

namespace fragproof::sample {

// One record with up to six checks whose every text is made of fragments that break careless
// writers: markup, ends of sections, quotes, escapes, control characters, broken UTF-8, very long
// runs. The same seed gives the same record.
[[nodiscard]] Record random_record(std::uint32_t seed);

// `count` checks, one in a hundred refuted with a picture, the others proved.
[[nodiscard]] Record long_record(int count);

}  // namespace fragproof::sample
