// The steps of a proof and what makes each of them good: the ranges and facts that it adds up, the
// lemma that it is an instance of, or an evaluation.
#pragma once

#include <string>
#include <vector>

#include "checkers/radix/poly.h"

namespace fragproof::radix {

// A polynomial that is >= 0, with the reason.
struct NonNegative {
  enum class Why {
    Number,   // a constant
    Range,    // of one symbol: s - lower, or extent - 1 - s
    Product,  // of symbols, against the product of their lower ends or of some of them
    Shown,    // by step `step`
  };
  Why why = Why::Number;
  Poly p;
  int step = -1;
};

// A hypothesis >= 0 of a linear instance: the product of its factors.
using Ground = std::vector<NonNegative>;
[[nodiscard]] Poly product_of(const Ground& ground);

// The nonlinear lemmas, each proved by Z3 once in a run that uses it (lemmas.h).
enum class Lemma {
  Product,   // a >= 0, b >= 0: a*b >= 0
  Unique,    // D*H + L determines H and L where 0 <= L < D
  Cancel,    // c*v + r determines v where r is determined and c >= 1 (or c <= -1)
  Quotient,  // p == q*d + r with 0 <= r < d determines q and r
};

struct Step {
  enum class Kind {
    Given,      // a fact of the case, a guard, a definition
    Outputs,    // two points have equal `parts`; they may differ in `symbols`
    Linear,     // goal >= 0 follows from the grounds, linearly over monomials
    Instance,   // of a lemma
    Evaluated,  // a finite fact, or an identity of polynomials, computed here: not for Z3
  };
  std::string name;  // what the step is called in the proof: "box", "linear", "division", ..
  Kind kind = Kind::Evaluated;
  Poly goal;  // Given, Linear: >= 0
  std::vector<Ground> grounds;
  Lemma lemma = Lemma::Product;
  std::vector<Poly> parts;  // Instance: f, D, H, L or f, c, v, r or p, q, d, r; a table's functions
  std::vector<Sym> symbols;   // of a table: the bits that follow
  std::vector<int> premises;  // earlier steps
  std::string text;
  bool answered = false;    // Linear: Z3 has said so already, when it was found
  bool discharged = false;  // by Z3, in this run
};

// Is `p` a constant >= 0, or what one of the premises of `step` shows?
[[nodiscard]] bool premised(const std::vector<Step>& steps, const Step& step, const Poly& p);

// Is the step an instance of its lemma: are the equation an identity and the premises there?
[[nodiscard]] bool matches(const std::vector<Step>& steps, const Step& step);

}  // namespace fragproof::radix
