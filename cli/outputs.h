// The files that a run is asked to write, looked at before the work.
#pragma once

#include <string>
#include <vector>

namespace fragproof::cli {

struct OutputFile {
  std::string option;  // "--json"
  std::string path;    // "-": stdout
};

// Throws Failure when one of `outputs` cannot be written; when it is a file that this run has read
// (`read`: all of them, includes and tables too) or that another output goes to, under whatever
// name, by link or not; or when two go to stdout. A file of which the run also streams to stdout
// (`> FILE`) counts as taken.
void expect_writable(const std::vector<OutputFile>& outputs, const std::vector<std::string>& read);

}  // namespace fragproof::cli
