// From claims to questions: which checks a file makes, what they are called, which requires
// restrict them.
#include <algorithm>
#include <string>
#include <vector>

#include "checkers/engine.h"

namespace fragproof {
namespace {

// The kernels that a condition speaks of, each once, in order of appearance.
class KernelsOf {
 public:
  explicit KernelsOf(const Expr* condition) { visit(condition); }
  [[nodiscard]] const std::vector<const Kernel*>& kernels() const { return kernels_; }

 private:
  void visit(const Expr* expr) {
    if (expr == nullptr) return;
    if (expr->kernel != nullptr) add(expr->kernel);
    if (expr->kind == Expr::Kind::Variable && expr->variable != nullptr &&
        expr->variable->kind == Variable::Kind::FileLet) {
      visit(expr->variable->value);
    }
    for (const Expr* arg : expr->args) visit(arg);
    visit(expr->domain.where);
    for (const Coordinate& coordinate : expr->domain.coordinates) visit(coordinate.extent);
  }
  void add(const Kernel* kernel) {
    if (std::find(kernels_.begin(), kernels_.end(), kernel) == kernels_.end()) {
      kernels_.push_back(kernel);
    }
  }
  std::vector<const Kernel*> kernels_;
};

// The outermost predicate or obligation of a condition, else "forall" or "condition".
std::string kind_of(const Expr& condition) {
  switch (condition.kind) {
    case Expr::Kind::Predicate:
      return name_of(condition.predicate);
    case Expr::Kind::Metric:
      // `ways` and `sectors` are numbers: only `coalesced` can stand alone.
      return name_of(condition.metric);
    case Expr::Kind::Kernel:
      return condition.obligation ? name_of(*condition.obligation) : "kernel";
    case Expr::Kind::Forall:
      return "forall";
    default:
      return "condition";
  }
}

}  // namespace

std::vector<Question> questions_of(const Spec& spec, const std::string& stem) {
  std::vector<Question> questions;
  for (const Claim& claim : spec.claims) {
    Question question;
    question.spec = &spec;
    question.claim = &claim;
    question.id = stem + "/" + claim.name;
    question.kind = kind_of(*claim.condition);
    question.condition = claim.condition;
    question.where_clause = claim.where_clause;
    question.requires_.assign(spec.requires_.begin(), spec.requires_.end());
    const KernelsOf mentioned(claim.condition);
    for (const Kernel* kernel : mentioned.kernels()) {
      question.requires_.insert(question.requires_.end(), kernel->requires_.begin(),
                                kernel->requires_.end());
    }
    const bool is_kernel = claim.condition->kind == Expr::Kind::Kernel;
    if (is_kernel && claim.condition->obligation) {
      question.kernel = claim.condition->kernel;
      question.obligation = claim.condition->obligation;
    }
    if (!is_kernel || claim.condition->obligation || claim.refute) {
      questions.push_back(std::move(question));
      continue;
    }
    question.kernel = claim.condition->kernel;
    for (int i = 0; i < obligation_count; ++i) {
      Question part = question;
      part.obligation = static_cast<Obligation>(i);
      part.kind = name_of(*part.obligation);
      part.id = question.id + "." + part.kind;
      questions.push_back(std::move(part));
    }
  }
  return questions;
}

}  // namespace fragproof
