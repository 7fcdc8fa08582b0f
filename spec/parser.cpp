// The parser's tokens, its error messages, and where it goes on after an error.
#include "spec/parser.h"

#include <algorithm>
#include <array>

#include "spec/foreign.h"
#include "spec/suggest.h"

namespace fragproof {
namespace {

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 40;
  if (text.size() <= longest) return "`" + std::string(text) + "`";
  return "`" + std::string(text.substr(0, longest)) + "...`";
}

// Words and symbols of other languages, and what to write instead.
std::string foreign(const Token& token, std::string_view wanted) {
  const bool behind_expression = wanted == "the end of the line" || wanted.starts_with("`,` or");
  if (token.is("=") && behind_expression) return "`==` compares";
  if (token.kind != Token::Kind::Word) return "";
  if (token.text == "and") return "write `&&`";
  if (token.text == "or") return "write `||`";
  if (token.text == "not") return "write `!`";
  return "";
}

bool is_unit(std::string_view word) {
  return word.size() > 1 && word[0] == 'b' &&
         std::all_of(word.begin() + 1, word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

SyntaxTree parse(const SourceSet& sources, int file, Arena& arena,
                 std::vector<Diagnostic>& diagnostics) {
  return Parser(sources, file, arena, diagnostics).run();
}

Parser::Parser(const SourceSet& sources, int file, Arena& arena,
               std::vector<Diagnostic>& diagnostics)
    : sources_(sources),
      file_(file),
      arena_(arena),
      diagnostics_(diagnostics),
      lexer_(sources, file) {
  errors_ = static_cast<int>(
      std::count_if(diagnostics.begin(), diagnostics.end(),
                    [](const Diagnostic& d) { return d.severity == Severity::Error; }));
}

SyntaxTree Parser::run() {
  SyntaxTree tree;
  for (const auto& find : {find_non_text, find_tab_indent}) {
    Diagnostic complaint = find(sources_, file_);
    if (complaint.text.empty()) continue;
    if (!full()) diagnostics_.push_back(std::move(complaint));
    return tree;
  }
  while (!full() && peek().kind != Token::Kind::End) {
    const Token start = peek();
    try {
      declaration(tree);
    } catch (const Failure&) {
      recover(start);
    }
  }
  if (errors_ >= most_errors && peek().kind != Token::Kind::End) {
    const Token& next = peek();
    diagnostics_.push_back(
        {span_of(next), "after 20 errors the rest of the file was not read", "", Severity::Note});
  }
  return tree;
}

// ---- tokens ----

const Token& Parser::peek(std::size_t ahead) {
  while (ahead_.size() <= ahead) ahead_.push_back(lexer_.next());
  return ahead_[ahead];
}

Token Parser::take() {
  const Token token = peek();
  if (++tokens_ > most_tokens) {
    stopped_ = true;
    fail(token, "this file is too large: it has more than 4 million words and symbols",
         "long tables go into a file of their own: `table T[..] = file \"t.npy\"`");
  }
  if (token.first && open_.empty() && token.line != statement_line_)
    continuation_line_ = token.line;
  if (token.is("(") || token.is("[") || token.is("{")) open_.push_back(token);
  if ((token.is(")") || token.is("]") || token.is("}")) && !open_.empty()) open_.pop_back();
  last_ = token;
  ahead_.pop_front();
  return token;
}

void Parser::begin_statement() {
  statement_line_ = peek().line;
  statement_column_ = peek().column;
  continuation_line_ = 0;
  header_ = false;
  open_.clear();
}

void Parser::end_statement() {
  if (!at_end()) unexpected("the end of the line");
}

bool Parser::ends(const Token& token) const {
  if (token.kind == Token::Kind::End) return true;
  return token.first && open_.empty() && token.line != statement_line_ &&
         token.column <= statement_column_;
}

bool Parser::accept(std::string_view symbol) {
  if (!at(symbol)) return false;
  take();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  take();
  return true;
}

Token Parser::expect(std::string_view symbol, std::string_view what) {
  if (!at(symbol)) unexpected(what.empty() ? "`" + std::string(symbol) + "`" : std::string(what));
  return take();
}

Token Parser::expect_word(std::string_view word) {
  if (!at_word(word)) unexpected("`" + std::string(word) + "`");
  return take();
}

Token Parser::expect_name(std::string_view what) {
  if (at_end() || peek().kind != Token::Kind::Word) unexpected(what);
  if (is_reserved(peek().text)) reserved(peek());
  return take();
}

Token Parser::expect_string(std::string_view what) {
  if (at_end() || peek().kind != Token::Kind::String) unexpected(what);
  return take();
}

std::string Parser::dotted_name(std::string_view what) {
  return dotted_rest(std::string(expect_name(what).text));
}

std::string Parser::dotted_rest(std::string text) {
  int parts = 1;
  while (at(".") && !at_unit()) {
    const Token dot = take();
    if (++parts > most_name_parts) fail(dot, "this name has more than 32 parts");
    text += '.';
    if (is_ptx(text) && peek().kind == Token::Kind::Word) {  // `..x4.shared::cta.b16`
      text += take().text;
      while (at(":") && peek(1).is(":")) {
        take();
        take();
        text += "::" + std::string(expect_name("a name behind the `::`").text);
      }
      continue;
    }
    text += expect_name("a name behind the `.`").text;
  }
  return text;
}

bool Parser::at_unit() {
  if (!at(".")) return false;
  const Token word = peek(1);
  const Token bracket = peek(2);
  return word.kind == Token::Kind::Word && is_unit(word.text) && !ends(word) && bracket.is("[") &&
         !ends(bracket);
}

Unit Parser::unit() {
  const Token dot = expect(".");
  const Token word = take();
  const std::optional<ElementType> width = find_type(word.text);
  if (!width) fail(word, "a unit has 1 to 128 bits, " + quoted(word.text) + " has not");
  Unit unit;
  unit.width = width->width;
  expect("[");
  unit.index = expression();
  expect("]");
  unit.where = span_from(dot);
  return unit;
}

ElementType Parser::type() {
  if (at_end() || peek().kind != Token::Kind::Word) unexpected("a type");
  const std::optional<ElementType> found = find_type(peek().text);
  if (!found) {
    const std::string near =
        closest(peek().text,
                {"f16", "bf16", "tf32", "f32", "f64", "e4m3", "e5m2", "e2m1", "b8",  "b16", "b32",
                 "b64", "b128", "u4",   "u8",  "s4",  "s8",   "i8",   "s32",  "i32", "u32"});
    const std::string foreign_help = foreign_type_help(peek().text);
    fail(peek(), "unknown type " + quoted(peek().text),
         !foreign_help.empty() ? foreign_help
         : near.empty()
             ? "types are bN, sN, uN (N = 1..128 bits), f16 bf16 tf32 f32 f64 e4m3 e5m2 e2m1"
             : "did you mean `" + near + "`?");
  }
  take();
  return *found;
}

// ---- errors ----

Span Parser::span_of(const Token& token) const {
  return {file_, token.line, token.column, token.length};
}

Span Parser::span_from(const Token& start) {
  int end = last_.end_column();
  if (last_.line != start.line) {
    if (trimmed_line_ != start.line) {
      std::string_view line = sources_.line(file_, start.line);
      line = line.substr(0, line.find('#', static_cast<std::size_t>(start.column)));
      while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
      trimmed_line_ = start.line;
      trimmed_end_ = static_cast<int>(line.size()) + 1;
    }
    end = trimmed_end_;
  }
  return {file_, start.line, start.column, std::max(1, end - start.column)};
}

std::string Parser::describe(const Token& token) const {
  if (token.kind == Token::Kind::End) return "the end of the file";
  if (ends(token)) return "the end of the line";
  if (token.kind == Token::Kind::String) return "a string";
  return quoted(token.text);
}

void Parser::report(const Span& where, std::string text, std::string help) {
  if (errors_ >= most_errors) return;
  diagnostics_.push_back({where, std::move(text), std::move(help), Severity::Error});
  ++errors_;
}

void Parser::fail(const Token& token, std::string text, std::string help) {
  failure_line_ = token.line;
  failure_starts_line_ = token.first && token.column == 1;
  if (token.kind == Token::Kind::Bad) {
    const Diagnostic& complaint = lexer_.complaint(token);
    report(complaint.where, complaint.text, complaint.help);
  } else {
    report(span_of(token), std::move(text), std::move(help));
  }
  throw Failure{};
}

void Parser::fail_at(const Span& where, std::string text, std::string help) {
  failure_line_ = peek().line;
  failure_starts_line_ = peek().first && peek().column == 1;
  report(where, std::move(text), std::move(help));
  throw Failure{};
}

void Parser::reserved(const Token& word) {
  fail(word, quoted(word.text) + " is a reserved word: choose another name");
}

// The next token is not what the grammar wants.
void Parser::unexpected(std::string_view wanted, std::string help) {
  const Token token = peek();
  const bool statement_word = token.kind == Token::Kind::Word &&
                              (starts_declaration(token.text) || starts_statement(token.text));
  if (!open_.empty() && (token.kind == Token::Kind::End || (token.first && statement_word))) {
    const Token bracket = open_.back();
    failure_line_ = token.line;
    failure_starts_line_ = token.first && token.column == 1;
    report(span_of(bracket), quoted(bracket.text) + " is never closed", "");
    throw Failure{};
  }
  // A header that is cut short: its body is not to blame.
  const bool cut_short = header_ && open_.empty() && token.first && token.line != statement_line_;
  const bool behind = (ends(token) || cut_short) && token.kind != Token::Kind::Bad;
  std::string text = "expected " + std::string(wanted) + ", found " +
                     (cut_short ? "the end of the line" : describe(token));
  if (help.empty() && !behind && open_.empty()) {
    const bool continues = (token.first && token.line != statement_line_) ||
                           (token.line == continuation_line_ && (token.is("=") || token.is(":")));
    if (continues) {
      help = "this line continues the one above: align it with line " +
             std::to_string(statement_line_) + " to make it a statement";
    }
  }
  if (help.empty()) help = behind ? "" : foreign(token, wanted);
  if (help.empty() && !open_.empty() && open_.back().line != token.line) {
    help = "the " + quoted(open_.back().text) + " of line " + std::to_string(open_.back().line) +
           " is still open";
  }
  if (behind) {  // the place is behind what is there
    failure_line_ = token.line;
    failure_starts_line_ = token.first && token.column == 1;
    report({file_, last_.line, last_.end_column(), 1}, std::move(text), std::move(help));
    throw Failure{};
  }
  fail(token, std::move(text), std::move(help));
}

void Parser::recover(const Token& start) {
  const bool here = failure_starts_line_ && failure_line_ > start.line;
  lexer_.resume(here ? failure_line_ : std::max(failure_line_, start.line) + 1);
  ahead_.clear();
  open_.clear();
  literals_.clear();
  nesting_ = 0;
}

}  // namespace fragproof
