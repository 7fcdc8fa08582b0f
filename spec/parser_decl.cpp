// Declarations of a file: which one it is, sizes, lets, claims; and the indented bodies below
// headers. below them.
#include <algorithm>

#include "spec/parser.h"
#include "spec/suggest.h"

namespace fragproof {

void Parser::declaration(SyntaxTree& tree) {
  begin_statement();
  const Token start = peek();
  if (start.column != 1) {
    const bool body = starts_statement(start.text);
    fail(start, "a declaration starts in column 1",
         body ? "an indented statement belongs below the header of a kernel, map, fragment or pack"
              : "");
  }
  if (start.kind != Token::Kind::Word || !starts_declaration(start.text)) {
    if (start.kind == Token::Kind::Word && starts_statement(start.text)) {
      fail(start, "`" + std::string(start.text) +
                      "` is a statement: indent it below the header it belongs to");
    }
    const std::string near =
        start.kind == Token::Kind::Word ? closest(start.text, declaration_words()) : "";
    unexpected("a declaration", near.empty() ? "" : "did you mean `" + near + "`?");
  }
  Declaration declaration;
  using Kind = Declaration::Kind;
  const std::string_view word = start.text;
  if (word == "include") {
    take();
    declaration.kind = Kind::Include;
    declaration.path = expect_string("the path of a file, as in `include \"gemv.layout\"`").text;
    end_statement();
  } else if (word == "use") {
    take();
    declaration.kind = Kind::Use;
    declaration.name = dotted_name("the dotted name of a fragment or a prefix of it");
    expect_word("as");
    declaration.alias = expect_name("the short name").text;
    end_statement();
  } else if (word == "size") {
    take();
    declaration.kind = Kind::Size;
    size_names(declaration);
    end_statement();
  } else if (word == "let") {
    take();
    declaration.kind = Kind::Let;
    declaration.lets = let_bindings();
    end_statement();
  } else if (word == "require") {
    take();
    declaration.kind = Kind::Require;
    declaration.require = expression();
    end_statement();
  } else if (word == "table") {
    declaration.kind = Kind::Table;
    table(declaration);
  } else if (word == "map" || word == "fragment") {
    declaration.kind = Kind::Map;
    map(declaration, word == "fragment");
  } else if (word == "tensor") {
    declaration.kind = Kind::Array;
    tensor(declaration);
  } else if (word == "pack") {
    declaration.kind = Kind::Array;
    pack(declaration);
  } else if (word == "kernel") {
    declaration.kind = Kind::Kernel;
    kernel(declaration);
  } else {
    declaration.kind = Kind::Claim;
    claim(declaration);
  }
  declaration.where = span_from(start);
  tree.declarations.push_back(std::move(declaration));
}

void Parser::size_names(Declaration& declaration) {
  do {
    const Token word = expect_name("the name of a size");
    Variable* size = arena_.make<Variable>();
    size->name = word.text;
    size->kind = Variable::Kind::Size;
    size->where = span_of(word);
    declaration.sizes.push_back(size);
  } while (accept(","));
}

std::vector<Binding> Parser::let_bindings() {
  std::vector<Binding> list;
  do {
    Binding binding;
    const Token start = peek();
    if (at("[")) {
      binding.kind = Binding::Kind::Digits;
      binding.digits = digit_bindings();
    } else {
      binding.name = expect_name("a name, or digits as in `[g:8, t:4]`").text;
    }
    binding.where = span_from(start);
    expect("=");
    binding.value = expression();
    list.push_back(std::move(binding));
  } while (accept(","));
  return list;
}

Binding Parser::carry() {
  expect_word("carry");
  Binding binding;
  binding.kind = Binding::Kind::Carry;
  const Token word = expect_name("the name of the carried value");
  binding.name = word.text;
  binding.where = span_of(word);
  expect_word("over");
  binding.over_name = expect_name("the coordinate or index that counts the steps").text;
  expect("=", "`=` and the value at step 0");
  binding.value = expression();
  if (!at_word("then")) unexpected("`then` and the value at the next step");
  take();
  binding.next = expression();
  return binding;
}

// ---- bodies ----

int Parser::body_column() {
  const Token& token = peek();
  if (token.kind == Token::Kind::End || !token.first || token.column == 1) return 1;
  return token.column;
}

bool Parser::next_statement(int column) {
  const Token token = peek();
  if (token.kind == Token::Kind::End || token.column == 1) return false;
  if (token.column != column) {
    begin_statement();
    fail(token, "this line is indented by " + std::to_string(token.column - 1) +
                    ", the statements above it by " + std::to_string(column - 1));
  }
  begin_statement();
  return true;
}

// ---- claims ----

void Parser::claim(Declaration& declaration) {
  const Token start = take();
  Claim& claim = declaration.claim;
  claim.refute = start.text == "refute";
  claim.file = file_;
  if (!at_end() && peek().kind == Token::Kind::Word && peek(1).is(":")) {
    claim.name = expect_name("the name of the claim").text;
    take();
  }
  claim.condition = expression();
  if (accept_word("where")) claim.where_clause = expression();
  end_statement();
  claim.where = span_from(start);
}

}  // namespace fragproof
