// `cover`: the slots that hold something, in classes, and the k that they count.
#include <algorithm>

#include "checkers/radix/arithmetic.h"
#include "checkers/radix/kernel_tile.h"
#include "checkers/radix/solve.h"

namespace fragproof::radix {

namespace {

class CoverProof : KernelAtTile {
 public:
  CoverProof(Evaluator& e, const Kernel& kernel) : KernelAtTile(e, kernel) {}

  void show() {
    const std::size_t outside = c_.mark();
    try {
      something_paired();
    } catch (const EmptyCase&) {
      c_.release(outside);  // nothing is summed there: whether a k is missing then is for what
                            // follows to say
    }
    const auto classes = products();
    std::vector<std::pair<std::map<Sym, Poly>, Product>> counted;
    for (const auto& one : classes) {
      if (!is_false(one.second.nonzero)) counted.push_back(one);
    }
    if (counted.size() > 1 && counted.size() == classes.size()) counted = {merged(classes)};
    if (counted.size() != 1) {
      throw GiveUp{"the slots that hold something fall into " + std::to_string(counted.size()) +
                   " classes"};
    }
    const auto& [fixed, product] = counted.front();
    c_.push_values(fixed);
    struct Restore {
      Context& c;
      const std::map<Sym, Poly>& values;
      ~Restore() { c.pop_values(values); }
    } restore{c_, fixed};
    point_.bind(Mode::All, Mode::Solved);
    const Tile t{point_.row(Mode::All), point_.slot(Mode::Solved), point_.column(Mode::All)};
    given(point_.stored(t.row, t.column));
    std::vector<Poly> coordinates;
    for (const auto& c : point_.reduce().coordinates) coordinates.push_back(c.value);
    coordinates.push_back(t.slot);
    if (!e_.determined(product.k, coordinates)) {
      throw GiveUp{"not shown: no k is counted twice"};
    }
    // How many: all points of (reduce, slot), or each k found.
    Poly points(static_cast<Int>(1));
    bool countable = is_true(point_.reduce().guard) && holds(c_, product.nonzero);
    for (const auto& c : point_.reduce().coordinates) {
      countable = countable && c.extent && !c_.existential(*c.extent);
      if (c.extent) points = points * *c.extent;
    }
    Int slots = 1;
    {
      const Poly extent = e_.number(*k_.mma->a->outputs.at(1).codomain);
      slots = extent.constant();
      for (const auto& [s, value] : fixed) {
        if (!c_.at(s).facts.empty()) throw GiveUp{"a class of slots that is not half of them"};
        slots /= 2;
      }
    }
    points = points * Poly(slots);
    Poly members(1);
    std::vector<Poly> extents;
    for (const std::string& name : k_.summed) {
      const Factor& f = point_.factor('A');
      const auto it = std::find(f.indices.begin(), f.indices.end(), name);
      extents.push_back(
          e_.number(*f.tensor->extents.at(static_cast<std::size_t>(it - f.indices.begin()))));
      members = members * extents.back();
    }
    if (countable && points == members) {
      c_.log_identity("count", points, members);
      in_range(product.k, extents);
      return;
    }
    std::vector<Equation> equations;
    for (std::size_t i = 0; i < product.k.size(); ++i) {
      equations.push_back({product.k[i], c_.digit("k target/" + k_.summed[i], extents[i])});
    }
    const auto solution = solve(c_, equations);
    if (!solution) throw GiveUp{"which slot holds a given k was not found digit by digit"};
    Poly open;
    if (verified(c_, equations, *solution, &open) != Fit::Inside) {
      throw GiveUp{"not shown: each k is counted (" + c_.text(open) + " >= 0 stays open)"};
    }
    const ConditionPtr guard = substitute(both(product.nonzero, point_.reduce().guard), *solution);
    if (!holds(c_, guard)) {
      throw GiveUp{"not shown: each k is counted where both factors are loaded (" +
                   text(c_, guard) + ")"};
    }
  }

 private:
  // Counted points are as many as there are k, and differ: they are all k if each is one.
  void in_range(const std::vector<Poly>& k, const std::vector<Poly>& extents) {
    for (std::size_t i = 0; i < k.size(); ++i) {
      e_.need(k[i], "k is not negative");
      e_.need(extents[i] - 1 - k[i], "k is below its extent");
    }
  }

  struct Product {
    std::vector<Poly> k;
    ConditionPtr nonzero = always();
  };

  // Both operands at (r, s), with what lies on the unknown side of a bit taken apart into classes.
  std::vector<std::pair<std::map<Sym, Poly>, Product>> products() {
    std::vector<std::pair<std::map<Sym, Poly>, Product>> out;
    std::vector<std::map<Sym, Poly>> work{{}};
    while (!work.empty()) {
      const std::map<Sym, Poly> here = work.back();
      work.pop_back();
      if (out.size() + work.size() > 64) throw GiveUp{"too many classes of slots"};
      c_.push_values(here);
      const std::size_t mark = c_.mark();
      struct Restore {
        Context& c;
        const std::map<Sym, Poly>& values;
        std::size_t mark;
        ~Restore() {
          c.release(mark);
          c.pop_values(values);
        }
      } restore{c_, here, mark};
      try {
        point_.bind(Mode::All, Mode::Solved);
        const Tile t{point_.row(Mode::All), point_.slot(Mode::Solved), point_.column(Mode::All)};
        std::set<Sym> held = point_.symbols_of(point_.reduce());
        const std::set<Sym> slots = t.slot.symbols();
        held.insert(slots.begin(), slots.end());
        c_.hold(held);
        assume(c_, point_.reduce().guard);
        given(point_.stored(t.row, t.column));
        const Element a = at('A', t);
        const Element b = at('B', t);
        Product product;
        product.nonzero = both(a.nonzero, b.nonzero);
        if (!a.zero) {
          product.k = point_.named('A', a, k_.summed);
        } else if (!b.zero) {
          product.k = point_.named('B', b, k_.summed);
        }
        c_.hold({});
        out.emplace_back(here, product);
      } catch (const Split& split) {
        c_.hold({});
        // Only a bit that is solved for may be taken apart here; anything else is a case of the
        // whole claim.
        if (!c_.existential(split.p)) throw;
        Sym bit = 0;
        bool found = false;
        for (const Sym s : split.p.symbols()) {
          if (!c_.at(s).existential) continue;
          if (is_bit(s) && !found) {
            bit = s;
            found = true;
          }
        }
        if (!found) {
          for (const Sym s : split.p.symbols()) {
            if (c_.at(s).existential && c_.at(s).kind == Symbol::Kind::Digit &&
                c_.normal(c_.at(s).extent).is_constant()) {
              (void)bits_of(c_, {Poly::symbol(s)}, 16);
            }
          }
          throw GiveUp{"what lies on either side of " + c_.text(split.p) +
                       " >= 0 was not taken apart"};
        }
        for (const int value : {0, 1}) {
          std::map<Sym, Poly> next = here;
          next[bit] = Poly(value);
          work.push_back(next);
        }
      }
    }
    return out;
  }

  // Classes that all hold something as one: k follows the bits that tell them apart.
  std::pair<std::map<Sym, Poly>, Product> merged(
      const std::vector<std::pair<std::map<Sym, Poly>, Product>>& classes) {
    std::set<Sym> symbols;
    for (const auto& one : classes) {
      for (const auto& [s, value] : one.first) symbols.insert(s);
    }
    const std::vector<Sym> bits(symbols.begin(), symbols.end());
    if (bits.size() > 6) throw GiveUp{"too many classes of slots"};
    Product out;
    out.k.resize(k_.summed.size());
    std::vector<std::vector<Poly>> tables(k_.summed.size(),
                                          std::vector<Poly>(std::size_t{1} << bits.size()));
    for (std::size_t x = 0; x < (std::size_t{1} << bits.size()); ++x) {
      const Product* here = nullptr;
      for (const auto& [fixed, product] : classes) {
        bool fits = true;
        for (std::size_t i = 0; i < bits.size(); ++i) {
          const auto it = fixed.find(bits[i]);
          fits = fits && (it == fixed.end() || it->second == Poly(static_cast<int>(x >> i & 1U)));
        }
        if (fits) here = &product;
      }
      if (here == nullptr || here->k.size() != out.k.size())
        throw GiveUp{"a class of slots was not judged"};
      for (std::size_t d = 0; d < out.k.size(); ++d) tables[d][x] = here->k[d];
      std::vector<Poly> only(std::size_t{1} << bits.size());
      only[x] = Poly(1);
      const ConditionPtr elsewhere = at_least_zero(c_, -interpolate(bits, std::move(only)));
      out.nonzero = both(out.nonzero, either(elsewhere, here->nonzero));
    }
    for (std::size_t d = 0; d < out.k.size(); ++d)
      out.k[d] = interpolate(bits, std::move(tables[d]));
    return {{}, out};
  }

  // Where no slot of A holds the k of B's slot, nothing is left for `cover` to count.
  void something_paired() {
    const std::size_t mark = c_.mark();
    point_.bind(Mode::All, Mode::All);
    const Tile t = tile();
    const Element a = at('A', t);
    const Element b = at('B', t);
    if (!a.zero && !b.zero && c_.whole()) {
      const std::vector<Poly> ka = point_.named('A', a, k_.summed);
      const std::vector<Poly> kb = point_.named('B', b, k_.summed);
      for (std::size_t i = 0; i < ka.size(); ++i) {
        if (c_.positive(ka[i] - kb[i]) || c_.positive(kb[i] - ka[i]) ||
            never_zero_over_bits(ka[i] - kb[i])) {
          throw NothingLeft{"no slot is paired (A.k - B.k == " + c_.text(ka[i] - kb[i]) +
                            " is never 0), so nothing is left to count"};
        }
      }
    }
    c_.release(mark);
  }

  bool never_zero_over_bits(const Poly& p) {
    for (const Sym s : p.symbols()) {
      if (!is_bit(s)) return false;
    }
    return p.symbols().size() <= 10 && c_.positive(p * p);
  }
};

}  // namespace

void show_cover(Evaluator& evaluator, const Kernel& kernel) {
  CoverProof(evaluator, kernel).show();
}

}  // namespace fragproof::radix
