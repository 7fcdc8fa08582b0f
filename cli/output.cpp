// Streams, files and the terminal.
#include "cli/output.h"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "reports/escape.h"
#include "reports/write.h"

namespace fragproof::cli {
namespace {

void expect_written(const WriteResult& result) {
  if (result.closed_pipe) throw Failure{"", exit_closed_pipe};
  if (!result.ok) throw Failure{result.error, exit_usage};
}

std::string refusal(const std::string& path, int error) {
  return "cannot write '" + visible(path) + "': " + std::strerror(error);
}

// Does the user's environment allow escape codes at all?
bool escapes_are_welcome() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return (no_colour == nullptr || *no_colour == '\0') && term != nullptr && *term != '\0' &&
         std::strcmp(term, "dumb") != 0;
}

}  // namespace

void print(std::string_view text) { expect_written(write_stdout(text)); }

void complain(std::string_view message) {
  const std::string line = "fragproof: " + visible(message, true) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

std::string short_word(std::string_view word) { return shorten(visible(word), 60); }

void save(const std::string& path, std::string_view text) {
  expect_written(write_file(path, text));
}

std::string why_unwritable(const std::string& path) {
  if (names_stdout(path)) return "";
  if (path.empty()) return "an output file needs a name";
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return refusal(path, EISDIR);
    const bool in_place = S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode);
    if (!S_ISREG(status.st_mode) && !in_place)
      return "cannot write '" + visible(path) + "': it is no file";
    if (::access(path.c_str(), W_OK) != 0) return refusal(path, errno);
    if (in_place) return "";
  } else if (errno != ENOENT) {
    return refusal(path, errno);
  }
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  if (slash != std::string::npos && slash + 1 == path.size()) return refusal(path, EISDIR);
  if (::stat(folder.c_str(), &status) != 0) return refusal(path, errno);
  if (!S_ISDIR(status.st_mode)) return refusal(path, ENOTDIR);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return refusal(path, errno);
  return "";
}

bool use_colour(ColourMode mode) {
  if (mode != ColourMode::Auto) return mode == ColourMode::Always;
  return stdout_is_terminal() && escapes_are_welcome();
}

bool use_progress() {
  return stdout_is_terminal() && ::isatty(STDERR_FILENO) == 1 && escapes_are_welcome();
}

int terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::clamp<int>(size.ws_col, 40, 400);
  }
  return 80;
}

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }

}  // namespace fragproof::cli
