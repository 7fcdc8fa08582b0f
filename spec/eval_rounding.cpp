// Divisions that leave a remainder at a shape: what a file that forgot a `require` stumbles over.
#include <algorithm>

#include "spec/eval.h"
#include "spec/syntax.h"

namespace fragproof {
namespace {

void divisions_in(const Expr& expr, std::vector<const Expr*>& found) {
  for (const Expr* arg : expr.args) divisions_in(*arg, found);
  if (expr.kind == Expr::Kind::Variable && expr.variable->kind == Variable::Kind::FileLet &&
      expr.variable->value != nullptr) {
    divisions_in(*expr.variable->value, found);
  }
  if (expr.kind == Expr::Kind::Binary && expr.binary == Binary::Div) found.push_back(&expr);
}

// As an operand of `%`.
std::string operand_text(const Expr& expr) {
  const std::string text = to_text(expr);
  const bool loose =
      expr.kind == Expr::Kind::Conditional ||
      (expr.kind == Expr::Kind::Binary && precedence_of(expr.binary) < precedence_of(Binary::Div));
  return loose ? "(" + text + ")" : text;
}

}  // namespace

std::string missing_require(Evaluator& evaluator, const std::vector<const Expr*>& exprs) {
  constexpr std::size_t most = 4;
  std::vector<const Expr*> divisions;
  for (const Expr* expr : exprs) divisions_in(*expr, divisions);
  std::vector<std::string> wanted;
  for (const Expr* division : divisions) {
    if (!over_sizes(*division)) continue;
    const Scalar number = evaluator.scalar(*division->args[0], {});
    const Scalar divisor = evaluator.scalar(*division->args[1], {});
    if (number.outcome != Outcome::Ok || divisor.outcome != Outcome::Ok) continue;
    if (divisor.value <= 0 || number.value % divisor.value == 0) continue;
    const Expr& right = *division->args[1];
    const std::string by =
        right.kind == Expr::Kind::Binary ? "(" + to_text(right) + ")" : to_text(right);
    const std::string text = operand_text(*division->args[0]) + " % " + by + " == 0";
    if (std::find(wanted.begin(), wanted.end(), text) == wanted.end()) wanted.push_back(text);
  }
  if (wanted.empty() || wanted.size() > most) return "";
  std::string all = "require ";
  for (const std::string& text : wanted) all += (&text == &wanted[0] ? "" : " && ") + text;
  return all;
}

}  // namespace fragproof
