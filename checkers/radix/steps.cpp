// Matching a step with its lemma.
#include "checkers/radix/steps.h"

#include <algorithm>

namespace fragproof::radix {

Poly product_of(const Ground& ground) {
  Poly out(1);
  for (const NonNegative& factor : ground) out = out * factor.p;
  return out;
}

bool premised(const std::vector<Step>& steps, const Step& step, const Poly& p) {
  if (p.is_constant()) return p.constant() >= 0;
  return std::any_of(step.premises.begin(), step.premises.end(), [&](int i) {
    const Step& premise = steps.at(static_cast<std::size_t>(i));
    const bool of_sign = premise.kind == Step::Kind::Linear || premise.kind == Step::Kind::Given;
    return of_sign && premise.goal == p;
  });
}

bool matches(const std::vector<Step>& steps, const Step& step) {
  if (step.parts.size() != 4) return false;
  const Poly& f = step.parts[0];
  const Poly& a = step.parts[1];
  const Poly& b = step.parts[2];
  const Poly& rest = step.parts[3];
  if (!(f == a * b + rest)) return false;
  switch (step.lemma) {
    case Lemma::Product:
      return false;  // stands behind the grounds of linear steps only
    case Lemma::Unique:
      return premised(steps, step, rest) && premised(steps, step, a - 1 - rest);
    case Lemma::Quotient:
      return premised(steps, step, rest) && premised(steps, step, b - 1 - rest);
    case Lemma::Cancel:
      return a * a == Poly(1) || premised(steps, step, a - 1) || premised(steps, step, -a - 1);
  }
  return false;
}

}  // namespace fragproof::radix
