// Types of expressions: what each form asks of its parts. Operators, names and atoms have files of
// their own.
#include "spec/resolve.h"

namespace fragproof {
namespace {

constexpr int deepest =
    1200;  // of one expression (the parser stops at 1000); resolve_cost.cpp counts lets and maps
constexpr std::size_t longest_quote = 72;

Type number_type() { return {Type::Kind::Number, 1, 0, {}}; }
Type condition_type() { return {Type::Kind::Condition, 1, 0, {}}; }

}  // namespace

void Resolver::error(const Span& where, std::string text, std::string help) {
  reporter_.error(where, std::move(text), std::move(help));
}

std::string Resolver::quote(const Expr& e) const {
  std::string text = to_text(e);
  if (text.size() > longest_quote) text = text.substr(0, longest_quote - 3) + "...";
  return "`" + text + "`";
}

std::string Resolver::describe(const Type& type) const {
  switch (type.kind) {
    case Type::Kind::Number:
      return "a number";
    case Type::Kind::Condition:
      return "a condition";
    case Type::Kind::Tuple:
      return "a tuple of " + std::to_string(type.arity);
    case Type::Kind::Contents:
      return "the contents of " + std::to_string(type.width) + " bits";
    case Type::Kind::Unknown:
      break;
  }
  return "of no known kind";
}

void Resolver::resolve(Expr& e) {
  if (e.type.kind != Type::Kind::Unknown || reporter_.full()) return;
  if (depth_ >= deepest) {
    error(e.where, "this expression is nested more than " + std::to_string(deepest) + " deep",
          "name its parts with `let`");
    return;
  }
  ++depth_;
  switch (e.kind) {
    case Expr::Kind::Number:
      e.type = number_type();
      break;
    case Expr::Kind::Name:
      name(e);
      break;
    case Expr::Kind::Call:
      call(e);
      break;
    case Expr::Kind::Index:
      index(e);
      break;
    case Expr::Kind::Member:
      member(e);
      break;
    case Expr::Kind::UnitAccess:
      unit_access(e);
      break;
    case Expr::Kind::Variable:
      e.type = e.variable->type;
      break;
    case Expr::Kind::Unary:
      unary(e);
      break;
    case Expr::Kind::Binary:
      binary(e);
      break;
    case Expr::Kind::Conditional:
      conditional(e);
      break;
    case Expr::Kind::Builtin:
      builtin(e);
      break;
    case Expr::Kind::Width:
      width(e);
      break;
    case Expr::Kind::Tuple:
      tuple(e);
      break;
    case Expr::Kind::Digits:
      digits(e);
      break;
    case Expr::Kind::Cute:
      cute(e);
      break;
    case Expr::Kind::Forall:
      forall(e);
      break;
    case Expr::Kind::Predicate:
      predicate(e, e.predicate, e.args);
      break;
    case Expr::Kind::Metric:
      metric(e, e.metric, e.args);
      break;
    case Expr::Kind::Apply:
    case Expr::Kind::Inverse:
    case Expr::Kind::Field:
    case Expr::Kind::Lookup:
    case Expr::Kind::Contents:
    case Expr::Kind::Kernel:
      break;  // made by resolution, with their types
  }
  --depth_;
}

void Resolver::not_a_number(const Expr& e) {
  std::string help;
  if (e.type.kind == Type::Kind::Tuple && !e.type.names.empty())
    help = "`." + e.type.names.front() + "`?";
  if (e.type.kind == Type::Kind::Contents)
    help = "contents are compared with `==`, and with contents only";
  error(e.where, "a number is needed here, " + quote(e) + " is " + describe(e.type), help);
}

void Resolver::number(Expr& e) {
  resolve(e);
  if (e.type.kind == Type::Kind::Tuple || e.type.kind == Type::Kind::Contents) not_a_number(e);
}

void Resolver::condition(Expr& e, const std::string& of) {
  resolve(e);
  if (e.type.kind == Type::Kind::Condition || e.type.kind == Type::Kind::Unknown) return;
  std::string help;
  if (e.type.kind == Type::Kind::Number) {
    const bool loose = e.kind == Expr::Kind::Conditional || e.kind == Expr::Kind::Forall ||
                       (e.kind == Expr::Kind::Binary &&
                        precedence_of(e.binary) <= precedence_of(Binary::NotEqual));
    const std::string text = to_text(e);
    if (text.size() <= longest_quote)
      help = "`" + (loose ? "(" + text + ")" : text) + (of == "a claim" ? " == 0`?" : " != 0`?");
  }
  error(e.where, of + " needs a condition, " + quote(e) + " is " + describe(e.type), help);
}

void Resolver::conditional(Expr& e) {
  Expr& test = *e.args[0];
  resolve(test);
  if (test.type.kind != Type::Kind::Condition && test.type.kind != Type::Kind::Unknown) {
    std::string help;
    if (test.type.kind == Type::Kind::Number) {
      const bool loose = test.kind == Expr::Kind::Binary &&
                         precedence_of(test.binary) <= precedence_of(Binary::NotEqual);
      const std::string text = to_text(test);
      const std::string rest = " ? " + to_text(*e.args[1]) + " : " + to_text(*e.args[2]);
      if (text.size() + rest.size() <= longest_quote) {
        help = "`" + (loose ? "(" + text + ")" : text) + " != 0" + rest + "`";
      }
    }
    error(test.where, "`?` needs a condition, " + quote(test) + " is " + describe(test.type), help);
  }
  Expr& yes = *e.args[1];
  Expr& no = *e.args[2];
  resolve(yes);
  resolve(no);
  if (yes.type.kind == Type::Kind::Unknown || no.type.kind == Type::Kind::Unknown) return;
  const auto plain = [](const Type& type) {
    return type.kind == Type::Kind::Number || type.kind == Type::Kind::Condition;
  };
  if (yes.type.kind == no.type.kind && yes.type.arity == no.type.arity &&
      yes.type.width == no.type.width) {
    e.type = yes.type;
    if (yes.type.names != no.type.names) e.type.names.clear();
  } else if (plain(yes.type) && plain(no.type)) {
    e.type = number_type();
  } else {
    error(e.where, "both arms of `?:` are of one kind: " + quote(yes) + " is " +
                       describe(yes.type) + ", " + quote(no) + " is " + describe(no.type));
  }
}

void Resolver::builtin(Expr& e) {
  const char* name = e.builtin == Builtin::Min   ? "min"
                     : e.builtin == Builtin::Max ? "max"
                                                 : "ceildiv";
  const bool two = e.builtin == Builtin::CeilDiv;
  for (Expr* arg : e.args) number(*arg);
  if (two ? e.args.size() != 2 : e.args.empty()) {
    error(e.where, "`" + std::string(name) +
                       (two ? "` takes 2 arguments (a, b), " : "` takes at least 1 argument, ") +
                       std::to_string(e.args.size()) + " given");
    return;
  }
  if (two) check_divisor(*e.args[1]);
  e.type = number_type();
}

void Resolver::width(Expr& e) {
  if (e.args.size() != 1) {
    error(e.where, "a width takes one expression, which is computed in that many bits: `i32(a*b)`");
    return;
  }
  number(*e.args[0]);
  e.type = number_type();
}

void Resolver::digits(Expr& e) {
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    number(*e.args[i]);
    if (i % 2 == 1) check_extent(*e.args[i], "the radix of digit " + quote(*e.args[i - 1]));
  }
  e.type = number_type();
}

void Resolver::cute(Expr& e) {
  for (Expr* arg : e.args) number(*arg);
  if (e.args.size() != e.modes.size()) {
    const bool one = e.modes.size() == 1;
    error(e.where, "this layout has " + std::to_string(e.modes.size()) + " top-level mode" +
                       (one ? "" : "s") + " and takes one argument each, " +
                       std::to_string(e.args.size()) + " given");
    return;
  }
  e.type = number_type();
}

void Resolver::tuple(Expr& e) {
  bool known = true;
  for (Expr* arg : e.args) {
    resolve(*arg);
    known = known && arg->type.kind != Type::Kind::Unknown;
    if (arg->type.kind == Type::Kind::Tuple || arg->type.kind == Type::Kind::Contents) {
      error(arg->where,
            "the members of a tuple are numbers, " + quote(*arg) + " is " + describe(arg->type),
            arg->type.names.empty() ? "" : "name each member: `." + arg->type.names.front() + "`");
      known = false;
    }
  }
  if (!known) return;
  if (e.args.size() == 1) {  // a parenthesised number
    const Expr only = *e.args[0];
    e = only;
    return;
  }
  e.type = {Type::Kind::Tuple, static_cast<int>(e.args.size()), 0, {}};
}

void Resolver::forall(Expr& e) {
  scopes_.push();
  domain(e.domain, 0, "coordinate");
  condition(*e.args[0], "`forall`");
  scopes_.pop();
  e.type = condition_type();
}

}  // namespace fragproof
