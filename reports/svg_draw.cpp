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

// "#rrggbb" of hue (degrees), saturation and lightness (0..1): plain colours, which every SVG reader knows.
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

// The 32 lane colours. Eight hues, four steps of lightness each, all pale (dark) enough for the text upon them.
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

}  // namespace

std::string lane_class(int lane) { return "fp-q" + number(lane >= 0 ? lane % 32 : 0); }

int text_pixels(std::size_t characters) {
  return static_cast<int>(std::min<std::size_t>(characters, 1000)) * 62 / 10 + 8;
}

void draw_cell(std::string& out, const Box& box, std::string_view fill, std::string_view hatch,
               const std::vector<std::string>& lines, std::string_view title) {
  out += "<g><title>" + html_escape(title) + "</title><rect class=\"fp-c ";
  out += std::string(fill) + "\"" + geometry(box) + "/>";
  if (!hatch.empty()) out += "<rect class=\"" + std::string(hatch) + "\"" + geometry(box) + "/>";
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
  out += "<rect class=\"fp-c fp-plain\"" + geometry(box) + "/><rect class=\"" + std::string(hatch) +
         "\"" + geometry(box) + "/>";
  draw_label(out, x + 24, y + 10, "fp-l", "start", meaning);
  return x + 24 + text_pixels(display_width(meaning)) + 14;
}

std::string svg_element(int width, int height, std::string_view label, const std::string& body,
                        bool standalone) {
  const std::string size = number(width), tall = number(height);
  std::string out = "<svg";
  if (standalone) out += " xmlns=\"http://www.w3.org/2000/svg\"";
  out += " class=\"fp-svg\" width=\"" + size + "\" height=\"" + tall + "\" viewBox=\"0 0 " + size +
         " " + tall + "\" role=\"img\" aria-label=\"" + html_escape(label) + "\">\n";
  if (standalone) {
    out += "<style>" + picture_style() + "</style>\n" + picture_patterns();
    out += "<rect class=\"fp-paper\" width=\"" + size + "\" height=\"" + tall + "\"/>\n";
  }
  return out + body + "</svg>\n";
}

std::string picture_style() {
  // The marks are vermilion, purple and grey of the Okabe-Ito palette; each has a hatch of its own as well.
  const std::string light =
      ".fp-paper{fill:#fff}.fp-c{stroke:#b8bec6;stroke-width:1}.fp-plain{fill:#f4f5f7}"
      ".fp-quiet{fill:#fafbfc}"
      ".fp-t,.fp-l,.fp-h{fill:#1b1f24}.fp-s{fill:#57606a}.fp-mark{stroke:#111}"
      ".fp-p-wrong{stroke:#d55e00}.fp-p-overlap{stroke:#a3366f}.fp-p-hole{fill:#57606a}"
      ".fp-p-extra{stroke:#0072b2}.fp-b{stroke:#fff}" +
      lane_rules(false);
  const std::string dark =
      ".fp-paper{fill:#14171c}.fp-c{stroke:#4a525c}.fp-plain{fill:#22272e}.fp-quiet{fill:#1a1e24}"
      ".fp-t,.fp-l,.fp-h{fill:#e8eaed}.fp-s{fill:#a8b1bb}.fp-mark{stroke:#fff}"
      ".fp-p-wrong{stroke:#ff8c42}.fp-p-overlap{stroke:#e79ac6}.fp-p-hole{fill:#a8b1bb}"
      ".fp-p-extra{stroke:#56b4e9}.fp-b{stroke:#14171c}" +
      lane_rules(true);
  return ".fp-svg{font:10px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}"
         ".fp-t{text-anchor:middle}.fp-b{font-weight:700;paint-order:stroke;stroke-width:2.5px;stroke-linejoin:round}"
         ".fp-h{font-weight:700}.fp-title{font-size:12px;font-weight:700}"
         ".fp-wrong{fill:url(#fp-wrong)}.fp-overlap{fill:url(#fp-overlap)}"
         ".fp-hole{fill:url(#fp-hole);stroke:#57606a;stroke-dasharray:3 2}.fp-extra{fill:url(#fp-extra)}"
         ".fp-mark{fill:none;stroke-width:2.5}" +
         light + "@media (prefers-color-scheme:dark){" + dark + "}@media print{" + light +
         ".fp-svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}}";
}

std::string picture_patterns() {
  const auto pattern = [](const char* id, const char* body) {
    return std::string("<pattern id=\"") + id +
           "\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\">" + body + "</pattern>";
  };
  const char* rising = "M-1,1l2,-2M0,7l7,-7M6,8l2,-2";
  const char* falling = "M-1,6l2,2M0,0l7,7M6,-1l2,2";
  const auto path = [](const char* cls, const std::string& d) {
    return std::string("<path class=\"") + cls + "\" d=\"" + d +
           "\" fill=\"none\" stroke-width=\"1.2\" stroke-opacity=\"0.75\"/>";
  };
  return "<defs>" + pattern("fp-wrong", path("fp-p-wrong", rising).c_str()) +
         pattern("fp-overlap", path("fp-p-overlap", std::string(rising) + falling).c_str()) +
         pattern("fp-hole", "<circle class=\"fp-p-hole\" cx=\"3\" cy=\"3\" r=\"0.9\"/>") +
         pattern("fp-extra", path("fp-p-extra", falling).c_str()) + "</defs>\n";
}

}  // namespace fragproof
