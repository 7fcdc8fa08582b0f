// The strokes of one register picture, for an <svg> of its own or as a part of a larger one.
#pragma once

#include <string>

#include "reports/svg.h"

namespace fragproof {

struct PictureDrawing {
  int width = 0;
  int height = 0;     // 0: the picture has no cells
  std::string label;  // for readers who see no picture
  std::string body;   // SVG elements from (0, 0) on
};

[[nodiscard]] PictureDrawing draw_picture(const Picture& picture, const SvgOptions& options);

}  // namespace fragproof
