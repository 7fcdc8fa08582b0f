// CLI11 would take whatever word follows; the name of a layout or of a load is no file to write.
#include "cli/optional_value.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fragproof::cli {
namespace {

bool is_format(std::string_view word) {
  constexpr std::array<std::string_view, 5> formats = {"--csv", "--json", "--svg", "--html",
                                                       "--md"};
  return std::find(formats.begin(), formats.end(), word) != formats.end();
}

// An option of `show` that always has a value.
bool takes_value(std::string_view word) {
  return word == "--lanes" || word == "--at" || word == "--color" || word == "--colour";
}

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

// Is this surely the file of `option`, and no layout, instruction or operand?
bool is_output(std::string_view option, std::string_view word) {
  if (word == "-") return true;
  if (word.empty() || is_option(word) || word.ends_with(".layout")) return false;
  return word.ends_with("." + std::string(option.substr(2))) ||
         word.find('/') != std::string_view::npos;
}

// The words that are neither options nor the values of options nor surely files.
std::size_t plain_words(const std::vector<std::string>& arguments) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (takes_value(word)) {
      ++i;
    } else if (is_format(word)) {
      if (i + 1 < arguments.size() && is_output(word, arguments[i + 1])) ++i;
    } else if (!is_option(word)) {
      ++count;
    }
  }
  return count;
}

// Annotations mostly go to stdout, where the runner reads them: `--github` alone means that.
std::vector<std::string> join_annotations(std::vector<std::string> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] != "--github") continue;
    const std::string next = i + 1 < arguments.size() ? arguments[i + 1] : "";
    const bool is_value = next == "-" || (!next.empty() && next.front() != '-' &&
                                          !next.ends_with(".json") && !next.ends_with(".layout"));
    if (!is_value) arguments[i] += "=-";
  }
  return arguments;
}

}  // namespace

std::vector<std::string> join_optional_values(std::vector<std::string> arguments) {
  constexpr std::size_t positional = 2;  // WHAT and PART
  if (arguments.empty()) return arguments;
  if (arguments.front() == "prove" || arguments.front() == "report") {
    return join_annotations(std::move(arguments));
  }
  if (arguments.front() != "show") return arguments;
  const std::size_t plain = plain_words(arguments);
  std::size_t surplus = plain > positional ? plain - positional : 0;
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    joined.push_back(word);
    if (takes_value(word) && i + 1 < arguments.size()) joined.push_back(arguments[++i]);
    if (!is_format(word)) continue;
    const bool last = i + 1 == arguments.size();
    const bool sure = !last && is_output(word, arguments[i + 1]);
    const bool spare = !last && !sure && surplus > 0 && !is_option(arguments[i + 1]) &&
                       !arguments[i + 1].ends_with(".layout");
    if (spare) --surplus;
    joined.back() += sure || spare ? "=" + arguments[++i] : "=-";
  }
  return joined;
}

std::string option_before(const std::vector<std::string>& arguments, const std::string& word) {
  for (std::size_t i = 1; i + 1 < arguments.size(); ++i) {
    if (is_format(arguments[i]) && arguments[i + 1] == word) return arguments[i];
  }
  return "";
}

}  // namespace fragproof::cli
