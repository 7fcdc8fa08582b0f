#include "fuzz/space.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "checkers/enumerate/explain.h"
#include "checkers/enumerate/uses.h"
#include "fuzz/random.h"
#include "spec/syntax.h"

namespace fragproof {
namespace {

constexpr Int most_entries = 1 << 20;  // of a table

bool says_distinct(const Table& table, const std::vector<const Expr*>& conjuncts) {
  return std::any_of(conjuncts.begin(), conjuncts.end(), [&](const Expr* expr) {
    return expr->kind == Expr::Kind::Predicate && expr->table == &table &&
           (expr->predicate == Predicate::Injective || expr->predicate == Predicate::Bijective);
  });
}

// The table of a seed: in order for 0, else shuffled (distinct) or drawn.
std::vector<Int> seeded_table(std::size_t n, Int range, bool distinct, std::uint64_t seed) {
  std::vector<Int> table(n);
  std::iota(table.begin(), table.end(), Int{0});
  Draws draws(seed, hashed("table"), n);
  if (seed != 0 && distinct) {
    for (std::size_t k = n; k > 1; --k) std::swap(table[k - 1], table[draws.below(k)]);
  }
  const auto bound = static_cast<std::uint64_t>(std::min<Int>(range, Int{1} << 40));
  for (Int& value : table) {
    if (seed != 0 && !distinct) value = static_cast<Int>(draws.below(bound));
    if (!distinct) value %= range;
  }
  return table;
}

std::string values_text(const Expr& require, const Shape& shape) {
  Uses uses;
  uses.add(&require);
  std::string text;
  for (const auto& [size, value] : shape.sizes) {
    if (uses.sizes.count(size) == 0) continue;
    text += (text.empty() ? "" : ", ") + size->name + "=" + to_string(value);
  }
  return text;
}

}  // namespace

KernelSpace::KernelSpace(const Spec& spec, const Kernel& kernel) : spec_(spec), kernel_(kernel) {
  Uses uses;
  uses.add(kernel);
  for (const Expr* require : spec.requires_) {
    split_conjuncts(require, conjuncts_);
    uses.add(require);
  }
  for (const Expr* require : kernel.requires_) {
    split_conjuncts(require, conjuncts_);
    uses.add(require);
  }
  for (const Variable* size : spec.sizes) {
    if (uses.sizes.count(size) != 0) sizes_.push_back(size);
  }
  for (const Table* table : spec.tables) {
    if (uses.tables.count(table) == 0) continue;
    tables_.push_back(table);
    if (says_distinct(*table, conjuncts_)) distinct_.push_back(table);
  }
  for (const Int number : uses.numbers) {
    if (number >= 8 && number <= 256) divisors_.push_back(static_cast<std::int64_t>(number));
  }
  pin({});
}

std::vector<std::pair<const Variable*, Int>> KernelSpace::variables_of(
    const NamedValues& values) const {
  std::vector<std::pair<const Variable*, Int>> out;
  for (const auto& [name, value] : values) {
    const auto it = std::find_if(sizes_.begin(), sizes_.end(),
                                 [&](const Variable* size) { return size->name == name; });
    if (it != sizes_.end()) out.emplace_back(*it, value);
  }
  return out;
}

void KernelSpace::pin(const NamedValues& sizes) {
  pinned_ = sizes;
  near_ = std::make_unique<ShapeSearch>(spec_, sizes_, conjuncts_, variables_of(sizes), INT64_MAX,
                                        nullptr);
}

std::optional<std::vector<std::int64_t>> KernelSpace::near(
    const std::vector<std::int64_t>& target) {
  std::optional<SizeVector> found = near_->near(target);
  if (!found || found->undefined != nullptr) return std::nullopt;
  return std::move(found->values);
}

ShapeSearch KernelSpace::search(const NamedValues& pinned, std::int64_t limit,
                                const std::atomic<bool>* stop) const {
  return {spec_, sizes_, conjuncts_, variables_of(pinned), limit, stop};
}

Configuration KernelSpace::configuration_of(
    const std::vector<std::int64_t>& sizes,
    const std::vector<std::pair<std::string, TableChoice>>& tables) const {
  Configuration out;
  out.kernel = kernel_.name;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    out.sizes.emplace_back(sizes_[i]->name, Int{sizes[i]});
  }
  out.tables = tables;
  return out;
}

std::optional<Shape> KernelSpace::shape_of(const Configuration& configuration,
                                           std::string& error) const {
  NamedValues sizes = configuration.sizes;
  for (const auto& [name, value] : sizes) {
    const auto is_it = [&](const Variable* size) { return size->name == name; };
    if (std::none_of(spec_.sizes.begin(), spec_.sizes.end(), is_it)) {
      error = "no size named " + name;
      return std::nullopt;
    }
  }
  const std::size_t given = variables_of(sizes).size();
  if (given < sizes_.size()) {
    ShapeSearch smallest = search(sizes, 2'000'000, nullptr);
    const std::vector<SizeVector> found = smallest.next(1);
    if (!found.empty()) {
      for (std::size_t i = 0; i < sizes_.size(); ++i) {
        const auto is_it = [&](const auto& other) { return other.first == sizes_[i]->name; };
        if (std::none_of(sizes.begin(), sizes.end(), is_it)) {
          sizes.emplace_back(sizes_[i]->name, Int{found.front().values[i]});
        }
      }
    }
  }
  Shape shape;
  for (const Variable* size : spec_.sizes) {
    const auto it = std::find_if(sizes.begin(), sizes.end(),
                                 [&](const auto& other) { return other.first == size->name; });
    shape.sizes.emplace_back(size, it == sizes.end() ? Int{1} : it->second);
  }
  fill_tables(shape, configuration, error);
  if (!error.empty()) return std::nullopt;
  return shape;
}

void KernelSpace::fill_tables(Shape& shape, const Configuration& configuration,
                              std::string& error) const {
  for (const auto& [name, choice] : configuration.tables) {
    const auto is_it = [&](const Table* table) { return table->name == name; };
    if (std::none_of(tables_.begin(), tables_.end(), is_it)) {
      error = "no open table named " + name;
      return;
    }
  }
  if (tables_.empty()) return;
  Evaluator evaluator(spec_, shape);
  for (const Table* table : tables_) {
    TableChoice choice;
    for (const auto& [name, given] : configuration.tables) {
      if (name == table->name) choice = given;
    }
    const auto extents = evaluator.extents(*table);
    Int n = 1;
    for (std::size_t i = 0; extents && i < extents->size(); ++i) {
      if (!mul(n, (*extents)[i], n) || n > most_entries) {
        error = "table " + table->name + " has more than 2^20 entries";
        return;
      }
    }
    if (!extents || n < 0) continue;  // a lookup is undefined, and says so
    if (!choice.seeded) {
      if (static_cast<Int>(choice.values.size()) != n) {
        error = "table " + table->name + " takes " + to_string(n) + " values, " +
                std::to_string(choice.values.size()) + " given";
        return;
      }
      shape.tables[table] = choice.values;
      continue;
    }
    Int range = 2 * n + 2;
    if (table->range != nullptr) {
      const Scalar scalar = evaluator.scalar(*table->range);
      if (scalar.outcome == Outcome::Ok) range = scalar.value;
    }
    if (range < 1) continue;
    const bool distinct = std::find(distinct_.begin(), distinct_.end(), table) != distinct_.end();
    shape.tables[table] = seeded_table(static_cast<std::size_t>(n), range, distinct, choice.seed);
  }
}

const Expr* KernelSpace::first_violated(const Shape& shape) const {
  Evaluator evaluator(spec_, shape, {}, scalar_of_atom);
  for (const Expr* conjunct : conjuncts_) {
    const Scalar scalar = evaluator.scalar(*conjunct);
    if (scalar.outcome != Outcome::Ok || scalar.value == 0) return conjunct;
  }
  return nullptr;
}

std::string KernelSpace::excluded_by(const Shape& shape) const {
  const Expr* violated = first_violated(shape);
  if (violated == nullptr) return "";
  const std::string values = values_text(*violated, shape);
  return "`" + to_text(*violated) + "` (line " + std::to_string(violated->where.line) +
         ") is false" + (values.empty() ? "" : " at " + values);
}

std::vector<const Kernel*> kernels_of(const Spec& spec) {
  std::vector<const Kernel*> out;
  for (const Kernel* kernel : spec.kernels) {
    if (kernel->where.file == spec.main_file && kernel->mma && kernel->store) {
      out.push_back(kernel);
    }
  }
  return out;
}

}  // namespace fragproof
