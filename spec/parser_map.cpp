// Maps and fragments: their domain, outputs and definition.
#include "spec/parser.h"

namespace fragproof {

void Parser::map(Declaration& declaration, bool is_fragment) {
  const Provenance provenance = lexer_.provenance();
  take();
  header_ = true;
  Map* map = arena_.make<Map>();
  const Token word = peek();
  map->name = dotted_name(is_fragment ? "the name of a fragment" : "the name of a map");
  map->where = span_from(word);
  map->is_fragment = is_fragment;
  if (is_fragment) map->provenance = provenance;
  maps_.insert(map->name);
  if (at("["))
    unexpected("`(` and coordinates", "a map's domain stands in parentheses: `(i : 8, j : N)`");
  map->domain = domain();
  expect("->", "`->` and the outputs, as in `-> (row : 16, col : 8)`");
  expect("(", "`(` and the outputs, as in `(row : 16, col : 8)`");
  do {
    OutputDef output;
    const Token name = expect_name("the name of an output");
    output.name = name.text;
    output.where = span_of(name);
    if (accept(":")) output.codomain = expression();
    map->outputs.push_back(std::move(output));
  } while (accept(","));
  expect(")", "`,` or `)`");
  if (is_fragment) {
    expect(":", "`:` and the type of an element");
    map->element = type();
  }
  if (peek().is("=") && peek().first && !at_end()) {
    fail(peek(), "a `=` that opens an indented line reads like a statement of `" + map->name + "`",
         "put the `=` at the end of line " + std::to_string(last_.line));
  }
  if (accept("=")) {
    header_ = false;
    map->formula = expression();
    end_statement();
  } else {
    map_body(*map);
  }
  declaration.map = map;
}

void Parser::map_body(Map& map) {
  if (!peek().first) unexpected("`=` and the value, or the end of the line");
  const int column = body_column();
  if (column == 1) {
    fail_at(map.where, "`" + map.name + "` has no definition",
            "write `= ...` behind it, or indented lines `" + map.outputs.front().name +
                " = ...` below it");
  }
  while (next_statement(column)) {
    const Token start = peek();
    Map::Step step;
    if (accept_word("let")) {
      for (Binding& binding : let_bindings()) {
        map.steps.push_back({Map::Step::Kind::Binding, map.bindings.size()});
        map.bindings.push_back(std::move(binding));
      }
    } else if (at_word("carry")) {
      map.steps.push_back({Map::Step::Kind::Binding, map.bindings.size()});
      map.bindings.push_back(carry());
    } else {
      if (start.kind == Token::Kind::Word && is_reserved(start.text)) {
        unexpected("`let`, `carry` or `OUTPUT = ...`");
      }
      Map::Written written;
      written.name = expect_name("`let`, `carry` or `OUTPUT = ...`").text;
      written.where = span_of(start);
      expect("=");
      written.value = expression();
      map.steps.push_back({Map::Step::Kind::Output, map.written.size()});
      map.written.push_back(std::move(written));
    }
    end_statement();
  }
}

}  // namespace fragproof
