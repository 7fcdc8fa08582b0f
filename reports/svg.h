// Register pictures as SVG: expected, found and difference side by side, one row a lane.
#pragma once

#include <optional>
#include <string>

#include "checkers/result/result.h"

namespace fragproof {

struct SvgOptions {
  bool standalone = true;  // with the style inside; false: for a page that has picture_style() once
  int max_lanes = 0;       // draw at most so many lanes, those with faults first; 0: all
  std::optional<int> lane;  // the slot of the counterexample: outlined
  std::optional<int> elem;
};

// The picture as one <svg> element. Wrong slots are hatched, slots with two elements cross-hatched,
// holes dotted: no meaning rests on colour alone. Each cell has a <title>. "" for a picture without
// cells.
[[nodiscard]] std::string picture_svg(const Picture& picture, const SvgOptions& options = {});

// The pictures of what was refuted (failures first, at most `most`), one below the other, each
// under the id of its claim. Without any, a picture that says so.
[[nodiscard]] std::string record_svg(const Record& record, std::size_t most = 12);

// The style sheet of all our pictures (light, dark and print) without the <style> element around
// it.
[[nodiscard]] std::string picture_style();

}  // namespace fragproof
