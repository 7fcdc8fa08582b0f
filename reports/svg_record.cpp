// The pictures of a run as one SVG file.
#include <algorithm>

#include "reports/escape.h"
#include "reports/phrase.h"
#include "reports/picture_drawing.h"
#include "reports/summary.h"
#include "reports/svg.h"
#include "reports/svg_draw.h"

namespace fragproof {
namespace {

constexpr std::size_t most_columns = 150;
constexpr int line_height = 14;

}  // namespace

std::string record_svg(const Record& record, std::size_t most) {
  const Summary summary = summary_of(record);
  const std::string head = counts_text(summary) + ". " + meaning_text(summary);
  std::string body;
  draw_label(body, 4, 16, "fp-h fp-title", "start", "fragproof: " + shorten(head, most_columns));
  int y = 30;
  int width = text_pixels(std::min(display_width(head) + 11, most_columns)) + 90;
  std::size_t drawn = 0, pictures = 0;
  for (const std::size_t i : failures_first(record)) {
    const Check& check = record.checks[i];
    if (!check.counterexample || !check.counterexample->picture) continue;
    SvgOptions options;
    options.lane = check.counterexample->lane;
    options.elem = check.counterexample->elem;
    if (++pictures > most) continue;
    const PictureDrawing picture = draw_picture(*check.counterexample->picture, options);
    if (picture.height == 0) continue;
    ++drawn;
    y += line_height;
    const std::string title = std::string(name_of(check.verdict)) +
                              (as_expected(check) ? " (as expected) " : " ") + visible(check.id);
    draw_label(body, 4, y, "fp-h fp-title", "start", shorten(title, most_columns));
    y += line_height;
    const std::string where = shorten(visible(short_phrase(*check.counterexample)), most_columns);
    draw_label(body, 4, y, "fp-s", "start", where);
    width = std::max({width, picture.width + 8, text_pixels(display_width(where)) + 8});
    y += 8;
    body += "<g transform=\"translate(4," + std::to_string(y) + ")\">\n" + picture.body + "</g>\n";
    y += picture.height + 16;
  }
  std::string note;
  if (drawn == 0) note = "No refutation of this run has a picture.";
  if (pictures > most) note = std::to_string(pictures - most) + " more pictures are not drawn.";
  if (!note.empty()) draw_label(body, 4, y + line_height, "fp-s", "start", note);
  return svg_element(width, y + 24, head, body, true);
}

}  // namespace fragproof
