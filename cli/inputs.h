// The files that a command reads, the built-in ones among them, and what their checks are called.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "checkers/engine.h"
#include "spec/load.h"

namespace fragproof::cli {

struct Input {
  std::string path;            // as the user named it; "<builtin>/gemv.layout"
  std::string stem;            // what ids start with
  std::unique_ptr<Spec> spec;  // null when the file cannot be read
  std::shared_ptr<SourceSet> sources;
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> files_read;  // of the file system: itself, its includes, its tables
};

// Reads the files in this order, each once. "gemv", as `list` prints it, names a built-in file
// where there is no file of that name, and so does "<builtin>/gemv.layout". Stems are file names
// without ".layout"; where two files share one, the paths without ".layout".
[[nodiscard]] std::vector<Input> read_inputs(const std::vector<std::string>& paths);

// Is this the name of a built-in file, and not that of a file here?
[[nodiscard]] bool names_builtin(const std::string& word);

// All files that the inputs were read from, for expect_writable().
[[nodiscard]] std::vector<std::string> files_read(const std::vector<Input>& inputs);

// All that is built in: the instruction spec, then the claims.
[[nodiscard]] std::vector<Input> builtin_inputs();

// The check that stands for an input which cannot be read: an ERROR at the first diagnostic.
[[nodiscard]] Check error_check(const Input& input);

// The texts that these inputs are made of, includes among them, and the built-in instruction spec
// (as "instructions"), each with its fingerprint.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> fingerprints_of(
    const std::vector<Input>& inputs);
[[nodiscard]] std::vector<std::pair<std::string, std::string>> fingerprints_of(const Input& input);

// All diagnostics of an input as they go to stderr; "" for none.
[[nodiscard]] std::string diagnostics_text(const Input& input);

// "N=16,rb=0" as names and values. Throws Failure when it is malformed or names one twice.
[[nodiscard]] NamedValues parse_values(const std::string& text);
// The same for sizes, which are at least 1.
[[nodiscard]] NamedValues parse_sizes(const std::string& text);

// Throws Failure when `sizes` names one that none of `specs` declares.
void expect_declared(const NamedValues& sizes, const std::vector<const Spec*>& specs);

}  // namespace fragproof::cli
