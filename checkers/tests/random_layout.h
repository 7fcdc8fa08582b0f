// Random small `.layout` texts built from the language's own operators, for judging one engine by
// another.
#pragma once

#include <cstdint>
#include <string>

namespace fragproof::random_layout {

// The text of seed `seed`: two or three sizes, requires, tables, maps, packs, and a handful of
// claims, true and false ones. Most texts load; one that does not (a claim that the types refuse)
// is no fault.
[[nodiscard]] std::string text_of(std::uint32_t seed);

}  // namespace fragproof::random_layout
