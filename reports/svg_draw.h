// The strokes that our pictures are made of, in whole pixels: cells with a title, labels, hatches,
// the legend.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fragproof {

struct Box {
  int x = 0, y = 0, width = 0, height = 0;
};

// The colour class of a lane: hue by lane/4, lightness by lane%4, as the quads of an mma fragment
// are.
[[nodiscard]] std::string lane_class(int lane);

// The width of `characters` in the pictures' font, with a little air.
[[nodiscard]] int text_pixels(std::size_t characters);

// One cell: a rectangle of class `fill`, over it a hatch of class `hatch` (or none), one or two
// centred lines of text. All texts are escaped here; `title` is what a pointer that rests on the
// cell shows.
void draw_cell(std::string& out, const Box& box, std::string_view fill, std::string_view hatch,
               const std::vector<std::string>& lines, std::string_view title);

// Text of class `cls` whose anchor ("start", "middle", "end") is at (x, y), y being the base line.
void draw_label(std::string& out, int x, int y, std::string_view cls, std::string_view anchor,
                std::string_view text);

// The outline of the cell that the report speaks of.
void draw_outline(std::string& out, const Box& box);

// A swatch of a hatch with its meaning, at (x, y); returns the x behind it.
int draw_legend(std::string& out, int x, int y, std::string_view hatch, std::string_view meaning);

// The whole element around `body`; `standalone` puts the style and the hatches inside.
[[nodiscard]] std::string svg_element(int width, int height, std::string_view label,
                                      const std::string& body, bool standalone);

}  // namespace fragproof
