// An expression as text of the language, before and after name resolution, so that parsing it gives
// the same tree.
#include <string>

#include "spec/syntax.h"

namespace fragproof {
namespace {

// How tightly an expression holds together: binary operators have 1..10 (precedence_of).
constexpr int loose = 0;  // `?:` and `forall`
constexpr int unary = 11;
constexpr int postfix = 12;  // calls, names, literals

int binding_of(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::Forall:
    case Expr::Kind::Conditional:
      return loose;
    case Expr::Kind::Binary:
      return precedence_of(e.binary);
    case Expr::Kind::Unary:
      return unary;
    case Expr::Kind::Number:
      return e.number < 0 ? unary : postfix;
    default:
      return postfix;
  }
}

class Printer {
 public:
  void expression(const Expr& e);
  void ref(const Ref& ref);
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void at_least(const Expr& e, int binding);
  void binary(const Expr& e);
  void base(const Expr& e, bool bare_name);
  void list(const std::vector<Expr*>& list, std::size_t from = 0);
  void call(const std::string& callee, const std::vector<Expr*>& arguments, std::size_t from = 0);
  void digits(const Expr& e);
  void domain(const Domain& domain);
  void modes(const std::vector<CuteMode>& modes, bool is_shape);
  void subject(const Expr& e);

  std::string out_;
};

void Printer::at_least(const Expr& e, int binding) {
  const bool parentheses = binding_of(e) < binding;
  if (parentheses) out_ += '(';
  expression(e);
  if (parentheses) out_ += ')';
}

void Printer::list(const std::vector<Expr*>& list, std::size_t from) {
  for (std::size_t i = from; i < list.size(); ++i) {
    if (i > from) out_ += ", ";
    expression(*list[i]);
  }
}

void Printer::call(const std::string& callee, const std::vector<Expr*>& arguments,
                   std::size_t from) {
  out_ += callee + "(";
  list(arguments, from);
  out_ += ')';
}

// Comparisons do not chain, so neither side may be one of the same precedence; the others group to
// the left.
void Printer::binary(const Expr& e) {
  const int precedence = precedence_of(e.binary);
  const bool comparison =
      precedence == precedence_of(Binary::Equal) || precedence == precedence_of(Binary::Less);
  const bool tight = e.binary == Binary::Mul || e.binary == Binary::Div;
  at_least(*e.args[0], comparison ? precedence + 1 : precedence);
  if (!tight) out_ += ' ';
  out_ += symbol_of(e.binary);
  if (!tight) out_ += ' ';
  at_least(*e.args[1], precedence + 1);
}

// What stands before `(`, `[` or `.`; a bare name before `.NAME` would read as a longer name.
void Printer::base(const Expr& e, bool bare_name) {
  const bool name = e.kind == Expr::Kind::Name || e.kind == Expr::Kind::Variable;
  if (name && !bare_name) {
    out_ += '(';
    expression(e);
    out_ += ')';
  } else {
    at_least(e, postfix);
  }
}

void Printer::digits(const Expr& e) {
  out_ += '[';
  for (std::size_t i = 0; i + 1 < e.args.size(); i += 2) {
    if (i > 0) out_ += ", ";
    at_least(*e.args[i], loose + 1);
    out_ += ':';
    at_least(*e.args[i + 1], loose + 1);
  }
  out_ += ']';
}

void Printer::domain(const Domain& domain) {
  out_ += '(';
  bool first = true;
  for (const Coordinate& coordinate : domain.coordinates) {
    if (!first) out_ += ", ";
    first = false;
    out_ += coordinate.name;
    if (!coordinate.digits.empty()) {
      out_ += " : [";
      for (std::size_t i = 0; i < coordinate.digits.size(); ++i) {
        if (i > 0) out_ += ", ";
        out_ += coordinate.digits[i].name + ":";
        at_least(*coordinate.digits[i].radix, loose + 1);
      }
      out_ += ']';
    } else if (coordinate.extent != nullptr) {
      out_ += " : ";
      // An extent that opens with `[` would read as digits that are bound.
      const std::size_t start = out_.size();
      expression(*coordinate.extent);
      if (out_[start] == '[') {
        out_.insert(start, "(");
        out_ += ')';
      }
    }
  }
  if (domain.where != nullptr) {
    out_ += " where ";
    expression(*domain.where);
  }
  out_ += ')';
}

void Printer::modes(const std::vector<CuteMode>& modes, bool is_shape) {
  out_ += '(';
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (i > 0) out_ += ',';
    if (modes[i].children.empty()) {
      out_ += to_string(is_shape ? modes[i].shape : modes[i].stride);
    } else {
      this->modes(modes[i].children, is_shape);
    }
  }
  out_ += ')';
}

// What a predicate or metric is about.
void Printer::subject(const Expr& e) {
  if (e.map != nullptr) out_ += e.map->name;
  if (e.table != nullptr) out_ += e.table->name;
  if (e.array != nullptr) out_ += e.array->name;
  if (e.load != nullptr && e.kernel != nullptr) out_ += e.kernel->name + "." + e.load->name;
}

void Printer::ref(const Ref& ref) {
  out_ += ref.name.empty() && ref.array != nullptr ? ref.array->name : ref.name;
  if (!ref.index.empty()) {
    out_ += '[';
    list(ref.index);
    out_ += ']';
  }
  for (const Unit& unit : ref.units) {
    out_ += ".b" + std::to_string(unit.width) + "[";
    expression(*unit.index);
    out_ += ']';
  }
}

void Printer::expression(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::Number:
      out_ += to_string(e.number);
      return;
    case Expr::Kind::Name:
      out_ += e.text;
      return;
    case Expr::Kind::Call:
      base(*e.args[0], true);
      call("", e.args, 1);
      return;
    case Expr::Kind::Index:
      base(*e.args[0], true);
      out_ += '[';
      list(e.args, 1);
      out_ += ']';
      return;
    case Expr::Kind::Member:
      base(*e.args[0], false);
      out_ += "." + e.text;
      return;
    case Expr::Kind::UnitAccess:
      base(*e.args[0], true);
      out_ += ".b" + std::to_string(e.width) + "[";
      expression(*e.args[1]);
      out_ += ']';
      return;
    case Expr::Kind::Variable:
      out_ += e.variable->name;
      return;
    case Expr::Kind::Unary:
      out_ += e.unary == Unary::Negate ? '-' : e.unary == Unary::Complement ? '~' : '!';
      at_least(*e.args[0], unary);
      return;
    case Expr::Kind::Binary:
      binary(e);
      return;
    case Expr::Kind::Conditional:
      at_least(*e.args[0], loose + 1);
      out_ += " ? ";
      expression(*e.args[1]);
      out_ += " : ";
      expression(*e.args[2]);
      return;
    case Expr::Kind::Builtin:
      call(e.builtin == Builtin::Min   ? "min"
           : e.builtin == Builtin::Max ? "max"
                                       : "ceildiv",
           e.args);
      return;
    case Expr::Kind::Width:
      call((e.is_signed ? "i" : "u") + std::to_string(e.width), e.args);
      return;
    case Expr::Kind::Apply:
      call(e.map != nullptr ? e.map->name : "?", e.args);
      return;
    case Expr::Kind::Inverse:
      call((e.map != nullptr     ? e.map->name
            : e.table != nullptr ? e.table->name
                                 : "?") +
               ".inverse",
           e.args);
      return;
    case Expr::Kind::Field: {
      base(*e.args[0], false);
      const auto& names = e.args[0]->type.names;
      const auto at = static_cast<std::size_t>(e.field);
      out_ += "." + (at < names.size() ? names[at] : e.text);
      return;
    }
    case Expr::Kind::Lookup:
      out_ += (e.table != nullptr ? e.table->name : "?") + "[";
      list(e.args);
      out_ += ']';
      return;
    case Expr::Kind::Contents:
      ref(e.ref);
      return;
    case Expr::Kind::Tuple:
      call("", e.args);
      return;
    case Expr::Kind::Digits:
      digits(e);
      return;
    case Expr::Kind::Cute: {
      const bool leaf = e.modes.size() == 1 && e.modes[0].children.empty();
      out_ += "cute(";
      if (leaf) {
        out_ += to_string(e.modes[0].shape) + ":" + to_string(e.modes[0].stride);
      } else {
        modes(e.modes, true);
        out_ += ':';
        modes(e.modes, false);
      }
      out_ += ')';
      call("", e.args);
      return;
    }
    case Expr::Kind::Forall:
      out_ += "forall";
      domain(e.domain);
      out_ += ' ';
      expression(*e.args[0]);
      return;
    case Expr::Kind::Predicate:
      out_ += std::string(name_of(e.predicate)) + "(";
      subject(e);
      out_ += ')';
      return;
    case Expr::Kind::Metric:
      out_ += std::string(name_of(e.metric)) + "(";
      subject(e);
      for (const Expr* width : e.args) {
        out_ += ", ";
        expression(*width);
      }
      out_ += ')';
      return;
    case Expr::Kind::Kernel:
      out_ += e.kernel != nullptr ? e.kernel->name : "?";
      if (e.obligation) out_ += std::string(".") + name_of(*e.obligation);
      return;
  }
}

}  // namespace

std::string to_text(const Expr& expression) {
  Printer printer;
  printer.expression(expression);
  return printer.take();
}

std::string to_text(const Ref& ref) {
  Printer printer;
  printer.ref(ref);
  return printer.take();
}

}  // namespace fragproof
