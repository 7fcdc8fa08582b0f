// Ctrl-C and closed pipes.
#pragma once

#include <atomic>

namespace fragproof::cli {

// A write to a closed pipe becomes an error instead of the end of the program.
void ignore_closed_pipes();

// From now on the first Ctrl-C (or SIGTERM) sets the flag that this returns; the second ends the
// program at once.
[[nodiscard]] const std::atomic<bool>& catch_interrupts();

// Sets the same flag from inside.
void interrupt();

}  // namespace fragproof::cli
