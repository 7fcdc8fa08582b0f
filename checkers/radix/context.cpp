// Symbols, cases and facts.
#include "checkers/radix/context.h"

#include <algorithm>

#include "spec/integer.h"

namespace fragproof::radix {

namespace {

constexpr std::int64_t max_spent = 3'000'000;
constexpr std::size_t max_symbols = 20'000;
static_assert(2 * max_symbols < static_cast<Sym>(-1), "a Sym holds each, and one for none");

}  // namespace

std::string Context::key_of(const Poly& p) {
  std::string out;
  for (const auto& [m, c] : p.terms()) {
    for (const Sym s : m) out += std::to_string(static_cast<unsigned>(s)) + "*";
    out += to_string(c) + ",";
  }
  return out;
}

Sym Context::add(Symbol symbol) {
  if (symbols_.size() >= max_symbols)
    throw GiveUp{"the search for a proof grew past its limit (symbols)"};
  const bool bit = symbol.kind == Symbol::Kind::Digit && symbol.extent == Poly(2);
  const Sym s = static_cast<Sym>(symbols_.size() << 1U) | (bit ? 1U : 0U);
  if (symbol.root == Symbol::no_root) symbol.root = s;
  if (symbol.kind == Symbol::Kind::Atom) atoms_.push_back(s);
  symbols_.push_back(std::move(symbol));
  return s;
}

bool Context::of_sizes(const Poly& p) const {
  for (const Sym s : p.symbols()) {
    if (!at(s).of_sizes) return false;
  }
  return true;
}

bool Context::case_speaks_of(const std::string& prefix) const {
  for (const Sym s : case_symbols_) {
    if (at(s).key.rfind(prefix, 0) == 0) return true;
  }
  return false;
}

void Context::push_values(const std::map<Sym, Poly>& values) {
  for (const auto& [s, value] : values) case_values_[s] = value;
  forget_signs();
}

void Context::pop_values(const std::map<Sym, Poly>& values) {
  for (const auto& [s, value] : values) case_values_.erase(s);
  forget_signs();
}

void Context::forget_signs() {
  memo_.clear();
  box_memo_.clear();
  for (auto& level : memo_stack_) level.clear();
}

std::set<Sym> Context::roots(const Poly& p) const {
  std::set<Sym> out;
  for (const Sym s : p.symbols()) {
    const Symbol& symbol = at(s);
    if (symbol.kind == Symbol::Kind::Atom) {
      out.merge(roots(normal(symbol.first)));
      out.merge(roots(normal(symbol.second)));
    } else if (!symbol.of_sizes) {
      out.insert(symbol.root);
    }
  }
  return out;
}

bool Context::depends(const Poly& p, const std::set<Sym>& own) const {
  for (const Sym s : p.symbols()) {
    const Symbol& symbol = at(s);
    if (own.count(s) != 0) return true;
    if (symbol.kind == Symbol::Kind::Atom &&
        (depends(normal(symbol.first), own) || depends(normal(symbol.second), own))) {
      return true;
    }
    for (const Poly& argument : symbol.arguments) {
      if (depends(normal(argument), own)) return true;
    }
  }
  return false;
}

bool Context::unknown(Sym s) const {
  const Symbol& symbol = at(s);
  if (!symbol.existential || held_.count(s) != 0) return false;
  // What is computed from held symbols alone is known with them.
  const auto of_unknowns = [&](const Poly& p) {
    const std::set<Sym> symbols = normal(p).symbols();
    return std::any_of(symbols.begin(), symbols.end(), [&](Sym t) { return unknown(t); });
  };
  if (symbol.kind == Symbol::Kind::Atom)
    return of_unknowns(symbol.first) || of_unknowns(symbol.second);
  if (symbol.arguments.empty()) return true;
  return std::any_of(symbol.arguments.begin(), symbol.arguments.end(), of_unknowns);
}

void Context::set_arguments(const std::string& key, const Poly& value,
                            const std::vector<Poly>& arguments) {
  for (const Sym s : value.symbols()) {
    if (at(s).key == key) symbols_[s >> 1U].arguments = arguments;
  }
}

void Context::set_case_facts(std::vector<CaseFact> facts) {
  case_facts_ = std::move(facts);
  assumed_at_.assign(case_facts_.size(), 0);
}

Poly Context::bound(Sym s) {
  const Sym root = at(s).root;
  if (!case_facts_.empty() && alive_.count(root) == 0) {
    assume(Poly());  // marks the place, so that the end of the scope finds it
    alive_[root] = facts_.size();
    for (std::size_t i = 0; i < case_facts_.size(); ++i) {
      const CaseFact& fact = case_facts_[i];
      if (assumed_at_[i] != 0) continue;
      if (!std::all_of(fact.needs.begin(), fact.needs.end(),
                       [&](Sym r) { return alive_.count(r) != 0; }))
        continue;
      const auto [p, from] = normal_from(fact.p);
      if (p.is_constant() && p.constant() >= 0) continue;
      settle(p);
      assume(p, fact.from | from);
      assumed_at_[i] = facts_.size();
    }
  }
  return normal(Poly::symbol(s));
}

bool Context::existential(const Poly& p) const {
  for (const Sym s : p.symbols()) {
    if (at(s).existential) return true;
  }
  return false;
}

Poly Context::parameter(const std::string& key, Int lower) {
  const auto it = by_key_.find(key);
  if (it != by_key_.end()) return normal(Poly::symbol(it->second));
  Symbol symbol;
  symbol.name = key.substr(key.rfind('/') + 1);
  symbol.key = key;
  symbol.kind = Symbol::Kind::Parameter;
  symbol.lower = lower;
  symbol.of_sizes = true;
  const Sym s = add(symbol);
  by_key_.emplace(key, s);
  return normal(Poly::symbol(s));
}

Poly Context::fresh_parameter(const std::string& name, Int lower) {
  return parameter("fresh" + to_string(lower) + "/" + name + "'" + std::to_string(++fresh_), lower);
}

Poly Context::index(const std::string& key, Int lower, bool existential) {
  const auto it = by_key_.find(key);
  if (it != by_key_.end()) return bound(it->second);
  Symbol symbol;
  symbol.name = key.substr(key.rfind('/') + 1);
  symbol.key = key;
  symbol.kind = Symbol::Kind::Index;
  symbol.existential = existential;
  symbol.lower = lower;
  const Sym s = add(symbol);
  by_key_.emplace(key, s);
  return bound(s);
}

Poly Context::digit(const std::string& key, const Poly& extent, bool existential) {
  if (extent.is_constant()) {
    if (extent.constant() == 1) return Poly();
    if (extent.constant() <= 0) throw NoPoint{};
  }
  const std::string full = key + "|" + key_of(extent);
  const auto it = by_key_.find(full);
  if (it != by_key_.end()) return bound(it->second);
  Symbol symbol;
  symbol.name = key.substr(key.rfind('/') + 1);
  symbol.existential = existential;
  symbol.key = key;
  symbol.kind = Symbol::Kind::Digit;
  symbol.extent = extent;
  const Sym s = add(symbol);
  by_key_.emplace(full, s);
  return bound(s);
}

Poly Context::atom(const std::string& key, Symbol::Definition definition, const Poly& first,
                   const Poly& second) {
  const std::string full = key + "{" + key_of(first) + ";" + key_of(second) + "}";
  auto it = by_key_.find(full);
  if (it == by_key_.end()) {
    Symbol symbol;
    symbol.name = key + "(" + text(first) + ", " + text(second) + ")";
    symbol.key = key;
    symbol.kind = Symbol::Kind::Atom;
    symbol.definition = definition;
    symbol.first = first;
    symbol.second = second;
    symbol.of_sizes = of_sizes(first) && of_sizes(second);
    symbol.existential = existential(first) || existential(second);
    it = by_key_.emplace(full, add(symbol)).first;
  }
  const Sym s = it->second;
  const Poly self = Poly::symbol(s);
  if (settle(s)) return self;
  if (definition == Symbol::Definition::And) {
    // Shown >= 0 by the caller, perhaps by facts: then what it is bounded by holds as long as they.
    for (const Poly& fact : {self, first - self, second - self}) {
      if (std::find(facts_.begin(), facts_.end(), fact) == facts_.end()) assume(fact);
    }
    return self;
  }
  if (definition != Symbol::Definition::Floor) return self;
  // Defined here and now only: what took facts to show bounds the quotient no longer than they
  // hold.
  if (!this->nonnegative(first) || !positive(second)) return self;
  for (const Poly& fact : {first - second * self, second * self + second - 1 - first, self}) {
    if (std::find(facts_.begin(), facts_.end(), fact) == facts_.end()) assume(fact);
  }
  return self;
}

bool Context::settle(Sym s) {
  const Symbol& atom = at(s);
  if (!atom.facts.empty()) return true;
  const Poly self = Poly::symbol(s);
  const Poly first = atom.first;
  const Poly second = atom.second;
  std::vector<Poly> facts;
  bool nonnegative = false;
  switch (atom.definition) {
    case Symbol::Definition::Floor:  // floor(first / second), defined wherever its symbols are?
      if (!box(normal(first)) || !box(normal(second) - 1)) return false;
      facts = {first - second * self, second * self + second - 1 - first, self};
      nonnegative = true;
      break;
    case Symbol::Definition::Min:
      facts = {first - self, second - self};
      nonnegative = box(first) && box(second);
      break;
    case Symbol::Definition::Max:
      facts = {self - first, self - second};
      nonnegative = box(first) || box(second);
      break;
    case Symbol::Definition::And:
      if (!box(normal(first)) || !box(normal(second))) return false;
      facts = {self, first - self, second - self};
      nonnegative = true;
      break;
    case Symbol::Definition::None:
      return false;
  }
  Symbol& made = symbols_[s >> 1U];
  made.facts = std::move(facts);
  made.atom_nonnegative = nonnegative;
  return true;
}

void Context::settle(const Poly& p, int depth) {
  if (depth > 64) throw GiveUp{"a rounded quotient stands in its own definition"};
  for (const Sym s : p.symbols()) {
    if (at(s).kind != Symbol::Kind::Atom) continue;
    settle(normal(at(s).first), depth + 1);
    settle(normal(at(s).second), depth + 1);
    (void)settle(s);
  }
}

Poly Context::normal(Poly p) const {
  for (int round = 0; round < 64; ++round) {
    std::map<Sym, Poly> values;
    for (const Sym s : p.symbols()) {
      const auto it = case_values_.find(s);
      if (it != case_values_.end()) {
        values.emplace(s, it->second);
        const auto from = case_from_.find(s);
        if (from != case_from_.end()) use(from->second);
      } else if (at(s).value) {
        values.emplace(s, *at(s).value);
        use(at(s).value_from);
      }
    }
    if (values.empty()) return p;
    p = p.substitute(values);
  }
  throw GiveUp{"a chain of refinements does not end"};
}

void Context::define(Sym s, const Poly& value) {
  symbols_[s >> 1U].value = value;
  if (reading_) symbols_[s >> 1U].value_from = grounds();
}

void Context::add_symbol_fact(const Poly& symbol, const Poly& fact) {
  symbols_[symbol.terms().begin()->first[0] >> 1U].facts.push_back(fact);
}

std::string Context::text(const Poly& p) const {
  if (p.is_zero()) return "0";
  std::string out;
  // Highest degree first reads best; the map's order is by symbol.
  for (auto it = p.terms().rbegin(); it != p.terms().rend(); ++it) {
    Int c = it->second;
    if (out.empty()) {
      if (c < 0) out += "-";
    } else {
      out += c < 0 ? " - " : " + ";
    }
    if (c < 0) c = -c;
    std::string factors;
    for (const Sym s : it->first) {
      if (!factors.empty()) factors += "*";
      factors += at(s).name;
    }
    if (factors.empty()) {
      out += to_string(c);
    } else {
      out += c == 1 ? factors : to_string(c) + "*" + factors;
    }
  }
  return out;
}

void Context::assume(const Poly& p) { assume(p, reading_ ? grounds() : Needs{0}); }

void Context::assume(const Poly& p, Needs from) {
  facts_.push_back(p);
  facts_from_.push_back(from);
  if (p.is_constant() && p.constant() < 0) ++dead_;
  memo_stack_.push_back(std::move(memo_));
  memo_.clear();
}

void Context::release(std::size_t mark) {
  while (facts_.size() > mark) {
    if (facts_.back().is_constant() && facts_.back().constant() < 0) --dead_;
    facts_.pop_back();
    facts_from_.pop_back();
    memo_ = std::move(memo_stack_.back());
    memo_stack_.pop_back();
  }
  if (case_facts_.empty()) return;
  std::erase_if(alive_, [&](const auto& one) { return one.second > mark; });
  for (std::size_t& at : assumed_at_) {
    if (at > mark) at = 0;
  }
}

void Context::begin_hypothesis(Needs bit) {
  used_before_ = std::exchange(used_, 0);
  reading_ = bit;
}

void Context::end_hypothesis(bool defined_anyway) {
  used_ = used_before_ | (defined_anyway ? 0 : used_);
  used_before_ = 0;
  reading_.reset();
}

std::pair<Poly, Needs> Context::normal_from(const Poly& p) const {
  const Needs before = std::exchange(used_, 0);
  Poly out = normal(p);
  return {std::move(out), std::exchange(used_, before)};
}

void Context::clear_attempt() {
  facts_.clear();
  facts_from_.clear();
  used_ = 0;
  used_before_ = 0;
  reading_.reset();
  dead_ = 0;
  memo_.clear();
  memo_stack_.clear();
  box_memo_.clear();
  steps_.clear();
  given_.clear();
  samples_.clear();
  held_.clear();
  case_facts_.clear();
  assumed_at_.clear();
  alive_.clear();
  // An atom says what its definition was shown to say in this attempt.
  for (const Sym s : atoms_) {
    symbols_[s >> 1U].facts.clear();
    symbols_[s >> 1U].atom_nonnegative = false;
  }
  fresh_ = 0;
}

void Context::spend(std::int64_t units) {
  spent_ += units;
  if (spent_ > max_spent) throw GiveUp{"the search for a proof used up its budget"};
  if (stopped()) throw GiveUp{"interrupted"};
}

int Context::variable_of(const Mono& m) {
  const auto [it, inserted] = variables_.emplace(m, static_cast<int>(variable_texts_.size()));
  if (inserted) {
    variable_texts_.push_back(text(Poly::term(m, 1)));
    solver_.name(it->second, variable_texts_.back());
  }
  return it->second;
}

Linear Context::linear(const Poly& p) {
  Linear out;
  std::map<int, Int> terms;
  for (const auto& [m, c] : p.terms()) {
    if (m.empty()) {
      out.constant = c;
    } else {
      terms.emplace(variable_of(m), c);
    }
  }
  out.terms.assign(terms.begin(), terms.end());
  return out;
}

}  // namespace fragproof::radix
