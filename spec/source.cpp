// The set of texts of a run, and how a diagnostic is shown above its line of source.
#include "spec/source.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace fragproof {
namespace {

constexpr std::size_t shown_width = 96;  // columns of a source line that are shown
constexpr std::size_t lead_width =
    40;  // of these before the column in question, when the line is clipped

// One character of a line: its bytes, and how it is shown.
struct Glyph {
  std::size_t bytes = 1;
  std::string shown;
};

std::string hexadecimal(const char* format, unsigned value) {
  char buffer[24];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

// Characters that reorder or hide their neighbours: a reader must see that they are there.
bool is_invisible(std::uint32_t code) {
  return (code >= 0x80 && code < 0xa0) || code == 0xad || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

// The character at the start of `text`, which is not empty; what is not UTF-8 is taken byte by
// byte.
Glyph first_glyph(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead == '\t') return {1, "\\t"};
  if (lead < 0x20 || lead == 0x7f) return {1, hexadecimal("\\x%02x", lead)};
  if (lead < 0x80) return {1, std::string(1, text[0])};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {1, hexadecimal("\\x%02x", lead)};
  std::uint32_t code = lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return {1, hexadecimal("\\x%02x", lead)};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  if (is_invisible(code)) return {bytes, hexadecimal("\\u{%x}", code)};
  return {bytes, std::string(text.substr(0, bytes))};
}

// Columns that a glyph takes: one for a character that is shown as itself.
std::size_t columns(const Glyph& glyph) {
  return static_cast<unsigned char>(glyph.shown[0]) >= 0x80 ? 1 : glyph.shown.size();
}

// `text` with what a terminal would obey, or would not show, spelt out; line ends stay.
std::string visible(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    out += text[0] == '\n' ? "\n" : glyph.shown;
    text.remove_prefix(glyph.bytes);
  }
  return out;
}

// The part of a long line around `begin` (a byte); `from` is where it starts in the line.
struct Window {
  std::string_view text;
  std::size_t from = 0;
  bool cut_left = false, cut_right = false;
};

Window window_around(std::string_view line, std::size_t begin) {
  Window window{line, 0, false, false};
  if (line.size() <= shown_width) return window;
  const auto inside_character = [&](std::size_t i) {
    return i < line.size() && (static_cast<unsigned char>(line[i]) & 0xc0u) == 0x80u;
  };
  window.from = begin > lead_width ? begin - lead_width : 0;
  window.from = std::min(window.from, line.size() - shown_width);
  while (window.from > 0 && inside_character(window.from)) --window.from;
  std::size_t end = std::min(line.size(), window.from + shown_width);
  while (inside_character(end)) ++end;
  window.text = line.substr(window.from, end - window.from);
  window.cut_left = window.from > 0;
  window.cut_right = end < line.size();
  return window;
}

// The source line and, below it, `^~~~` under bytes begin .. end-1.
std::string excerpt(std::string_view line, std::size_t begin, std::size_t end) {
  begin = std::min(begin, line.size());
  const Window window = window_around(line, begin);
  std::string shown = window.cut_left ? "  ..." : "  ";
  std::string marks(shown.size(), ' ');
  std::string_view rest = window.text;
  std::size_t at = window.from;
  bool marked = false;
  while (!rest.empty()) {
    const Glyph glyph = first_glyph(rest);
    shown += glyph.shown;
    for (std::size_t i = 0; i < columns(glyph); ++i) {
      const bool inside = at >= begin && at < std::max(end, begin + 1);
      if (inside) {
        marks += marked ? '~' : '^';
        marked = true;
      } else if (!marked) {
        marks += ' ';
      }
    }
    at += glyph.bytes;
    rest.remove_prefix(glyph.bytes);
  }
  if (!marked) marks += '^';  // at the end of the line
  if (window.cut_right) shown += "...";
  return shown + "\n" + marks + "\n";
}

}  // namespace

int SourceSet::add(std::string path, std::string text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  files_.push_back(File{std::move(path), std::move(text), {}});
  File& file = files_.back();
  const std::string_view all = file.text;
  file.lines.reserve(static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n')) + 1);
  std::size_t start = 0;
  while (start < all.size()) {
    const std::size_t end = std::min(all.find('\n', start), all.size());
    std::string_view line = all.substr(start, end - start);
    if (line.ends_with('\r')) line.remove_suffix(1);
    file.lines.push_back(line);
    start = end + 1;
  }
  return static_cast<int>(files_.size()) - 1;
}

std::string_view SourceSet::line(int index, int line) const {
  if (index < 0 || index >= size() || line < 1) return "";
  const std::vector<std::string_view>& lines = file(index).lines;
  const auto at = static_cast<std::size_t>(line) - 1;
  return at < lines.size() ? lines[at] : std::string_view();
}

std::string_view SourceSet::text(const Span& span) const {
  const std::string_view whole = line(span.file, span.line);
  if (span.column < 1 || span.length < 0) return "";
  const std::size_t from = static_cast<std::size_t>(span.column) - 1;
  if (from >= whole.size()) return "";
  return whole.substr(from, static_cast<std::size_t>(span.length));
}

std::string render(const SourceSet& sources, const Diagnostic& diagnostic) {
  const Span& where = diagnostic.where;
  const bool has_file = where.file >= 0 && where.file < sources.size();
  const bool has_line =
      has_file && where.line >= 1 &&
      static_cast<std::size_t>(where.line) <= sources.file(where.file).lines.size();
  std::string out;
  if (has_file) {
    out += visible(sources.file(where.file).path) + ":";
    if (where.line >= 1) {
      out += std::to_string(where.line) + ":" + std::to_string(std::max(where.column, 1)) + ":";
    }
    out += " ";
  }
  out += diagnostic.severity == Severity::Error ? "error: " : "note: ";
  out += visible(diagnostic.text) + "\n";
  if (has_line) {
    const std::size_t begin = static_cast<std::size_t>(std::max(where.column, 1)) - 1;
    const std::size_t length = static_cast<std::size_t>(std::max(where.length, 1));
    out += excerpt(sources.line(where.file, where.line), begin, begin + length);
  }
  if (!diagnostic.help.empty()) out += "help: " + visible(diagnostic.help) + "\n";
  return out;
}

}  // namespace fragproof
