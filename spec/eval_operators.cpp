// Evaluation of operators: arithmetic, C's lazy arms, widths, mixed-radix numbers, equality of two
// of a kind.
#include <numeric>

#include "spec/columns.h"
#include "spec/eval.h"

namespace fragproof {
namespace {

// "3*4", "7 + 5": operands in parentheses where negative.
std::string with_operator(Int a, Binary op, Int b) {
  const auto text = [](Int value) {
    return value < 0 ? "(" + to_string(value) + ")" : to_string(value);
  };
  const bool tight = op == Binary::Mul || op == Binary::Div || op == Binary::Mod;
  const std::string symbol = tight ? symbol_of(op) : std::string(" ") + symbol_of(op) + " ";
  return text(a) + symbol + text(b);
}

// Pieces of `piece` bits each from pieces that are a multiple as wide.
Values refined(const Values& values, int piece, std::size_t size) {
  const int parts = values.piece / piece;
  if (parts == 1) return values;
  Values out;
  out.piece = piece;
  out.outcome = values.outcome;
  for (const Column& column : values.members) {
    for (int part = 0; part < parts; ++part) {
      Column shifted = column;
      const std::int64_t by = std::int64_t{part} * piece;
      for (std::int64_t& code : shifted.narrow) {
        if (code >= 0) code += by;  // zeros stay zeros
      }
      out.members.push_back(std::move(shifted));
    }
  }
  (void)size;
  return out;
}

void make_alike(Values& a, Values& b, std::size_t size) {
  if (a.piece == b.piece || a.piece == 0 || b.piece == 0) return;
  const int piece = std::gcd(a.piece, b.piece);
  a = refined(a, piece, size);
  b = refined(b, piece, size);
}

bool is_uniform(const Values& condition) {
  return condition.members.front().uniform() && condition.outcome.size() <= 1;
}

// Is the condition, at every point where it is Ok, equal to `value`?
bool everywhere(const Values& condition, bool value, std::size_t size) {
  const Column& column = condition.members.front();
  if (is_uniform(condition)) return (column.at(0) != 0) == value;
  for (std::size_t i = 0; i < size; ++i) {
    if (condition.at(i) == Outcome::Ok && (column.at(i) != 0) != value) return false;
  }
  return true;
}

// Where the condition is Ok and `takes`, the arm's outcome; else the condition's own. `arm` null:
// Ok.
Outcomes lazy(const Values& condition, const Outcomes* yes, const Outcomes* no, std::size_t size) {
  const bool plain = (yes == nullptr || yes->empty()) && (no == nullptr || no->empty());
  if (plain) return condition.outcome;
  const auto arm_at = [](const Outcomes* arm, std::size_t i) {
    if (arm == nullptr || arm->empty()) return Outcome::Ok;
    return (*arm)[arm->size() == 1 ? 0 : i];
  };
  const Column& column = condition.members.front();
  const bool one = is_uniform(condition) && (yes == nullptr || yes->size() <= 1) &&
                   (no == nullptr || no->size() <= 1);
  Outcomes out(one ? 1 : size, Outcome::Ok);
  bool any = false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = condition.at(i) != Outcome::Ok ? condition.at(i)
             : column.at(i) != 0            ? arm_at(yes, i)
                                            : arm_at(no, i);
    any = any || out[i] != Outcome::Ok;
  }
  if (!any) out.clear();
  return out;
}

}  // namespace

void Evaluator::check_width(const Width& width, std::size_t size, Values& values,
                            const std::function<std::string()>& how) {
  Column& column = values.members.front();
  if (width.bits >= 128 && width.is_signed) return;
  const Int one = 1;
  Int low = 0;
  Int high = 0;
  if (width.is_signed) {
    low = -(one << (width.bits - 1));
    high = (one << (width.bits - 1)) - 1;
  } else {
    high = width.bits >= 127 ? ~(one << 127) : (one << width.bits) - 1;
  }
  if (!column.is_wide() && width.bits >= 64 && width.is_signed) return;
  Outcomes mine;
  const std::size_t n = column.size();
  if (column.is_wide()) {
    for (std::size_t i = 0; i < n; ++i) {
      if (column.wide[i] < low || column.wide[i] > high) mark(mine, i, n, Outcome::Undefined);
    }
  } else {
    const auto lo = static_cast<std::int64_t>(std::max<Int>(low, INT64_MIN));
    const auto hi = static_cast<std::int64_t>(std::min<Int>(high, INT64_MAX));
    for (std::size_t i = 0; i < n; ++i) {
      if (column.narrow[i] < lo || column.narrow[i] > hi) mark(mine, i, n, Outcome::Undefined);
    }
  }
  if (mine.empty()) return;
  if (values.at(0) == Outcome::Ok && mine[0] == Outcome::Undefined) {
    explain([&] {
      return (width.is_signed ? "i" : "u") + std::to_string(width.bits) + ": " + how() +
             " does not fit";
    });
  }
  extend(values.outcome, mine, size);
}

Values Evaluator::eval_unary(const Expr& expr, const Batch& batch, const Width* width) {
  Values a = eval(*expr.args[0], batch, width);
  Values out(compute(expr.unary, a.members[0], batch.size, a.outcome));
  out.outcome = std::move(a.outcome);
  if (width != nullptr && expr.unary != Unary::Not) {
    check_width(*width, batch.size, out, [&] {
      return (expr.unary == Unary::Negate ? "-" : "~") + to_string(a.members[0].at(0)) + " = " +
             to_string(out.members[0].at(0));
    });
  }
  return out;
}

Values Evaluator::eval_binary(const Expr& expr, const Batch& batch, const Width* width) {
  if (expr.binary == Binary::LogicalAnd || expr.binary == Binary::LogicalOr) {
    return eval_logical(expr, batch, width);
  }
  if (expr.binary == Binary::Equal || expr.binary == Binary::NotEqual) {
    return eval_equal(expr, batch, width);
  }
  Values a = eval(*expr.args[0], batch, width);
  Values b = eval(*expr.args[1], batch, width);
  Values out;
  Outcomes mine;
  out.members.push_back(compute(expr.binary, a.members[0], b.members[0], batch.size, mine));
  merge(out.outcome, a.outcome, batch.size);
  merge(out.outcome, b.outcome, batch.size);
  const bool comparison = precedence_of(expr.binary) == precedence_of(Binary::Less);
  const auto operands = [&] {
    return with_operator(a.members[0].at(0), expr.binary, b.members[0].at(0));
  };
  if (width != nullptr && !comparison && (width->is_signed || width->bits < 128)) {
    // What does not fit 128 bits does not fit these bits.
    for (Outcome& outcome : mine) {
      if (outcome != Outcome::Overflow) continue;
      outcome = Outcome::Undefined;
      explain([&] {
        return (width->is_signed ? "i" : "u") + std::to_string(width->bits) + ": " + operands() +
               " does not fit";
      });
    }
  }
  if (!mine.empty()) {
    if (mine[0] == Outcome::Undefined && out.at(0) == Outcome::Ok) {
      explain([&] {
        const Int x = a.members[0].at(0);
        const bool shift = expr.binary == Binary::ShiftLeft || expr.binary == Binary::ShiftRight;
        const char* what = x < 0   ? "the left operand is negative"
                           : shift ? "the shift is negative"
                                   : "the divisor is not positive";
        return operands() + " is undefined: " + what;
      });
    }
    extend(out.outcome, mine, batch.size);
  }
  if (width != nullptr && !comparison) {
    check_width(*width, batch.size, out,
                [&] { return operands() + " = " + to_string(out.members[0].at(0)); });
  }
  return out;
}

Values Evaluator::eval_logical(const Expr& expr, const Batch& batch, const Width* width) {
  const bool is_and = expr.binary == Binary::LogicalAnd;
  Values a = eval(*expr.args[0], batch, width);
  if (nowhere_defined(a.outcome) || everywhere(a, !is_and, batch.size)) return a;
  const Values b = eval(*expr.args[1], batch, width);
  Outcomes none;
  Values out(compute(expr.binary, a.members[0], b.members[0], batch.size, none));
  out.outcome =
      is_and ? lazy(a, &b.outcome, nullptr, batch.size) : lazy(a, nullptr, &b.outcome, batch.size);
  return out;
}

Values Evaluator::eval_conditional(const Expr& expr, const Batch& batch, const Width* width) {
  const Values condition = eval(*expr.args[0], batch, width);
  if (nowhere_defined(condition.outcome)) {
    Values out = nothing(std::max<std::size_t>(1, static_cast<std::size_t>(expr.type.arity)),
                         condition.outcome);
    if (expr.type.kind == Type::Kind::Contents) out.piece = expr.type.width;
    return out;
  }
  for (const bool taken : {true, false}) {
    if (!everywhere(condition, taken, batch.size)) continue;
    Values only = eval(*expr.args[taken ? 1 : 2], batch, width);
    Outcomes outcome = condition.outcome;
    extend(outcome, only.outcome, batch.size);
    only.outcome = std::move(outcome);
    return only;
  }
  Values yes = eval(*expr.args[1], batch, width);
  Values no = eval(*expr.args[2], batch, width);
  make_alike(yes, no, batch.size);
  Values out;
  out.piece = yes.piece;
  for (std::size_t i = 0; i < yes.members.size(); ++i) {
    out.members.push_back(choose(condition.members[0], yes.members[i], no.members[i], batch.size));
  }
  out.outcome = lazy(condition, &yes.outcome, &no.outcome, batch.size);
  return out;
}

Values Evaluator::eval_builtin(const Expr& expr, const Batch& batch, const Width* width) {
  Values out = eval(*expr.args[0], batch, width);
  for (std::size_t i = 1; i < expr.args.size(); ++i) {
    const Values next = eval(*expr.args[i], batch, width);
    const Column before = out.members[0];
    Outcomes mine;
    out.members[0] = compute(expr.builtin, before, next.members[0], batch.size, mine);
    merge(out.outcome, next.outcome, batch.size);
    if (mine.empty()) continue;
    if (mine[0] == Outcome::Undefined && out.at(0) == Outcome::Ok) {
      explain([&] {
        return "ceildiv(" + to_string(before.at(0)) + ", " + to_string(next.members[0].at(0)) +
               ") is undefined: " +
               (before.at(0) < 0 ? "the dividend is negative" : "the divisor is not positive");
      });
    }
    extend(out.outcome, mine, batch.size);
  }
  return out;
}

Values Evaluator::eval_equal(const Expr& expr, const Batch& batch, const Width* width) {
  Values a = eval(*expr.args[0], batch, width);
  Values b = eval(*expr.args[1], batch, width);
  make_alike(a, b, batch.size);
  Outcomes none;
  Column same(Int{1});
  for (std::size_t i = 0; i < a.members.size() && i < b.members.size(); ++i) {
    const Column one = compute(Binary::Equal, a.members[i], b.members[i], batch.size, none);
    same = i == 0 ? one : compute(Binary::And, same, one, batch.size, none);
  }
  if (a.members.size() != b.members.size()) same = Column(Int{0});
  Values out(expr.binary == Binary::Equal ? same : compute(Unary::Not, same, batch.size, none));
  merge(out.outcome, a.outcome, batch.size);
  merge(out.outcome, b.outcome, batch.size);
  return out;
}

Values Evaluator::eval_digits(const Expr& expr, const Batch& batch, const Width* width) {
  Values out(Column(Int{0}));
  for (std::size_t i = 0; i + 1 < expr.args.size(); i += 2) {
    const Values digit = eval(*expr.args[i], batch, width);
    const Values radix = eval(*expr.args[i + 1], batch, width);
    merge(out.outcome, digit.outcome, batch.size);
    merge(out.outcome, radix.outcome, batch.size);
    Outcomes mine;
    if (mark_outside(digit.members[0], radix.members[0], batch.size, mine)) {
      if (mine[0] == Outcome::Undefined && out.at(0) == Outcome::Ok) {
        explain([&] {
          const Int last = radix.members[0].at(0) - 1;
          const std::string value = to_string(digit.members[0].at(0));
          const std::string name = text_of(*expr.args[i]);
          return "digit " + (name == value ? name : name + " = " + value) +
                 (last < 0 ? " has radix " + to_string(last + 1)
                           : " is outside 0.." + to_string(last));
        });
      }
      extend(out.outcome, mine, batch.size);
    }
    Outcomes carried;
    multiply_add(out.members[0], radix.members[0], digit.members[0], batch.size, carried);
    extend(out.outcome, carried, batch.size);
  }
  if (width != nullptr) {
    check_width(*width, batch.size, out, [&] { return to_string(out.members[0].at(0)); });
  }
  return out;
}

}  // namespace fragproof
