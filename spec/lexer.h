// Tokens of the layout language, one at a time: words, numbers, strings and symbols, with the line
// structure that the parser needs (is this token the first of its line, and in which column).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/ast.h"
#include "spec/source.h"

namespace fragproof {

struct Token {
  enum class Kind { Word, Number, String, Symbol, End, Bad };
  Kind kind = Kind::End;
  bool first = false;        // first on its line
  int line = 0, column = 0;  // from 1; End: one past the last line, column 1
  int length = 1;            // bytes
  std::string_view text;     // as written; of a String what is between the quotes
  Int number = 0;            // Number
  std::size_t bad = 0;       // Bad: index into Lexer::complaint

  [[nodiscard]] bool is(std::string_view symbol) const {
    return kind == Kind::Symbol && text == symbol;
  }
  [[nodiscard]] bool is_word(std::string_view word) const {
    return kind == Kind::Word && text == word;
  }
  [[nodiscard]] int end_column() const { return column + length; }
};

// The words that cannot be names, in the order in which the grammar introduces them.
[[nodiscard]] const std::vector<std::string>& reserved_words();
[[nodiscard]] bool is_reserved(std::string_view word);
// Those that start a declaration in column 1; those that start a statement of a kernel or map.
[[nodiscard]] const std::vector<std::string>& declaration_words();
[[nodiscard]] bool starts_declaration(std::string_view word);
[[nodiscard]] bool starts_statement(std::string_view word);

// The first thing in a file that makes it no text of the language at all: a NUL byte, or bytes that
// are not UTF-8. Nothing to complain about when `text` is empty.
[[nodiscard]] Diagnostic find_non_text(const SourceSet& sources, int file);

// The first line that is indented with a tab, and how many more there are: one complaint for the
// whole file, which has no structure then. Lines that hold nothing or a comment do not count.
[[nodiscard]] Diagnostic find_tab_indent(const SourceSet& sources, int file);

class Lexer {
 public:
  Lexer(const SourceSet& sources, int file) : file_(file), lines_(sources.file(file).lines) {}

  // The next token. What is malformed is a Bad token: reading goes on behind it.
  [[nodiscard]] Token next();
  // What is wrong with a Bad token.
  [[nodiscard]] const Diagnostic& complaint(const Token& token) const { return bad_.at(token.bad); }
  // Goes on at the first line from `line` on (from 1) that starts with a word in column 1.
  void resume(int line);
  // The last block of `#@ key: value` lines above the token read last.
  [[nodiscard]] const Provenance& provenance() const { return provenance_; }

 private:
  Token bad(Token token, std::size_t length, std::string text, std::string help = "");
  Token word(Token token);
  Token number(Token token);
  Token string(Token token);
  Token symbol(Token token);
  Token block_comment(Token token);
  Token take(Token token, Token::Kind kind, std::size_t length);
  void read_provenance(std::string_view comment);

  int file_;
  const std::vector<std::string_view>& lines_;
  std::size_t line_ = 0;    // from 0
  std::size_t column_ = 0;  // from 0
  bool first_ = true;
  std::size_t commented_ = 0;  // lines up to the end of the last `/* .. */` that was met
  std::vector<Diagnostic> bad_;
  Provenance provenance_;
  std::size_t provenance_line_ = 0;  // of the last `#@`, from 1
};

}  // namespace fragproof
