// Refinement: a symbol as quotient and remainder, for good.
#include "checkers/radix/context.h"

namespace fragproof::radix {

void Context::refine(Sym s, const Poly& e) {
  const Symbol old = at(s);
  const std::string base = old.name;
  Symbol low;
  low.name = base + ".l";
  low.kind = Symbol::Kind::Digit;
  low.extent = e;
  low.of_sizes = old.of_sizes;
  low.existential = old.existential;
  low.key = old.key;
  low.root = old.root;
  low.arguments = old.arguments;
  Symbol high;
  high.root = old.root;
  high.arguments = old.arguments;
  high.existential = old.existential;
  high.key = old.key;
  high.name = base + ".h";
  high.of_sizes = old.of_sizes;
  std::vector<Poly> more;
  if (old.kind == Symbol::Kind::Digit) {
    const Poly extent = normal(old.extent);
    high.kind = Symbol::Kind::Digit;
    Poly quotient;
    if (extent.divide_exactly(e.terms().begin()->first, e.terms().begin()->second, quotient)) {
      high.extent = quotient;
    } else if (extent.is_constant() && e.is_constant()) {
      high.extent = Poly((extent.constant() + e.constant() - 1) / e.constant());
      more.push_back(extent - 1);  // minus s, below
    } else {
      // A size that is the whole extent is better split so that its rounded-up quotient has a name.
      if (extent.is_term() && extent.terms().begin()->second == 1 &&
          extent.terms().begin()->first.size() == 1) {
        const Sym size = extent.terms().begin()->first[0];
        const Symbol& symbol = at(size);
        if (symbol.kind == Symbol::Kind::Parameter && symbol.lower >= 1 && e.is_constant())
          refine_ceiling(size, e);
      }
      // extent = e*a + b with b <= e: no more than a + 1 values.
      const auto& [em, ec] = *e.terms().begin();
      Poly a;
      Poly b;
      Mono rest;
      for (const auto& [m, c] : extent.terms()) {
        if (divides(em, m, rest)) {
          const Int whole = floor_div(c, ec);
          a.add_term(rest, whole);
          b.add_term(m, c - whole * ec);
        } else {
          b.add_term(m, c);
        }
      }
      high.extent = box(e - b) ? a + 1 : extent;
      more.push_back(extent - 1);
    }
  } else {
    high.kind = old.kind == Symbol::Kind::Parameter ? Symbol::Kind::Parameter : Symbol::Kind::Index;
    high.lower = e.is_constant() ? floor_div(old.lower, e.constant()) : 0;
  }
  Poly high_poly;
  if (!(high.kind == Symbol::Kind::Digit && high.extent == Poly(1)))
    high_poly = Poly::symbol(add(high));
  Poly low_poly;
  if (!(e == Poly(1))) low_poly = Poly::symbol(add(low));
  const Poly value = e * high_poly + low_poly;
  std::vector<Poly> facts = old.facts;
  for (Poly& fact : facts) fact = fact.substitute(s, value);
  for (const Poly& bound : more) facts.push_back(bound - value);
  if (old.kind != Symbol::Kind::Digit) facts.push_back(value - Poly(old.lower));
  for (const Poly& part : {high_poly, low_poly}) {
    if (!part.is_zero()) symbols_[part.terms().begin()->first[0] >> 1U].facts = facts;
  }
  symbols_[s >> 1U].value = value;  // a change of variables: no hypothesis is behind it
  throw Restart{};
}

void Context::refine_ceiling(Sym s, const Poly& e) {
  const Symbol old = at(s);
  Symbol quotient;
  quotient.name = old.name + ".q";
  quotient.kind = Symbol::Kind::Parameter;
  quotient.lower = 0;
  quotient.of_sizes = old.of_sizes;
  quotient.key = old.key;
  quotient.root = old.root;
  Symbol low;
  low.name = old.name + ".r";
  low.kind = Symbol::Kind::Digit;
  low.extent = e;
  low.of_sizes = old.of_sizes;
  low.key = old.key;
  low.root = old.root;
  const Poly q = Poly::symbol(add(quotient));
  const Poly r = e == Poly(1) ? Poly() : Poly::symbol(add(low));
  const Poly value = e * q + 1 + r;
  std::vector<Poly> facts = old.facts;
  for (Poly& fact : facts) fact = fact.substitute(s, value);
  facts.push_back(value - Poly(old.lower));
  for (const Poly& part : {q, r}) {
    if (!part.is_zero()) symbols_[part.terms().begin()->first[0] >> 1U].facts = facts;
  }
  symbols_[s >> 1U].value = value;
  throw Restart{};
}

}  // namespace fragproof::radix
