// From a path to a resolved Spec: reading, parsing, includes, name resolution.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spec/ast.h"
#include "spec/source.h"

namespace fragproof {

// Reads a file whole; nothing when it cannot, with the reason in `error`. Tests and built-in files
// supply their own.
using FileReader =
    std::function<std::optional<std::string>(const std::string& path, std::string& error)>;

// Reads from the file system (regular files up to 64 MiB). This is the only I/O of the layer.
[[nodiscard]] std::optional<std::string> read_text_file(const std::string& path,
                                                        std::string& error);

struct LoadResult {
  std::unique_ptr<Spec> spec;           // null when there are errors
  std::shared_ptr<SourceSet> sources;   // always, so that diagnostics can be rendered
  std::vector<Diagnostic> diagnostics;  // up to 20 errors
};

// Loads the file at `path` with all it includes (include paths are relative to the including file).
// The built-in instruction spec is visible in it. Never throws on bad input.
[[nodiscard]] LoadResult load_spec(const std::string& path,
                                   const FileReader& reader = read_text_file);

// The same of a text in memory, named `path` in messages.
[[nodiscard]] LoadResult load_text(const std::string& path, std::string text,
                                   const FileReader& reader = read_text_file);

// The built-in instruction fragments (spec/instructions/*.layout, embedded at build time), resolved
// once.
[[nodiscard]] const Spec& builtin_spec();

// A built-in fragment by any of its names: find_builtin("mma.m16n8k16.bf16.A") is that of ".b16.A".
// Null if none.
[[nodiscard]] const Map* find_builtin(const std::string& name);

// Embedded texts: "instructions/mma.layout", and the built-in claims "gemv.layout",
// "tf32_gemm.layout", ...
struct EmbeddedFile {
  const char* path;
  const char* text;
  std::size_t size;
};
[[nodiscard]] const std::vector<EmbeddedFile>& embedded_files();

}  // namespace fragproof
