#include "checkers/tests/kernel_fixture.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace fragproof::kernel_tests {

namespace {

const std::string folder = std::string(FRAGPROOF_SOURCE_DIR) + "/";

}  // namespace

std::string example(const std::string& name) {
  std::ifstream file(folder + "examples/" + name + ".layout");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

std::string edited(std::string text, const std::string& from, const std::string& to) {
  std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "nothing to edit: " << from;
  for (; at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

Subject::Subject(std::string text, const std::string& name)
    : loaded_(load_text(folder + name, std::move(text))) {
  for (const Diagnostic& diagnostic : loaded_.diagnostics) {
    ADD_FAILURE() << render(*loaded_.sources, diagnostic);
  }
}

const Kernel& Subject::kernel(const std::string& name) const {
  for (const Kernel* kernel : spec().kernels) {
    if (kernel->name == name) return *kernel;
  }
  throw std::runtime_error("no kernel " + name);
}

const Load& Subject::load(const std::string& kernel_name, const std::string& name) const {
  for (const Load* load : kernel(kernel_name).loads) {
    if (load->name == name) return *load;
  }
  throw std::runtime_error("no load " + name);
}

Shape Subject::shape(const Sizes& sizes) const {
  Shape shape;
  for (const Variable* size : spec().sizes) {
    const auto it = sizes.find(size->name);
    shape.sizes.emplace_back(size, it == sizes.end() ? 1 : it->second);
  }
  for (const Table* table : spec().tables) {
    if (table->has_values) continue;
    Evaluator evaluator(spec(), shape);
    std::vector<Int>& values = shape.tables[table];
    Int count = 1;
    const std::vector<Int> extents = evaluator.extents(*table).value();
    for (const Int extent : extents) count *= extent;
    for (Int i = 0; i < count; ++i) values.push_back(i);
  }
  return shape;
}

KernelVerdict Subject::judge(const std::string& name, std::optional<Obligation> obligation,
                             const Sizes& sizes) const {
  Evaluator evaluator(spec(), shape(sizes));
  std::int64_t points = 0;
  return judge_kernel(evaluator, kernel(name), obligation, points);
}

bool Subject::admits(const Kernel& of, const Expr* where, const Sizes& sizes) const {
  Evaluator evaluator(spec(), shape(sizes));
  std::vector<const Expr*> all(spec().requires_.begin(), spec().requires_.end());
  all.insert(all.end(), of.requires_.begin(), of.requires_.end());
  if (where != nullptr) all.push_back(where);
  for (const Expr* require : all) {
    if (require->kind == Expr::Kind::Predicate) continue;
    const Scalar value = evaluator.scalar(*require);
    if (value.outcome != Outcome::Ok || value.value == 0) return false;
  }
  return true;
}

std::string brief(const KernelVerdict& verdict) {
  if (verdict.unknown) return "unknown: " + verdict.reason;
  if (verdict.holds) return verdict.vacuous ? "vacuous" : "holds";
  if (!verdict.counterexample) return "refuted without a counterexample";
  const Counterexample& example = *verdict.counterexample;
  std::string text;
  if (example.lane) text += "lane " + std::to_string(*example.lane) + " ";
  if (!example.reg.empty()) text += example.reg + " ";
  if (!example.half.empty()) text += example.half + " ";
  if (example.elem) text += std::to_string(*example.elem);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (!text.empty()) text += ": ";
  return text + "expected " + example.expected + ", found " + example.found + ", " +
         std::to_string(example.wrong.value_or(-1)) + " of " +
         std::to_string(example.of.value_or(-1));
}

}  // namespace fragproof::kernel_tests
