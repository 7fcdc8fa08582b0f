// Kernels as C++ structs: the index of every load, shared place and store at a lane and a point of
// the loops, as the file writes it.
#include "spec/cpp_names.h"
#include "spec/cpp_writer.h"

namespace fragproof {

CppWriter::Lines CppWriter::kernel(const Kernel& kernel, const std::string& name) {
  CppFrame frame;
  std::vector<const Variable*> loops;
  CppMentions mentions;
  for (const auto* domain : {&kernel.parallel, &kernel.reduce}) {
    if (!domain->has_value()) continue;
    frame.domains.push_back(&**domain);
    mentions.add(**domain);
    for (const Coordinate& coordinate : (*domain)->coordinates) {
      loops.push_back(coordinate.variable);
    }
  }
  for (const Binding& binding : kernel.bindings) {
    frame.steps.push_back({&binding, nullptr});
    mentions.add(*binding.value);
    if (binding.next != nullptr) mentions.add(*binding.next);
    for (const DigitBinding& digit : binding.digits) mentions.add(*digit.radix);
  }
  const auto mention = [&](const Ref& ref, const Expr* condition) {
    mentions.add(ref);
    for (const Expr* extent : ref.array->extents) mentions.add(*extent);
    if (condition != nullptr) mentions.add(*condition);
  };
  for (const Load* load : kernel.loads) mention(load->from, load->condition);
  for (const Array* shared : kernel.shared) {
    for (const Fill& fill : shared->fills) {
      mentions.add(fill.domain);
      mention(fill.place, nullptr);
      if (fill.source) mention(*fill.source, nullptr);
    }
  }
  if (kernel.store) mention(kernel.store->to, kernel.store->condition);
  if (kernel.mma && kernel.mma->c != nullptr) mentions.maps.push_back(kernel.mma->c);
  const Parameters parameters = this->parameters(mentions);

  Lines inner;
  for (const auto* domain : {&kernel.parallel, &kernel.reduce}) {
    if (!domain->has_value()) continue;
    for (const Coordinate& coordinate : (*domain)->coordinates) {
      value("", "int64_t", cpp_identifier(coordinate.name) + "_count", frame, loops,
            *coordinate.extent, parameters, inner, true);
    }
  }
  const auto open = [&](const std::string& comment, const std::string& wanted) {
    std::string own = cpp_identifier(wanted);
    if (own == name) own += "_";
    inner.push_back("// " + comment);
    inner.push_back("struct " + own + " {");
  };
  for (const Array* shared : kernel.shared) {
    int number = 0;
    for (const Fill& fill : shared->fills) {
      Lines own;
      this->fill(fill, frame, loops, parameters, own, true);
      open("for .. " + to_text(fill.place) + " = " + (fill.source ? to_text(*fill.source) : "0"),
           "fill_" + shared->name + (number++ == 0 ? "" : std::to_string(number)));
      cpp_indent(own, inner);
      inner.emplace_back("};");
    }
  }
  std::vector<const Variable*> arguments = {kernel.lane};
  arguments.insert(arguments.end(), loops.begin(), loops.end());
  for (const Load* load : kernel.loads) {
    open("load " + load->name + " from " + to_text(load->from), load->name);
    Lines own;
    own.push_back("static constexpr int bits = " + std::to_string(load->width) +
                  ";  // that a lane gets");
    value("The number of a unit of " + std::to_string(load->from.width) + " bits in " +
              load->from.array->name + ".",
          "int64_t", "index", frame, arguments, *position(load->from), parameters, own, true);
    if (load->condition != nullptr) {
      value("Does the lane load?", "bool", "contains", frame, arguments, *load->condition,
            parameters, own, true);
    }
    cpp_indent(own, inner);
    inner.emplace_back("};");
  }
  if (kernel.store && kernel.mma && kernel.mma->c != nullptr) {
    // row and col are what the accumulator's fragment says of (lane, elem).
    const Map& c = *kernel.mma->c;
    std::vector<Binding> coordinates;
    for (int i = 0; i < 2; ++i) {
      Expr* apply = arena_.make<Expr>();
      apply->kind = Expr::Kind::Apply;
      apply->map = const_cast<Map*>(&c);
      apply->args = {const_cast<Expr*>(use(kernel.lane)), const_cast<Expr*>(use(kernel.elem))};
      apply->type = {Type::Kind::Tuple, 2, 0, {}};
      Expr* field = arena_.make<Expr>();
      field->kind = Expr::Kind::Field;
      field->field = i;
      field->args = {apply};
      field->type = {Type::Kind::Number, 1, 0, {}};
      Binding& binding = coordinates.emplace_back();
      binding.variable = i == 0 ? kernel.row : kernel.col;
      binding.name = i == 0 ? "row" : "col";
      binding.value = field;
    }
    CppFrame with = frame;
    for (const Binding& binding : coordinates) with.steps.push_back({&binding, nullptr});
    arguments.insert(arguments.begin() + 1, kernel.elem);
    open("store to " + to_text(kernel.store->to) + ", one element at a time", "store");
    Lines own;
    value("The number of an element of " + kernel.store->to.array->name + ".", "int64_t", "index",
          with, arguments, *position(kernel.store->to), parameters, own, true);
    if (kernel.store->condition != nullptr) {
      value("Is it stored?", "bool", "contains", with, arguments, *kernel.store->condition,
            parameters, own, true);
    }
    cpp_indent(own, inner);
    inner.emplace_back("};");
  }
  Lines lines = cpp_comment(spec_, kernel.where);
  lines.push_back("struct " + name + " {");
  cpp_indent(inner, lines);
  lines.emplace_back("};");
  return lines;
}

}  // namespace fragproof
