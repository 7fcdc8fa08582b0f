// The configurations that a kernel admits: its sizes and tables, its requires, the search for
// admissible sizes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkers/enumerate/shape_search.h"
#include "fuzz/configuration.h"
#include "spec/eval.h"

namespace fragproof {

class KernelSpace {
 public:
  KernelSpace(const Spec& spec, const Kernel& kernel);

  [[nodiscard]] const Kernel& kernel() const { return kernel_; }
  [[nodiscard]] const Spec& spec() const { return spec_; }
  // The sizes that matter, in order of declaration, and the uninterpreted tables.
  [[nodiscard]] const std::vector<const Variable*>& sizes() const { return sizes_; }
  [[nodiscard]] const std::vector<const Table*>& tables() const { return tables_; }
  // Literals of 8 to 256 in the requires and the kernel: what shapes should lie around.
  [[nodiscard]] const std::vector<std::int64_t>& divisors() const { return divisors_; }

  // The shape of a configuration. Sizes that it leaves out are the smallest that the requires admit
  // (none: 1), tables left out are in order. Nothing, and `error`, for a name or table that does
  // not fit. The requires are not judged: see excluded_by().
  [[nodiscard]] std::optional<Shape> shape_of(const Configuration& configuration,
                                              std::string& error) const;
  // The first require that a shape violates, with its values: "K % (32*S*NW*U) == 0 (line 30)";
  // "" when all hold. Undefined ones are violated.
  [[nodiscard]] std::string excluded_by(const Shape& shape) const;
  [[nodiscard]] const Expr* first_violated(const Shape& shape) const;

  // Admissible sizes near `target` from below, in the order of sizes(); nothing when a few tries
  // find none. Tables may still be excluded.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> near(
      const std::vector<std::int64_t>& target);
  // A search through all admissible sizes, smallest sum first; `pinned` fixes some.
  [[nodiscard]] ShapeSearch search(const NamedValues& pinned, std::int64_t limit,
                                   const std::atomic<bool>* stop) const;

  [[nodiscard]] Configuration configuration_of(
      const std::vector<std::int64_t>& sizes,
      const std::vector<std::pair<std::string, TableChoice>>& tables = {}) const;
  // Pins sizes for near() and for shape_of().
  void pin(const NamedValues& sizes);

 private:
  void fill_tables(Shape& shape, const Configuration& configuration, std::string& error) const;
  [[nodiscard]] std::vector<std::pair<const Variable*, Int>> variables_of(
      const NamedValues& values) const;

  const Spec& spec_;
  const Kernel& kernel_;
  std::vector<const Expr*> conjuncts_;
  std::vector<const Variable*> sizes_;
  std::vector<const Table*> tables_;
  std::vector<const Table*> distinct_;  // tables that a require calls injective or bijective
  std::vector<std::int64_t> divisors_;
  NamedValues pinned_;
  std::unique_ptr<ShapeSearch> near_;
};

// The kernels of a file that can be executed: its own (not those of files that it includes).
[[nodiscard]] std::vector<const Kernel*> kernels_of(const Spec& spec);

}  // namespace fragproof
