// The claims that the benchmark puts to our engine and to the rival, as texts in the language.
#pragma once

#include <string>
#include <vector>

#include "checkers/engine.h"

namespace fragproof::bench {

// A claim by its name, ready to be asked. `spec` owns what the question points to.
struct Asked {
  std::unique_ptr<Spec> spec;
  Question question;
};

// The question `id` ("t/..") of `text`. Throws std::runtime_error when the text is wrong or has no
// such claim.
[[nodiscard]] Asked ask(const std::string& text, const std::string& id);

// The text of a built-in file ("gemv.layout"). Throws std::runtime_error when there is none.
[[nodiscard]] std::string built_in(const std::string& file);

// The element that a lane of the packed GEMV finds is the one that its operand A wants, for all
// sizes: what the kernel's obligations A.rows and A.k say of the pack, in terms of numbers alone,
// so that one query can be made of it.
[[nodiscard]] const char* operand_a_directly();

}  // namespace fragproof::bench
