// Register pictures for the terminal: expected against found, in at most a screenful of ASCII.
#pragma once

#include <optional>
#include <string>

#include "checkers/result/result.h"

namespace fragproof {

struct PictureTextOptions {
  int width = 80;           // columns
  int lanes = 4;            // at most so many lanes, each two rows; those with faults first
  std::optional<int> lane;  // the lane of the counterexample: always shown
  std::optional<int> elem;  // its element: always shown
  bool colour = false;
};

// Two rows a lane, `expected` and `found`; what differs is marked '*'; "-" is a hole, "." nothing
// expected or found, "A&B" two elements in one slot. Ends with a line that says what was left out.
// "" for a picture without cells.
[[nodiscard]] std::string picture_text(const Picture& picture,
                                       const PictureTextOptions& options = {});

}  // namespace fragproof
