// SVG primitives and the style sheet of the pictures.
#include "reports/svg_draw.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "reports/escape.h"
#include "reports/svg.h"

namespace fragproof {
namespace {

std::string number(int value) { return std::to_string(value); }

std::string geometry(const Box& box) {
  return " x=\"" + number(box.x) + "\" y=\"" + number(box.y) + "\" width=\"" + number(box.width) +
         "\" height=\"" + number(box.height) + "\"";
}

// "#rrggbb" of hue (degrees), saturation and lightness (0..1): plain colours, which every SVG
// reader knows.
std::string hex_of(double hue, double saturation, double lightness) {
  const double chroma = (1 - std::abs(2 * lightness - 1)) * saturation;
  const auto channel = [&](double offset) {
    const double k = std::fmod(offset + hue / 30, 12.0);
    const double v = lightness - chroma / 2 * std::max(-1.0, std::min({k - 3, 9 - k, 1.0}));
    return static_cast<unsigned>(std::lround(v * 255));
  };
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", channel(0) & 255u, channel(8) & 255u,
                channel(4) & 255u);
  return text;
}

// The 32 lane colours. Eight hues, four steps of lightness each, all pale (dark) enough for the
// text upon them.
std::string lane_rules(bool dark) {
  std::string out;
  for (int lane = 0; lane < 32; ++lane) {
    const double hue = lane / 4 * 45.0 + 10;
    const double step = lane % 4;
    const double lightness = dark ? 0.20 + 0.045 * step : 0.94 - 0.055 * step;
    out += ".fp-q" + number(lane) + "{fill:" + hex_of(hue, dark ? 0.35 : 0.62, lightness) + "}";
  }
  return out;
}

// Diagonals inside `box`, rising or falling: plain lines, because a pattern fill is a bitmap to
// printers.
std::string diagonals(const Box& box, bool rising) {
  constexpr int step = 7;
  std::string path;
  for (int d = step / 2 + 1; d < box.width + box.height; d += step) {
    const int x1 = std::max(0, d - box.height), y1 = std::min(d, box.height);
    const int x2 = std::min(d, box.width), y2 = std::max(0, d - box.width);
    path += "M" + number(box.x + x1) + "," + number(box.y + (rising ? y1 : box.height - y1)) + "l" +
            number(x2 - x1) + "," + number(rising ? y2 - y1 : y1 - y2);
  }
  return path;
}

std::string dots(const Box& box) {
  std::string path;
  for (int y = 4; y < box.height - 1; y += 5) {
    for (int x = 4; x < box.width - 1; x += 6) {
      path += "M" + number(box.x + x) + "," + number(box.y + y) + "h.1";
    }
  }
  return path;
}

std::string hatch_element(const Box& box, std::string_view hatch) {
  std::string path;
  if (hatch == "fp-hole") path = dots(box);
  if (hatch == "fp-wrong" || hatch == "fp-overlap") path = diagonals(box, true);
  if (hatch == "fp-extra" || hatch == "fp-overlap") path += diagonals(box, false);
  if (path.empty()) return "";
  return "<path class=\"" + std::string(hatch) + "\" d=\"" + path + "\"/>";
}

}  // namespace

std::string lane_class(int lane) { return "fp-q" + number(lane >= 0 ? lane % 32 : 0); }

int text_pixels(std::size_t characters) {
  return static_cast<int>(std::min<std::size_t>(characters, 1000)) * 62 / 10 + 8;
}

void draw_cell(std::string& out, const Box& box, std::string_view fill, std::string_view hatch,
               const std::vector<std::string>& lines, std::string_view title) {
  out += "<g><title>" + html_escape(title) + "</title><rect class=\"fp-c ";
  out += std::string(fill) + "\"" + geometry(box) + "/>";
  out += hatch_element(box, hatch);
  const int middle = box.x + box.width / 2;
  int base = box.y + box.height / 2 + (lines.size() > 1 ? -1 : 4);
  for (const std::string& line : lines) {
    if (!line.empty()) {
      out += "<text class=\"" + std::string(hatch.empty() ? "fp-t" : "fp-t fp-b") + "\" x=\"" +
             number(middle) + "\" y=\"" + number(base) + "\">" + html_escape(line) + "</text>";
    }
    base += 11;
  }
  out += "</g>\n";
}

void draw_label(std::string& out, int x, int y, std::string_view cls, std::string_view anchor,
                std::string_view text) {
  out += "<text class=\"" + std::string(cls) + "\" x=\"" + number(x) + "\" y=\"" + number(y) +
         "\" text-anchor=\"" + std::string(anchor) + "\">" + html_escape(text) + "</text>\n";
}

void draw_outline(std::string& out, const Box& box) {
  out += "<rect class=\"fp-mark\"" +
         geometry({box.x - 1, box.y - 1, box.width + 2, box.height + 2}) + "/>\n";
}

int draw_legend(std::string& out, int x, int y, std::string_view hatch, std::string_view meaning) {
  const Box box{x, y, 18, 12};
  out += "<rect class=\"fp-c fp-plain\"" + geometry(box) + "/>" + hatch_element(box, hatch);
  draw_label(out, x + 24, y + 10, "fp-l", "start", meaning);
  return x + 24 + text_pixels(display_width(meaning)) + 14;
}

std::string svg_element(int width, int height, std::string_view label, const std::string& body,
                        bool standalone) {
  const std::string size = number(width), tall = number(height);
  std::string out = "<svg";
  if (standalone) out += " xmlns=\"http://www.w3.org/2000/svg\"";
  out += " class=\"fp-svg\" width=\"" + size + "\" height=\"" + tall + "\" viewBox=\"0 0 " + size +
         " " + tall + "\"";
  // On a page a picture shrinks a little to fit, and is scrolled beyond that.
  if (!standalone)
    out += " style=\"max-width:100%;height:auto;min-width:" + number(width * 4 / 5) + "px\"";
  out += " role=\"img\" aria-label=\"" + html_escape(label) + "\">\n";
  if (standalone) {
    out += "<style>" + picture_style() + "</style>\n";
    out += "<rect class=\"fp-paper\" width=\"" + size + "\" height=\"" + tall + "\"/>\n";
  }
  return out + body + "</svg>\n";
}

std::string picture_style() {
  // The marks are vermilion, purple and grey of the Okabe-Ito palette; each has a hatch of its own
  // as well.
  const std::string light =
      ".fp-paper{fill:#fff}.fp-c{stroke:#b8bec6}.fp-plain{fill:#f4f5f7}.fp-quiet{fill:#fafbfc}"
      ".fp-t,.fp-l,.fp-h{fill:#1b1f24}.fp-s{fill:#57606a}.fp-mark{stroke:#111}.fp-b{stroke:#fff}"
      ".fp-wrong{stroke:#e08a4f}.fp-overlap{stroke:#c67fa6}.fp-hole{stroke:#57606a}.fp-extra{"
      "stroke:#5fa8d3}" +
      lane_rules(false);
  const std::string dark =
      ".fp-paper{fill:#14171c}.fp-c{stroke:#4a525c}.fp-plain{fill:#22272e}.fp-quiet{fill:#1a1e24}"
      ".fp-t,.fp-l,.fp-h{fill:#e8eaed}.fp-s{fill:#a8b1bb}.fp-mark{stroke:#fff}.fp-b{stroke:#14171c}"
      ".fp-wrong{stroke:#b0602f}.fp-overlap{stroke:#a8608a}.fp-hole{stroke:#a8b1bb}.fp-extra{"
      "stroke:#3f7fa6}" +
      lane_rules(true);
  return ".fp-svg{font:10px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans "
         "Mono',monospace}"
         ".fp-t{text-anchor:middle}.fp-b{font-weight:700;paint-order:stroke;stroke-width:2.5px;"
         "stroke-linejoin:round}"
         ".fp-h{font-weight:700}.fp-title{font-size:12px;font-weight:700}"
         ".fp-wrong,.fp-overlap,.fp-extra{fill:none;stroke-width:1.2}"
         ".fp-hole{fill:none;stroke-width:1.8;stroke-linecap:round}"
         ".fp-mark{fill:none;stroke-width:2.5}" +
         light + "@media (prefers-color-scheme:dark){" + dark + "}@media print{" + light +
         ".fp-svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}}";
}

}  // namespace fragproof
