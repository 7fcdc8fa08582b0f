// Steps as lines of text; for linear ones, how often each ground is taken.
#include "checkers/radix/replay_text.h"

#include "checkers/solver/combination.h"

namespace fragproof::radix {

namespace {

std::string number_of(Sym s) { return std::to_string(s >> 1U); }

std::string line_of(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

std::string terms(const Poly& p) {
  std::string out;
  for (const auto& [m, c] : p.terms()) {
    if (!out.empty()) out += ' ';
    out += to_string(c);
    for (const Sym s : m) out += '*' + number_of(s);
  }
  return out.empty() ? "0" : out;
}

std::string list(const std::vector<Poly>& polys) {
  std::string out;
  for (const Poly& p : polys) out += (out.empty() ? "" : " ; ") + terms(p);
  return out;
}

std::string factors(const Ground& ground) {
  std::string out;
  for (const NonNegative& factor : ground) {
    if (!out.empty()) out += " | ";
    switch (factor.why) {
      case NonNegative::Why::Number:
        out += "n " + terms(factor.p);
        break;
      case NonNegative::Why::Range:
        out += "r " + terms(factor.p);
        break;
      case NonNegative::Why::Product:
        out += "b " + terms(factor.p);
        break;
      case NonNegative::Why::Shown:
        out += "s " + std::to_string(factor.step);
        break;
    }
  }
  return out;
}

std::string linear_text(Context& context, const Step& step) {
  const auto line = [&](Int scale, const std::vector<Int>& multipliers) {
    std::string out = "linear " + terms(step.goal) + " : " + to_string(scale);
    for (std::size_t i = 0; i < multipliers.size(); ++i) {
      if (multipliers[i] != 0)
        out += " ; " + to_string(multipliers[i]) + " " + factors(step.grounds[i]);
    }
    return out;
  };
  std::vector<Poly> facts;
  Poly sum;
  for (const Ground& ground : step.grounds) {
    facts.push_back(product_of(ground));
    sum += facts.back();
  }
  if (sum == step.goal) return line(1, std::vector<Int>(facts.size(), 1));
  if (step.name == "bits") return "bits " + terms(step.goal);
  std::vector<Linear> linear;
  for (const Poly& fact : facts) linear.push_back(context.linear(fact));
  const auto found = combination(linear, context.linear(step.goal), context.rlimit() * 10);
  if (found) return line(found->scale, found->multipliers);
  return "evaluated by Z3 alone: " + line_of(step.text);
}

std::string step_text(Context& context, const Step& step) {
  std::string premises = " :";
  for (const int i : step.premises) premises += ' ' + std::to_string(i);
  std::string symbols = " :";
  for (const Sym s : step.symbols) symbols += ' ' + number_of(s);
  switch (step.kind) {
    case Step::Kind::Given:
      return "given " + terms(step.goal);
    case Step::Kind::Outputs:
      return "outputs " + list(step.parts) + symbols;
    case Step::Kind::Linear:
      return linear_text(context, step);
    case Step::Kind::Instance: {
      const char* lemma = step.lemma == Lemma::Unique   ? "unique "
                          : step.lemma == Lemma::Cancel ? "cancel "
                                                        : "quotient ";
      return lemma + list(step.parts) + premises;
    }
    case Step::Kind::Evaluated:
      if (step.name == "table") return "table " + list(step.parts) + symbols + premises;
      return "evaluated " + step.name + ": " + line_of(step.text);
  }
  return "";
}

// The symbols of `p` in `seen`, each after those that its extent speaks of.
void declare(const Context& context, const Poly& p, std::set<Sym>& seen, std::string& out) {
  for (const Sym s : p.symbols()) {
    if (!seen.insert(s).second) continue;
    const Symbol& symbol = context.at(s);
    const std::string head = "symbol " + number_of(s) + " ";
    switch (symbol.kind) {
      case Symbol::Kind::Digit: {
        const Poly extent = context.normal(symbol.extent);
        declare(context, extent, seen, out);
        out += head + (is_bit(s) ? "bit" : "digit " + terms(extent));
        break;
      }
      case Symbol::Kind::Atom:
        out += head + (symbol.atom_nonnegative ? "integer 0" : "atom");
        break;
      default:
        out += head + "integer " + to_string(symbol.lower);
    }
    out += " ; " + line_of(symbol.name) + "\n";
  }
}

}  // namespace

std::string replay_head(const std::string& claim_id) {
  return "fragproof-proof 1\nclaim " + line_of(claim_id) + "\n";
}

std::string replay_text(Context& context, const std::vector<Step>& steps) {
  std::string out = "case\n";
  std::set<Sym> seen;
  for (const Step& step : steps) {
    declare(context, step.goal, seen, out);
    for (const Poly& part : step.parts) declare(context, part, seen, out);
    for (const Sym s : step.symbols) declare(context, Poly::symbol(s), seen, out);
    for (const Ground& ground : step.grounds) {
      for (const NonNegative& factor : ground) declare(context, factor.p, seen, out);
    }
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    out += std::to_string(i) + " " + step_text(context, steps[i]) + "\n";
  }
  return out;
}

std::string replay_end(std::size_t steps) { return "end " + std::to_string(steps) + "\n"; }

}  // namespace fragproof::radix
