// Near misses on the command line: what the user may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fragproof::cli {

// ", did you mean X?" with the candidate nearest to `word`, or "". Of equally near ones the one
// that is as long as `word` wins: m16n8k18 means m16n8k16, not m16n8k8.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::vector<std::string> candidates);

// "a", "a or b", "a, b or c"; of more than six the first five, then "..".
[[nodiscard]] std::string alternatives(const std::vector<std::string>& words);

}  // namespace fragproof::cli
