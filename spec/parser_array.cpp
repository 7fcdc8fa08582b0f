// Tables, tensors and packs: extents, values, chains and fills.
#include "spec/foreign.h"
#include "spec/parser.h"
#include "spec/suggest.h"

namespace fragproof {

// ---- tables ----

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
        fail_at(span_from(start),
                "`" + table->name + "` has " + std::to_string(table->extents.size()) +
                    " dimensions, its values are nested " + std::to_string(shape.lengths.size()) +
                    " deep",
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
        stopped_ = true;
        fail(peek(), "`" + table.name + "` is too large: more than 4 million values",
             "long tables go into a file of their own: `= file \"t.npy\"`");
      }
    }
    ++count;
  } while (accept(","));
  expect("}", "`,` or `}`");
  if (shape.lengths[level] == -1) shape.lengths[level] = count;
  if (shape.lengths[level] != count) {
    fail(start, "this list of `" + table.name + "` has " + std::to_string(count) +
                    " members, the one before it has " + std::to_string(shape.lengths[level]));
  }
}

// Equal literals are one node: what is wrong with a value is wrong where it first stands, and a
// table of millions of nibbles stays small.
Expr* Parser::table_value() {
  const Token token = peek();
  if (token.kind != Token::Kind::Number || !(peek(1).is(",") || peek(1).is("}")))
    return expression();
  take();
  --tokens_;
  if (token.number >> 64 != 0) {  // rare, and not worth sharing
    Expr* own = make(Expr::Kind::Number);
    own->number = token.number;
    return finish(own, token, 1);
  }
  Expr*& shared = literals_[static_cast<std::uint64_t>(token.number)];
  if (shared == nullptr) {
    shared = make(Expr::Kind::Number);
    shared->number = token.number;
    finish(shared, token, 1);
  }
  if (peek().is(",")) --tokens_;  // the comma behind it is free too
  return shared;
}

// ---- arrays ----

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
  header_ = true;
  Array* array = arena_.make<Array>();
  const Token word = expect_name("the name of a pack");
  array->name = word.text;
  array->where = span_of(word);
  array->kind = Array::Kind::Pack;
  declaration.array = array;
  if (accept("=")) {
    header_ = false;
    array->chain_source = expect_name("the name of the tensor or pack that is rearranged").text;
    while (at(".")) {
      take();
      const Token op = expect_name("`reshape`, `permute` or `contiguous`");
      if (op.text != "reshape" && op.text != "permute" && op.text != "contiguous") {
        const std::string near = closest(op.text, {"reshape", "permute", "contiguous"});
        std::string help = foreign_step_help(op.text);
        if (help.empty() && !near.empty()) help = "did you mean `" + near + "`?";
        fail(op, "a pack knows `reshape`, `permute` and `contiguous` only", help);
      }
      Array::ChainStep step;
      step.op = op.text;
      step.args = arguments();
      step.where = span_from(op);
      if (step.op == "contiguous" && !step.args.empty())
        fail(op, "`contiguous` takes no arguments");
      if (step.op != "contiguous" && step.args.empty()) {
        fail(op, "`" + step.op + "` needs " +
                     (step.op == "reshape" ? "the new shape" : "the order of the axes"));
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
    fail_at(
        array->where, "`" + array->name + "` is never filled",
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
    if (peek().number != 0)
      fail(peek(), "a place is filled with the contents of a place, or with 0");
    take();
  } else {
    fill.source = ref("a place, or 0");
  }
  fill.where = span_from(start);
  return fill;
}

}  // namespace fragproof
