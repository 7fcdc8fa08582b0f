// Helpers of the tests: golden files, a strict reading of markup, temporary folders.
#pragma once

#include <string>

namespace fragproof::support {

// Compares `text` with reports/tests/golden/NAME and names the first line that differs. With the
// environment variable FRAGPROOF_UPDATE_GOLDEN set, writes the file instead (and fails, so that
// nobody forgets to look).
void expect_golden(const std::string& name, const std::string& text);

// What is wrong with `markup` as HTML or XML of our own making (every tag closed, every attribute
// quoted, no stray '<',
// '>' or '&', no control characters, style and script skipped), or "".
std::string markup_fault(const std::string& markup);

// How often `part` occurs in `text`.
int count_of(const std::string& text, const std::string& part);

// A fresh folder that is removed at the end of the test program's scope.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string path(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string read_file(const std::string& path);

}  // namespace fragproof::support
