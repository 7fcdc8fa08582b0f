// The recursive-descent parser of the layout language: internal to spec/parser*.cpp, which split it
// by idea. A syntax error is reported where it is found and thrown as a Failure, which ends at the
// declaration: reading goes on at the next line in column 1.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "spec/lexer.h"
#include "spec/syntax.h"

namespace fragproof {

// Nesting is bounded so that no walk over a tree can exhaust the stack.
inline constexpr int deepest_nesting = 200;
inline constexpr int tallest_expression = 1000;
inline constexpr int most_name_parts = 32;
inline constexpr int most_errors = 20;
inline constexpr std::size_t most_tokens = std::size_t{1} << 22;
inline constexpr std::size_t most_table_values = std::size_t{1} << 22;

class Parser {
 public:
  Parser(const SourceSet& sources, int file, Arena& arena, std::vector<Diagnostic>& diagnostics);
  [[nodiscard]] SyntaxTree run();

 private:
  struct Failure {};  // thrown behind a reported error, caught where a declaration starts
  class Nest;         // one level of nesting while it lives

  // ---- tokens (parser.cpp) ----
  const Token& peek(std::size_t ahead = 0);
  Token take();
  void begin_statement();  // the next token starts one: deeper lines continue it
  void end_statement();    // nothing of it is left
  // Does the open statement end before `token`?
  [[nodiscard]] bool ends(const Token& token) const;
  bool at_end() { return ends(peek()); }
  bool at(std::string_view symbol) { return peek().is(symbol) && !at_end(); }
  bool at_word(std::string_view word) { return peek().is_word(word) && !at_end(); }
  bool accept(std::string_view symbol);
  bool accept_word(std::string_view word);
  Token expect(std::string_view symbol, std::string_view what = "");
  Token expect_word(std::string_view word);
  Token expect_name(std::string_view what);  // a word that is not reserved
  Token expect_string(std::string_view what);
  std::string dotted_name(std::string_view what);
  std::string dotted_rest(std::string text);  // text and all `.NAME` up to a unit access
  ElementType type();                         // a type's name
  bool at_unit();                             // `.bN[`
  Unit unit();

  // ---- errors ----
  [[noreturn]] void fail(const Token& token, std::string text, std::string help = "");
  [[noreturn]] void fail_at(const Span& where, std::string text, std::string help = "");
  [[noreturn]] void unexpected(std::string_view wanted, std::string help = "");
  [[noreturn]] void reserved(const Token& word);
  void report(const Span& where, std::string text, std::string help);
  void recover(const Token& start);
  [[nodiscard]] bool full() const { return stopped_ || errors_ >= most_errors; }
  [[nodiscard]] Span span_of(const Token& token) const;
  [[nodiscard]] Span span_from(const Token& start);  // from `start` to the token taken last
  [[nodiscard]] std::string describe(const Token& token) const;

  // ---- expressions (parser_expr.cpp) ----
  Expr* expression();
  Expr* binary(int lowest);
  Expr* unary();
  Expr* postfix();
  Expr* primary();
  Expr* parenthesized();
  Expr* digits();
  Expr* name();
  // At least one expression, up to `close`, which is taken.
  std::vector<Expr*> expressions(std::string_view close);
  std::vector<Expr*> arguments();  // "(" [ exprs ] ")"
  Expr* make(Expr::Kind kind);
  Expr* finish(Expr* expr, const Token& start, int height);
  void reject_cast(const Token& where);

  // ---- domains, places, CuTe layouts (parser_place.cpp) ----
  Domain domain();
  std::vector<DigitBinding> digit_bindings();
  Ref ref(std::string_view what);
  void foreign_unit(const std::string& of);  // fails at `.float4[`
  Expr* cute();
  CuteMode nested(bool is_shape);
  CuteMode zip(const CuteMode& shape, const CuteMode& stride, const Token& at);

  // ---- declarations (parser_decl.cpp, parser_array.cpp, parser_map.cpp) ----
  void declaration(SyntaxTree& tree);
  void size_names(Declaration& declaration);
  std::vector<Binding> let_bindings();
  Binding carry();
  void table(Declaration& declaration);
  struct TableShape;
  void table_values(Table& table, TableShape& shape, std::size_t level);
  Expr* table_value();
  void map(Declaration& declaration, bool is_fragment);
  void map_body(Map& map);
  void tensor(Declaration& declaration);
  void pack(Declaration& declaration);
  Fill fill();
  void claim(Declaration& declaration);
  int body_column();                // of the first line of a body; 1 when there is none
  bool next_statement(int column);  // is there another one? begins it

  // ---- kernels (parser_kernel.cpp) ----
  void kernel(Declaration& declaration);
  Factor factor();
  void kernel_statement(Kernel& kernel);
  void load(Kernel& kernel);
  void mma(Kernel& kernel);
  void store(Kernel& kernel);
  void launch(Kernel& kernel);
  void shared(Kernel& kernel);
  Value value();

  const SourceSet& sources_;
  int file_;
  Arena& arena_;
  std::vector<Diagnostic>& diagnostics_;
  Lexer lexer_;

  std::deque<Token> ahead_;  // read, not yet taken
  Token last_;               // taken last
  std::vector<Token> open_;  // brackets

  // The open statement: where it began, and the last line that continued it.
  int statement_line_ = 0;
  int statement_column_ = 1;
  int continuation_line_ = 0;
  bool header_ = false;  // it is the header of a body: deeper lines do not continue it for long

  // The token that failed last: its line, and whether a declaration may start there.
  int failure_line_ = 0;
  bool failure_starts_line_ = false;
  int errors_ = 0;
  bool stopped_ = false;  // the file is too large: nothing more is read

  std::size_t tokens_ = 0;  // taken outside tables: bounds the memory of the tree
  int nesting_ = 0;
  int height_ = 0;        // of the expression parsed last
  int trimmed_line_ = 0;  // cache of span_from: a line, and where it ends without its comment
  int trimmed_end_ = 0;

  // Arrays and maps seen so far, for messages; literals of a table, where equal ones are one node.
  std::unordered_map<std::string, std::size_t> dimensions_;
  std::unordered_set<std::string> maps_;
  std::unordered_map<std::uint64_t, Expr*> literals_;
};

class Parser::Nest {
 public:
  explicit Nest(Parser& parser) : parser_(parser) {
    if (parser_.nesting_ >= deepest_nesting) {
      parser_.fail(parser_.peek(),
                   "this is nested more than " + std::to_string(deepest_nesting) + " levels deep",
                   "name parts of it with `let`");
    }
    ++parser_.nesting_;
  }
  ~Nest() { --parser_.nesting_; }
  Nest(const Nest&) = delete;
  Nest& operator=(const Nest&) = delete;

 private:
  Parser& parser_;
};

}  // namespace fragproof
