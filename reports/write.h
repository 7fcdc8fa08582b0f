// Files written whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace fragproof {

struct WriteResult {
  bool ok = false;
  bool closed_pipe =
      false;          // the reader of our stdout has gone: stop quietly, it is not an error of ours
  std::string error;  // "cannot write 'out/r.json': No such file or directory"; "" when ok
};

// Writes `text` to `path` through a temporary file beside it that is renamed when it is on the
// disk: whoever reads `path` sees the old text or the new one, and an error leaves the old one. A
// link is followed. `-` and /dev/stdout are stdout, /dev/stderr and /dev/fd/N that descriptor. A
// device (/dev/null) or a pipe is written in place; a pipe that nobody reads is an error after two
// seconds.
[[nodiscard]] WriteResult write_file(const std::string& path, std::string_view text);

// Writes `text` to stdout at once, past stdio's buffers (which are flushed first). SIGPIPE never
// kills us here.
[[nodiscard]] WriteResult write_stdout(std::string_view text);

// Does `path` name our stdout: "-", "/dev/stdout", "/dev/fd/1"?
[[nodiscard]] bool names_stdout(const std::string& path);

// The file that a chain of links ends at, also when that file does not exist yet; `path` itself
// when it is no link.
[[nodiscard]] std::string followed_link(const std::string& path);

}  // namespace fragproof
