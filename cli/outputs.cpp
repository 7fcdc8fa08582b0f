// Files are told apart by device and inode: names may differ where the file is one.
#include "cli/outputs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <tuple>

#include "cli/output.h"
#include "reports/escape.h"
#include "reports/write.h"

namespace fragproof::cli {
namespace {

// The inode of a file; that of its folder, and its name there, while it does not exist.
struct Identity {
  dev_t device = 0;
  ino_t inode = 0;
  std::string name;
  friend bool operator==(const Identity&, const Identity&) = default;
};

// Nothing for what may be written by many at once: devices.
std::optional<Identity> identity_of(const struct stat& status) {
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) return std::nullopt;
  return Identity{status.st_dev, status.st_ino, ""};
}

std::optional<Identity> identity_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return identity_of(status);
  const std::string target = followed_link(path);
  const std::size_t slash = target.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : target.substr(0, slash + 1);
  if (::stat(folder.c_str(), &status) != 0) return std::nullopt;
  return Identity{status.st_dev, status.st_ino,
                  slash == std::string::npos ? target : target.substr(slash + 1)};
}

std::optional<Identity> identity_of_stdout() {
  struct stat status {};
  if (::fstat(STDOUT_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return identity_of(status);
}

// What this run has taken already, and what to say of it.
using Taken = std::vector<std::pair<Identity, std::string>>;

void expect_own(const OutputFile& output, const Identity& identity, const Taken& taken) {
  for (const auto& [other, what] : taken) {
    if (other == identity) {
      throw Failure{output.option + ": '" + visible(output.path) + "' is " + what +
                    "; give it a file of its own"};
    }
  }
}

}  // namespace

void expect_writable(const std::vector<OutputFile>& outputs, const std::vector<std::string>& read) {
  Taken taken;
  for (const std::string& path : read) {
    const auto identity = identity_of(path);
    if (identity) taken.emplace_back(*identity, "'" + visible(path) + "', which this run reads");
  }
  if (const auto identity = identity_of_stdout()) {
    taken.emplace_back(*identity, "the file that stdout goes to");
  }
  std::string on_stdout;  // the option that has it
  for (const OutputFile& output : outputs) {
    const auto& [option, path] = output;
    if (names_stdout(path)) {
      if (!on_stdout.empty()) {
        throw Failure{option + ": stdout has the output of " + on_stdout +
                      " already; give one of them a file"};
      }
      on_stdout = option;
      continue;
    }
    const std::string reason = why_unwritable(path);
    if (!reason.empty()) throw Failure{option + ": " + reason};
    const auto identity = identity_of(path);
    if (!identity) continue;
    expect_own(output, *identity, taken);
    taken.emplace_back(*identity, "the output of " + option);
  }
}

}  // namespace fragproof::cli
