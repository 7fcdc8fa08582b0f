// The only mutable global of the tool: a flag that a signal handler may set.
#include "cli/signals.h"

#include <csignal>

namespace fragproof::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int) { interrupted = true; }

}  // namespace

void ignore_closed_pipes() { std::signal(SIGPIPE, SIG_IGN); }

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return interrupted;
}

void interrupt() { interrupted = true; }

}  // namespace fragproof::cli
