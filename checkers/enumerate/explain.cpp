// From a failing condition to its counterexample: see explain.h.
#include "checkers/enumerate/explain.h"

#include <algorithm>

#include "checkers/enumerate/kernel_judge.h"
#include "checkers/enumerate/register.h"
#include "spec/syntax.h"

namespace fragproof {
namespace {

constexpr std::int64_t count_limit = 4'000'000;  // points that are walked to count the wrong ones
constexpr std::size_t text_limit = 90;           // of an expression quoted in a sentence

std::string quoted(const Expr& expr, const char* otherwise) {
  const std::string text = to_text(expr);
  return text.size() > text_limit ? std::string(otherwise) : "`" + text + "`";
}

// The first application of a fragment in an expression that can be evaluated at the point.
const Expr* fragment_in(const Expr& expr) {
  if (expr.kind == Expr::Kind::Apply && expr.map->is_fragment &&
      expr.map->domain.coordinates.size() == 2)
    return &expr;
  if (expr.kind == Expr::Kind::Forall) return nullptr;
  for (const Expr* arg : expr.args) {
    if (const Expr* found = fragment_in(*arg)) return found;
  }
  for (const Expr* index : expr.ref.index) {
    if (const Expr* found = fragment_in(*index)) return found;
  }
  for (const Unit& unit : expr.ref.units) {
    if (const Expr* found = fragment_in(*unit.index)) return found;
  }
  return nullptr;
}

class Explainer {
 public:
  explicit Explainer(Evaluator& evaluator) : evaluator_(evaluator) {}

  Counterexample explain(const Expr& condition, const Batch& point) {
    visit(condition, point);
    return std::move(out_);
  }

 private:
  bool fails(const Expr& expr, const Batch& point) {
    const Scalar scalar = evaluator_.scalar(expr, point);
    return scalar.outcome == Outcome::Undefined ||
           (scalar.outcome == Outcome::Ok && scalar.value == 0);
  }

  void visit(const Expr& expr, const Batch& point) {
    switch (expr.kind) {
      case Expr::Kind::Binary:
        if (expr.binary == Binary::LogicalAnd ||
            (expr.binary == Binary::And && is_condition(*expr.args[0]))) {
          return visit(fails(*expr.args[0], point) ? *expr.args[0] : *expr.args[1], point);
        }
        if (expr.binary == Binary::LogicalOr && undefined(*expr.args[0], point))
          return visit(*expr.args[0], point);
        if (precedence_of(expr.binary) == precedence_of(Binary::Equal) ||
            precedence_of(expr.binary) == precedence_of(Binary::Less)) {
          return comparison(expr, point);
        }
        break;
      case Expr::Kind::Conditional: {
        const Scalar chosen = evaluator_.scalar(*expr.args[0], point);
        if (chosen.outcome != Outcome::Ok) return visit(*expr.args[0], point);
        return visit(*expr.args[chosen.value != 0 ? 1 : 2], point);
      }
      case Expr::Kind::Variable:
        if (expr.variable->kind == Variable::Kind::FileLet)
          return visit(*expr.variable->value, point);
        break;
      case Expr::Kind::Forall:
        return forall(expr, point);
      case Expr::Kind::Predicate:
      case Expr::Kind::Metric:
      case Expr::Kind::Kernel: {
        AtomVerdict verdict = judge_atom(evaluator_, expr, true);
        if (verdict.why) {
          adopt(std::move(*verdict.why));
        } else {
          out_.text =
              verdict.reason.empty() ? quoted(expr, "the condition") + " is false" : verdict.reason;
        }
        return;
      }
      default:
        break;
    }
    const Scalar scalar = evaluator_.scalar(expr, point);
    if (scalar.outcome == Outcome::Undefined) {
      out_.found = "undefined";
      say(scalar.reason);
    } else {
      out_.expected = "true";
      out_.found = "false";
      say(quoted(expr, "the condition") + " is false");
    }
  }

  static bool is_condition(const Expr& expr) { return expr.type.kind == Type::Kind::Condition; }
  bool undefined(const Expr& expr, const Batch& point) {
    return evaluator_.scalar(expr, point).outcome == Outcome::Undefined;
  }

  // Takes over what an atom's own judge says.
  void adopt(Counterexample why) {
    const bool at_here = out_.at.empty();
    if (at_here) {
      const std::optional<std::int64_t> wrong = out_.wrong;
      out_ = std::move(why);
      if (!out_.wrong) out_.wrong = wrong;
      return;
    }
    say(why.text);
  }

  // Puts the point of the quantifiers before what is said of it.
  void say(const std::string& text) {
    out_.text.clear();
    for (const auto& [name, value] : out_.at) {
      out_.text += (out_.text.empty() ? "" : ", ") + name + " = " + to_string(value);
    }
    out_.text += (out_.text.empty() ? "" : ": ") + text;
  }

  void comparison(const Expr& expr, const Batch& point) {
    for (const Expr* side : expr.args) {
      const Scalar scalar = evaluator_.scalar(*side, point);
      if (scalar.outcome != Outcome::Undefined) continue;
      out_.found = "undefined";
      say(scalar.reason);
      return;
    }
    out_.found = value_text(evaluator_, *expr.args[0], point);
    const std::string right = value_text(evaluator_, *expr.args[1], point);
    out_.expected = right;
    switch (expr.binary) {
      case Binary::Equal:
        break;
      case Binary::NotEqual:
        out_.expected = "not " + right;
        break;
      default:
        out_.expected = std::string(symbol_of(expr.binary)) + " " + right;
        break;
    }
    const bool literal = expr.args[1]->kind == Expr::Kind::Number;
    std::string text = quoted(*expr.args[0], "the left side") + " is " + out_.found;
    if (expr.binary == Binary::Equal) {
      text += literal ? ", not " + right
                      : ", " + quoted(*expr.args[1], "the right side") + " is " + right;
    } else {
      text += ", expected " + std::string(symbol_of(expr.binary)) + " " + right;
    }
    // A metric's or predicate's own evidence says where.
    for (const Expr* side : expr.args) {
      if (side->kind != Expr::Kind::Metric && side->kind != Expr::Kind::Predicate &&
          side->kind != Expr::Kind::Kernel) {
        continue;
      }
      const AtomVerdict verdict = judge_atom(evaluator_, *side, true);
      if (!verdict.why) continue;
      if (out_.at.empty()) {
        out_.at = verdict.why->at;
        if (!out_.lane) out_.lane = verdict.why->lane;
        if (!out_.elem) out_.elem = verdict.why->elem;
        if (!out_.wrong && side->kind != Expr::Kind::Metric) {
          out_.wrong = verdict.why->wrong;
          out_.of = verdict.why->of;
        }
      }
      if (side->kind != Expr::Kind::Metric && !verdict.why->text.empty())
        text += ": " + verdict.why->text;
    }
    say(text);
  }

  void forall(const Expr& expr, const Batch& outer) {
    const Expr& body = *expr.args[0];
    std::optional<Batch> found;
    Walk walk = evaluator_.walk(expr.domain, outer, [&](const Batch& points) {
      const Values holds = evaluator_.evaluate(body, points);
      for (std::size_t p = 0; p < points.size; ++p) {
        const bool good = holds.at(p) == Outcome::Overflow ||
                          (holds.at(p) == Outcome::Ok && holds.members[0].at(p) != 0);
        if (good) continue;
        found = points.at(p);
        return false;
      }
      return true;
    });
    if (!found) {
      out_.found = "undefined";
      say(walk.reason.empty() ? "the domain is undefined" : walk.reason);
      return;
    }
    const bool outermost = out_.at.empty();
    place_at(out_, expr.domain, *found, 0, nullptr);
    if (outermost) count(expr, outer);
    if (const Expr* fragment = fragment_in(body)) locate_in(*fragment, *found);
    visit(body, *found);
  }

  // How many points of the whole domain fail.
  void count(const Expr& expr, const Batch& outer) {
    std::int64_t wrong = 0;
    std::int64_t of = 0;
    Evaluator::Options& options = evaluator_.options();
    const std::int64_t limit = std::exchange(options.points, evaluator_.points() + count_limit);
    bool decided = true;
    const Walk walk = evaluator_.walk(expr.domain, outer, [&](const Batch& points) {
      const Values holds = evaluator_.evaluate(*expr.args[0], points);
      for (std::size_t p = 0; p < points.size; ++p) {
        decided = decided && holds.at(p) != Outcome::Overflow;
        wrong += holds.at(p) != Outcome::Ok || holds.members[0].at(p) == 0 ? 1 : 0;
        ++of;
      }
      return true;
    });
    options.points = limit;
    if (walk.end != Walk::End::Complete || walk.truncated || !decided) return;
    out_.wrong = wrong;
    out_.of = of;
  }

  // Lane, element, register of the fragment that the condition applies, unless coordinates of those
  // names say another.
  void locate_in(const Expr& fragment, const Batch& point) {
    std::vector<Int> arguments;
    for (const Expr* arg : fragment.args) {
      const Scalar scalar = evaluator_.scalar(*arg, point);
      if (scalar.outcome != Outcome::Ok) return;
      if (arg->type.kind == Type::Kind::Tuple) {
        arguments.insert(arguments.end(), scalar.tuple.begin(), scalar.tuple.end());
      } else {
        arguments.push_back(scalar.value);
      }
    }
    if (arguments.size() != 2) return;
    if (out_.lane && Int{*out_.lane} != arguments[0]) return;
    if (out_.elem && Int{*out_.elem} != arguments[1]) return;
    locate(out_, *fragment.map, arguments[0], arguments[1]);
  }

  Evaluator& evaluator_;
  Counterexample out_;
};

}  // namespace

std::string value_text(Evaluator& evaluator, const Expr& expr, const Batch& point) {
  const Scalar scalar = evaluator.scalar(expr, point);
  if (scalar.outcome == Outcome::Undefined) return "undefined";
  if (scalar.outcome == Outcome::Overflow) return "unknown";
  switch (expr.type.kind) {
    case Type::Kind::Condition:
      return scalar.value != 0 ? "true" : "false";
    case Type::Kind::Tuple: {
      std::string text = "(";
      for (const Int value : scalar.tuple) text += (text.size() > 1 ? ", " : "") + to_string(value);
      return text + ")";
    }
    case Type::Kind::Contents:
      return evaluator.describe(scalar.contents);
    case Type::Kind::Number:
    case Type::Kind::Unknown:
      break;
  }
  return to_string(scalar.value);
}

Counterexample explain_failure(Evaluator& evaluator, const Expr& condition, const Batch& point) {
  return Explainer(evaluator).explain(condition, point);
}

AtomVerdict judge_atom(Evaluator& evaluator, const Expr& expr, bool explain) {
  if (expr.kind == Expr::Kind::Predicate) return judge_predicate(evaluator, expr, explain);
  if (expr.kind == Expr::Kind::Metric && expr.load == nullptr)
    return judge_map_metric(evaluator, expr, explain);
  AtomVerdict verdict;
  std::int64_t points = 0;
  const std::int64_t before = evaluator.points();
  if (expr.kind == Expr::Kind::Metric) {
    LoadMetric metric = judge_load(evaluator, *expr.kernel, *expr.load, expr.metric, points);
    verdict.outcome = metric.outcome;
    verdict.value = metric.value;
    verdict.reason = metric.reason;
    verdict.why = std::move(metric.worst);
    ++evaluator.domains_met;
    if (!metric.vacuous) ++evaluator.domains_with_points;
  } else {
    KernelVerdict kernel = judge_kernel(evaluator, *expr.kernel, expr.obligation, points);
    verdict.outcome = kernel.unknown ? Outcome::Overflow : Outcome::Ok;
    verdict.value = kernel.holds ? 1 : 0;
    verdict.reason = kernel.reason;
    verdict.why = std::move(kernel.counterexample);
    ++evaluator.domains_met;
    if (!kernel.vacuous) ++evaluator.domains_with_points;
  }
  const std::int64_t walked = evaluator.points() - before;
  if (points > walked) evaluator.spend(points - walked);
  return verdict;
}

Scalar scalar_of_atom(Evaluator& evaluator, const Expr& expr) {
  AtomVerdict verdict = judge_atom(evaluator, expr, false);
  return {verdict.outcome, verdict.value, {}, {}, std::move(verdict.reason)};
}

}  // namespace fragproof
