// Configurations in files: what `--replay` and `--shrink` read, and the corpus folder that keeps
// failures.
#pragma once

#include <string>
#include <vector>

#include "fuzz/configuration.h"

namespace fragproof::cli {

struct CorpusLine {
  Configuration configuration;
  std::string path;  // of its file
  int line = 0;
};

// The configurations of a file, one a line; blank lines and lines that begin with # say nothing.
// Throws Failure for a file that cannot be read or a line that is no configuration.
[[nodiscard]] std::vector<CorpusLine> read_corpus_file(const std::string& path);

// Those of all *.txt files of a folder, by name. A folder that is not there yet is empty. Throws
// Failure as above, and when the folder cannot be written.
[[nodiscard]] std::vector<CorpusLine> read_corpus(const std::string& folder);

// Keeps a configuration in the folder (made if need be), in a file of its own that is written whole
// or not at all. `comment` says why it is kept. Throws Failure.
void keep(const std::string& folder, const Configuration& configuration,
          const std::string& comment);

// Does a line that names a file mean this one? Lines without a file mean any.
[[nodiscard]] bool is_about(const CorpusLine& line, const std::string& path);

}  // namespace fragproof::cli
