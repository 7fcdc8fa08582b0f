// The log of steps.
#include <algorithm>

#include "checkers/radix/context.h"

namespace fragproof::radix {

int Context::log(Step step) {
  steps_.push_back(std::move(step));
  return static_cast<int>(steps_.size()) - 1;
}

int Context::log_instance(Lemma lemma, std::string name, std::vector<Poly> parts,
                          std::vector<int> premises, std::string text) {
  Step step;
  step.name = std::move(name);
  step.kind = Step::Kind::Instance;
  step.lemma = lemma;
  step.parts = std::move(parts);
  step.premises = std::move(premises);
  step.text = std::move(text);
  return log(std::move(step));
}

int Context::log_evaluated(std::string name, std::string text) {
  Step step;
  step.name = std::move(name);
  step.text = std::move(text);
  return log(std::move(step));
}

int Context::log_outputs(const std::vector<Poly>& outputs) {
  Step step;
  step.name = "given";
  step.kind = Step::Kind::Outputs;
  step.parts = outputs;
  std::set<Sym> unknowns;
  for (const Poly& output : outputs) {
    for (const Sym s : output.symbols()) {
      if (unknown(s)) unknowns.insert(s);
    }
    step.text += (step.text.empty() ? "two points have equal " : ", ") + text(output);
  }
  step.symbols.assign(unknowns.begin(), unknowns.end());
  return log(std::move(step));
}

int Context::log_table(const std::vector<Poly>& functions, const std::set<Sym>& bits,
                       std::vector<int> premises) {
  Step step;
  step.name = "table";
  step.parts = functions;
  step.symbols.assign(bits.begin(), bits.end());
  step.premises = std::move(premises);
  step.text = "all values over " + std::to_string(bits.size()) + " bits differ";
  return log(std::move(step));
}

void Context::log_identity(const std::string& name, const Poly& left, const Poly& right) {
  if (!(left == right)) return;  // equal under the facts only: two steps have shown that already
  log_evaluated(name, text(left) + " == " + text(right));
}

int Context::log_linear(std::string name, std::vector<Ground> grounds, const Poly& goal,
                        std::string text) {
  Step step;
  step.name = std::move(name);
  step.kind = Step::Kind::Linear;
  step.goal = goal;
  for (Ground& ground : grounds) {
    for (NonNegative& factor : ground) {
      if (factor.why != NonNegative::Why::Shown) continue;
      if (factor.step < 0) factor.step = given(factor.p);
      if (std::find(step.premises.begin(), step.premises.end(), factor.step) == step.premises.end())
        step.premises.push_back(factor.step);
    }
  }
  step.grounds = std::move(grounds);
  step.text = std::move(text);
  return log(std::move(step));
}

int Context::given(const Poly& fact) {
  const auto it = given_.find(fact);
  if (it != given_.end()) return it->second;
  Step step;
  step.name = "given";
  step.kind = Step::Kind::Given;
  step.goal = fact;
  step.text = "0 <= " + text(fact);
  return given_[fact] = log(std::move(step));
}

std::vector<int> Context::steps_of(const std::vector<Poly>& polys) const {
  std::vector<int> out;
  const auto look = [&](const std::map<Poly, Known>& memo, const Poly& p) {
    const auto it = memo.find(p);
    if (it == memo.end() || !it->second.holds) return false;
    if (it->second.step >= 0) out.push_back(it->second.step);
    return true;
  };
  for (const Poly& p : polys) {
    if (p.is_constant() || look(memo_, p) || look(box_memo_, p)) continue;
    (void)std::any_of(memo_stack_.begin(), memo_stack_.end(),
                      [&](const auto& level) { return look(level, p); });
  }
  return out;
}

}  // namespace fragproof::radix
