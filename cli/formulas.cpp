// What a fragment says in formulas, and the formulas for the way back.
#include "cli/fragments.h"
#include "spec/digit_inverse.h"
#include "spec/syntax.h"

namespace fragproof::cli {
std::vector<std::string> formulas(const Map& fragment) {
  std::vector<std::string> lines;
  for (const Map::Step& step : fragment.steps) {
    if (step.kind == Map::Step::Kind::Output) {
      const OutputDef& output = fragment.outputs[step.index];
      if (output.value != nullptr) lines.push_back(output.name + " = " + to_text(*output.value));
      continue;
    }
    const Binding& binding = fragment.bindings[step.index];
    if (binding.kind == Binding::Kind::Let && binding.value != nullptr) {
      lines.push_back("let " + binding.name + " = " + to_text(*binding.value));
    }
  }
  return lines;
}

std::vector<std::string> inverse_formulas(const Map& fragment, const FragmentTable& table) {
  const auto inverse = digit_inverse({table.lanes, table.elems}, table.extents, table.values);
  if (!inverse) return {};
  std::vector<std::string> lines;
  for (std::size_t c = 0; c < inverse->size(); ++c) {
    lines.push_back(fragment.domain.coordinates[c].name + " = " +
                    to_text((*inverse)[c], table.coordinate_names, false));
  }
  return lines;
}

}  // namespace fragproof::cli
