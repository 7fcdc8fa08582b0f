// Markdown as GitHub renders it. Foreign text stands in code spans and fences only, where neither
// HTML nor Markdown nor a link nor a mention is read.
#include <algorithm>

#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/phrase.h"
#include "reports/summary.h"
#include "reports/text.h"

namespace fragproof {
namespace {

constexpr std::size_t most_bytes = 200'000;
constexpr std::size_t longest_block = 12'000;
constexpr std::size_t most_in_full = 10;
constexpr std::size_t most_listed = 1'000;

std::size_t longest_run(std::string_view text, char of) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == of ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

// A code span, whatever the text holds.
std::string code(std::string_view raw, std::size_t width = 200) {
  const std::string text = shorten(visible(raw), width);
  if (text.find_first_not_of(' ') == std::string::npos) return "(none)";
  const std::string fence(longest_run(text, '`') + 1, '`');
  const bool padded = text.front() == '`' || text.back() == '`' || text.front() == ' ';
  const char* pad = padded ? " " : "";
  return fence + pad + text + pad + fence;
}

// A fenced block of `raw`, which may have several lines.
std::string block(const char* language, std::string_view raw) {
  std::string text = visible(raw, true);
  if (text.size() > longest_block) {
    text = valid_utf8(text.substr(0, longest_block)) + "\n.. (cut; the JSON record has it all)";
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::string fence(std::max<std::size_t>(longest_run(text, '`') + 1, 3), '`');
  return fence + language + "\n" + text + "\n" + fence + "\n\n";
}

const char* sign_of(const Check& check) {
  switch (ci_result(check)) {
    case CiResult::Passed:
      return "\u2705";
    case CiResult::Failed:
      return "\u274c";
    case CiResult::Undecided:
      return "\u2754";
    case CiResult::Skipped:
      return "\u23ed";
  }
  return "";
}

std::string line_of(const Check& check) {
  std::string out = std::string("- ") + sign_of(check) + " " + name_of(check.verdict) + " " +
                    code(check.id) + ", " + code(methods_phrase(check), 60) + ", " +
                    time_phrase(check.time_ms);
  const std::string finding = finding_phrase(check, 300);
  if (!finding.empty()) out += ": " + code(finding, 300);
  return out + "\n";
}

// One failure: what, where, the picture, and the command to paste.
std::string in_full(const Check& check) {
  std::string out =
      std::string("### ") + sign_of(check) + " " + name_of(check.verdict) + " " + code(check.id);
  out += "\n\n";
  if (!check.file.empty()) {
    const std::string line = check.line > 0 ? ":" + std::to_string(check.line) : "";
    out += code(shorten(visible(check.file), 150) + line) + ": " + code(check.source_line) + "\n\n";
  }
  TextOptions options;
  options.width = 100;
  out += block("text", check_details(check, options));
  if (!check.reproduce.empty()) out += block("sh", check.reproduce);
  return out;
}

}  // namespace

std::string to_markdown(const Record& record) {
  const Summary summary = summary_of(record);
  const int exit_code = exit_code_of(record);
  std::string out = std::string("## ") + (exit_code == 0 ? "\u2705" : "\u274c") +
                    " fragproof: " + counts_text(summary) + "\n\n" + meaning_text(summary) + "\n\n";
  if (!record.z3_version.empty())
    out += "Z3 " + code(record.z3_version, 60) + ", command " + code(record.command, 300) + "\n\n";

  const std::vector<std::size_t> order = failures_first(record);
  std::size_t next = 0;
  for (; next < order.size() && next < most_in_full; ++next) {
    const Check& check = record.checks[order[next]];
    if (urgency(check) > 2) break;
    const std::string text = in_full(check);
    if (out.size() + text.size() > most_bytes) break;
    out += text;
  }

  std::size_t listed = 0;
  bool folded = false;
  for (; next < order.size() && listed < most_listed; ++next, ++listed) {
    const Check& check = record.checks[order[next]];
    std::string text;
    if (!folded && ci_result(check) == CiResult::Passed) {
      text = "\n<details><summary>" + std::to_string(order.size() - next) +
             " as expected</summary>\n\n";
    }
    const bool folds = !text.empty();
    text += line_of(check);
    if (out.size() + text.size() + 200 > most_bytes) break;
    folded = folded || folds;
    out += text;
  }
  if (next < order.size()) {
    out += "\n" + std::to_string(order.size() - next) +
           " more are not listed here: see the report or the JSON record.\n";
  }
  return out + (folded ? "\n</details>\n" : "");
}

}  // namespace fragproof
