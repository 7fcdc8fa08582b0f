// The spec as a C++17 header: maps, fragments, packs, tables and kernels as constexpr functions for
// host and device, printed from the resolved text, so that no formula is written twice.
#pragma once

#include <string>
#include <vector>

#include "spec/ast.h"

namespace fragproof {

// A layout file that goes into the header, as namespace fragproof::STEM.
struct CppFile {
  const Spec* spec = nullptr;
  std::string stem;           // "gemv"
  std::string path;           // for the comment: "examples/gemv.layout"
  bool skip_builtin = false;  // leave out what restates a built-in fragment
};

struct CppHeader {
  std::string text;
  int written = 0;                    // instructions, maps, packs, tables, kernels
  std::vector<std::string> left_out;  // "gemv.layout: map f: it holds a `forall`"
};

// The header with these built-in fragments (whole instructions: A, B and C of one that any of them
// belongs to), then the files. What the files' maps call of the built-in spec is added.
// Declarations that have no C++ are left out and named, with the reason.
[[nodiscard]] CppHeader cpp_header(const std::vector<const Map*>& fragments,
                                   const std::vector<CppFile>& files);

}  // namespace fragproof
