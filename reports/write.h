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
// disk: whoever reads `path` sees the old text or the new one, and an error leaves the old one. `-`
// is stdout. What is not a regular file
// (/dev/null, a pipe) is written in place. A link is followed.
[[nodiscard]] WriteResult write_file(const std::string& path, std::string_view text);

// Writes `text` to stdout at once, past stdio's buffers (which are flushed first). SIGPIPE never
// kills us here.
[[nodiscard]] WriteResult write_stdout(std::string_view text);

}  // namespace fragproof
