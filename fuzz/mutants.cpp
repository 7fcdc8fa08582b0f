// Making mutants: see mutants.h. Each replaces a stretch of one line by another text.
#include "fuzz/mutants.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "checkers/enumerate/kernel_uses.h"

namespace fragproof {
namespace {

class Maker {
 public:
  explicit Maker(const Spec& spec) : sources_(*spec.sources), file_(spec.main_file) {}

  void map(const Map& map) {
    owner_ = map.name;
    domain(map.domain);
    for (const Binding& one : map.bindings) binding(one);
    for (const OutputDef& output : map.outputs) expr(output.value);
  }

  void array(const Array& array) {
    owner_ = array.name;
    for (const Array::ChainStep& step : array.chain) {
      exchange(step.args, "two axes exchanged");
      if (step.op != "permute") {
        for (const Expr* arg : step.args) expr(arg);
      }
    }
    if (array.chain.empty()) {
      for (const Fill& one : array.fills) fill(one);
    }
  }

  void kernel(const Kernel& kernel) {
    owner_ = kernel.name;
    if (kernel.parallel) domain(*kernel.parallel);
    if (kernel.reduce) domain(*kernel.reduce);
    for (const Binding& one : kernel.bindings) binding(one);
    for (const Array* shared : kernel.shared) {
      for (const Fill& one : shared->fills) fill(one);
    }
    for (const Load* load : kernel.loads) {
      ref(load->from);
      expr(load->condition);
    }
    if (kernel.mma) {
      value(kernel.mma->value_a);
      value(kernel.mma->value_b);
    }
    if (kernel.store) {
      ref(kernel.store->to);
      expr(kernel.store->condition);
    }
  }

  std::vector<Mutant> finish() {
    std::stable_sort(mutants_.begin(), mutants_.end(),
                     [](const Mutant& a, const Mutant& b) { return a.line < b.line; });
    return std::move(mutants_);
  }

 private:
  [[nodiscard]] std::string text(const Span& span) const {
    const std::string line(sources_.line(span.file, span.line));
    const auto from = static_cast<std::size_t>(span.column - 1);
    return from < line.size() ? line.substr(from, static_cast<std::size_t>(span.length)) : "";
  }

  void replace(const Span& span, const std::string& by, const char* what) {
    const std::string old = text(span);
    if (span.file != file_ || old.empty() || old == by) return;
    if (!seen_.insert({span.line, span.column, span.length, by}).second) return;
    Mutant mutant;
    mutant.what = what;
    mutant.line = span.line;
    mutant.owner = owner_;
    mutant.before = std::string(sources_.line(file_, span.line));
    mutant.after = mutant.before;
    mutant.after.replace(static_cast<std::size_t>(span.column - 1), old.size(), by);
    const auto count = static_cast<int>(sources_.file(file_).lines.size());
    for (int line = 1; line <= count; ++line) {
      mutant.text += line == span.line ? mutant.after : std::string(sources_.line(file_, line));
      mutant.text += '\n';
    }
    mutants_.push_back(std::move(mutant));
  }

  // From the first of two stretches of a line to the second's end, the two exchanged.
  void exchange(const Span& a, const Span& b, const char* what) {
    if (a.line != b.line || a.file != b.file || b.column < a.column + a.length) return;
    Span whole = a;
    whole.length = b.column + b.length - a.column;
    const std::string all = text(whole);
    const auto gap = static_cast<std::size_t>(a.length);
    const auto second = static_cast<std::size_t>(b.column - a.column);
    if (second > all.size()) return;
    replace(whole, text(b) + all.substr(gap, second - gap) + text(a), what);
  }

  void exchange(const std::vector<Expr*>& args, const char* what) {
    for (std::size_t i = 0; i + 1 < args.size(); ++i) {
      exchange(args[i]->where, args[i + 1]->where, what);
    }
  }

  void number(const Expr& expr) {
    replace(expr.where, to_string(expr.number + 1), "a number");
    if (expr.number >= 2 && expr.number % 2 == 0) {
      replace(expr.where, to_string(expr.number / 2), "a number");
    }
  }

  void expr(const Expr* expr) {
    for_each_inside(expr, [&](const Expr& one) { node(one); });
  }

  void node(const Expr& one) {
    switch (one.kind) {
      case Expr::Kind::Number:
        number(one);
        break;
      case Expr::Kind::Binary:
        binary(one);
        break;
      case Expr::Kind::Builtin:
        if (one.args.size() == 2 && one.builtin != Builtin::CeilDiv) {
          replace(one.where, "(" + text(one.args[0]->where) + ")", "a dropped bound");
        } else if (one.builtin == Builtin::CeilDiv) {
          replace(one.where,
                  "((" + text(one.args[0]->where) + ")/(" + text(one.args[1]->where) + "))",
                  "rounded down");
        }
        break;
      case Expr::Kind::Digits: {
        // Two neighbouring digits, each with its radix.
        for (std::size_t i = 0; i + 3 < one.args.size(); i += 2) {
          exchange(join(*one.args[i], *one.args[i + 1]), join(*one.args[i + 2], *one.args[i + 3]),
                   "two digits exchanged");
        }
        break;
      }
      default:
        break;
    }
  }

  static Span join(const Expr& digit, const Expr& radix) {
    Span span = digit.where;
    span.length = radix.where.column + radix.where.length - digit.where.column;
    return span;
  }

  void binary(const Expr& one) {
    const Span& a = one.args[0]->where;
    const Span& b = one.args[1]->where;
    switch (one.binary) {
      case Binary::Add:
      case Binary::Sub:
      case Binary::Xor:
        replace(one.where, "(" + text(a) + ")", "a dropped term");
        if (one.binary != Binary::Sub) replace(one.where, "(" + text(b) + ")", "a dropped term");
        break;
      case Binary::Less:
        replace(one.where, text(a) + " <= " + text(b), "a shifted bound");
        break;
      case Binary::LessEqual:
        replace(one.where, text(a) + " < " + text(b), "a shifted bound");
        break;
      default:
        break;
    }
  }

  void domain(const Domain& domain) {
    for (const Coordinate& coordinate : domain.coordinates) {
      if (coordinate.digits.empty()) expr(coordinate.extent);
    }
    expr(domain.where);
  }
  void binding(const Binding& binding) {
    expr(binding.value);
    expr(binding.next);
  }
  void ref(const Ref& ref) {
    for (const Expr* index : ref.index) expr(index);
    for (const Unit& unit : ref.units) expr(unit.index);
    exchange(ref.index, "two indices exchanged");
  }
  void fill(const Fill& fill) {
    domain(fill.domain);
    ref(fill.place);
    if (fill.source) ref(*fill.source);
  }
  void value(const Value& value) {
    for (const Unit& unit : value.units) expr(unit.index);
    for (std::size_t i = 0; i + 1 < value.parts.size(); ++i) {
      exchange(value.parts[i].where, value.parts[i + 1].where, "two registers exchanged");
    }
    for (const Value& part : value.parts) this->value(part);
  }

  const SourceSet& sources_;
  int file_;
  std::string owner_;
  std::set<std::tuple<int, int, int, std::string>> seen_;
  std::vector<Mutant> mutants_;
};

}  // namespace

std::vector<Mutant> mutants_of(const Spec& spec) {
  Maker maker(spec);
  for (const Map* map : spec.maps) maker.map(*map);
  for (const Array* array : spec.arrays) {
    if (!array->hidden) maker.array(*array);
  }
  for (const Kernel* kernel : spec.kernels) maker.kernel(*kernel);
  return maker.finish();
}

const char* name_of(Fate fate) {
  switch (fate) {
    case Fate::Killed:
      return "killed";
    case Fate::Equal:
      return "equal";
    case Fate::Survived:
      return "survived";
    case Fate::Invalid:
      return "invalid";
  }
  return "?";
}

}  // namespace fragproof
