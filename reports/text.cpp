// What the terminal shows of a run.
#include "reports/text.h"

#include <algorithm>

#include "reports/escape.h"
#include "reports/phrase.h"
#include "reports/picture_text.h"
#include "reports/summary.h"

namespace fragproof {
namespace {

std::string paint(const std::string& text, const char* code, const TextOptions& options) {
  return options.colour ? std::string("\x1b[") + code + "m" + text + "\x1b[0m" : text;
}

const char* colour_of(const Check& check) {
  switch (urgency(check)) {
    case 6:
      return "32";  // green: as it should be
    case 5:
      return "36";
    case 4:
    case 3:
      return "33";
    default:
      return "1;31";
  }
}

// `text` broken at blanks so that no line is wider than the terminal; `indent` before each line.
std::string wrap(const std::string& text, std::size_t indent, const TextOptions& options) {
  const std::size_t width = static_cast<std::size_t>(std::max(options.width, 40));
  std::string out, line;
  const auto flush = [&] {
    if (!line.empty()) out += std::string(indent, ' ') + line + "\n";
    line.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || text[at] == '\n') {
      if (text[at++] == '\n') flush();
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && indent + display_width(line) + 1 + display_width(word) > width) flush();
    line += (line.empty() ? "" : " ") + word;
    at = end;
  }
  flush();
  return out;
}

// "  expected  W[9, 2]", wrapped with a hanging indent; nothing for an empty text.
std::string field(const char* name, const std::string& text, const TextOptions& options) {
  if (text.empty()) return "";
  constexpr std::size_t indent = 13;
  std::string body = wrap(visible(text, true), indent, options);
  if (body.empty()) return "";
  body.replace(0, indent, pad_right(std::string("  ") + name, indent));
  return body;
}

std::string claim_word(const Check& check) {
  return check.expected == Verdict::Refuted ? "refute" : "prove";
}

// FILE:LINE:COLUMN, the line, a caret; a long line is cut around the caret.
std::string source_block(const Check& check, const TextOptions& options) {
  if (check.file.empty()) return "";
  std::string out = "  " + visible(check.file);
  if (check.line > 0) out += ":" + std::to_string(check.line);
  if (check.line > 0 && check.column > 0) out += ":" + std::to_string(check.column);
  out += "\n";
  if (check.source_line.empty()) return out;
  const std::string margin = "  " + pad_left(std::to_string(check.line), 5) + " | ";
  const std::size_t room = static_cast<std::size_t>(std::max(options.width, 40)) - margin.size();
  const std::string line = visible(check.source_line);
  std::size_t caret = 0;
  if (check.column > 0) {
    const std::size_t before = static_cast<std::size_t>(check.column) - 1;
    caret = display_width(visible(std::string_view(check.source_line).substr(0, before)));
  }
  out += margin + shorten(line, room) + "\n";
  if (check.column > 0 && caret < room) {
    out += std::string(margin.size() - 2, ' ') + "| " + std::string(caret, ' ') + "^\n";
  }
  return out;
}

std::string counterexample_block(const Check& check, const TextOptions& options) {
  if (!check.counterexample) return "";
  const Counterexample& c = *check.counterexample;
  std::string shape = values_phrase(c.sizes);
  if (!shape.empty()) shape += c.smallest ? "  (the smallest)" : "  (not shown smallest)";
  std::string out = field("shape", shape, options);
  out += field("tables", tables_phrase(c), options);
  out += field("at", values_phrase(c.at), options);
  out += field("where", place_phrase(c), options);
  if (check.kind == "pairing") {  // the operands disagree, and neither is right by itself
    out += field("A holds", c.found, options);
    out += field("B asks", c.expected, options);
  } else {
    out += field("expected", c.expected, options);
    out += field("found", c.found.empty() && !c.expected.empty() ? "nothing" : c.found, options);
  }
  out += field("wrong", count_phrase(c), options);
  out += field("why", c.text, options);
  if (c.picture) {
    PictureTextOptions picture;
    picture.width = options.width;
    picture.colour = options.colour;
    picture.lane = c.lane;
    picture.elem = c.elem;
    const std::string text = picture_text(*c.picture, picture);
    if (!text.empty()) out += "\n" + text;
  }
  return out;
}

std::string surprise_block(const Check& check, const TextOptions& options) {
  std::string head = std::string("  ") + name_of(check.verdict) + ", but the file says `" +
                     claim_word(check) + "`";
  std::string out = paint(head, colour_of(check), options) + "\n";
  out += field("reason", check.reason, options);
  out += counterexample_block(check, options);
  out += field("note", check.note, options);
  out += "\n" + source_block(check, options);
  if (!check.reproduce.empty()) out += "  reproduce: " + visible(check.reproduce) + "\n";
  return out + "\n";
}

}  // namespace

std::string check_line(const Check& check, const TextOptions& options) {
  const std::size_t width = static_cast<std::size_t>(std::max(options.width, 0));
  const int rank = urgency(check);
  const char* mark = rank <= 2 ? "! " : rank <= 4 ? "? " : "  ";
  const std::string head = mark + pad_right(name_of(check.verdict), 7) + "  ";
  std::string id = visible(check.id);
  const std::string time = pad_left(time_phrase(check.time_ms), 7);
  std::string methods = visible(methods_phrase(check));
  const std::size_t id_width = static_cast<std::size_t>(std::max(options.id_width, 0));
  id = pad_right(id, id_width);
  // Where the line would be too wide, the methods go first; the id is never cut.
  std::string tail = "  " + pad_right(methods, 16) + " " + time;
  if (display_width(head + id + tail) > width) tail = "  " + time;
  return paint(head, colour_of(check), options) + id + tail + "\n";
}

std::string check_details(const Check& check, const TextOptions& options) {
  const int rank = urgency(check);
  if (!check.below.empty()) return wrap(visible(check.reason, true), 11, options);
  if (rank <= 1) return surprise_block(check, options);
  std::string out;
  if (rank <= 4) {
    const std::string reason =
        check.reason.empty() ? "no reason given" : visible(check.reason, true);
    out = wrap(reason, 11, options);
    if (check.counterexample) out += counterexample_block(check, options);
    if (rank <= 3 && !check.reproduce.empty()) {
      out += std::string(11, ' ') + "reproduce: " + visible(check.reproduce) + "\n";
    }
    return out;
  }
  if (rank == 5) {
    const std::string text =
        check.counterexample ? visible(short_phrase(*check.counterexample)) : visible(check.reason);
    return wrap(text.empty() ? "as expected" : "as expected: " + text, 11, options);
  }
  return wrap(visible(check.note, true), 11, options);
}

std::string summary_text(const Record& record, const TextOptions& options) {
  const Summary summary = summary_of(record);
  const char* colour = summary.ok ? "1;32" : exit_code_of(record) == 1 ? "1;31" : "1;33";
  std::string out = paint(counts_text(summary), colour, options) + "\n";
  out += wrap(meaning_text(summary), 0, options);
  if (!record.z3_version.empty()) out += "Z3 " + visible(record.z3_version) + "\n";
  return out;
}

std::string record_text(const Record& record, const TextOptions& options) {
  TextOptions fitted = options;
  std::size_t longest = 0;
  for (const Check& check : record.checks) {
    longest = std::max(longest, display_width(visible(check.id)));
  }
  fitted.id_width = static_cast<int>(std::min<std::size_t>(longest, 42));
  std::string out;
  for (const Check& check : record.checks) {
    out += check_line(check, fitted) + check_details(check, fitted);
  }
  return out + (record.checks.empty() ? "" : "\n") + summary_text(record, fitted);
}

}  // namespace fragproof
