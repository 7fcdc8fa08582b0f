// Ctrl-C and closed pipes.
#pragma once

#include <atomic>

namespace fragproof::cli {

// A write to a closed pipe, or past the limit of `ulimit -f`, becomes an error instead of the end
// of the program.
void ignore_write_signals();

// From now on the first Ctrl-C (or SIGTERM, SIGHUP) sets the flag that this returns; the second
// ends the program at once.
[[nodiscard]] const std::atomic<bool>& catch_interrupts();

// Sets the same flag from inside.
void interrupt();

}  // namespace fragproof::cli
