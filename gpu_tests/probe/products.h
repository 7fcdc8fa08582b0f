// The products that a device forms, as triples of slots, and which slots of the spec they
// contradict.
#pragma once

#include <vector>

#include "gpu_tests/probe/outcome.h"
#include "gpu_tests/probe/slots.h"

namespace fragproof::gpu {

// For each slot of one factor and each slot of D: the slot of the other factor that it is
// multiplied with there.
class Products {
 public:
  static constexpr int none = -1;
  static constexpr int strange = -2;  // what came out is no single product

  Products(int slots, int results)
      : results_(results),
        met_(static_cast<std::size_t>(slots) * static_cast<std::size_t>(results), none) {}
  void set(int slot, int result, int other) { met_[at(slot, result)] = other; }
  [[nodiscard]] int met(int slot, int result) const { return met_[at(slot, result)]; }

 private:
  [[nodiscard]] std::size_t at(int slot, int result) const {
    return static_cast<std::size_t>(slot) * static_cast<std::size_t>(results_) +
           static_cast<std::size_t>(result);
  }
  int results_;
  std::vector<int> met_;
};

// Adds a disagreement for each slot of A, B or D of which most of its partners say another row,
// column or k than the spec does; where triples contradict the spec and that names nobody, for the
// triples themselves. A is (row, k = col), B (k = row, col), D (row, col); coordinates of other
// names (which of several products) must agree in all three.
void compare_products(const Slots& a, const Slots& b, const Slots& d, const Products& met_by_a,
                      const Products& met_by_b, std::vector<Disagreement>& disagreements);

}  // namespace fragproof::gpu
