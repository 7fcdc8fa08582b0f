// Declarations: sizes, lets, tables, maps and fragments, arrays, claims; and the indented bodies below them.
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
         body ? "an indented statement belongs below the header of a kernel, map, fragment or pack" : "");
  }
  if (start.kind != Token::Kind::Word || !starts_declaration(start.text)) {
    if (start.kind == Token::Kind::Word && starts_statement(start.text)) {
      fail(start, "`" + std::string(start.text) + "` is a statement: indent it below the header it belongs to");
    }
    const std::string near = start.kind == Token::Kind::Word ? closest(start.text, declaration_words()) : "";
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

// ---- tables -------------------------------------------------------------------------------------------------

// The lengths of the nested lists of a table, outermost first; -1: not known yet.
struct Parser::TableShape {
  std::vector<long> lengths;
};

void Parser::table(Declaration& declaration) {
  take();
  Table* table = arena_.make<Table>();
  const Token word = expect_name("the name of a table");
  table->name = word.text;
  table->where = span_of(word);
  expect("[", "`[` and the extents, as in `table T[8]`");
  table->extents = expressions("]");
  if (accept(":")) table->range = expression();
  if (accept("=")) {
    table->has_values = true;
    if (accept_word("file")) {
      table->file = expect_string("the path of a `.npy` file").text;
    } else if (at("{")) {
      const Token start = peek();
      TableShape shape;
      literals_.clear();
      table_values(*table, shape, 0);
      literals_.clear();
      if (shape.lengths.size() != 1 && shape.lengths.size() != table->extents.size()) {
        fail_at(span_from(start), "`" + table->name + "` has " + std::to_string(table->extents.size()) +
                                      " dimensions, its values are nested " +
                                      std::to_string(shape.lengths.size()) + " deep",
                "write the values in one list, row by row, or in a list a dimension");
      }
      for (std::size_t i = 0; shape.lengths.size() > 1 && i < shape.lengths.size(); ++i) {
        const Expr& extent = *table->extents[i];
        if (extent.kind == Expr::Kind::Number && extent.number != shape.lengths[i]) {
          fail_at(extent.where, "dimension " + std::to_string(i) + " of `" + table->name + "` is " +
                                    to_string(extent.number) + ", its lists have " +
                                    std::to_string(shape.lengths[i]) + " members");
        }
      }
    } else {
      unexpected("`{` and values, or `file \"t.npy\"`");
    }
  }
  end_statement();
  declaration.table = table;
}

void Parser::table_values(Table& table, TableShape& shape, std::size_t level) {
  const Nest nest(*this);
  const Token start = expect("{");
  if (shape.lengths.size() <= level) shape.lengths.push_back(-1);
  long count = 0;
  const bool deeper = at("{");
  do {
    if (at("{") != deeper || (!deeper && level + 1 != shape.lengths.size())) {
      fail(peek(), "the lists of `" + table.name + "` are not nested alike");
    }
    if (deeper) {
      table_values(table, shape, level + 1);
    } else {
      table.values.push_back(table_value());
      if (table.values.size() > most_table_values) {
        errors_ = std::max(errors_, 19);
        fail(peek(), "`" + table.name + "` is too large: more than 4 million values",
             "long tables go into a file of their own: `= file \"t.npy\"`");
      }
    }
    ++count;
  } while (accept(","));
  expect("}", "`,` or `}`");
  if (shape.lengths[level] == -1) shape.lengths[level] = count;
  if (shape.lengths[level] != count) {
    fail(start, "this list of `" + table.name + "` has " + std::to_string(count) + " members, the one before it has " +
                    std::to_string(shape.lengths[level]));
  }
}

// Equal literals are one node: what is wrong with a value is wrong where it first stands, and a table of millions of
// nibbles stays small.
Expr* Parser::table_value() {
  const Token token = peek();
  if (token.kind != Token::Kind::Number || !(peek(1).is(",") || peek(1).is("}"))) return expression();
  take();
  --tokens_;
  Expr*& shared = literals_[to_string(token.number)];
  if (shared == nullptr) {
    shared = make(Expr::Kind::Number);
    shared->number = token.number;
    finish(shared, token, 1);
  }
  if (peek().is(",")) --tokens_;  // the comma behind it is free too
  return shared;
}

// ---- bodies -------------------------------------------------------------------------------------------------

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
    fail(token, "this line is indented by " + std::to_string(token.column - 1) + ", the statements above it by " +
                    std::to_string(column - 1));
  }
  begin_statement();
  return true;
}

// ---- maps ---------------------------------------------------------------------------------------------------

void Parser::map(Declaration& declaration, bool is_fragment) {
  const Provenance provenance = lexer_.provenance();
  take();
  Map* map = arena_.make<Map>();
  const Token word = peek();
  map->name = dotted_name(is_fragment ? "the name of a fragment" : "the name of a map");
  map->where = span_from(word);
  map->is_fragment = is_fragment;
  if (is_fragment) map->provenance = provenance;
  maps_.insert(map->name);
  if (at("[")) unexpected("`(` and coordinates", "a map's domain stands in parentheses: `(i : 8, j : N)`");
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
            "write `= ...` behind it, or indented lines `" + map.outputs.front().name + " = ...` below it");
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

// ---- arrays -------------------------------------------------------------------------------------------------

void Parser::tensor(Declaration& declaration) {
  take();
  Array* array = arena_.make<Array>();
  const Token word = expect_name("the name of a tensor");
  array->name = word.text;
  array->where = span_of(word);
  array->kind = Array::Kind::Tensor;
  expect("[", "`[` and the extents, as in `tensor W[N, K] : bf16`");
  array->extents = expressions("]");
  dimensions_[array->name] = array->extents.size();
  expect(":", "`:` and the type of an element");
  array->element = type();
  end_statement();
  declaration.array = array;
}

void Parser::pack(Declaration& declaration) {
  take();
  Array* array = arena_.make<Array>();
  const Token word = expect_name("the name of a pack");
  array->name = word.text;
  array->where = span_of(word);
  array->kind = Array::Kind::Pack;
  declaration.array = array;
  if (accept("=")) {
    array->chain_source = expect_name("the name of the tensor or pack that is rearranged").text;
    while (at(".")) {
      take();
      const Token op = expect_name("`reshape`, `permute` or `contiguous`");
      if (op.text != "reshape" && op.text != "permute" && op.text != "contiguous") {
        const std::string near = closest(op.text, {"reshape", "permute", "contiguous"});
        fail(op, "a pack knows `reshape`, `permute` and `contiguous` only",
             near.empty() ? "" : "did you mean `" + near + "`?");
      }
      Array::ChainStep step;
      step.op = op.text;
      step.args = arguments();
      step.where = span_from(op);
      if (step.op == "contiguous" && !step.args.empty()) fail(op, "`contiguous` takes no arguments");
      if (step.op != "contiguous" && step.args.empty()) {
        fail(op, "`" + step.op + "` needs " + (step.op == "reshape" ? "the new shape" : "the order of the axes"));
      }
      array->chain.push_back(std::move(step));
      if (array->chain.size() > 64) fail(op, "this chain is longer than 64 steps");
    }
    end_statement();
    return;
  }
  expect("[", "`[` and the extents, or `=` and a tensor");
  array->extents = expressions("]");
  dimensions_[array->name] = array->extents.size();
  expect(":", "`:` and the type of an element");
  array->element = type();
  if (!peek().first) unexpected("the end of the line");
  const int column = body_column();
  if (column == 1) {
    fail_at(array->where, "`" + array->name + "` is never filled",
            "write indented lines below it: `for (n : N, k : K) " + array->name + "[..] = W[n, k]`");
  }
  while (next_statement(column)) {
    if (!at_word("for")) unexpected("`for (..) PLACE = SOURCE`");
    array->fills.push_back(fill());
    end_statement();
  }
}

Fill Parser::fill() {
  const Token start = expect_word("for");
  Fill fill;
  fill.domain = domain();
  fill.place = ref("the place that is filled");
  expect("=", "`=` and what is put there");
  if (!at_end() && peek().kind == Token::Kind::Number) {
    if (peek().number != 0) fail(peek(), "a place is filled with the contents of a place, or with 0");
    take();
  } else {
    fill.source = ref("a place, or 0");
  }
  fill.where = span_from(start);
  return fill;
}

// ---- claims -------------------------------------------------------------------------------------------------

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
