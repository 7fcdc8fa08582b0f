// Workflow commands: `::error file=F,line=L,title=T::message`. GitHub shows ten errors and ten
// warnings a step and drops the rest without a word, so the tenth says how many there are.
#include "reports/escape.h"
#include "reports/formats.h"
#include "reports/phrase.h"
#include "reports/summary.h"

namespace fragproof {
namespace {

constexpr int most_shown = 9;  // of each kind, and one line that counts the others
constexpr std::size_t longest_title = 200;
constexpr std::size_t longest_path = 1000;

// What a message, or (with `property`) the value of a property, may hold: no line ends, no
// separators, and no '%' but ours.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\n') {
      out += "%0A";
    } else if (property && c == ':') {
      out += "%3A";
    } else if (property && c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

std::string command(const char* level, const Check& check) {
  std::string title = std::string(name_of(check.verdict)) + " " + check.id;
  std::string out = std::string("::") + level + " ";
  if (!check.file.empty()) {
    out += "file=" + escaped(shorten(visible(check.file), longest_path), true) + ",";
    if (check.line > 0) out += "line=" + std::to_string(check.line) + ",";
    if (check.line > 0 && check.column > 0) out += "col=" + std::to_string(check.column) + ",";
  }
  out += "title=" + escaped(shorten(visible(title), longest_title), true) + "::";
  std::string message = finding_phrase(check);
  if (check.counterexample) {
    const Counterexample& c = *check.counterexample;
    const std::string point = point_phrase(c);
    if (!point.empty()) message += "\nat " + shorten(visible(point), 400);
    if (c.wrong || c.of) message += "\n" + count_phrase(c);
  }
  if (!check.reproduce.empty())
    message += "\nreproduce: " + shorten(visible(check.reproduce), 1000);
  return out + escaped(message, false) + "\n";
}

std::string rest(const char* level, int count) {
  return std::string("::") + level + " title=fragproof::" + std::to_string(count) +
         " more, not shown here: see the report\n";
}

}  // namespace

std::string to_github(const Record& record) {
  std::string out;
  int errors = 0, warnings = 0;
  for (const std::size_t i : failures_first(record)) {
    const Check& check = record.checks[i];
    const CiResult result = ci_result(check);
    if (result == CiResult::Failed && ++errors <= most_shown) out += command("error", check);
    if (result == CiResult::Undecided && ++warnings <= most_shown) out += command("warning", check);
  }
  if (errors > most_shown) out += rest("error", errors - most_shown);
  if (warnings > most_shown) out += rest("warning", warnings - most_shown);
  const Summary summary = summary_of(record);
  return out + "::notice title=fragproof::" +
         escaped(counts_text(summary) + ". " + meaning_text(summary), false) + "\n";
}

}  // namespace fragproof
