#include "fuzz/configuration.h"

#include <algorithm>

namespace fragproof {
namespace {

constexpr std::string_view extension = ".layout";

bool is_name(std::string_view word) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !word.empty() && letter(word.front()) &&
         std::all_of(word.begin(), word.end(), [&](char c) { return letter(c) || digit(c); });
}

bool is_file(std::string_view word) {
  return word.size() > extension.size() && word.substr(word.size() - extension.size()) == extension;
}

// Words are separated by blanks; braces hold one together, without their blanks.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  for (const char c : line) {
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (c == '{') inside = true;
    if (c == '}') inside = false;
    if (!blank) {
      word += c;
    } else if (!inside && !word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::optional<TableChoice> parse_table(std::string_view text) {
  TableChoice choice;
  if (text.front() == '@') {
    const std::optional<Int> seed = parse_int(text.substr(1));
    if (!seed || *seed < 0 || *seed > Int{UINT32_MAX}) return std::nullopt;
    choice.seed = static_cast<std::uint64_t>(*seed);
    return choice;
  }
  if (text.size() < 2 || text.back() != '}') return std::nullopt;
  choice.seeded = false;
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::optional<Int> value = parse_int(text.substr(0, comma));
    if (!value) return std::nullopt;
    choice.values.push_back(*value);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return choice;
}

}  // namespace

std::string to_text(const Configuration& configuration) {
  std::string text = configuration.file;
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
  if (!configuration.kernel.empty()) add(configuration.kernel);
  for (const auto& [name, value] : configuration.sizes) add(name + "=" + to_string(value));
  for (const auto& [name, table] : configuration.tables) {
    if (table.seeded) {
      add(name + "=@" + std::to_string(table.seed));
      continue;
    }
    std::string values;
    for (const Int value : table.values) values += (values.empty() ? "" : ",") + to_string(value);
    add(name + "={" + values + "}");
  }
  return text;
}

ParsedConfiguration parse_configuration(std::string_view line) {
  Configuration out;
  const auto wrong = [&](const std::string& why) { return ParsedConfiguration{std::nullopt, why}; };
  bool first = true;
  for (const std::string& word : words_of(line)) {
    const std::size_t equals = word.find('=');
    if (first && is_file(word) && equals == std::string::npos) {
      out.file = word;
      first = false;
      continue;
    }
    first = false;
    if (equals == std::string::npos) {
      const bool late = !out.kernel.empty() || !out.sizes.empty() || !out.tables.empty();
      if (late || !is_name(word)) {
        return wrong("'" + word + "' is no NAME=VALUE (a configuration is like `gemv N=64 K=512`)");
      }
      out.kernel = word;
      continue;
    }
    const std::string name = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    if (!is_name(name) || value.empty()) return wrong("'" + word + "' is no NAME=VALUE");
    const auto is_it = [&](const auto& other) { return other.first == name; };
    if (std::any_of(out.sizes.begin(), out.sizes.end(), is_it) ||
        std::any_of(out.tables.begin(), out.tables.end(), is_it)) {
      return wrong(name + " is given twice");
    }
    if (value.front() == '@' || value.front() == '{') {
      const std::optional<TableChoice> table = parse_table(value);
      if (!table) return wrong("'" + word + "': a table is `@SEED` or `{2, 0, 1}`");
      out.tables.emplace_back(name, *table);
      continue;
    }
    const std::optional<Int> size = parse_int(value);
    if (!size) return wrong("'" + word + "': '" + value + "' is no number");
    if (*size < 1) return wrong(name + "=" + value + ": a size is at least 1");
    out.sizes.emplace_back(name, *size);
  }
  if (out.kernel.empty() && out.sizes.empty() && out.tables.empty()) {
    return wrong("a configuration is like `gemv N=64 K=512`");
  }
  return {std::move(out), ""};
}

}  // namespace fragproof
