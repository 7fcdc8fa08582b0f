// What evaluation tests share: one expression, looked at at one shape.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "spec/eval.h"
#include "spec/load.h"

namespace fragproof {

// The declarations `before` and one expression behind them, with an evaluator at given sizes.
struct Evaluated {
  // `condition` is a claim's condition; `expression()` is its left side where it is a comparison.
  Evaluated(const std::string& before, const std::string& condition,
            const std::map<std::string, Int>& sizes = {}) {
    LoadResult loaded = load_text("test.layout", before + "prove t: " + condition + "\n");
    for (const Diagnostic& diagnostic : loaded.diagnostics)
      ADD_FAILURE() << render(*loaded.sources, diagnostic);
    spec = std::move(loaded.spec);
    if (spec == nullptr) return;
    Shape shape;
    for (const Variable* size : spec->sizes) {
      const auto found = sizes.find(size->name);
      shape.sizes.emplace_back(size, found == sizes.end() ? Int{1} : found->second);
    }
    evaluator = std::make_unique<Evaluator>(*spec, shape);
  }
  [[nodiscard]] const Expr& condition() const { return *spec->claims.at(0).condition; }
  [[nodiscard]] const Expr& expression() const { return *condition().args.at(0); }
  [[nodiscard]] Scalar scalar() { return evaluator->scalar(expression()); }
  [[nodiscard]] Scalar truth() { return evaluator->scalar(condition()); }

  std::unique_ptr<Spec> spec;
  std::unique_ptr<Evaluator> evaluator;
};

}  // namespace fragproof
