// Is a polynomial >= 0 everywhere in its range? First the box of its digits, then samples that say
// no, then the facts in hand (facts.cpp). A step that succeeds is logged with the nonnegative
// products that it adds up.
#include <algorithm>

#include "checkers/radix/context.h"

namespace fragproof::radix {

namespace {

constexpr std::size_t max_box_bits = 12;
constexpr int sample_count = 24;

}  // namespace

// Removes from `p` the part over bits that stand with constant coefficients, after taking its
// minimum.
bool Context::minimum_over_bits(Poly& p, std::vector<Ground>& grounds) {
  Poly component;
  std::set<Sym> bits;
  for (const auto& [m, c] : p.terms()) {
    if (m.empty() || !std::all_of(m.begin(), m.end(), is_bit)) continue;
    component.add_term(m, c);
    bits.insert(m.begin(), m.end());
  }
  if (bits.empty() || bits.size() > max_box_bits) return false;
  const Poly others = p - component;
  for (const Sym b : bits) {
    if (others.contains(b)) return false;  // multiplied with something else: not ours to decide
  }
  const std::vector<Sym> order(bits.begin(), bits.end());
  const std::vector<Poly> table = tabulate(component, order);
  spend(static_cast<std::int64_t>(table.size()) / 16 + 1);
  Int least = table[0].constant();
  for (const Poly& value : table) least = std::min(least, value.constant());
  const auto range = [](const Poly& q) { return NonNegative{NonNegative::Why::Range, q}; };
  const auto product_bound = [](const Poly& q) { return Ground{{NonNegative::Why::Product, q}}; };
  std::vector<Ground> facts;
  const Poly rest = component - Poly(least);
  if (order.size() <= 5) {
    // The sum over all assignments x of p(x) times the product that is 1 at x alone: an identity
    // with no term < 0.
    for (std::size_t x = 0; x < table.size(); ++x) {
      const Poly value = table[x] - Poly(least);
      if (value.is_zero()) continue;
      Ground product{{NonNegative::Why::Number, value}};
      for (std::size_t i = 0; i < order.size(); ++i) {
        const Poly b = Poly::symbol(order[i]);
        product.push_back(range((x >> i & 1U) != 0 ? b : Poly(1) - b));
      }
      facts.push_back(std::move(product));
    }
  } else {
    // For Z3: each product of bits as a variable of its own, bounded by what a product of bits is.
    for (const Sym b : bits) {
      facts.push_back({range(Poly::symbol(b))});
      facts.push_back({range(Poly(1) - Poly::symbol(b))});
    }
    for (const auto& [m, c] : component.terms()) {
      if (m.size() < 2) continue;
      const Poly product = Poly::term(m, 1);
      Poly sum = Poly(1) - Poly(static_cast<Int>(m.size()));
      for (const Sym b : m) {
        facts.push_back(product_bound(Poly::symbol(b) - product));
        sum += Poly::symbol(b);
      }
      facts.push_back(product_bound(product - sum));
      facts.push_back(product_bound(product));
    }
  }
  const int step = log_linear("bits", std::move(facts), rest, text(rest) + " >= 0 over all bits");
  grounds.push_back({{NonNegative::Why::Shown, rest, step}});
  p = others + Poly(least);
  return true;
}

// p as a sum of products that are >= 0 by the ranges of the symbols.
bool Context::box_certificate(Poly p, std::vector<Ground>& grounds) {
  for (;;) {
    spend(1 + static_cast<std::int64_t>(p.terms().size()) / 8);
    if (p.is_constant()) {
      if (p.constant() < 0) return false;
      if (p.constant() > 0) grounds.push_back({{NonNegative::Why::Number, p}});
      return true;
    }
    // The digit made last goes first: its extent speaks of earlier symbols only.
    bool moved = false;
    const std::set<Sym> symbols = p.symbols();
    for (auto it = symbols.rbegin(); it != symbols.rend() && !moved; ++it) {
      const Sym v = *it;
      const Symbol& symbol = at(v);
      if (symbol.kind != Symbol::Kind::Digit) continue;
      Poly c;
      Poly rest;
      if (!p.split(v, c, rest)) continue;
      if (box(c)) {
        grounds.push_back({boxed(c), {NonNegative::Why::Range, Poly::symbol(v)}});
        p = rest;
        moved = true;
      } else if (box(-c)) {
        const Poly top = normal(symbol.extent) - 1;
        grounds.push_back({boxed(-c), {NonNegative::Why::Range, top - Poly::symbol(v)}});
        p = rest + c * top;
        moved = true;
      }
    }
    if (moved) continue;
    if (minimum_over_bits(p, grounds)) continue;
    break;
  }
  // Only parameters, indices and atoms are left: shift each to its lower end.
  std::map<Sym, Poly> shift;
  for (const Sym s : p.symbols()) {
    const Symbol& symbol = at(s);
    if (symbol.kind == Symbol::Kind::Digit) return false;
    if (symbol.kind == Symbol::Kind::Atom) {
      if (!symbol.atom_nonnegative) return false;
      continue;
    }
    shift.emplace(s, Poly::symbol(s) + Poly(symbol.lower));
  }
  const Poly shifted = p.substitute(shift);
  for (const auto& [m, c] : shifted.terms()) {
    if (c < 0) return false;
  }
  for (const auto& [m, c] : shifted.terms()) {
    Ground product{{NonNegative::Why::Number, Poly(c)}};
    for (const Sym s : m) {
      const Poly low(shift.count(s) != 0 ? at(s).lower : Int{0});
      product.push_back({NonNegative::Why::Range, Poly::symbol(s) - low});
    }
    grounds.push_back(std::move(product));
  }
  return true;
}

NonNegative Context::boxed(const Poly& p) const {
  if (p.is_constant()) return {NonNegative::Why::Number, p};
  return {NonNegative::Why::Shown, p, box_memo_.at(p).step};
}

bool Context::box(const Poly& p) {
  if (p.is_constant()) return p.constant() >= 0;
  const auto it = box_memo_.find(p);
  if (it != box_memo_.end()) {
    use(it->second.from);
    return it->second.holds;
  }
  std::vector<Ground> grounds;
  const Needs before = std::exchange(used_, 0);
  const bool holds = box_certificate(p, grounds);
  const Needs from = holds ? used_ : 0;
  used_ = before | from;
  const int step = holds ? log_linear("box", std::move(grounds), p, "0 <= " + text(p)) : -1;
  box_memo_[p] = {holds, from, step};
  return holds;
}

bool Context::value_at(Sample& sample, const Poly& p, Int& out, int depth) const {
  out = 0;
  for (const auto& [m, c] : p.terms()) {
    Int product = c;
    for (const Sym s : m) {
      Int value = 0;
      if (!value_at(sample, s, value, depth) || !mul(product, value, product)) return false;
    }
    if (!fragproof::add(out, product, out)) return false;
  }
  return true;
}

bool Context::value_at(Sample& sample, Sym s, Int& out, int depth) const {
  const auto it = sample.values.find(s);
  if (it != sample.values.end()) {
    out = it->second;
    return true;
  }
  if (depth > 40) return false;
  sample.seed = sample.seed * 1664525U + 1013904223U;
  const unsigned random = sample.seed >> 8U;
  const Symbol& symbol = at(s);
  switch (symbol.kind) {
    case Symbol::Kind::Parameter:
    case Symbol::Kind::Index: {
      static constexpr int offsets[] = {0, 1, 0, 2, 3, 1, 7, 8, 0, 30, 2, 100};
      out = symbol.lower + offsets[random % std::size(offsets)];
      break;
    }
    case Symbol::Kind::Digit: {
      Int extent = 0;
      if (!value_at(sample, normal(symbol.extent), extent, depth + 1) || extent <= 0) return false;
      const unsigned pick = random % 4;
      out = pick == 0 ? 0 : pick == 1 ? extent - 1 : static_cast<Int>(random / 4) % extent;
      break;
    }
    case Symbol::Kind::Atom: {
      Int a = 0;
      Int b = 0;
      if (symbol.definition == Symbol::Definition::None) return false;
      if (!value_at(sample, normal(symbol.first), a, depth + 1)) return false;
      if (!value_at(sample, normal(symbol.second), b, depth + 1)) return false;
      if (symbol.definition == Symbol::Definition::Floor) {
        if (b <= 0) return false;
        out = floor_div(a, b);
      } else if (symbol.definition == Symbol::Definition::And) {
        if (a < 0 || b < 0) return false;
        out = a & b;
      } else {
        out = (symbol.definition == Symbol::Definition::Min) == (a < b) ? a : b;
      }
      break;
    }
  }
  sample.values.emplace(s, out);
  return true;
}

bool Context::refuted_by_sample(const Poly& p) {
  struct Keep {  // a sample shows nothing that a proof could rest on
    Needs& used;
    Needs before = used;
    ~Keep() { used = before; }
  } keep{used_};
  if (samples_.empty()) {
    for (int i = 0; i < sample_count; ++i) {
      Sample sample;
      sample.seed = 12345U + 7919U * static_cast<unsigned>(i);
      samples_.push_back(sample);
    }
  }
  for (Sample& sample : samples_) {
    Int value = 0;
    if (!value_at(sample, p, value, 0) || value >= 0) continue;
    bool valid = true;
    for (const Poly& fact : facts_) {
      Int at_fact = 0;
      valid = valid && value_at(sample, fact, at_fact, 0) && at_fact >= 0;
    }
    // The symbols' own facts (a split that is not exact) must hold at the sample too.
    const std::map<Sym, Int> values = sample.values;
    for (const auto& [s, unused] : values) {
      for (const Poly& fact : at(s).facts) {
        Int at_fact = 0;
        valid = valid && value_at(sample, normal(fact), at_fact, 0) && at_fact >= 0;
      }
    }
    if (valid) return true;
  }
  return false;
}

bool Context::nonnegative(const Poly& p) {
  if (dead_ > 0 && !(p.is_constant() && p.constant() >= 0)) {
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      if (!facts_[i].is_constant() || facts_[i].constant() >= 0) continue;
      use(facts_from_[i]);
      const int step = log_linear("contradiction", {{{NonNegative::Why::Shown, facts_[i]}}}, p,
                                  "0 <= " + text(p) + " where nothing is");
      memo_[p] = {true, facts_from_[i], step};
      return true;
    }
  }
  if (p.is_constant()) return p.constant() >= 0;
  const auto it = memo_.find(p);
  if (it != memo_.end()) {
    use(it->second.from);
    return it->second.holds;
  }
  for (const auto& level : memo_stack_) {
    const auto known = level.find(p);
    if (known == level.end() || !known->second.holds) continue;
    use(known->second.from);
    return true;
  }
  const Needs before = used_;
  bool holds = box(p);
  int step = holds ? box_memo_.at(p).step : -1;
  if (!holds && !refuted_by_sample(p)) {
    step = by_fact(p);
    if (step < 0) step = by_solver(p);
    holds = step >= 0;
  }
  if (!holds) last_open = text(p) + " >= 0";
  // What an answer that shows nothing has read is no ground of the proof.
  if (!holds) used_ = before;
  memo_[p] = {holds, holds ? used_ : 0, step};
  return holds;
}

bool Context::contradictory() {
  if (facts_.empty()) return false;
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    const Poly below = -facts_[i] - 1;
    if (!box(below)) continue;
    use(facts_from_[i]);
    log_linear("contradiction", {{{NonNegative::Why::Shown, facts_[i]}}, {boxed(below)}}, Poly(-1),
               "nothing is left here");
    return true;
  }
  Hypotheses hypotheses = gather(facts_.front());
  if (!entails(hypotheses, std::nullopt)) return false;
  log_entailed("contradiction", std::move(hypotheses), Poly(-1), "nothing is left here");
  return true;
}

}  // namespace fragproof::radix
