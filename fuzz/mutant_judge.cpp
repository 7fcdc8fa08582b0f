// What becomes of a mutant: claims at small shapes, executions, then the whole proof; see
// mutants.h.
#include <algorithm>

#include "checkers/enumerate/enumerate.h"
#include "fuzz/campaign.h"
#include "fuzz/mutants.h"

namespace fragproof {
namespace {

constexpr int shapes_compared = 24;

const Map* map_named(const Spec& spec, const std::string& name) {
  for (const Map* map : spec.maps) {
    if (map->name == name) return map;
  }
  return nullptr;
}

const Array* array_named(const Spec& spec, const std::string& name) {
  for (const Array* array : spec.arrays) {
    if (array->name == name) return array;
  }
  return nullptr;
}

bool stands_in(const Expr& condition, const std::string& kernel) {
  return condition.kind == Expr::Kind::Kernel && condition.kernel->name == kernel;
}

// The shapes at which two specs are compared: the smallest that the original admits.
std::vector<Shape> small_shapes(const Spec& spec) {
  std::vector<const Variable*> sizes(spec.sizes.begin(), spec.sizes.end());
  std::vector<const Expr*> conjuncts(spec.requires_.begin(), spec.requires_.end());
  ShapeSearch search(spec, sizes, conjuncts, {}, 1'000'000, nullptr);
  std::vector<Shape> shapes;
  for (std::vector<SizeVector> found = search.next(shapes_compared);
       !found.empty() && shapes.size() < shapes_compared; found = search.next(shapes_compared)) {
    for (const SizeVector& vector : found) {
      if (shapes.size() == shapes_compared || vector.undefined != nullptr) continue;
      Shape& shape = shapes.emplace_back();
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        shape.sizes.emplace_back(sizes[i], Int{vector.values[i]});
      }
    }
  }
  return shapes;
}

// The shape for another spec with the same sizes.
Shape transfer(const Shape& shape, const Spec& to) {
  Shape out;
  for (const auto& [size, value] : shape.sizes) {
    for (const Variable* other : to.sizes) {
      if (other->name == size->name) out.sizes.emplace_back(other, value);
    }
  }
  return out;
}

// All values of a map at one shape; nothing when they cannot be told.
std::optional<std::vector<Int>> values_of(const Spec& spec, const Shape& shape, const Map& map) {
  for (const Coordinate& coordinate : map.domain.coordinates) {
    if (coordinate.extent == nullptr) return std::nullopt;
  }
  Evaluator evaluator(spec, shape);
  std::vector<Int> out;
  const Walk walk = evaluator.walk(map.domain, {}, [&](const Batch& batch) {
    std::vector<Column> arguments;
    for (const Coordinate& coordinate : map.domain.coordinates) {
      arguments.push_back(batch.find(coordinate.variable)->members[0]);
    }
    const Values values = evaluator.apply(map, arguments, batch.size);
    for (std::size_t i = 0; i < batch.size; ++i) {
      for (const Column& column : arguments) out.push_back(column.at(i));
      out.push_back(static_cast<Int>(values.at(i)));
      for (const Column& member : values.members) out.push_back(member.at(i));
    }
    return out.size() < 2'000'000;
  });
  if (walk.end != Walk::End::Complete || walk.truncated) return std::nullopt;
  return out;
}

// Does the mutated map or array still mean the same? Says why; "" when it does not or cannot be
// told.
std::string same_meaning(const Spec& original, const Spec& changed, const std::string& owner) {
  const std::vector<Shape> shapes = small_shapes(original);
  if (shapes.empty()) return "";
  const Map* old_map = map_named(original, owner);
  const Map* new_map = map_named(changed, owner);
  const Array* old_array = array_named(original, owner);
  const Array* new_array = array_named(changed, owner);
  for (const Shape& shape : shapes) {
    const Shape other = transfer(shape, changed);
    if (old_map != nullptr && new_map != nullptr) {
      const auto before = values_of(original, shape, *old_map);
      const auto after = values_of(changed, other, *new_map);
      if (!before || !after || *before != *after) return "";
    } else if (old_array != nullptr && new_array != nullptr &&
               old_array->kind == Array::Kind::Pack) {
      Evaluator old_evaluator(original, shape), new_evaluator(changed, other);
      const Image& before = old_evaluator.image(*old_array);
      const Image& after = new_evaluator.image(*new_array);
      if (before.outcome != Outcome::Ok || after.outcome != Outcome::Ok ||
          before.cells.size() != after.cells.size()) {
        return "";
      }
      for (std::size_t cell = 0; cell < before.cells.size(); ++cell) {
        if (before.code(cell) != after.code(cell)) return "";
      }
    } else {
      return "";
    }
  }
  const bool bounded = original.sizes.empty();
  return bounded ? "the same at every point"
                 : "the same at every point of the " + std::to_string(shapes.size()) +
                       " smallest shapes";
}

}  // namespace

MutantVerdict judge_mutant(const Spec& original, const Mutant& mutant, const std::string& stem,
                           const MutationSetting& setting, const FileReader& reader) {
  const std::string& path = original.sources->file(original.main_file).path;
  const LoadResult loaded = load_text(path, mutant.text, reader);
  if (!loaded.spec) return {Fate::Invalid, loaded.diagnostics.front().text};
  const std::vector<Question> questions = questions_of(*loaded.spec, stem);

  // A look at the smallest shapes: where most mistakes show.
  constexpr Budget look{.points = 400'000, .shapes = 12};
  for (const Question& question : questions) {
    const Answer answer = enumerate(question, look);
    const Verdict opposite = question.claim->refute ? Verdict::Proved : Verdict::Refuted;
    if (answer.verdict == opposite || answer.verdict == Verdict::Vacuous) {
      return {Fate::Killed, question.id};
    }
  }
  CampaignSetting fuzz;
  fuzz.cases = setting.cases;
  fuzz.shrink_shapes = 0;
  Campaign campaign(*loaded.spec, fuzz);
  campaign.run();
  for (const KernelReport& report : campaign.reports()) {
    if (report.refuted_by_file || report.failing == 0) continue;
    return {Fate::Killed, "fuzz " + to_text(report.first_failures.front())};
  }

  const std::vector<Check> checks = judge_all(questions, setting.prove);
  bool all = !checks.empty();
  for (const Check& check : checks) {
    const bool decided = check.verdict == Verdict::Proved || check.verdict == Verdict::Refuted ||
                         check.verdict == Verdict::Vacuous;
    if (decided && !as_expected(check)) return {Fate::Killed, check.id};
    all = all && decided;
  }
  const std::string same = same_meaning(original, *loaded.spec, mutant.owner);
  if (!same.empty()) return {Fate::Equal, same};
  // A kernel whose every obligation is still proved computes what it computed.
  const bool proven_kernel =
      std::any_of(loaded.spec->claims.begin(), loaded.spec->claims.end(), [&](const Claim& claim) {
        return !claim.refute && !claim.condition->obligation && claim.where_clause == nullptr &&
               stands_in(*claim.condition, mutant.owner);
      });
  if (all && proven_kernel) return {Fate::Equal, "the kernel is proved all the same"};
  // A pack and the kernels that read it may change together only.
  const Array* array = array_named(*loaded.spec, mutant.owner);
  if (all && array != nullptr) {
    for (const Claim& claim : loaded.spec->claims) {
      if (claim.refute || claim.condition->kind != Expr::Kind::Kernel ||
          claim.condition->obligation)
        continue;
      for (const Load* load : claim.condition->kernel->loads) {
        if (load->from.array == array) {
          return {Fate::Equal, "kernel " + claim.condition->kernel->name +
                                   ", which reads it, is proved all the same"};
        }
      }
    }
  }
  return {Fate::Survived, all ? "every claim got what it expects" : "not every claim was decided"};
}

}  // namespace fragproof
