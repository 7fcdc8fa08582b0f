// Reading tokens off the lines of a text.
#include "spec/lexer.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace fragproof {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_character(char c) { return is_letter(c) || is_digit(c); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// The value of a digit in bases up to 16, or 16.
int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

// Bytes of the UTF-8 character at the start of `text`, 0 when there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return 0;
  }
  if (lead == 0xe0 && byte(1) < 0xa0) return 0;  // overlong
  if (lead == 0xed && byte(1) > 0x9f) return 0;  // surrogates
  if (lead == 0xf0 && byte(1) < 0x90) return 0;  // overlong
  if (lead == 0xf4 && byte(1) > 0x8f) return 0;  // beyond Unicode
  return length;
}

// Longest first: the first that fits is the token.
constexpr std::array<std::string_view, 36> symbols = {
    "/*", "//", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+=", "->",
    "(",  ")",  "[",  "]",  "{",  "}",  ",",  ":",  ".",  "+",  "-",  "*",
    "/",  "%",  "&",  "|",  "^",  "~",  "!",  "<",  ">",  "?",  "=",  ";"};

}  // namespace

const std::vector<std::string>& declaration_words() {
  static const std::vector<std::string> words = {
      "include",  "use",    "size", "let",    "require", "table", "map",
      "fragment", "tensor", "pack", "kernel", "prove",   "refute"};
  return words;
}

const std::vector<std::string>& reserved_words() {
  static const std::vector<std::string> words = {
      "include", "use",       "as",       "size",      "let",    "require",  "table",
      "map",     "fragment",  "tensor",   "pack",      "kernel", "computes", "prove",
      "refute",  "where",     "forall",   "for",       "if",     "else",     "carry",
      "over",    "then",      "parallel", "reduce",    "shared", "load",     "from",
      "store",   "to",        "launch",   "min",       "max",    "ceildiv",  "cute",
      "total",   "injective", "onto",     "bijective", "ways",   "sectors",  "coalesced"};
  return words;
}

bool is_reserved(std::string_view word) {
  const auto& words = reserved_words();
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool starts_declaration(std::string_view word) {
  const auto& words = declaration_words();
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool starts_statement(std::string_view word) {
  constexpr std::array<std::string_view, 10> words = {
      "require", "let", "carry", "parallel", "reduce", "for", "shared", "load", "store", "launch"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

Diagnostic find_non_text(const SourceSet& sources, int file) {
  const std::vector<std::string_view>& lines = sources.file(file).lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t length = line[at] == '\0' ? 0 : utf8_length(line.substr(at));
      if (length == 0) {
        char byte[8];
        std::snprintf(byte, sizeof byte, "0x%02x",
                      static_cast<unsigned>(static_cast<unsigned char>(line[at])));
        const Span where{file, static_cast<int>(i) + 1, static_cast<int>(at) + 1, 1};
        const std::string text = line[at] == '\0' ? "this is not a text file: it holds a NUL byte"
                                                  : std::string("this is not UTF-8 text: byte ") +
                                                        byte + " is out of place";
        return {where, text, "a `.layout` file is text: ASCII, and UTF-8 in comments and strings",
                Severity::Error};
      }
      at += length;
    }
  }
  return {};
}

Diagnostic find_tab_indent(const SourceSet& sources, int file) {
  const std::vector<std::string_view>& lines = sources.file(file).lines;
  Diagnostic first;
  std::size_t count = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t text = lines[i].find_first_not_of(" \t\r");
    if (text == std::string_view::npos || lines[i][text] == '#') continue;
    const std::size_t tab = lines[i].find('\t');
    if (tab >= text) continue;
    if (count++ > 0) continue;
    first.where = {file, static_cast<int>(i) + 1, static_cast<int>(tab) + 1, 1};
    first.text = "tabs are not allowed";
  }
  if (count > 1) {
    first.text += ": this line and " + std::to_string(count - 1) +
                  (count == 2 ? " more is" : " more are") + " indented with them";
  }
  if (count > 0) first.help = "indent with spaces, two a level: `expand -t 2 FILE` rewrites them";
  return first;
}

Token Lexer::take(Token token, Token::Kind kind, std::size_t length) {
  token.kind = kind;
  token.length = static_cast<int>(length);
  token.text = lines_[line_].substr(column_, length);
  column_ += length;
  return token;
}

Token Lexer::bad(Token token, std::size_t length, std::string text, std::string help) {
  token = take(token, Token::Kind::Bad, length);
  token.bad = bad_.size();
  bad_.push_back({Span{file_, token.line, token.column, token.length}, std::move(text),
                  std::move(help), Severity::Error});
  return token;
}

Token Lexer::next() {
  while (line_ < lines_.size()) {
    const std::string_view line = lines_[line_];
    while (column_ < line.size() && line[column_] == ' ') ++column_;
    if (column_ < line.size() && line[column_] == '#') {
      if (first_) read_provenance(line.substr(column_));
      column_ = line.size();
    }
    if (column_ >= line.size()) {
      ++line_;
      column_ = 0;
      first_ = true;
      continue;
    }
    Token token;
    token.first = first_;
    token.line = static_cast<int>(line_) + 1;
    token.column = static_cast<int>(column_) + 1;
    first_ = false;
    const char c = line[column_];
    if (is_letter(c)) return word(token);
    if (is_digit(c)) return number(token);
    if (c == '"') return string(token);
    return symbol(token);
  }
  Token end;
  end.first = true;
  end.line = static_cast<int>(lines_.size()) + 1;
  end.column = 1;
  return end;
}

Token Lexer::word(Token token) {
  const std::string_view rest = lines_[line_].substr(column_);
  const auto end = std::find_if_not(rest.begin(), rest.end(), is_word_character);
  return take(token, Token::Kind::Word, static_cast<std::size_t>(end - rest.begin()));
}

Token Lexer::number(Token token) {
  const std::string_view rest = lines_[line_].substr(column_);
  const auto end = std::find_if_not(rest.begin(), rest.end(),
                                    [](char c) { return is_word_character(c) || c == '\''; });
  const auto length = static_cast<std::size_t>(end - rest.begin());
  const std::string_view all = rest.substr(0, length);
  const std::string shown = "`" + std::string(all.substr(0, 40)) + (length > 40 ? "...`" : "`");
  if (length + 1 < rest.size() && rest[length] == '.' && is_digit(rest[length + 1])) {
    return bad(token, length + 1, "numbers are integers: no fractions");
  }
  std::string_view digits = all;
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) base = 16;
  if (digits.size() > 1 && digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B')) base = 2;
  if (base != 10) digits.remove_prefix(2);
  while (!digits.empty() &&
         std::string_view("uUlL").find(digits.back()) != std::string_view::npos) {
    digits.remove_suffix(1);
  }
  const std::string_view kind = base == 16  ? "hexadecimal digits"
                                : base == 2 ? "binary digits"
                                            : "digits";
  if (digits.empty()) return bad(token, length, shown + " has no " + std::string(kind));
  Int value = 0;
  bool fits = true;
  char before = '\'';  // a separator stands between two digits
  for (const char c : digits) {
    if (c == '\'' && before != '\'') {
      before = c;
      continue;
    }
    if (digit_value(c) >= base) {
      return bad(token, length,
                 c == '\'' ? shown + ": a `'` stands between two digits"
                           : shown + " is neither a number nor a name: `" + std::string(1, c) +
                                 "` is none of the " + std::string(kind));
    }
    fits = fits && mul(value, base, value) && add(value, digit_value(c), value);
    before = c;
  }
  if (before == '\'') return bad(token, length, shown + ": a `'` stands between two digits");
  if (base == 10 && digits.size() > 1 && digits[0] == '0') {
    return bad(token, length, shown + " starts with 0: there are no octal numbers",
               "write it without the 0, or as `0x...`");
  }
  if (!fits) return bad(token, length, shown + " is too large: numbers have up to 127 bits");
  token = take(token, Token::Kind::Number, length);
  token.number = value;
  return token;
}

Token Lexer::string(Token token) {
  const std::string_view rest = lines_[line_].substr(column_);
  const std::size_t end = rest.find('"', 1);
  if (end == std::string_view::npos) {
    return bad(token, rest.size(), "this string is not closed",
               "a string ends in its own line, with `\"`");
  }
  token = take(token, Token::Kind::String, end + 1);
  token.text = token.text.substr(1, end - 1);
  return token;
}

Token Lexer::symbol(Token token) {
  const std::string_view rest = lines_[line_].substr(column_);
  for (const std::string_view symbol : symbols) {
    if (!rest.starts_with(symbol)) continue;
    if (symbol == "/*") return block_comment(token);
    if (symbol == "//") {
      if (token.first)
        return bad(token, 2, "`//` starts no comment here", "a comment starts with `#`");
      return bad(token, 2,
                 "`//` is neither an operator nor a comment: write `/` (division is integer "
                 "division), or `#` for a "
                 "comment");
    }
    if (symbol == ";") return bad(token, 1, "no `;` here: a statement ends with its line");
    return take(token, Token::Kind::Symbol, symbol.size());
  }
  if (rest[0] == '\t')
    return bad(token, 1, "tabs are not allowed",
               "write spaces: `expand -t 2 FILE` rewrites all tabs");
  const std::size_t length = utf8_length(rest);
  const auto byte = static_cast<unsigned char>(rest[0]);
  if (length > 1) {
    return bad(token, length, "`" + std::string(rest.substr(0, length)) + "` is not ASCII",
               "other characters stand in comments and strings only");
  }
  if (byte < 0x20 || byte == 0x7f) return bad(token, 1, "a control character does not belong here");
  return bad(token, 1, "`" + std::string(1, rest[0]) + "` has no meaning here");
}

// C's `/* .. */`: one complaint, and nothing of what stands in it.
Token Lexer::block_comment(Token token) {
  const std::size_t close = lines_[line_].find("*/", column_ + 2);
  std::size_t length = 2;
  if (close != std::string_view::npos) {
    length = close + 2 - column_;
  } else {
    std::size_t end = line_ + 1;
    while (end < lines_.size() && lines_[end].find("*/") == std::string_view::npos) ++end;
    if (end < lines_.size()) commented_ = end + 1;
  }
  return bad(token, length, "`/*` starts no comment here",
             "a comment starts with `#` and ends with its line");
}

void Lexer::resume(int line) {
  line_ = std::max(static_cast<std::size_t>(std::max(line, 1)) - 1, commented_);
  while (line_ < lines_.size() && (lines_[line_].empty() || !is_letter(lines_[line_][0]))) ++line_;
  column_ = 0;
  first_ = true;
}

// `#@ key: value`. A line of this kind that does not follow another starts a new block; unknown
// keys are comments.
void Lexer::read_provenance(std::string_view comment) {
  if (!comment.starts_with("#@")) return;
  if (provenance_line_ == 0 || provenance_line_ != line_) provenance_ = Provenance{};
  provenance_line_ = line_ + 1;
  const std::size_t colon = comment.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view key = trimmed(comment.substr(2, colon - 2));
  const std::string value(trimmed(comment.substr(colon + 1)));
  if (key == "instruction") provenance_.instruction = value;
  if (key == "ptx") provenance_.ptx = value;
  if (key == "sm") provenance_.sm = value;
  if (key == "section") provenance_.section = value;
  if (key == "status") provenance_.status = value;
  if (key == "types") {
    for (std::size_t at = 0; at < value.size();) {
      const std::size_t end = std::min(value.find(' ', at), value.size());
      if (end > at) provenance_.types.push_back(value.substr(at, end - at));
      at = end + 1;
    }
  }
}

}  // namespace fragproof
