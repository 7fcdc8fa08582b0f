// Integers from the files that packing code writes: NumPy arrays and plain lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/integer.h"

namespace fragproof {

struct TableFile {
  std::vector<Int> values;  // row-major
  std::vector<Int> shape;   // of a NumPy array; one entry for a list
  std::string error;        // one sentence; empty when the file was read
};

// Reads `bytes` by the ending of `path`: `.npy` (little-endian integers of 1, 2, 4 or 8 bytes,
// row-major), `.csv` or
// `.txt` (decimal integers, separated by commas, semicolons or white space; `#` starts a comment).
[[nodiscard]] TableFile read_table(std::string_view path, std::string_view bytes);

}  // namespace fragproof
