// Packs and shared tiles as C++ structs: which place each element goes to, and which source it
// comes from.
#include <algorithm>
#include <deque>

#include "spec/cpp_names.h"
#include "spec/cpp_writer.h"

namespace fragproof {
namespace {

// `let [a:A, b:B] = value`.
Binding split(const Fill& fill, const Expr& digits, const Expr* value) {
  Binding binding;
  binding.kind = Binding::Kind::Digits;
  binding.value = const_cast<Expr*>(value);
  binding.where = fill.where;
  for (std::size_t i = 0; i + 1 < digits.args.size(); i += 2) {
    const Variable* axis = digits.args[i]->variable;
    binding.digits.push_back(
        {const_cast<Variable*>(axis), axis->name, digits.args[i + 1], fill.where});
  }
  return binding;
}

Binding let(Variable* variable, const Expr* value) {
  Binding binding;
  binding.kind = Binding::Kind::Let;
  binding.name = variable->name;
  binding.variable = variable;
  binding.value = const_cast<Expr*>(value);
  return binding;
}

CppFrame frame_of(const std::deque<Binding>& bindings) {
  CppFrame frame;
  for (const Binding& binding : bindings) frame.steps.push_back({&binding, nullptr});
  return frame;
}

const Expr& digits_of(const Ref& ref) { return *ref.units.front().index; }

}  // namespace

// A chain of reshapes and permutes: the fills of its hidden packs one after the other, each the
// digits of a position put into another order.
void CppWriter::chain(const Array& pack, const Parameters& parameters, Lines& lines) {
  std::vector<const Fill*> stages;
  const Array* root = &pack;
  while (root == &pack || root->hidden) {
    stages.insert(stages.begin(), &root->fills.front());
    root = root->fills.front().source->array;
  }
  std::vector<Variable*> indices;
  std::vector<const Expr*> uses;
  const std::vector<const Expr*> extents(root->extents.begin(), root->extents.end());
  std::string element = root->name + "[";
  for (std::size_t i = 0; i < extents.size(); ++i) {
    indices.push_back(variable("i" + std::to_string(i), Variable::Kind::Coordinate));
    uses.push_back(use(indices.back()));
    element += (i == 0 ? "" : ", ") + indices.back()->name;
  }
  element += "]";

  // Forwards, element -> position.
  std::deque<Binding> steps;
  const Expr* at = row_major(uses, extents);
  for (const Fill* stage : stages) {
    Variable* whole = variable("w", Variable::Kind::Let);
    steps.push_back(let(whole, at));
    steps.push_back(split(*stage, digits_of(*stage->source), use(whole)));
    at = &digits_of(stage->place);
  }
  const std::vector<const Variable*> arguments(indices.begin(), indices.end());
  CppFrame frame = frame_of(steps);
  value("Where " + element + " is: an element number of " + pack.name + ".", "int64_t", "index",
        frame, arguments, *at, parameters, lines);

  // Backwards, position -> element.
  steps.clear();
  Variable* place = variable("p", Variable::Kind::Coordinate);
  at = use(place);
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    Variable* whole = variable("w", Variable::Kind::Let);
    steps.push_back(let(whole, at));
    steps.push_back(split(**stage, digits_of((*stage)->place), use(whole)));
    at = &digits_of(*(*stage)->source);
  }
  value("Which element is there: its number in " + root->name + ", row-major.", "int64_t",
        "source_index", frame_of(steps), {place}, *at, parameters, lines);
}

// One `for (D) PLACE = SOURCE`.
void CppWriter::fill(const Fill& fill, const CppFrame& outer,
                     const std::vector<const Variable*>& more, const Parameters& parameters,
                     Lines& lines, bool lean) {
  CppFrame frame = outer;
  frame.domains.push_back(&fill.domain);
  std::vector<const Variable*> arguments;
  for (const Coordinate& coordinate : fill.domain.coordinates) {
    arguments.push_back(coordinate.variable);
    if (!lean) count(cpp_identifier(coordinate.name), coordinate.extent, parameters, lines);
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  const std::string unit = std::to_string(fill.place.width) + " bits";
  value("Where it goes: the number of a unit of " + unit + " in " + fill.place.array->name + ".",
        "int64_t", "index", frame, arguments, *position(fill.place), parameters, lines, lean);
  if (fill.source) {
    value("What goes there: the number of a unit of " + unit + " in " + fill.source->array->name +
              ".",
          "int64_t", "source_index", frame, arguments, *position(*fill.source), parameters, lines,
          lean);
  }
  if (fill.domain.where != nullptr) {
    value("Only the points where this is true.", "bool", "contains", frame, arguments,
          *fill.domain.where, parameters, lines, lean);
  }
}

CppWriter::Lines CppWriter::pack(const Array& pack, const std::string& name) {
  CppMentions mentions;
  const std::function<void(const Array&)> add = [&](const Array& array) {
    for (const Expr* extent : array.extents) mentions.add(*extent);
    for (const Fill& fill : array.fills) {
      mentions.add(fill.domain);
      mentions.add(fill.place);
      if (!fill.source) continue;
      mentions.add(*fill.source);
      const Array& source = *fill.source->array;
      if (source.hidden) {
        add(source);
      } else {
        for (const Expr* extent : source.extents) mentions.add(*extent);
      }
    }
  };
  add(pack);
  const Parameters parameters = this->parameters(mentions);
  Lines inner;
  inner.push_back("static constexpr int bits = " + std::to_string(pack.element.width) +
                  ";  // of an element");
  const Expr* count = nullptr;
  for (const Expr* extent : pack.extents) {
    count = count == nullptr ? extent : binary(Binary::Mul, count, extent);
  }
  value("Elements in all.", "int64_t", "count", {}, {}, *count, parameters, inner);
  if (!pack.chain_source.empty()) {
    chain(pack, parameters, inner);
  } else {
    int number = 0;
    for (const Fill& fill : pack.fills) {
      if (pack.fills.size() == 1) {
        this->fill(fill, {}, {}, parameters, inner);
        continue;
      }
      Lines own;
      this->fill(fill, {}, {}, parameters, own);
      inner.push_back("struct fill" + std::to_string(number++) + " {");
      cpp_indent(own, inner);
      inner.emplace_back("};");
    }
  }
  Lines lines = cpp_comment(spec_, pack.where);
  lines.push_back("struct " + name + " {");
  cpp_indent(inner, lines);
  lines.emplace_back("};");
  return lines;
}

}  // namespace fragproof
