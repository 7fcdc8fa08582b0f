// Source texts, places in them, and diagnostics that point at a place.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace fragproof {

// A stretch of one line: `file` indexes SourceSet (-1: nowhere), line and column count from 1.
struct Span {
  int file = -1;
  int line = 0;
  int column = 0;
  int length = 1;
};

// The texts that one run has read. Files keep their index for the life of the set.
class SourceSet {
 public:
  struct File {
    std::string path;  // as the user named it (relative paths stay relative);
                       // "<builtin>/mma.layout" for ours
    std::string text;
    std::vector<std::string_view> lines;  // without line ends
  };
  int add(std::string path, std::string text);
  [[nodiscard]] const File& file(int index) const {
    return files_.at(static_cast<std::size_t>(index));
  }
  [[nodiscard]] int size() const { return static_cast<int>(files_.size()); }
  // The text under `span` (clipped to its line); "" for a span of no file.
  [[nodiscard]] std::string_view text(const Span& span) const;
  // Line `line` (from 1) of file `index`; "" when there is none.
  [[nodiscard]] std::string_view line(int index, int line) const;

 private:
  std::deque<File> files_;
};

enum class Severity { Error, Note };

// `FILE:LINE:COLUMN: error: TEXT`, the source line, a caret, then `help: HELP` unless HELP is
// empty.
struct Diagnostic {
  Span where;
  std::string text;
  std::string help;
  Severity severity = Severity::Error;
};

[[nodiscard]] std::string render(const SourceSet& sources, const Diagnostic& diagnostic);

}  // namespace fragproof
