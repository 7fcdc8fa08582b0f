// What a fragment says in formulas, and the formulas for the way back, found from its values and
// compared with them.
#include <algorithm>
#include <optional>

#include "cli/fragments.h"
#include "spec/syntax.h"

namespace fragproof::cli {
namespace {

// A digit of the lane or of the element number: which multiple of `stride` it adds to which output.
struct Digit {
  std::string name;
  int radix = 1;
  int weight = 1;      // in its coordinate
  int coordinate = 0;  // 0: lane, 1: elem
  std::size_t output = 0;
  Int stride = 0;
};

std::optional<int> literal(const Expr* expr) {
  if (expr == nullptr || expr->kind != Expr::Kind::Number || expr->number < 1 ||
      expr->number > 1 << 20) {
    return std::nullopt;
  }
  return static_cast<int>(expr->number);
}

// The digits of both coordinates; empty when a radix is not a literal.
std::vector<Digit> digits_of(const Map& fragment, const FragmentTable& table) {
  std::vector<Digit> digits;
  for (int c = 0; c < 2; ++c) {
    const Coordinate& coordinate = fragment.domain.coordinates[static_cast<std::size_t>(c)];
    if (coordinate.digits.empty()) {
      digits.push_back({coordinate.name, c == 0 ? table.lanes : table.elems, 1, c, 0, 0});
      continue;
    }
    int weight = 1;
    std::vector<Digit> own;
    for (auto binding = coordinate.digits.rbegin(); binding != coordinate.digits.rend();
         ++binding) {
      const std::optional<int> radix = literal(binding->radix);
      if (!radix) return {};
      own.push_back({binding->name, *radix, weight, c, 0, 0});
      weight *= *radix;
    }
    digits.insert(digits.end(), own.rbegin(), own.rend());
  }
  return digits;
}

const std::vector<Int>& value_at(const FragmentTable& table, int lane, int elem) {
  return table.values[static_cast<std::size_t>(lane * table.elems + elem)];
}

// Gives each digit the one output that it moves, and by how much. False when the fragment is not
// that simple.
bool find_strides(const FragmentTable& table, std::vector<Digit>& digits) {
  const std::vector<Int>& origin = value_at(table, 0, 0);
  if (std::any_of(origin.begin(), origin.end(), [](Int value) { return value != 0; })) return false;
  for (Digit& digit : digits) {
    if (digit.radix == 1) continue;
    const std::vector<Int>& moved =
        digit.coordinate == 0 ? value_at(table, digit.weight, 0) : value_at(table, 0, digit.weight);
    int outputs = 0;
    for (std::size_t o = 0; o < moved.size(); ++o) {
      if (moved[o] == 0) continue;
      ++outputs;
      digit.output = o;
      digit.stride = moved[o];
    }
    if (outputs != 1 || digit.stride < 0) return false;
  }
  return true;
}

Int digit_of(const Digit& digit, const std::vector<Int>& value) {
  return digit.radix == 1 ? 0 : value[digit.output] / digit.stride % digit.radix;
}

bool holds_everywhere(const FragmentTable& table, const std::vector<Digit>& digits) {
  for (int lane = 0; lane < table.lanes; ++lane) {
    for (int elem = 0; elem < table.elems; ++elem) {
      Int back[2] = {0, 0};
      for (const Digit& digit : digits) {
        back[digit.coordinate] += digit_of(digit, value_at(table, lane, elem)) * digit.weight;
      }
      if (back[0] != lane || back[1] != elem) return false;
    }
  }
  return true;
}

// "col/2 % 4", without what divides or masks nothing.
std::string digit_text(const Digit& digit, const FragmentTable& table) {
  std::string text = table.coordinate_names[digit.output];
  if (digit.stride != 1) text += "/" + to_string(digit.stride);
  const bool top =
      !table.extents.empty() && digit.stride * digit.radix >= table.extents[digit.output];
  if (!top) text += " % " + std::to_string(digit.radix);
  return text;
}

std::string coordinate_text(const std::vector<Digit>& digits, int coordinate,
                            const FragmentTable& table) {
  std::string sum;
  for (const Digit& digit : digits) {
    if (digit.coordinate != coordinate || digit.radix == 1) continue;
    std::string term = digit_text(digit, table);
    if (digit.weight != 1) {
      const bool simple = term.find_first_of("/%") == std::string::npos;
      term = std::to_string(digit.weight) + "*" + (simple ? term : "(" + term + ")");
    }
    sum += (sum.empty() ? "" : " + ") + term;
  }
  return sum.empty() ? "0" : sum;
}

}  // namespace

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
  const bool partial = std::any_of(table.values.begin(), table.values.end(),
                                   [](const std::vector<Int>& value) { return value.empty(); });
  std::vector<Digit> digits = digits_of(fragment, table);
  if (partial || digits.empty() || !find_strides(table, digits) ||
      !holds_everywhere(table, digits)) {
    return {};
  }
  std::vector<std::string> lines;
  for (int c = 0; c < 2; ++c) {
    lines.push_back(fragment.domain.coordinates[static_cast<std::size_t>(c)].name + " = " +
                    coordinate_text(digits, c, table));
  }
  return lines;
}

}  // namespace fragproof::cli
