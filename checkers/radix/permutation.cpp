// Reads the k permutation off the polynomial of k, slot by slot.
#include "checkers/radix/permutation.h"

#include <algorithm>

namespace fragproof::radix {

namespace {

struct Digit {
  std::string name;
  Int extent = 1;
  Int in_slot = 0;  // its weight in the slot
  Int in_k = 0;     // its weight in k
};

// k at slot n: the leaves of the slot's symbol are digits of n.
std::optional<Poly> at_slot(const Context& context, const Poly& slot, const Poly& k, Int n) {
  std::map<Sym, Poly> values;
  for (const auto& [m, weight] : slot.terms()) {
    if (m.size() != 1) return std::nullopt;
    const Poly extent = context.normal(context.at(m[0]).extent);
    if (context.at(m[0]).kind != Symbol::Kind::Digit || !extent.is_constant() || weight <= 0)
      return std::nullopt;
    values.emplace(m[0], Poly(n / weight % extent.constant()));
  }
  return k.substitute(values);
}

std::string side(const std::vector<Digit>& digits, bool of_k, Int constant,
                 const std::string& extra) {
  std::string out;
  const auto add = [&](const std::string& term) { out += (out.empty() ? "" : "+") + term; };
  if (!of_k && constant != 0) add(to_string(constant));
  std::vector<Digit> order = digits;
  std::stable_sort(order.begin(), order.end(), [&](const Digit& x, const Digit& y) {
    return (of_k ? x.in_k : x.in_slot) > (of_k ? y.in_k : y.in_slot);
  });
  bool placed = !of_k;
  for (const Digit& d : order) {
    const Int weight = of_k ? d.in_k : d.in_slot;
    if (weight == 0) continue;
    if (!placed && weight == 1) {
      if (!extra.empty()) add(extra);
      if (constant != 0) add(to_string(constant));
      placed = true;
    }
    add(weight == 1 ? d.name : to_string(weight) + d.name);
  }
  if (!placed) {
    if (!extra.empty()) add(extra);
    if (constant != 0) add(to_string(constant));
  }
  return out.empty() ? "0" : out;
}

}  // namespace

std::string permutation_text(Evaluator& evaluator, const Map& a, const Poly& slot, const Poly& k) {
  Context& context = evaluator.context;
  for (const Sym s : k.symbols()) {
    // A value of a table or a rounded quotient hides how it follows the slot.
    const Symbol& symbol = context.at(s);
    if (symbol.kind == Symbol::Kind::Atom || !symbol.arguments.empty()) return {};
  }
  // The declared digits of A's lane and element, and the column at each of their values.
  std::vector<Digit> digits;
  std::vector<std::size_t> split;  // how many digits each coordinate has
  for (const Coordinate& c : a.domain.coordinates) {
    if (c.digits.empty()) return {};
    for (const DigitBinding& d : c.digits) {
      const Poly radix = evaluator.number(*d.radix);
      if (!radix.is_constant()) return {};
      digits.push_back({d.name, radix.constant(), 0, 0});
    }
    split.push_back(c.digits.size());
  }
  const auto column = [&](const std::vector<Int>& values) -> Int {
    std::vector<Poly> args;
    std::size_t at = 0;
    for (const std::size_t count : split) {
      Int number = 0;
      for (std::size_t i = 0; i < count; ++i, ++at)
        number = number * digits[at].extent + values[at];
      args.emplace_back(number);
    }
    return evaluator.apply(a, args).at(1).constant();
  };
  const std::vector<Int> zeros(digits.size(), 0);
  const Int origin = column(zeros);
  const auto base = at_slot(context, slot, k, origin);
  if (!base) return {};
  std::vector<Digit> used;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i].extent < 2) continue;
    std::vector<Int> one = zeros;
    one[i] = 1;
    const Int weight = column(one) - origin;
    if (weight == 0) continue;
    const auto there = at_slot(context, slot, k, column(one));
    if (!there || !(*there - *base).is_constant()) return {};
    digits[i].in_slot = weight;
    digits[i].in_k = (*there - *base).constant();
    used.push_back(digits[i]);
  }
  // The sum must be right at every slot.
  Int slots = 1;
  Int block = 1;
  for (const Digit& d : used) {
    slots *= d.extent;
    block = std::max(block, d.in_k * d.extent);
  }
  for (Int n = 0; n < slots; ++n) {
    Int expected = 0;
    for (const Digit& d : used) expected += n / d.in_slot % d.extent * d.in_k;
    const auto there = at_slot(context, slot, k, n);
    if (!there || !(*there == *base + Poly(expected))) return {};
  }
  // Reduce terms inside a block of k belong to the permutation; the others move whole blocks.
  std::string extra;
  for (const auto& [m, c] : base->terms()) {
    if (m.size() != 1 || c >= block || c <= 0) continue;
    extra +=
        (extra.empty() ? "" : "+") + (c == 1 ? "" : to_string(c) + "*") + context.at(m[0]).name;
  }
  // One arrow for each value of the digit that stands highest in the slot.
  std::stable_sort(used.begin(), used.end(),
                   [](const Digit& x, const Digit& y) { return x.in_slot > y.in_slot; });
  if (used.empty()) return {};
  const Digit top = used.front();
  const std::vector<Digit> rest(used.begin() + 1, used.end());
  std::string out;
  for (Int v = 0; v < top.extent; ++v) {
    out += (v == 0 ? "" : ", ") + side(rest, false, v * top.in_slot, "") + " -> " +
           side(rest, true, v * top.in_k + base->constant(), extra);
  }
  return out;
}

}  // namespace fragproof::radix
