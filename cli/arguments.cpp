// CLI11 reads numbers as C does ("nan", "1e400") and drops empty values; users are told instead.
#include "cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>

#include "cli/output.h"

namespace fragproof::cli {
namespace {

constexpr double most_seconds = 1'000'000;

template <class T>
std::optional<T> number_of(const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return value;
}

CLI::Validator validator(std::string (*check)(const std::string&)) {
  return CLI::Validator([check](std::string& text) { return check(text); }, "");
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_min() > 0; }

bool takes_one(const CLI::Option& option) {
  return takes_value(option) && option.get_multi_option_policy() != CLI::MultiOptionPolicy::TakeAll;
}

}  // namespace

void expect_values(const CLI::App& command, const std::vector<std::string>& arguments) {
  std::set<const CLI::Option*> given;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--") break;
    if (word.empty()) throw Failure{"an argument of `" + command.get_name() + "` is empty"};
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const CLI::Option* option =
        name.front() == '-' && name.size() > 1 ? command.get_option_no_throw(name) : nullptr;
    if (option == nullptr) continue;
    if (takes_one(*option) && !given.insert(option).second) {
      throw Failure{name + " is given twice"};
    }
    if (!takes_value(*option)) continue;
    const std::string needs = name + " needs a value (" + option->get_type_name() + ")";
    if (equals != std::string::npos) {
      if (equals + 1 == word.size()) throw Failure{needs + "; `" + word + "` has none"};
      continue;
    }
    if (i + 1 == arguments.size()) throw Failure{needs};
    const std::string& value = arguments[++i];
    if (value.empty()) throw Failure{needs + ", not an empty one"};
    const bool is_option = value.size() > 1 && value.front() == '-' &&
                           command.get_option_no_throw(value.substr(0, value.find('='))) != nullptr;
    if (is_option) {
      throw Failure{fmt::format("{}, not the option {} (`{}={}` if that is meant)", needs, value,
                                name, value)};
    }
  }
}

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  return CLI::Validator(
      [least, most](std::string& text) {
        const auto value = number_of<std::int64_t>(text);
        if (value && *value >= least && *value <= most) return std::string();
        return fmt::format("takes a whole number from {} to {}, not '{}'", least, most,
                           short_word(text));
      },
      "");
}

CLI::Validator whole_number() {
  return validator([](const std::string& text) {
    if (number_of<std::int64_t>(text)) return std::string();
    return fmt::format("takes a whole number, not '{}'", short_word(text));
  });
}

CLI::Validator seconds() {
  return validator([](const std::string& text) {
    const auto value = number_of<double>(text);
    if (value && *value >= 0 && *value <= most_seconds) return std::string();
    return fmt::format("takes seconds from 0 to {:.0f}, not '{}'", most_seconds, short_word(text));
  });
}

}  // namespace fragproof::cli
