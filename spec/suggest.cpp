// Edit distance over a list of candidates.
#include "spec/suggest.h"

#include <algorithm>
#include <cctype>

namespace fragproof {
namespace {

constexpr std::size_t longest_name =
    64;  // beyond it nobody is helped, and the distance is quadratic

// Two edits are one here when they only differ in case, so that `kb` finds `KB`.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        best[i][j] = 2 * (i + j);
        continue;
      }
      const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
      const std::size_t replace = a[i - 1] == b[j - 1]                 ? 0
                                  : lower(a[i - 1]) == lower(b[j - 1]) ? 1
                                                                       : 2;
      best[i][j] = std::min({best[i - 1][j] + 2, best[i][j - 1] + 2, best[i - 1][j - 1] + replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        best[i][j] = std::min(best[i][j], best[i - 2][j - 2] + 2);
      }
    }
  }
  return best[a.size()][b.size()];
}

}  // namespace

std::string closest(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.empty() || name.size() > longest_name) return "";
  // One edit for short names, one a three letters for longer ones; distances count an edit as two.
  const std::size_t allowed = 2 * std::max<std::size_t>(1, name.size() / 3);
  std::size_t best = allowed + 1;
  std::string found;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest_name || candidate == name) continue;
    const std::size_t gap = candidate.size() > name.size() ? candidate.size() - name.size()
                                                           : name.size() - candidate.size();
    if (2 * gap >= best) continue;
    const std::size_t d = distance(name, candidate);
    // A name of which nothing is left is no near miss: `a` is not a typing mistake for `b`.
    if (d < best && d < 2 * std::max(name.size(), candidate.size())) {
      best = d;
      found = candidate;
    }
  }
  return found;
}

}  // namespace fragproof
