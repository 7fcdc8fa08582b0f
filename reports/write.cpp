// Whole-or-nothing files over POSIX: a temporary beside the target, fsync, rename.
#include "reports/write.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "reports/escape.h"

namespace fragproof {
namespace {

WriteResult failure(const std::string& path, int error) {
  const std::string name = path == "-" ? "stdout" : "'" + visible(path) + "'";
  return {false, error == EPIPE, "cannot write " + name + ": " + std::strerror(error)};
}

// Blocks SIGPIPE for this thread, and swallows the one that our own write raised, so that a closed
// pipe is an error value here and whatever disposition the program has chosen stays as it is.
class NoSigpipe {
 public:
  NoSigpipe() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~NoSigpipe() {
    sigset_t pending;
    sigpending(&pending);
    if (!was_pending_ && sigismember(&pending, SIGPIPE) == 1) {
      const timespec now{0, 0};
      while (sigtimedwait(&set_, nullptr, &now) == -1 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  sigset_t set_{}, before_{};
  bool was_pending_ = false;
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

// Devices, pipes: nothing to rename over.
WriteResult write_in_place(const std::string& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return failure(path, errno);
  const NoSigpipe guard;
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

WriteResult write_stdout(std::string_view text) {
  const NoSigpipe guard;
  if (std::fflush(stdout) != 0) return failure("-", errno);
  const int error = write_all(STDOUT_FILENO, text);
  return error == 0 ? WriteResult{true, false, ""} : failure("-", error);
}

WriteResult write_file(const std::string& path, std::string_view text) {
  if (path == "-") return write_stdout(text);
  if (path.empty()) return {false, false, "cannot write: the name of the file is empty"};
  if (path.find('\0') != std::string::npos) return failure(path, EINVAL);
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return failure(path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return write_in_place(path, text);
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
