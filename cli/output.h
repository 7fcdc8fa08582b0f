// Where words go: answers to stdout, messages and progress to stderr; colour and width of the
// terminal.
#pragma once

#include <string>
#include <string_view>

namespace fragproof::cli {

// Exit codes (DESIGN section 4); those of verdicts are in exit_code.h.
inline constexpr int exit_ok = 0;
inline constexpr int exit_usage = 2;  // wrong usage, unreadable input, unwritable output
inline constexpr int exit_internal = 4;
inline constexpr int exit_nothing = 77;
inline constexpr int exit_interrupted = 130;
inline constexpr int exit_closed_pipe =
    141;  // 128 + SIGPIPE: what a shell reports for `tool | head`

// A command cannot do what it was asked: `message` goes to stderr, `code` is the exit code.
struct Failure {
  std::string message;
  int code = exit_usage;
};

// Writes to stdout. Throws Failure: quiet with exit_closed_pipe when its reader has gone, else
// exit_usage.
void print(std::string_view text);

// One message on stderr, "fragproof: " before it, a newline after it.
void complain(std::string_view message);

// A word of the user's as it may stand in a message: no control characters, at most 60 columns.
[[nodiscard]] std::string short_word(std::string_view word);

// Writes `text` to `path` ("-": stdout), whole or not at all. Throws Failure.
void save(const std::string& path, std::string_view text);

// Why `path` cannot be written, before there is anything to write; "" when nothing speaks against
// it.
[[nodiscard]] std::string why_unwritable(const std::string& path);

enum class ColourMode { Auto, Always, Never };

// Is colour wanted on stdout? Auto: on a terminal that is not "dumb", and never with NO_COLOR.
[[nodiscard]] bool use_colour(ColourMode mode);

// May progress be drawn on stderr? Only where somebody watches both streams (else it would be drawn
// over a pager, or kept in a log), on a terminal that is not "dumb", and never with NO_COLOR.
[[nodiscard]] bool use_progress();

// Columns of the terminal on stdout; 80 when it is none.
[[nodiscard]] int terminal_width();

[[nodiscard]] bool stdout_is_terminal();

}  // namespace fragproof::cli
