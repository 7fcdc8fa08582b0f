// What the kernel tests share: a spec from a text or an example, one obligation of a kernel judged
// at given sizes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checkers/enumerate/kernel_judge.h"
#include "spec/load.h"

namespace fragproof::kernel_tests {

using Sizes = std::map<std::string, int>;  // those not given are 1

// The text of examples/NAME.layout.
[[nodiscard]] std::string example(const std::string& name);

// `text` with every occurrence of `from` replaced; fails the test when there is none.
[[nodiscard]] std::string edited(std::string text, const std::string& from, const std::string& to);

// A loaded text. Fails the test, and holds no spec, where the text has errors.
class Subject {
 public:
  explicit Subject(std::string text, const std::string& name = "examples/test.layout");
  [[nodiscard]] const Spec& spec() const { return *loaded_.spec; }
  [[nodiscard]] bool ok() const { return loaded_.spec != nullptr; }
  [[nodiscard]] const Kernel& kernel(const std::string& name) const;
  [[nodiscard]] const Load& load(const std::string& kernel, const std::string& name) const;
  // Sizes as a shape; uninterpreted tables are the identity.
  [[nodiscard]] Shape shape(const Sizes& sizes) const;
  [[nodiscard]] KernelVerdict judge(const std::string& kernel, std::optional<Obligation> obligation,
                                    const Sizes& sizes) const;
  // Are the requires of the file and of the kernel, and `where`, true at these sizes? (Predicates
  // count as true.)
  [[nodiscard]] bool admits(const Kernel& kernel, const Expr* where, const Sizes& sizes) const;

 private:
  LoadResult loaded_;
};

// "holds", "vacuous", "unknown: ..", or "lane 5 a1 low 2: expected W[9, 2], found W[1, 10], 64 of
// 512".
[[nodiscard]] std::string brief(const KernelVerdict& verdict);

}  // namespace fragproof::kernel_tests
