// Whole-or-nothing files over POSIX: a temporary beside the target, fsync, rename; devices, pipes
// and open descriptors are written as they stand.
#include "reports/write.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>

#include "reports/escape.h"

namespace fragproof {
namespace {

std::string name_of(const std::string& path) {
  return path == "-" ? "stdout" : "'" + visible(path) + "'";
}

WriteResult failure(const std::string& path, int error) {
  return {false, error == EPIPE, "cannot write " + name_of(path) + ": " + std::strerror(error)};
}

// Blocks the signals of a failing write for this thread (SIGPIPE, and SIGXFSZ of a file that grows
// past `ulimit -f`), and swallows those that our own write raised: both are an error value here,
// and whatever disposition the program has chosen stays as it is.
class NoWriteSignals {
 public:
  NoWriteSignals() {
    sigemptyset(&set_);
    for (const int signal : signals) sigaddset(&set_, signal);
    sigpending(&pending_before_);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~NoWriteSignals() {
    sigset_t pending;
    sigpending(&pending);
    for (const int signal : signals) {
      if (sigismember(&pending_before_, signal) == 1 || sigismember(&pending, signal) != 1)
        continue;
      sigset_t one;
      sigemptyset(&one);
      sigaddset(&one, signal);
      const timespec now{0, 0};
      while (sigtimedwait(&one, nullptr, &now) == -1 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoWriteSignals(const NoWriteSignals&) = delete;
  NoWriteSignals& operator=(const NoWriteSignals&) = delete;

 private:
  static constexpr std::array<int, 2> signals = {SIGPIPE, SIGXFSZ};
  sigset_t set_{}, before_{}, pending_before_{};
};

// Writes all of `text`; 0 or an errno.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(file, text.data(), text.size());
    if (n < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    if (n == 0) return EIO;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

// The number of the open descriptor that a path names: 2 of "/dev/stderr" and "/proc/self/fd/2".
// Such a path may lead to a regular file, but that file is the stream's, at the stream's place in
// it.
std::optional<int> descriptor_of(const std::string& path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = 0;
    const char* const end = path.data() + path.size();
    const auto read = std::from_chars(path.data() + folder.size(), end, number);
    if (read.ec == std::errc{} && read.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

// Opens a pipe without waiting for ever for its reader, who may be about to open it too.
int open_pipe(const std::string& path) {
  constexpr int tries = 40;
  const timespec pause{0, 50'000'000};
  for (int i = 0;; ++i) {
    const int file = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0) {
      // From here on the reader's pace is ours.
      ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
      return file;
    }
    if (errno != ENXIO || i == tries) return -1;
    ::nanosleep(&pause, nullptr);
  }
}

// Devices, pipes: nothing to rename over.
WriteResult write_in_place(const std::string& path, bool pipe, std::string_view text) {
  const int file =
      pipe ? open_pipe(path) : ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (file < 0 && pipe && errno == ENXIO) {
    return {false, false, "cannot write " + name_of(path) + ": nobody reads this pipe"};
  }
  if (file < 0) return failure(path, errno);
  if (!pipe) ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);
  const NoWriteSignals guard;
  int error = write_all(file, text);
  if (::close(file) != 0 && error == 0) error = errno;
  return error == 0 ? WriteResult{true, false, ""} : failure(path, error);
}

// The file that a chain of links ends at, also when that file does not exist yet; the path itself
// when it is no link.
std::string followed(const std::string& path, int depth = 0) {
  char target[PATH_MAX];
  const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
  if (length <= 0 || static_cast<std::size_t>(length) >= sizeof target || depth > 40) return path;
  std::string to(target, static_cast<std::size_t>(length));
  if (to.front() != '/') {
    const std::size_t slash = path.rfind('/');
    if (slash != std::string::npos) to = path.substr(0, slash + 1) + to;
  }
  return followed(to, depth + 1);
}

}  // namespace

bool names_stdout(const std::string& path) { return descriptor_of(path) == STDOUT_FILENO; }

WriteResult write_stdout(std::string_view text) {
  const NoWriteSignals guard;
  if (std::fflush(stdout) != 0) return failure("-", errno);
  const int error = write_all(STDOUT_FILENO, text);
  return error == 0 ? WriteResult{true, false, ""} : failure("-", error);
}

std::string followed_link(const std::string& path) { return followed(path); }

WriteResult write_file(const std::string& path, std::string_view text) {
  if (names_stdout(path)) return write_stdout(text);
  if (path.empty()) return {false, false, "cannot write: the name of the file is empty"};
  if (path.find('\0') != std::string::npos) return failure(path, EINVAL);
  const NoWriteSignals guard;
  if (const std::optional<int> open = descriptor_of(path)) {
    const int error = write_all(*open, text);
    return error == 0 ? WriteResult{true, false, ""} : failure(path, error);
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return failure(path, EISDIR);
  if (exists && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)))
    return write_in_place(path, S_ISFIFO(status.st_mode), text);
  if (exists && !S_ISREG(status.st_mode))
    return {false, false, "cannot write " + name_of(path) + ": it is no file"};
  if (exists && ::access(path.c_str(), W_OK) != 0)
    return failure(path, errno);  // rename would not ask

  const std::string target = followed(path);
  std::string temporary = target + ".XXXXXX";
  int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return failure(path, errno);
  // mkostemp makes 0600; a report is as readable as a file written the ordinary way.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  int error = ::fchmod(file, exists ? status.st_mode & 07777u : 0666u & ~mask) == 0 ? 0 : errno;
  if (error == 0) error = write_all(file, text);
  if (error == 0 && ::fsync(file) != 0 && errno != EINVAL) error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return {true, false, ""};
  ::unlink(temporary.c_str());
  return failure(path, error);
}

}  // namespace fragproof
