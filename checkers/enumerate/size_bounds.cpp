// Bounds of one size that follow from a condition: see size_bounds.h.
#include "checkers/enumerate/size_bounds.h"

#include <algorithm>

#include "checkers/enumerate/uses.h"

namespace fragproof {
namespace {

constexpr Int far = Int{1} << 62;  // sizes beyond are never searched

bool is_constant(const Expr& expr) {
  Uses uses;
  uses.add(&expr);
  return uses.sizes.empty() && uses.tables.empty();
}

class Bounder {
 public:
  Bounder(Evaluator& evaluator, const Variable* size, const std::vector<const Variable*>& sizes,
          const std::vector<SizeBounds>& known)
      : evaluator_(evaluator), size_(size) {
    for (std::size_t i = 0; i < sizes.size(); ++i) least_.bind(sizes[i], known[i].low);
  }

  SizeBounds of(const Expr& expr) {
    SizeBounds out;
    if (expr.kind != Expr::Kind::Binary) return out;
    switch (expr.binary) {
      case Binary::LogicalAnd:
      case Binary::And: {
        const SizeBounds a = of(*expr.args[0]);
        const SizeBounds b = of(*expr.args[1]);
        out.low = std::max(a.low, b.low);
        out.high = a.high;
        if (b.high && (!out.high || *b.high < *out.high)) out.high = b.high;
        return out;
      }
      case Binary::LogicalOr:
      case Binary::Or: {
        const SizeBounds a = of(*expr.args[0]);
        const SizeBounds b = of(*expr.args[1]);
        out.low = std::min(a.low, b.low);
        if (a.high && b.high) out.high = std::max(*a.high, *b.high);
        return out;
      }
      case Binary::LessEqual:
        at_most(*expr.args[0], *expr.args[1], 0, out);
        return out;
      case Binary::Less:
        at_most(*expr.args[0], *expr.args[1], 1, out);
        return out;
      case Binary::GreaterEqual:
        at_most(*expr.args[1], *expr.args[0], 0, out);
        return out;
      case Binary::Greater:
        at_most(*expr.args[1], *expr.args[0], 1, out);
        return out;
      case Binary::Equal:
        if (expr.args[0]->type.kind != Type::Kind::Number) return out;
        at_most(*expr.args[0], *expr.args[1], 0, out);
        at_most(*expr.args[1], *expr.args[0], 0, out);
        return out;
      default:
        return out;
    }
  }

 private:
  // small + by <= large.
  void at_most(const Expr& small, const Expr& large, Int by, SizeBounds& out) {
    if (is_constant(large) && over_sizes(small) && is_monotone(small) && speaks_of(small)) {
      const std::optional<Int> limit = value(large, 1);
      if (!limit) return;
      // The largest x with small(x) + by <= limit, the others at their least.
      Int good = 0;
      Int bad = far;
      while (bad - good > 1) {
        const Int middle = good + (bad - good) / 2;
        const std::optional<Int> at = value(small, middle);
        const bool holds = at && *at <= *limit - by;
        (holds ? good : bad) = middle;
      }
      if (bad != far) out.high = out.high ? std::min(*out.high, good) : good;
    }
    if (is_constant(small) && over_sizes(large) && is_monotone(large) && only(large)) {
      const std::optional<Int> limit = value(small, 1);
      if (!limit) return;
      Int bad = 0;
      Int good = far;
      while (good - bad > 1) {
        const Int middle = bad + (good - bad) / 2;
        const std::optional<Int> at = value(large, middle);
        const bool holds = !at || *at >= *limit + by;
        (holds ? good : bad) = middle;
      }
      if (good != far) out.low = std::max(out.low, good);
    }
  }

  [[nodiscard]] std::set<const Variable*> sizes_of(const Expr& expr) const {
    Uses uses;
    uses.add(&expr);
    return uses.sizes;
  }
  [[nodiscard]] bool speaks_of(const Expr& expr) const { return sizes_of(expr).count(size_) > 0; }
  [[nodiscard]] bool only(const Expr& expr) const {
    return sizes_of(expr).size() == 1 && speaks_of(expr);
  }

  // The value with the size at x; nothing when undefined or too large (a monotone value is then
  // large).
  [[nodiscard]] std::optional<Int> value(const Expr& expr, Int x) {
    Batch at = least_;
    at.bind(size_, x);
    const Values values = evaluator_.evaluate_over_sizes(expr, at);
    if (values.at(0) != Outcome::Ok) return std::nullopt;
    return values.members[0].at(0);
  }

  Evaluator& evaluator_;
  const Variable* size_;
  Batch least_;
};

}  // namespace

bool is_monotone(const Expr& expr) {
  const auto all = [&] {
    return std::all_of(expr.args.begin(), expr.args.end(),
                       [](const Expr* arg) { return is_monotone(*arg); });
  };
  switch (expr.kind) {
    case Expr::Kind::Number:
      return expr.number >= 0;
    case Expr::Kind::Variable:
      if (expr.variable->kind == Variable::Kind::Size) return true;
      return expr.variable->kind == Variable::Kind::FileLet && is_monotone(*expr.variable->value);
    case Expr::Kind::Builtin:
      if (expr.builtin == Builtin::CeilDiv)
        return is_monotone(*expr.args[0]) && is_constant(*expr.args[1]);
      return all();
    case Expr::Kind::Binary:
      switch (expr.binary) {
        case Binary::Add:
        case Binary::Mul:
        case Binary::ShiftLeft:
          return all();
        case Binary::Div:
        case Binary::ShiftRight:
          return is_monotone(*expr.args[0]) && is_constant(*expr.args[1]);
        default:
          return false;
      }
    default:
      return false;
  }
}

SizeBounds bounds_of(Evaluator& evaluator, const Expr& condition, const Variable* size,
                     const std::vector<const Variable*>& sizes,
                     const std::vector<SizeBounds>& known) {
  return Bounder(evaluator, size, sizes, known).of(condition);
}

}  // namespace fragproof
