// What expressions are about: domains and digits, places in arrays, CuTe layouts.
#include <algorithm>

#include "spec/foreign.h"
#include "spec/parser.h"

namespace fragproof {

Domain Parser::domain() {
  const Token start = expect("(", "`(` and coordinates, as in `(i : 8, j : N)`");
  Domain domain;
  int height = 0;
  do {
    Coordinate coordinate;
    const Token word = expect_name("the name of a coordinate");
    coordinate.name = word.text;
    coordinate.where = span_of(word);
    height_ = 0;
    if (accept(":")) {
      if (at("[")) {
        coordinate.digits = digit_bindings();
      } else {
        coordinate.extent = expression();
      }
    }
    height = std::max(height, height_);
    domain.coordinates.push_back(std::move(coordinate));
  } while (accept(","));
  if (accept_word("where")) {
    domain.where = expression();
    height = std::max(height, height_);
  }
  expect(")", "`,`, `where` or `)`");
  height_ = height;
  domain.span = span_from(start);
  return domain;
}

std::vector<DigitBinding> Parser::digit_bindings() {
  expect("[");
  std::vector<DigitBinding> list;
  int height = 0;
  do {
    DigitBinding digit;
    const Token word = expect_name("the name of a digit");
    digit.name = word.text;
    expect(":", "`:` and the radix of this digit");
    digit.radix = expression();
    height = std::max(height, height_);
    digit.where = span_from(word);
    list.push_back(std::move(digit));
  } while (accept(","));
  expect("]", "`,` or `]`");
  height_ = height;
  return list;
}

Ref Parser::ref(std::string_view what) {
  const Token start = peek();
  Ref ref;
  ref.name = expect_name(what).text;
  if (accept("[")) {
    ref.index = expressions("]");
    if (at("[")) {  // W[n][k]
      const std::size_t given = ref.index.size();
      std::string help = "`" + ref.name + "[";
      const Token second = take();
      std::vector<Expr*> more = expressions("]");
      ref.index.insert(ref.index.end(), more.begin(), more.end());
      for (std::size_t i = 0; i < ref.index.size(); ++i)
        help += (i == 0 ? "" : ", ") + to_text(*ref.index[i]);
      const auto known = dimensions_.find(ref.name);
      const std::string text =
          known == dimensions_.end() || known->second == given
              ? "all indices of `" + ref.name + "` stand in one pair of brackets"
              : "`" + ref.name + "` has " + std::to_string(known->second) +
                    (known->second == 1 ? " dimension, " : " dimensions, ") +
                    std::to_string(given) + (given == 1 ? " index given" : " indices given");
      fail(second, text, help + "]`");
    }
  }
  while (at_unit()) ref.units.push_back(unit());
  if (at(".")) {
    foreign_unit(ref.name);
    unexpected("a unit `.bN[..]` or nothing more of the place");
  }
  if (ref.index.empty() && ref.units.empty()) {
    fail(start, "`" + ref.name + "` is a whole array: name a place in it, `" + ref.name +
                    "[..]` or `" + ref.name + ".bN[..]`");
  }
  ref.where = span_from(start);
  return ref;
}

// `P.float4[i]`, `W[n, k].u8[0]`: a unit by the name of a type.
void Parser::foreign_unit(const std::string& of) {
  const Token word = peek(1);
  if (word.kind != Token::Kind::Word || !peek(2).is("[")) return;
  const int width = foreign_width(word.text);
  if (width == 0) return;
  fail(word, "a unit is named by its width in bits, not by a type",
       "write `" + of + ".b" + std::to_string(width) + "[..]`");
}

Expr* Parser::cute() {
  const Token start = take();
  expect("(", "`(` and the layout, as in `cute((4,8):(8,1))(i, j)`");
  const CuteMode shape = nested(true);
  expect(":", "`:` and the strides");
  const CuteMode stride = nested(false);
  expect(")");
  const CuteMode whole = zip(shape, stride, start);
  Expr* expr = make(Expr::Kind::Cute);
  expr->modes = whole.children.empty() ? std::vector<CuteMode>{whole} : whole.children;
  if (!at("(")) unexpected("`(` and the coordinates, one a mode of the layout");
  expr->args = arguments();
  return finish(expr, start, height_ + 1);
}

CuteMode Parser::nested(bool is_shape) {
  const Nest nest(*this);
  CuteMode mode;
  if (accept("(")) {
    do {
      mode.children.push_back(nested(is_shape));
    } while (accept(","));
    expect(")", "`,` or `)`");
    return mode;
  }
  if (at_end() || peek().kind != Token::Kind::Number)
    unexpected(is_shape ? "a number or `(`" : "a stride or `(`");
  const Token number = peek();
  if (is_shape && number.number == 0) fail(number, "a shape is at least 1");
  take();
  (is_shape ? mode.shape : mode.stride) = number.number;
  return mode;
}

CuteMode Parser::zip(const CuteMode& shape, const CuteMode& stride, const Token& at) {
  if (shape.children.size() != stride.children.size()) {
    fail_at(span_from(at), "the shape and the strides of this layout are not nested alike");
  }
  CuteMode mode{shape.shape, stride.stride, {}};
  for (std::size_t i = 0; i < shape.children.size(); ++i) {
    mode.children.push_back(zip(shape.children[i], stride.children[i], at));
  }
  return mode;
}

}  // namespace fragproof
