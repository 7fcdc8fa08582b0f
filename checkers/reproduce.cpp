// The parts of a check that come from its question alone: its place in the text and the command
// that repeats it.
#include <algorithm>
#include <string>
#include <string_view>

#include "checkers/portfolio.h"

namespace fragproof {

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=,./:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string reproduce_line(const Question& question, const NamedValues& sizes) {
  std::string line = "fragproof prove";
  const std::string& path = question.spec->sources->file(question.claim->file).path;
  if (path.rfind("<builtin>", 0) != 0) line += " " + shell_word(path);
  line += " --only " + shell_word(question.id);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    line += (i == 0 ? " --at " : ",") + sizes[i].first + "=" + to_string(sizes[i].second);
  }
  return line;
}

Check blank_check(const Question& question) {
  const Claim& claim = *question.claim;
  const SourceSet& sources = *question.spec->sources;
  Check check;
  check.id = question.id;
  check.kind = question.kind;
  check.expected = claim.refute ? Verdict::Refuted : Verdict::Proved;
  check.file = sources.file(claim.file).path;
  check.line = claim.where.line;
  check.column = claim.where.column;
  check.source_line = std::string(sources.line(claim.file, claim.where.line));
  for (int line = std::max(1, check.line - 3); line <= check.line + 3; ++line) {
    if (line > static_cast<int>(sources.file(claim.file).lines.size())) break;
    if (check.context.empty()) check.context_line = line;
    check.context.emplace_back(sources.line(claim.file, line));
  }
  check.reproduce = reproduce_line(question, {});
  return check;
}

}  // namespace fragproof
