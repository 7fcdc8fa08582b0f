// The process that holds the GPU, and the words between it and us: sizes down, an outcome up.
#include "gpu_tests/launch/launcher.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "gpu_tests/launch/launch_once.h"

namespace fragproof::gpu {
namespace {

bool write_all(int to, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t done = write(to, at, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

// False at the end of the stream, or when nothing comes for `seconds` (0: waits for ever).
bool read_all(int from, void* data, std::size_t size, double seconds) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    pollfd ready{from, POLLIN, 0};
    const int polled = poll(&ready, 1, seconds > 0 ? static_cast<int>(seconds * 1000) : -1);
    if (polled < 0 && errno == EINTR) continue;
    if (polled <= 0) {
      errno = ETIMEDOUT;
      return false;
    }
    const ssize_t done = read(from, at, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      errno = 0;
      return false;
    }
    at += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

bool write_text(int to, const std::string& text) {
  const std::uint64_t size = text.size();
  return write_all(to, &size, sizeof size) && write_all(to, text.data(), text.size());
}

std::optional<std::string> read_text(int from, double seconds) {
  std::uint64_t size = 0;
  if (!read_all(from, &size, sizeof size, seconds)) return std::nullopt;
  std::string text(size, '\0');
  if (!read_all(from, text.data(), text.size(), seconds)) return std::nullopt;
  return text;
}

void serve(const Spec& spec, const Kernel& kernel, const LaunchSetting& setting, int from, int to) {
  LaunchSession session(kernel, setting);
  std::vector<std::int64_t> values(spec.sizes.size());
  while (read_all(from, values.data(), values.size() * sizeof values[0], 0)) {
    Shape shape;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] > 0) shape.sizes.emplace_back(spec.sizes[i], values[i]);
    }
    const Emulation outcome = session.run(spec, shape);
    const std::array<std::int64_t, 5> numbers = {outcome.ran ? 1 : 0, outcome.wrong, outcome.of,
                                                 static_cast<std::int64_t>(outcome.faults.size()),
                                                 session.lost() ? 1 : 0};
    if (!write_all(to, numbers.data(), sizeof numbers) || !write_text(to, outcome.reason)) return;
    for (const Fault& fault : outcome.faults) {
      const auto kind = static_cast<std::int64_t>(fault.kind);
      if (!write_all(to, &kind, sizeof kind) || !write_text(to, fault.text)) return;
    }
    if (session.lost()) return;  // the context is gone: a fresh process goes on
  }
}

}  // namespace

std::string symbol_at(const std::string& symbol, const Shape& shape) {
  std::string text = symbol;
  for (const auto& [size, value] : shape.sizes) {
    const std::string name = "{" + size->name + "}";
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name)) {
      text.replace(at, name.size(), to_string(value));
    }
  }
  return text;
}

Launcher::Launcher(const Spec& spec, const Kernel& kernel, LaunchSetting setting)
    : spec_(spec), kernel_(kernel), setting_(std::move(setting)) {}

Launcher::~Launcher() { stop(); }

void Launcher::start() {
  int down[2], up[2];
  if (pipe(down) != 0 || pipe(up) != 0) return;
  child_ = fork();
  if (child_ == 0) {
    close(down[1]);
    close(up[0]);
    serve(spec_, kernel_, setting_, down[0], up[1]);
    _exit(0);
  }
  close(down[0]);
  close(up[1]);
  to_child_ = down[1];
  from_child_ = up[0];
}

void Launcher::stop() {
  if (child_ <= 0) return;
  close(to_child_);
  close(from_child_);
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
  child_ = -1;
}

Emulation Launcher::run(const Shape& shape) {
  Emulation outcome;
  if (!shape.tables.empty()) {
    outcome.reason = "a launch cannot be given tables yet";
    return outcome;
  }
  if (child_ <= 0) start();
  std::vector<std::int64_t> values(spec_.sizes.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const auto& [size, value] : shape.sizes) {
      if (size == spec_.sizes[i]) values[i] = static_cast<std::int64_t>(value);
    }
  }
  std::array<std::int64_t, 5> numbers{};
  std::optional<std::string> reason;
  bool heard = write_all(to_child_, values.data(), values.size() * sizeof values[0]) &&
               read_all(from_child_, numbers.data(), sizeof numbers, setting_.seconds);
  const bool hangs = !heard && errno == ETIMEDOUT;
  if (heard) reason = read_text(from_child_, setting_.seconds);
  if (!heard || !reason) {
    stop();
    outcome.ran = true;
    outcome.faults.push_back({FaultKind::Undefined,
                              "",
                              {},
                              {},
                              hangs ? "the launch does not end within " +
                                          std::to_string(static_cast<int>(setting_.seconds)) + " s"
                                    : "the process of the launch died"});
    return outcome;
  }
  outcome.ran = numbers[0] != 0;
  outcome.wrong = numbers[1];
  outcome.of = numbers[2];
  outcome.reason = *reason;
  for (std::int64_t i = 0; i < numbers[3]; ++i) {
    std::int64_t kind = 0;
    if (!read_all(from_child_, &kind, sizeof kind, setting_.seconds)) break;
    const auto text = read_text(from_child_, setting_.seconds);
    if (!text) break;
    outcome.faults.push_back({static_cast<FaultKind>(kind), "", {}, {}, *text});
  }
  if (numbers[4] != 0) stop();  // its context is gone; the next run starts a process of its own
  return outcome;
}

}  // namespace fragproof::gpu
