// Each obligation of a kernel as a proof goal over its symbolic point.
#include "checkers/radix/kernel.h"

#include <algorithm>

#include "checkers/enumerate/kernel_types.h"
#include "checkers/radix/kernel_tile.h"
#include "checkers/radix/permutation.h"
#include "checkers/radix/solve.h"
#include "spec/syntax.h"

namespace fragproof::radix {

namespace {

using Mode = KernelPoint::Mode;

class KernelProof : KernelAtTile {
 public:
  KernelProof(Evaluator& e, const Kernel& kernel) : KernelAtTile(e, kernel) {
    e_.check_widths = false;
  }

  void show(Obligation obligation) {
    if (!k_.mma || !k_.store) throw GiveUp{"the kernel has no product or no store"};
    switch (obligation) {
      case Obligation::Bounds:
        return point_.show_indices();
      case Obligation::Overflow:
        e_.check_widths = true;
        return point_.show_indices();
      case Obligation::Storage:
        return storage();
      case Obligation::Alignment:
        return alignment();
      case Obligation::AWhole:
        return whole('A');
      case Obligation::BWhole:
        return whole('B');
      case Obligation::Types:
        return types();
      case Obligation::ARows:
        return same_for_all('A', true);
      case Obligation::BCols:
        return same_for_all('B', true);
      case Obligation::AK:
        return same_for_all('A', false);
      case Obligation::BK:
        return same_for_all('B', false);
      case Obligation::Pairing:
        return pairing();
      case Obligation::Cover:
        return show_cover(e_, k_);
      case Obligation::Output:
        return output();
    }
  }

 private:
  void storage() {
    for (const Array* array : point_.arrays_read()) {
      if (array->kind == Array::Kind::Pack) e_.show_fills_apart(*array);
    }
    point_.bind(Mode::All, Mode::All);
    for (const Array* array : point_.arrays_read()) {
      if (array->kind == Array::Kind::Shared) e_.show_fills_apart(*array);
    }
  }

  void alignment() {
    point_.bind(Mode::All, Mode::All);
    const Poly lane = c_.digit("lane/lane", e_.number(*k_.mma->a->domain.coordinates.at(0).extent));
    point_.set_lane(lane);
    for (const Load* load : k_.loads) {
      const std::size_t mark = c_.mark();
      if (load->condition != nullptr && !enter(c_, e_.condition(*load->condition))) {
        c_.release(mark);
        continue;
      }
      const int bits = load->instruction != nullptr ? 128 : load->width;
      const Poly address = e_.address(load->from);
      const Poly size(bits / e_.granule_bits());
      Poly quotient;
      if (!address.divide_exactly(Mono{}, size.constant(), quotient)) {
        const auto [q, r] = divide(c_, address, size);
        if (!c_.is_zero(r)) {
          throw GiveUp{"not shown: load `" + load->name + "` is aligned (" + c_.text(r) +
                       " == 0 stays open)"};
        }
        quotient = q;
      }
      c_.log_identity("aligned", size * quotient, address);
      c_.release(mark);
    }
  }

  void whole(char operand) {
    (void)point_.factor(operand == 'A' ? 'A' : 'B');
    point_.bind(Mode::All, Mode::All);
    (void)at(operand, tile());
  }

  void gather_types(const Value& value, char operand, std::vector<const ElementType*>& out) {
    if (value.kind == Value::Kind::Convert) {
      out.push_back(&value.type);
      return;
    }
    if (value.kind == Value::Kind::Load) out.push_back(&point_.factor(operand).tensor->element);
    for (const Value& part : value.parts) gather_types(part, operand, out);
  }

  void types() {
    const std::string& type = k_.mma->type;
    std::vector<const ElementType*> a;
    std::vector<const ElementType*> b;
    gather_types(k_.mma->value_a, 'A', a);
    gather_types(k_.mma->value_b, 'B', b);
    for (const auto* list : {&a, &b}) {
      for (const ElementType* t : *list) {
        if (!takes(type, *t)) throw GiveUp{"the instruction does not take " + t->name};
      }
    }
    for (const ElementType* x : a) {
      for (const ElementType* y : b) {
        if (!takes_both(type, *x, *y))
          throw GiveUp{"the instruction does not multiply " + x->name + " by " + y->name};
      }
    }
    std::vector<const ElementType*> all = a;
    all.insert(all.end(), b.begin(), b.end());
    if (!result_fault_of(type, k_.result.tensor->element, all).text.empty()) {
      throw GiveUp{"the result's type does not fit the accumulator"};
    }
    c_.log_evaluated("types",
                     "the operands' element types are what " + k_.mma->instruction + " multiplies");
  }

  // `rows`: the outer coordinates do not depend on reduce and slot. Otherwise `k`: the summed
  // coordinates do not depend on the row (column).
  void same_for_all(char operand, bool rows) {
    point_.bind(Mode::All, Mode::All);
    const Tile t = tile();
    const Element one = at(operand, t);
    if (one.zero) return;
    given(one.nonzero);
    const std::vector<std::string> names = rows ? point_.outer_names(operand) : k_.summed;
    const std::vector<Poly> values = point_.named(operand, one, names);
    const std::vector<std::string> foreign = rows ? std::vector<std::string>{"reduce", "slot"}
                                                  : std::vector<std::string>{"row", "column"};
    bool free = true;
    for (const std::string& prefix : foreign) free = free && !c_.case_speaks_of(prefix);
    for (const Poly& value : values) free = free && free_of(value, foreign);
    if (free) {
      for (const Poly& value : values) {
        c_.log_evaluated("free", std::string(1, operand) + (rows ? ".outer == " : ".k == ") +
                                     c_.text(value) + ", free of " +
                                     (rows ? "reduce indices and slot" : "row and column"));
      }
      return;
    }
    // Two points that differ in what must not matter.
    const Tile other{rows ? t.row : point_.row(Mode::All, "2"),
                     rows ? point_.slot(Mode::All, "2") : t.slot,
                     rows ? t.column : point_.column(Mode::All, "2")};
    if (rows) {
      point_.bind(Mode::All, Mode::All, "2");
    } else {
      given(point_.stored(other.row, other.column));
    }
    const Element two = at(operand, other);
    if (two.zero) return;
    given(two.nonzero);
    const std::vector<Poly> others = point_.named(operand, two, names);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!c_.is_zero(values[i] - others[i])) {
        throw GiveUp{"not shown: index `" + names[i] + "` of operand " + operand +
                     " is one for all (" + c_.text(values[i] - others[i]) + " == 0 stays open)"};
      }
      c_.log_identity("same", values[i], others[i]);
    }
  }

  bool free_of(const Poly& p, const std::vector<std::string>& prefixes) {
    for (const Sym s : p.symbols()) {
      const Symbol& symbol = c_.at(s);
      for (const std::string& prefix : prefixes) {
        if (symbol.key.rfind(prefix, 0) == 0) return false;
      }
      if (symbol.kind == Symbol::Kind::Atom && (!free_of(c_.normal(symbol.first), prefixes) ||
                                                !free_of(c_.normal(symbol.second), prefixes))) {
        return false;
      }
      if (symbol.key.rfind("table ", 0) == 0) return false;
    }
    return true;
  }

  void pairing() {
    point_.bind(Mode::All, Mode::All);
    const Tile t = tile();
    const Element a = at('A', t);
    const Element b = at('B', t);
    if (a.zero || b.zero) return;
    given(a.nonzero);
    given(b.nonzero);
    const std::vector<Poly> ka = point_.named('A', a, k_.summed);
    const std::vector<Poly> kb = point_.named('B', b, k_.summed);
    for (std::size_t i = 0; i < ka.size(); ++i) {
      if (!c_.is_zero(ka[i] - kb[i])) {
        throw GiveUp{"not shown: the slots of A and B hold one `" + k_.summed[i] + "` (" +
                     c_.text(ka[i] - kb[i]) + " == 0 stays open)"};
      }
      c_.log_identity("pairing", ka[i], kb[i]);
      const std::string text = permutation_text(e_, *k_.mma->a, t.slot, ka[i]);
      if (!text.empty()) e_.notes.push_back(k_.summed[i] + " permutation: " + text);
    }
  }

  void output() {
    // 1. The stores are a bijection onto the result.
    {
      const std::size_t mark = c_.mark();
      try {
        point_.show_something_reduced();
      } catch (const EmptyCase&) {
        throw GiveUp{"there are no tiles in some case"};  // then nobody stores
      }
      c_.release(mark);
      point_.bind(Mode::Solved, Mode::All);
      const Poly i = point_.row(Mode::Solved);
      const Poly j = point_.column(Mode::Solved);
      std::set<Sym> held = point_.symbols_of(point_.parallel());
      for (const Poly& p : {i, j}) {
        const std::set<Sym> more = p.symbols();
        held.insert(more.begin(), more.end());
      }
      c_.hold(held);
      assume(c_, point_.parallel().guard);
      const ConditionPtr guard = both(point_.stored(i, j), point_.parallel().guard);
      assume(c_, guard);
      const std::vector<Poly> index = point_.store_index();
      c_.hold({});
      c_.release(mark);
      std::vector<Poly> coordinates{i, j};
      Poly points = e_.number(*k_.mma->c->outputs.at(0).codomain) *
                    e_.number(*k_.mma->c->outputs.at(1).codomain);
      bool countable = is_true(guard);
      for (const auto& c : point_.parallel().coordinates) {
        coordinates.push_back(c.value);
        countable = countable && c.extent && c_.of_sizes(*c.extent);
        if (c.extent) points = points * *c.extent;
      }
      if (!e_.determined(index, coordinates))
        throw GiveUp{"not shown: no element of the result is stored twice"};
      Poly members(1);
      std::vector<Poly> extents;
      for (const Expr* extent : k_.result.tensor->extents) {
        extents.push_back(e_.number(*extent));
        members = members * extents.back();
      }
      if (countable && points == members) {
        c_.log_identity("count", points, members);
      } else {
        std::vector<Equation> equations;
        for (std::size_t d = 0; d < index.size(); ++d) {
          equations.push_back(
              {index[d], c_.digit("result/" + k_.result.indices.at(d), extents[d])});
        }
        const auto solution = solve(c_, equations);
        if (!solution)
          throw GiveUp{"who stores an element of the result was not found digit by digit"};
        Poly open;
        if (verified(c_, equations, *solution, &open) != Fit::Inside) {
          throw GiveUp{"not shown: each element of the result is stored (" + c_.text(open) +
                       " >= 0 stays open)"};
        }
        const ConditionPtr there = substitute(guard, *solution);
        if (!holds(c_, there)) {
          throw GiveUp{"not shown: each element of the result is stored under its guard (" +
                       text(c_, there) + ")"};
        }
      }
    }
    // 2. Each goes where its row and column belong.
    point_.bind(Mode::All, Mode::All);
    const Tile t = tile();
    const std::vector<Poly> index = point_.store_index();
    for (const char operand : {'A', 'B'}) {
      const Element element = at(operand, t);
      if (element.zero) continue;
      const std::size_t mark = c_.mark();
      if (!enter(c_, element.nonzero)) {
        c_.release(mark);
        continue;
      }
      const std::vector<std::string> names = point_.outer_names(operand);
      const std::vector<Poly> values = point_.named(operand, element, names);
      for (std::size_t n = 0; n < names.size(); ++n) {
        const auto it = std::find(k_.result.indices.begin(), k_.result.indices.end(), names[n]);
        if (it == k_.result.indices.end())
          throw GiveUp{"an outer index that the result does not have"};
        const Poly& target = index.at(static_cast<std::size_t>(it - k_.result.indices.begin()));
        if (!c_.is_zero(values[n] - target)) {
          throw GiveUp{"not shown: index `" + names[n] + "` of operand " + operand +
                       " is that of the store (" + c_.text(values[n] - target) +
                       " == 0 stays open)"};
        }
        c_.log_identity("output", values[n], target);
      }
      c_.release(mark);
    }
  }
};

}  // namespace

void show_obligation(Evaluator& evaluator, const Kernel& kernel, Obligation obligation) {
  KernelProof(evaluator, kernel).show(obligation);
}

}  // namespace fragproof::radix
