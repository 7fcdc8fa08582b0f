// A kernel at a symbolic point: its indices bound, its operands traced to the tensor elements that
// they hold.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "checkers/radix/symbolic.h"

namespace fragproof::radix {

// What operand A or B holds at one row (column) and slot.
struct Element {
  bool zero = false;  // surely zero
  const Array* tensor = nullptr;
  std::vector<Poly> coordinates;  // of the tensor element, valid where `nonzero`
  ConditionPtr nonzero = always();
};

class KernelPoint {
 public:
  KernelPoint(Evaluator& evaluator, const Kernel& kernel);

  enum class Mode { All, Solved };  // universal, or unknowns to be solved for
  // Binds parallel, reduce and the lets. `copy` tells two sets of reduce indices apart ("", "2").
  void bind(Mode parallel, Mode reduce, const std::string& copy = "");
  void set_lane(const Poly& lane);

  // Fresh coordinates of the tile: row i of A, slot s, column j of B.
  [[nodiscard]] Poly row(Mode mode, const std::string& copy = "");
  [[nodiscard]] Poly slot(Mode mode, const std::string& copy = "");
  [[nodiscard]] Poly column(Mode mode, const std::string& copy = "");

  [[nodiscard]] Element element(char operand, const Poly& outer, const Poly& slot);
  // Binds lane, elem, row and col for the store at (i, j); the condition under which it happens.
  [[nodiscard]] ConditionPtr stored(const Poly& i, const Poly& j);
  [[nodiscard]] std::vector<Poly> store_index();

  // The factor that an operand holds, from the arrays that its loads reach.
  [[nodiscard]] const Factor& factor(char operand) const;
  // Coordinates of an element by name of its index in the equation.
  [[nodiscard]] std::vector<Poly> named(char operand, const Element& element,
                                        const std::vector<std::string>& names) const;
  [[nodiscard]] std::vector<std::string> outer_names(char operand) const;

  // Shows every index, condition and part of the kernel defined and inside (`bounds`), and with
  // Evaluator::check_widths every declared width kept (`overflow`).
  void show_indices();
  // Shows that each point of `parallel` has a point of `reduce`: then what `reduce` says of a tile
  // is true of all.
  void bind_without_lane(const Kernel::Step& step);
  void show_something_reduced();
  // Is there a point of `parallel` and `reduce` at all sizes of the case?
  [[nodiscard]] bool some_point();
  [[nodiscard]] std::vector<const Array*> arrays_read() const;

  [[nodiscard]] const Evaluator::BoundDomain& parallel() const { return parallel_; }
  [[nodiscard]] const Evaluator::BoundDomain& reduce() const { return reduce_; }
  [[nodiscard]] std::set<Sym> symbols_of(const Evaluator::BoundDomain& domain) const;

 private:
  struct Piece {
    const Array* array = nullptr;
    Poly address;  // granules
    ConditionPtr loaded = always();
    bool else_zero = false;
    int source_width = 0;  // bits of the array that make one operand element
    bool converted = false;
    bool never = false;    // surely zero: no address
    std::set<Sym> joined;  // bits that tell the parts of a joined operand apart
  };
  [[nodiscard]] Piece locate(const fragproof::Value& value, Poly offset, int width);
  [[nodiscard]] Piece locate_load(const Load& load, const Poly& offset, int width);
  [[nodiscard]] Piece locate_join(const fragproof::Value& value, const Poly& offset, int width);
  [[nodiscard]] const Map& fragment(char operand) const;
  void show_units(const fragproof::Value& value);
  void show_fills(const Array& array);
  [[nodiscard]] bool depends_on_lane(const Expr* e, int depth = 0) const;
  [[nodiscard]] bool depends_on_lane(const Domain& d) const;

  Evaluator& e_;
  Context& context_;
  const Kernel& kernel_;
  Evaluator::BoundDomain parallel_;
  Evaluator::BoundDomain reduce_;
  std::set<const Variable*> of_lane_;
  std::vector<const Binding*> lane_bindings_;
  Poly lane_;
};

// The tensors that the loads of a value reach through packs and shared tiles.
[[nodiscard]] std::set<const Array*> roots_of(const fragproof::Value& value);

}  // namespace fragproof::radix
