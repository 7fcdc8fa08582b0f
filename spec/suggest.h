// Near misses: which known name did the user mean?
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fragproof {

// The candidate that is closest to `name` by edits (insert, delete, replace, swap of neighbours),
// or "" when none is close enough to be a typing mistake. The first of equals wins. closest("KBB",
// {"K", "KB"}) is "KB".
[[nodiscard]] std::string closest(std::string_view name,
                                  const std::vector<std::string>& candidates);

}  // namespace fragproof
