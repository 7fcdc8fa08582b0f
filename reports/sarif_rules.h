// The rules of our SARIF: one for each kind of check, with what a reader of an alert wants to know.
#pragma once

#include <string>

namespace fragproof {

struct RuleText {
  std::string name;        // "ARows"
  std::string short_text;  // one sentence
  std::string help;        // what it means and what to do, plain text
};

// The rule of checks of this kind; a general one for kinds that are not known here.
[[nodiscard]] RuleText rule_of_kind(const std::string& kind);

}  // namespace fragproof
