// CLI11 would take whatever word follows; a layout's name is not a file to write.
#include "cli/optional_value.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fragproof::cli {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool is_output(std::string_view option, std::string_view word) {
  if (word == "-") return true;
  if (word.empty() || word.front() == '-' || ends_with(word, ".layout")) return false;
  const std::string extension = "." + std::string(option.substr(2));
  return ends_with(word, extension) || word.find('/') != std::string_view::npos;
}

}  // namespace

std::vector<std::string> join_optional_values(std::vector<std::string> arguments) {
  constexpr std::array<std::string_view, 5> formats = {"--csv", "--json", "--svg", "--html",
                                                       "--md"};
  if (arguments.empty() || arguments.front() != "show") return arguments;
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (std::find(formats.begin(), formats.end(), word) == formats.end()) {
      joined.push_back(word);
    } else if (i + 1 < arguments.size() && is_output(word, arguments[i + 1])) {
      joined.push_back(word + "=" + arguments[++i]);
    } else {
      joined.push_back(word + "=-");
    }
  }
  return joined;
}

}  // namespace fragproof::cli
