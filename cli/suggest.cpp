// The search for near misses is the language's own; here only ties are broken.
#include "cli/suggest.h"

#include <algorithm>

#include "spec/suggest.h"

namespace fragproof::cli {

std::string did_you_mean(std::string_view word, std::vector<std::string> candidates) {
  const auto gap = [&](const std::string& name) {
    return name.size() > word.size() ? name.size() - word.size() : word.size() - name.size();
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const std::string& a, const std::string& b) { return gap(a) < gap(b); });
  const std::string best = closest(word, candidates);
  return best.empty() ? "" : ", did you mean " + best + "?";
}

std::string alternatives(const std::vector<std::string>& words) {
  constexpr std::size_t most = 6;
  const std::size_t shown = words.size() > most ? most - 1 : words.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == words.size();
    text += (i == 0 ? "" : last ? " or " : ", ") + words[i];
  }
  return shown < words.size() ? text + ", .." : text;
}

}  // namespace fragproof::cli
