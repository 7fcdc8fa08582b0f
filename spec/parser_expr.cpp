// Expressions: precedence, calls, indices, dotted names, and the C that is no expression here.
#include <algorithm>
#include <array>
#include <optional>

#include "spec/parser.h"

namespace fragproof {
namespace {

constexpr std::array<Binary, 18> operators = {
    Binary::Add,          Binary::Sub,        Binary::Mul,      Binary::Div,       Binary::Mod,
    Binary::ShiftLeft,    Binary::ShiftRight, Binary::And,      Binary::Or,        Binary::Xor,
    Binary::Equal,        Binary::NotEqual,   Binary::Less,     Binary::LessEqual, Binary::Greater,
    Binary::GreaterEqual, Binary::LogicalAnd, Binary::LogicalOr};

std::optional<Binary> binary_operator(const Token& token) {
  if (token.kind != Token::Kind::Symbol) return std::nullopt;
  for (const Binary op : operators) {
    if (token.text == symbol_of(op)) return op;
  }
  return std::nullopt;
}

bool is_comparison(int precedence) {
  return precedence == precedence_of(Binary::Less) || precedence == precedence_of(Binary::Equal);
}

constexpr std::string_view cast_text =
    "no casts here: say in which width the whole expression is computed, `i64(rb*KB + kb)`";

bool is_c_type(std::string_view word) {
  constexpr std::array<std::string_view, 21> words = {
      "size_t",   "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t", "int8_t",   "int16_t",
      "int32_t",  "int64_t", "uint8_t",   "uint16_t", "uint32_t",  "uint64_t", "int",
      "unsigned", "signed",  "long",      "short",    "char",      "uint",     "ulong"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_c_cast(std::string_view word) {
  return word == "static_cast" || word == "reinterpret_cast" || word == "const_cast" ||
         word == "__cvta_generic_to_shared";
}

bool is_function(std::string_view word) {
  constexpr std::array<std::string_view, 10> words = {"min",       "max",      "ceildiv",   "total",
                                                      "injective", "onto",     "bijective", "ways",
                                                      "sectors",   "coalesced"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Expr* Parser::make(Expr::Kind kind) {
  Expr* expr = arena_.make<Expr>();
  expr->kind = kind;
  return expr;
}

Expr* Parser::finish(Expr* expr, const Token& start, int height) {
  expr->where = span_from(start);
  height_ = height;
  if (height > tallest_expression) {
    fail_at(expr->where,
            "this expression is too large: more than " + std::to_string(tallest_expression) +
                " operators on top of one another",
            "name parts of it with `let`");
  }
  return expr;
}

Expr* Parser::expression() {
  const Nest nest(*this);
  const Token start = peek();
  if (accept_word("forall")) {
    Expr* expr = make(Expr::Kind::Forall);
    expr->domain = domain();
    expr->args = {expression()};
    return finish(expr, start, height_ + 1);
  }
  Expr* condition = binary(1);
  if (!accept("?")) return condition;
  int height = height_;
  Expr* expr = make(Expr::Kind::Conditional);
  expr->args.push_back(condition);
  expr->args.push_back(expression());
  height = std::max(height, height_);
  expect(":", "`:` and what holds otherwise");
  expr->args.push_back(expression());
  return finish(expr, start, std::max(height, height_) + 1);
}

Expr* Parser::binary(int lowest) {
  const Token start = peek();
  Expr* left = unary();
  int compared = 0;  // the precedence of the comparison that `left` is, 0 if it is none
  while (!at_end()) {
    const std::optional<Binary> op = binary_operator(peek());
    if (!op || precedence_of(*op) < lowest) break;
    const int precedence = precedence_of(*op);
    if (compared == precedence) {
      fail(
          peek(),
          "comparisons do not chain (C and Python read them differently): use `&&` or parentheses");
    }
    const int left_height = height_;
    take();
    Expr* expr = make(Expr::Kind::Binary);
    expr->binary = *op;
    expr->args = {left, binary(precedence + 1)};
    left = finish(expr, start, std::max(left_height, height_) + 1);
    compared = is_comparison(precedence) ? precedence : 0;
  }
  return left;
}

Expr* Parser::unary() {
  const Token start = peek();
  if (at_end() || start.kind != Token::Kind::Symbol) return postfix();
  fragproof::Unary op{};
  if (start.is("-")) {
    op = fragproof::Unary::Negate;
  } else if (start.is("~")) {
    op = fragproof::Unary::Complement;
  } else if (start.is("!")) {
    op = fragproof::Unary::Not;
  } else {
    return postfix();
  }
  const Nest nest(*this);
  take();
  Expr* expr = make(Expr::Kind::Unary);
  expr->unary = op;
  expr->args = {unary()};
  return finish(expr, start, height_ + 1);
}

Expr* Parser::postfix() {
  const Token start = peek();
  Expr* expr = primary();
  while (!at_end()) {
    const int height = height_;
    if (at("(")) {
      Expr* call = make(Expr::Kind::Call);
      call->args = arguments();
      call->args.insert(call->args.begin(), expr);
      expr = finish(call, start, std::max(height, height_) + 1);
    } else if (at("[")) {
      take();
      Expr* index = make(Expr::Kind::Index);
      index->args = expressions("]");
      index->args.insert(index->args.begin(), expr);
      expr = finish(index, start, std::max(height, height_) + 1);
    } else if (at_unit()) {
      const Unit part = unit();
      Expr* access = make(Expr::Kind::UnitAccess);
      access->width = part.width;
      access->args = {expr, part.index};
      expr = finish(access, start, std::max(height, height_) + 1);
    } else if (at(".")) {
      foreign_unit(expr->kind == Expr::Kind::Name ? expr->text : "X");
      take();
      Expr* member = make(Expr::Kind::Member);
      member->text = expect_name("a name behind the `.`").text;
      member->args = {expr};
      expr = finish(member, start, height + 1);
    } else {
      break;
    }
  }
  return expr;
}

Expr* Parser::primary() {
  const Token start = peek();
  if (at_end()) unexpected("an expression");
  switch (start.kind) {
    case Token::Kind::Number: {
      take();
      Expr* expr = make(Expr::Kind::Number);
      expr->number = start.number;
      return finish(expr, start, 1);
    }
    case Token::Kind::Word:
      return name();
    case Token::Kind::Symbol:
      if (start.is("(")) return parenthesized();
      if (start.is("[")) return digits();
      if (start.is("{"))
        unexpected("an expression", "braces stand in `acc += X({..}, {..})` and in tables only");
      if (start.is("+")) unexpected("an expression", "there is no unary `+`");
      break;
    case Token::Kind::String:
    case Token::Kind::End:
    case Token::Kind::Bad:
      break;
  }
  unexpected("an expression");
}

Expr* Parser::name() {
  const Token start = peek();
  if (start.text == "cute") return cute();
  if (start.text == "forall") {
    fail(start, "a `forall` here needs parentheses",
         "it reaches as far to the right as it can: `(forall(..) P)`");
  }
  if (start.text == "not") fail(start, "expected an expression, found `not`", "write `!`");
  if (is_reserved(start.text) && !is_function(start.text)) unexpected("an expression");
  if (is_c_cast(start.text)) reject_cast(start);
  take();
  if (is_function(start.text) && !at("(")) {
    fail(start, "`" + std::string(start.text) + "` is built in: it needs arguments, `" +
                    std::string(start.text) + "(..)`");
  }
  if (at("(") && is_c_type(start.text) && !maps_.contains(std::string(start.text)))
    reject_cast(start);
  Expr* expr = make(Expr::Kind::Name);
  expr->text = dotted_rest(std::string(start.text));
  return finish(expr, start, 1);
}

void Parser::reject_cast(const Token& where) { fail(where, std::string(cast_text)); }

Expr* Parser::parenthesized() {
  const Token start = expect("(");
  // `(size_t)rb`: C's cast. A name in parentheses is never followed by a name, a number or a unary
  // operator.
  if (peek().kind == Token::Kind::Word && peek(1).is(")")) {
    const Token next = peek(2);
    const bool operand =
        (next.kind == Token::Kind::Word && (!is_reserved(next.text) || is_function(next.text))) ||
        next.kind == Token::Kind::Number || next.is("~") || next.is("!") ||
        (next.is("(") && is_c_type(peek().text) && !maps_.contains(std::string(peek().text)));
    const bool same_statement = open_.size() > 1 || !next.first || next.line == statement_line_ ||
                                next.column > statement_column_;
    if (operand && same_statement) reject_cast(start);
  }
  if (peek().kind == Token::Kind::Word && is_c_type(peek().text) &&
      peek(1).kind == Token::Kind::Word && !is_reserved(peek(1).text)) {
    reject_cast(start);  // `(unsigned int)x`
  }
  std::vector<Expr*> members = expressions(")");
  if (members.size() == 1) return members[0];
  Expr* tuple = make(Expr::Kind::Tuple);
  tuple->args = std::move(members);
  return finish(tuple, start, height_ + 1);
}

Expr* Parser::digits() {
  const Token start = expect("[");
  Expr* expr = make(Expr::Kind::Digits);
  int height = 0;
  do {
    expr->args.push_back(expression());
    height = std::max(height, height_);
    expect(":", "`:` and the radix of this digit");
    expr->args.push_back(expression());
    height = std::max(height, height_);
  } while (accept(","));
  expect("]", "`,` or `]`");
  return finish(expr, start, height + 1);
}

std::vector<Expr*> Parser::expressions(std::string_view close) {
  std::vector<Expr*> list;
  int height = 0;
  do {
    list.push_back(expression());
    height = std::max(height, height_);
  } while (accept(","));
  expect(close, "`,` or `" + std::string(close) + "`");
  height_ = height;
  return list;
}

std::vector<Expr*> Parser::arguments() {
  expect("(");
  height_ = 0;
  if (accept(")")) return {};
  return expressions(")");
}

}  // namespace fragproof
