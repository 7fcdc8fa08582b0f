// The names of a layout file as C++ identifiers.
#pragma once

#include <string>
#include <string_view>

namespace fragproof {

// An identifier for a name: "ldmatrix.x4.trans" is ldmatrix_x4_trans, "my-file" is my_file, "2nd"
// is n_2nd. Words that mean something in C++, or in the header itself, get a `_` at their end.
// Never empty, no `__`, no `_` at the start.
[[nodiscard]] std::string cpp_identifier(std::string_view name);

// Does `text` hold `identifier` as a whole word?
[[nodiscard]] bool cpp_mentions(std::string_view text, std::string_view identifier);

}  // namespace fragproof
