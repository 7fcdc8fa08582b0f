// Expressions of the language as C++17, with the same value wherever the language defines one.
#include "spec/cpp_expression.h"

#include <cstdint>
#include <limits>

#include "spec/cpp_names.h"

namespace fragproof {
namespace {

constexpr std::size_t longest = 20'000;  // characters of one expression

// How tightly C++ holds an expression together.
enum Binding : int {
  conditional = 0,
  logical_or,
  logical_and,
  bit_or,
  bit_xor,
  bit_and,
  equality,
  relation,
  shift,
  sum,
  product,
  prefix,
  postfix,
};

// A piece of C++ and its C++ type.
struct Text {
  enum class Kind { Wide, Small, Truth };  // int64_t, an int of literals, bool
  std::string text;
  int binding = postfix;
  Kind kind = Kind::Wide;
};

std::string at_least(const Text& text, int binding) {
  return text.binding < binding ? "(" + text.text + ")" : text.text;
}

// Compilers ask for parentheses where bit operators, shifts and comparisons meet others.
std::string alone(const Text& text) { return at_least(text, prefix); }

Text wide(const Text& text) {
  if (text.kind == Text::Kind::Wide) return text;
  return {"int64_t{" + text.text + "}", postfix, Text::Kind::Wide};
}

bool is_literal(const Text& text) {
  return text.kind == Text::Kind::Small &&
         text.text.find_first_not_of("0123456789") == std::string::npos;
}
Int value_of(const Text& literal) { return *parse_int(literal.text); }

class Printer {
 public:
  explicit Printer(const CppScope& scope) : scope_(scope) {}

  Text number(const Expr& e) {
    const Text text = value(e);
    return text.kind == Text::Kind::Truth ? wide(text) : text;
  }
  Text condition(const Expr& e) { return value(e); }
  Text member(const Expr& e, int i);
  Text digits(const std::vector<const Expr*>& values, const std::vector<const Expr*>& radices);

 private:
  Text value(const Expr& e);
  Text literal(Int number);
  Text unary(const Expr& e);
  Text binary(const Expr& e);
  Text arithmetic(Binary op, const Text& a, const Text& b);
  Text equal(const Expr& e);
  Text choose(const Text& condition, const Text& yes, const Text& no);
  Text builtin(const Expr& e);
  Text variable(const Expr& e);
  Text apply(const Expr& e, int i);
  Text inverse(const Expr& e, int i);
  Text lookup(const Expr& e);
  Text cute(const Expr& e);
  Text mode(const CuteMode& mode, const Text& index);
  std::string arguments(const std::vector<Expr*>& args);
  std::string name_of_size(const Variable* variable);

  const CppScope& scope_;
};

[[noreturn]] void unsupported(const std::string& reason) { throw CppUnsupported(reason); }

Text Printer::literal(Int number) {
  const Int limit = std::numeric_limits<std::int64_t>::max();
  if (number > limit || number < -limit) unsupported(to_string(number) + " does not fit 64 bits");
  const Int small = std::numeric_limits<int>::max();
  return {to_string(number), number < 0 ? prefix : postfix,
          number > small || number < -small ? Text::Kind::Wide : Text::Kind::Small};
}

Text Printer::arithmetic(Binary op, const Text& a, const Text& b) {
  const bool literals = is_literal(a) && is_literal(b);
  if (literals && op == Binary::Add) return literal(value_of(a) + value_of(b));
  if (literals && op == Binary::Mul) return literal(value_of(a) * value_of(b));
  // Other literals are computed in int by C++ unless one of the two says int64_t.
  const Text left = a.kind == Text::Kind::Small && b.kind == Text::Kind::Small ? wide(a) : a;
  const std::string symbol = std::string(" ") + symbol_of(op) + " ";
  switch (op) {
    case Binary::Add:
    case Binary::Sub:
      return {at_least(left, sum) + symbol + at_least(b, sum + 1), sum};
    case Binary::Mul:
    case Binary::Div:
    case Binary::Mod:
      return {at_least(left, product) + symbol + at_least(b, product + 1), product};
    case Binary::ShiftLeft:
    case Binary::ShiftRight: {
      const bool plain = is_literal(b) && value_of(b) < 63;
      if (plain) return {alone(wide(a)) + symbol + b.text, shift};
      const char* name = op == Binary::ShiftLeft ? "shift_left" : "shift_right";
      return {std::string("::fragproof::") + name + "(" + a.text + ", " + b.text + ")"};
    }
    case Binary::And:
      return {alone(left) + symbol + alone(b), bit_and};
    case Binary::Or:
      return {alone(left) + symbol + alone(b), bit_or};
    case Binary::Xor:
      return {alone(left) + symbol + alone(b), bit_xor};
    case Binary::Equal:
    case Binary::NotEqual:
      return {at_least(a, shift) + symbol + at_least(b, shift), equality, Text::Kind::Truth};
    case Binary::Less:
    case Binary::LessEqual:
    case Binary::Greater:
    case Binary::GreaterEqual:
      return {at_least(a, shift) + symbol + at_least(b, shift), relation, Text::Kind::Truth};
    case Binary::LogicalAnd:
      return {at_least(a, equality) + " && " + at_least(b, equality), logical_and,
              Text::Kind::Truth};
    case Binary::LogicalOr:
      return {at_least(a, equality) + " || " + at_least(b, equality), logical_or,
              Text::Kind::Truth};
  }
  unsupported("an operator");
}

Text Printer::equal(const Expr& e) {
  const Expr& a = *e.args[0];
  const Expr& b = *e.args[1];
  if (a.type.kind == Type::Kind::Contents) unsupported("it reads the contents of an array");
  if (a.type.kind != Type::Kind::Tuple) {
    const bool truth = a.type.kind == Type::Kind::Condition && b.type.kind == Type::Kind::Condition;
    if (truth) {
      return {alone(condition(a)) + " " + symbol_of(e.binary) + " " + alone(condition(b)), equality,
              Text::Kind::Truth};
    }
    return arithmetic(e.binary, number(a), number(b));
  }
  const bool same = e.binary == Binary::Equal;
  Text all;
  for (int i = 0; i < a.type.arity; ++i) {
    const Text one = arithmetic(e.binary, member(a, i), member(b, i));
    all = i == 0 ? one : arithmetic(same ? Binary::LogicalAnd : Binary::LogicalOr, all, one);
    if (i > 0 && i + 1 < a.type.arity) all.binding = equality;  // a chain of one operator
  }
  all.binding = a.type.arity > 1 ? (same ? logical_and : logical_or) : equality;
  return all;
}

Text Printer::binary(const Expr& e) {
  if (e.binary == Binary::Equal || e.binary == Binary::NotEqual) return equal(e);
  const bool logical = e.binary == Binary::LogicalAnd || e.binary == Binary::LogicalOr;
  const bool conditions = e.args[0]->type.kind == Type::Kind::Condition &&
                          e.args[1]->type.kind == Type::Kind::Condition;
  if (logical || (conditions && (e.binary == Binary::And || e.binary == Binary::Or))) {
    const bool all = e.binary == Binary::LogicalAnd || e.binary == Binary::And;
    Text left = condition(*e.args[0]);
    const int own = all ? logical_and : logical_or;
    if (left.binding == own) left.binding = equality;  // a && b && c
    return arithmetic(all ? Binary::LogicalAnd : Binary::LogicalOr, left, condition(*e.args[1]));
  }
  if (conditions && e.binary == Binary::Xor) {
    return {alone(condition(*e.args[0])) + " != " + alone(condition(*e.args[1])), equality,
            Text::Kind::Truth};
  }
  return arithmetic(e.binary, number(*e.args[0]), number(*e.args[1]));
}

Text Printer::unary(const Expr& e) {
  switch (e.unary) {
    case Unary::Not:
      return {"!" + at_least(condition(*e.args[0]), postfix), prefix, Text::Kind::Truth};
    case Unary::Negate:
    case Unary::Complement:
      break;
  }
  const Text inside = number(*e.args[0]);
  return {(e.unary == Unary::Negate ? "-" : "~") + at_least(inside, postfix), prefix, inside.kind};
}

Text Printer::choose(const Text& condition, const Text& yes, const Text& no) {
  const bool small = yes.kind == Text::Kind::Small && no.kind == Text::Kind::Small;
  return {at_least(condition, logical_or) + " ? " + at_least(yes, logical_or) + " : " +
              at_least(no, logical_or),
          conditional, small ? Text::Kind::Small : Text::Kind::Wide};
}

Text Printer::builtin(const Expr& e) {
  const char* name = e.builtin == Builtin::Min   ? "smaller"
                     : e.builtin == Builtin::Max ? "larger"
                                                 : "ceildiv";
  Text all = number(*e.args.front());
  for (std::size_t i = 1; i < e.args.size(); ++i) {
    all = {std::string("::fragproof::") + name + "(" + all.text + ", " + number(*e.args[i]).text +
           ")"};
  }
  return all;
}

std::string Printer::name_of_size(const Variable* variable) {
  const auto known = scope_.names.find(variable);
  if (known == scope_.names.end()) unsupported("`" + variable->name + "` has no value here");
  return known->second;
}

Text Printer::variable(const Expr& e) {
  return {name_of_size(e.variable), postfix,
          e.type.kind == Type::Kind::Condition ? Text::Kind::Truth : Text::Kind::Wide};
}

std::string Printer::arguments(const std::vector<Expr*>& args) {
  std::string text;
  for (const Expr* arg : args) {
    const int members = arg->type.kind == Type::Kind::Tuple ? arg->type.arity : 1;
    for (int i = 0; i < members; ++i) text += (text.empty() ? "" : ", ") + member(*arg, i).text;
  }
  return text;
}

// The sizes and tables that a callee takes have the same names here.
std::string behind(const CppCallee& callee, const CppScope& scope, bool first) {
  std::string text;
  const auto add = [&](const std::string& name) {
    text += (first ? "" : ", ") + name;
    first = false;
  };
  for (const Variable* size : callee.sizes) add(scope.names.at(size));
  for (const Table* table : callee.tables) add(scope.pointers.at(table));
  return text;
}

Text Printer::apply(const Expr& e, int i) {
  const CppCallee& callee = scope_.map(*e.map);
  const std::string args = arguments(e.args);
  return {callee.name + "::" + callee.outputs.at(static_cast<std::size_t>(i)) + "(" + args +
          behind(callee, scope_, args.empty()) + ")"};
}

Text Printer::inverse(const Expr& e, int i) {
  if (e.map == nullptr) {
    if (!e.table->has_values) unsupported("it inverts the table `" + e.table->name + "`");
    return {scope_.table(*e.table) + "::inverse(" + arguments(e.args) + ")"};
  }
  const CppCallee& callee = scope_.map(*e.map);
  if (callee.inverse.empty()) unsupported("`" + e.map->name + "` has no inverse in C++");
  const std::string args = arguments(e.args);
  return {callee.name + "::" + callee.inverse.at(static_cast<std::size_t>(i)) + "(" + args +
          behind(callee, scope_, args.empty()) + ")"};
}

Text Printer::lookup(const Expr& e) {
  if (e.table->has_values) return {scope_.table(*e.table) + "::at(" + arguments(e.args) + ")"};
  const auto pointer = scope_.pointers.find(e.table);
  if (pointer == scope_.pointers.end()) unsupported("table `" + e.table->name + "` is not at hand");
  return {pointer->second + "[" +
          cpp_row_major({e.args.begin(), e.args.end()},
                        {e.table->extents.begin(), e.table->extents.end()}, scope_) +
          "]"};
}

// The offset of an index of a mode: nested modes split it with the first child fastest.
Text Printer::mode(const CuteMode& mode, const Text& index) {
  if (mode.children.empty()) {
    if (mode.stride == 0) return literal(0);
    return mode.stride == 1 ? index : arithmetic(Binary::Mul, index, literal(mode.stride));
  }
  const std::function<Int(const CuteMode&)> size = [&](const CuteMode& of) {
    Int total = of.children.empty() ? of.shape : 1;
    for (const CuteMode& child : of.children) {
      if (!mul(total, size(child), total)) unsupported("a CuTe shape leaves 128 bits");
    }
    return total;
  };
  Text total = literal(0);
  Int before = 1;
  for (const CuteMode& child : mode.children) {
    Text own = before == 1 ? index : arithmetic(Binary::Div, index, literal(before));
    if (&child != &mode.children.back()) {
      own = arithmetic(Binary::Mod, own, literal(size(child)));
    }
    const Text part = this->mode(child, own);
    if (!mul(before, size(child), before)) unsupported("a CuTe shape leaves 128 bits");
    if (part.text == "0") continue;
    total = total.text == "0" ? part : arithmetic(Binary::Add, total, part);
    if (total.text.size() > longest) unsupported("it is too long, written out");
  }
  return total;
}

Text Printer::cute(const Expr& e) {
  Text total = literal(0);
  for (std::size_t i = 0; i < e.modes.size() && i < e.args.size(); ++i) {
    const Text part = mode(e.modes[i], wide(number(*e.args[i])));
    if (part.text == "0") continue;
    total = total.text == "0" ? part : arithmetic(Binary::Add, total, part);
  }
  return total;
}

Text Printer::digits(const std::vector<const Expr*>& values,
                     const std::vector<const Expr*>& radices) {
  if (values.empty()) return literal(0);
  Text total = number(*values[0]);
  for (std::size_t i = 1; i < values.size(); ++i) {
    total = arithmetic(Binary::Add, arithmetic(Binary::Mul, total, number(*radices[i])),
                       number(*values[i]));
  }
  return total;
}

Text Printer::member(const Expr& e, int i) {
  if (e.type.kind != Type::Kind::Tuple) return number(e);
  const auto at = static_cast<std::size_t>(i);
  Text text;
  switch (e.kind) {
    case Expr::Kind::Tuple:
      text = number(*e.args.at(at));
      break;
    case Expr::Kind::Apply:
      text = apply(e, i);
      break;
    case Expr::Kind::Inverse:
      text = inverse(e, i);
      break;
    case Expr::Kind::Conditional:
      text = choose(condition(*e.args[0]), member(*e.args[1], i), member(*e.args[2], i));
      break;
    case Expr::Kind::Variable:
      text = {name_of_size(e.variable) + "_" + cpp_member_name(e.type, i)};
      break;
    default:
      unsupported("a tuple of this kind");
  }
  if (text.text.size() > longest) unsupported("it is too long, written out");
  return text;
}

Text Printer::value(const Expr& e) {
  Text text;
  switch (e.kind) {
    case Expr::Kind::Number:
      return literal(e.number);
    case Expr::Kind::Variable:
      return variable(e);
    case Expr::Kind::Unary:
      text = unary(e);
      break;
    case Expr::Kind::Binary:
      text = binary(e);
      break;
    case Expr::Kind::Conditional:
      if (e.type.kind == Type::Kind::Condition) {
        text = choose(condition(*e.args[0]), condition(*e.args[1]), condition(*e.args[2]));
        text.kind = Text::Kind::Truth;
      } else {
        text = choose(condition(*e.args[0]), number(*e.args[1]), number(*e.args[2]));
      }
      break;
    case Expr::Kind::Builtin:
      text = builtin(e);
      break;
    case Expr::Kind::Width:
      return number(*e.args[0]);
    case Expr::Kind::Apply:
      text = apply(e, 0);
      break;
    case Expr::Kind::Inverse:
      text = inverse(e, 0);
      break;
    case Expr::Kind::Field:
      text = member(*e.args[0], e.field);
      break;
    case Expr::Kind::Lookup:
      text = lookup(e);
      break;
    case Expr::Kind::Tuple:
      if (e.args.size() != 1) unsupported("a tuple where a number is wanted");
      return number(*e.args[0]);
    case Expr::Kind::Digits: {
      std::vector<const Expr*> values, radices;
      for (std::size_t i = 0; i + 1 < e.args.size(); i += 2) {
        values.push_back(e.args[i]);
        radices.push_back(e.args[i + 1]);
      }
      text = digits(values, radices);
      break;
    }
    case Expr::Kind::Cute:
      text = cute(e);
      break;
    case Expr::Kind::Contents:
      unsupported("it reads the contents of an array");
    case Expr::Kind::Forall:
      unsupported("it holds a `forall`");
    case Expr::Kind::Predicate:
    case Expr::Kind::Metric:
    case Expr::Kind::Kernel:
      unsupported("it holds a claim");
    case Expr::Kind::Name:
    case Expr::Kind::Call:
    case Expr::Kind::Index:
    case Expr::Kind::Member:
    case Expr::Kind::UnitAccess:
      unsupported("a name in it was not looked up");
  }
  if (text.text.size() > longest) unsupported("it is too long, written out");
  return text;
}

}  // namespace

std::string cpp_number(const Expr& expr, const CppScope& scope) {
  return Printer(scope).number(expr).text;
}

std::string cpp_condition(const Expr& expr, const CppScope& scope) {
  return Printer(scope).condition(expr).text;
}

std::string cpp_member(const Expr& expr, int member, const CppScope& scope) {
  return Printer(scope).member(expr, member).text;
}

std::string cpp_product(const std::vector<const Expr*>& factors, const CppScope& scope) {
  Int literals = 1;
  std::string text;
  int others = 0;
  for (const Expr* factor : factors) {
    if (factor->kind == Expr::Kind::Number && mul(literals, factor->number, literals)) continue;
    text += (others++ == 0 ? "" : " * ") + at_least(Printer(scope).number(*factor), prefix);
  }
  if (others == 0) return to_string(literals);
  if (literals != 1) {
    text = to_string(literals) + " * " + text;
    ++others;
  }
  return others > 1 ? "(" + text + ")" : text;
}

std::string cpp_row_major(const std::vector<const Expr*>& indices,
                          const std::vector<const Expr*>& extents, const CppScope& scope) {
  return Printer(scope).digits(indices, extents).text;
}

std::string cpp_member_name(const Type& type, int member) {
  const auto at = static_cast<std::size_t>(member);
  return at < type.names.size() ? cpp_identifier(type.names[at]) : std::to_string(member);
}

}  // namespace fragproof
