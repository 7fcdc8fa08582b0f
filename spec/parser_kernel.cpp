// Kernels: the contraction they compute, and their statements.
#include <algorithm>

#include "spec/parser.h"
#include "spec/suggest.h"

namespace fragproof {

void Parser::kernel(Declaration& declaration) {
  take();
  header_ = true;
  Kernel* kernel = arena_.make<Kernel>();
  const Token word = expect_name("the name of a kernel");
  kernel->name = word.text;
  kernel->where = span_of(word);
  expect_word("computes");
  kernel->result = factor();
  if (at("=")) unexpected("`+=`", "a kernel sums: `y[m, n] += W[n, k] * x[m, k]`");
  expect("+=");
  kernel->first = factor();
  expect("*", "`*` and the second factor");
  kernel->second = factor();
  if (!peek().first) unexpected("the end of the line");
  const int column = body_column();
  if (column == 1)
    fail_at(kernel->where, "`" + kernel->name + "` has no statements: indent them below this line");
  while (next_statement(column)) {
    kernel_statement(*kernel);
    end_statement();
  }
  declaration.kernel = kernel;
}

Factor Parser::factor() {
  const Token start = peek();
  Factor factor;
  factor.name = expect_name("a tensor and its indices, as in `y[m, n]`").text;
  expect("[", "`[` and the indices, as in `" + factor.name + "[m, n]`");
  do {
    factor.indices.emplace_back(
        expect_name("an index: in the equation of a kernel indices are plain names").text);
  } while (accept(","));
  if (!at("]")) unexpected("`,` or `]`", "in the equation of a kernel indices are plain names");
  take();
  factor.where = span_from(start);
  return factor;
}

void Parser::kernel_statement(Kernel& kernel) {
  using Kind = Kernel::Step::Kind;
  const Token start = peek();
  const auto step = [&](Kind kind, std::size_t index) {
    kernel.steps.push_back({kind, index, span_from(start)});
  };
  const auto only_one = [&](Kind kind) {
    for (const Kernel::Step& before : kernel.steps) {
      if (before.kind == kind) {
        fail(start, "a kernel has one `" + std::string(start.text) + "`; this one has it in line " +
                        std::to_string(before.where.line));
      }
    }
  };
  if (accept_word("require")) {
    kernel.requires_.push_back(expression());
    step(Kind::Require, kernel.requires_.size() - 1);
  } else if (accept_word("let")) {
    for (Binding& binding : let_bindings()) {
      kernel.bindings.push_back(std::move(binding));
      step(Kind::Binding, kernel.bindings.size() - 1);
    }
  } else if (at_word("carry")) {
    kernel.bindings.push_back(carry());
    step(Kind::Binding, kernel.bindings.size() - 1);
  } else if (at_word("parallel")) {
    only_one(Kind::Parallel);
    take();
    kernel.parallel = domain();
    step(Kind::Parallel, 0);
  } else if (at_word("reduce")) {
    only_one(Kind::Reduce);
    take();
    kernel.reduce = domain();
    step(Kind::Reduce, 0);
  } else if (at_word("for")) {
    kernel.fills.push_back(fill());
    step(Kind::Fill, kernel.fills.size() - 1);
  } else if (at_word("shared")) {
    shared(kernel);
    step(Kind::Shared, kernel.shared.size() - 1);
  } else if (at_word("load")) {
    load(kernel);
    step(Kind::Load, kernel.loads.size() - 1);
  } else if (at_word("store")) {
    only_one(Kind::Store);
    store(kernel);
    step(Kind::Store, 0);
  } else if (at_word("launch")) {
    launch(kernel);
    step(Kind::Launch, kernel.launches.size() - 1);
  } else if (start.kind == Token::Kind::Word && !is_reserved(start.text)) {
    const Token next = peek(1);
    if (next.is("=") && !ends(next)) {
      const Token first = peek(2);
      if (first.is_word("mma") || (first.kind == Token::Kind::Word && peek(3).is("."))) {
        fail(next, "a product is added to the accumulator, not assigned",
             "`" + std::string(start.text) + " += " + std::string(first.text) + "..`");
      }
      fail(next,
           "a kernel's own names are declared: write `let " + std::string(start.text) + " = ...`");
    }
    if (!next.is("+=") || ends(next)) {
      const std::string near = closest(start.text, {"require", "let", "carry", "parallel", "reduce",
                                                    "for", "shared", "load", "store", "launch"});
      unexpected("a statement of a kernel", near.empty() ? "" : "did you mean `" + near + "`?");
    }
    for (const Kernel::Step& before : kernel.steps) {
      if (before.kind == Kind::Mma) {
        fail(start, "a kernel has one product; this one has it in line " +
                        std::to_string(before.where.line));
      }
    }
    mma(kernel);
    step(Kind::Mma, 0);
  } else {
    unexpected("a statement of a kernel");
  }
}

void Parser::shared(Kernel& kernel) {
  take();
  Array* array = arena_.make<Array>();
  const Token word = expect_name("the name of a shared array");
  array->name = word.text;
  array->where = span_of(word);
  array->kind = Array::Kind::Shared;
  array->kernel = &kernel;
  expect("[", "`[` and the extents, as in `shared As[32, 40] : bf16`");
  array->extents = expressions("]");
  dimensions_[array->name] = array->extents.size();
  expect(":", "`:` and the type of an element");
  array->element = type();
  kernel.shared.push_back(array);
}

void Parser::load(Kernel& kernel) {
  const Token start = take();
  Load* load = arena_.make<Load>();
  load->name = expect_name("the name of a load").text;
  if (accept(":")) load->type_name = dotted_name("a type as in `b128`, or `ldmatrix.x4`");
  if (!at_word("from")) unexpected("`from` and a place, as in `load a : b128 from x[i, j]`");
  take();
  load->from = ref("the place that is loaded");
  if (accept_word("if")) {
    load->condition = expression();
    if (accept_word("else")) {
      if (at_end() || peek().kind != Token::Kind::Number || peek().number != 0) {
        unexpected("0", "what a lane does not load is zero (`else 0`) or undefined (no `else`)");
      }
      take();
      load->else_zero = true;
    }
  }
  load->where = span_from(start);
  kernel.loads.push_back(load);
}

void Parser::mma(Kernel& kernel) {
  const Token start = take();
  Mma mma;
  mma.accumulator = start.text;
  expect("+=");
  mma.instruction = dotted_name("an instruction, as in `mma.m16n8k16.b16(a, b)`");
  expect("(", "`(` and the two operands");
  mma.value_a = value();
  expect(",", "`,` and the second operand");
  mma.value_b = value();
  expect(")");
  mma.where = span_from(start);
  kernel.mma = std::move(mma);
}

Value Parser::value() {
  const Nest nest(*this);
  const Token start = peek();
  Value value;
  if (accept("{")) {
    value.kind = Value::Kind::Join;
    do {
      value.parts.push_back(this->value());
    } while (accept(","));
    expect("}", "`,` or `}`");
  } else if (!at_end() && peek().kind == Token::Kind::Word && peek(1).is("(")) {
    value.kind = Value::Kind::Convert;
    value.name = peek().text;
    value.type = type();
    expect("(");
    value.parts.push_back(this->value());
    expect(")");
  } else {
    value.name = expect_name("a load, `{..}` or a conversion as in `f16(v)`").text;
  }
  while (at_unit()) value.units.push_back(unit());
  if (at(".")) unexpected("a unit, as in `" + std::string(start.text) + ".b64[0]`");
  if (at("["))
    unexpected("`,` or the end of the value", "a part of a load is a unit of it: `v.b32[i]`");
  value.where = span_from(start);
  return value;
}

void Parser::store(Kernel& kernel) {
  const Token start = take();
  Store store;
  store.accumulator = expect_name("the accumulator").text;
  if (!at_word("to")) unexpected("`to` and a place, as in `store acc to y[row, col]`");
  take();
  store.to = ref("the place that is stored to");
  if (accept_word("if")) store.condition = expression();
  if (at_word("else"))
    unexpected("the end of the line", "a lane whose `if` is false stores nothing");
  store.where = span_from(start);
  kernel.store = std::move(store);
}

void Parser::launch(Kernel& kernel) {
  const Token start = take();
  Launch launch;
  if (!at_end() && peek().kind == Token::Kind::String) {
    launch.symbol = take().text;
  } else {
    launch.symbol = expect_name("the symbol of the compiled kernel, a name or a string").text;
  }
  const auto dimensions = [&](std::string_view word) {
    const Token at = peek();
    expect_word(word);
    std::vector<Expr*> list = arguments();
    if (list.empty() || list.size() > 3)
      fail(at, "`" + std::string(word) + "` takes 1 to 3 numbers");
    return list;
  };
  launch.grid = dimensions("grid");
  launch.block = dimensions("block");
  if (accept_word("shared")) {
    launch.shared = arguments();
    if (launch.shared.size() != 1) unexpected("one number of bytes behind `shared`");
  }
  expect_word("args");
  expect("(", "`(` and the arguments");
  while (!at(")")) {
    Launch::Argument argument;
    const Token word = expect_name("an argument: an array's name, `i32(M)` or `scratch(BYTES)`");
    argument.name = word.text;
    if (accept("(")) {
      const std::optional<ElementType> type = find_type(word.text);
      const bool integer = type && (word.text[0] == 'i' || word.text[0] == 'u') &&
                           type->width % 8 == 0 && type->width <= 64;
      if (!integer && word.text != "scratch") {
        fail(word, "an argument is an array's name, `i32(M)` or `scratch(BYTES)`");
      }
      argument.width = integer ? type->width : 0;
      argument.value = expression();
      expect(")");
    }
    launch.args.push_back(std::move(argument));
    if (!accept(",")) break;
    if (at(")")) unexpected("an argument");
  }
  expect(")", "`,` or `)`");
  launch.where = span_from(start);
  kernel.launches.push_back(std::move(launch));
}

}  // namespace fragproof
