// `acc += X(a, b)`: the instruction, the bits that go into its operands, and how many there are.
#include <unordered_set>

#include "spec/foreign.h"
#include "spec/resolve.h"

namespace fragproof {
namespace {

// The tensors whose elements an array may hold.
void tensors_of(const Array& array, std::unordered_set<const Array*>& seen,
                std::vector<const Array*>& tensors) {
  std::vector<const Array*> pending = {&array};
  while (!pending.empty()) {
    const Array* at = pending.back();
    pending.pop_back();
    if (!seen.insert(at).second) continue;
    if (at->kind == Array::Kind::Tensor) tensors.push_back(at);
    for (const Fill& fill : at->fills) {
      if (fill.source && fill.source->array != nullptr) pending.push_back(fill.source->array);
    }
  }
}

// Names and widths of the elements that a value may be a part of.
struct Elements {
  std::vector<std::pair<std::string, int>> known;
  void add(const Value& value) {
    switch (value.kind) {
      case Value::Kind::Convert:
        known.emplace_back(value.name + "(..)", value.type.width);
        break;
      case Value::Kind::Join:
        for (const Value& part : value.parts) add(part);
        break;
      case Value::Kind::Load: {
        if (value.load == nullptr || value.load->from.array == nullptr) break;
        std::unordered_set<const Array*> seen;
        std::vector<const Array*> tensors;
        tensors_of(*value.load->from.array, seen, tensors);
        for (const Array* tensor : tensors) known.emplace_back(tensor->name, tensor->element.width);
        break;
      }
    }
  }
};

}  // namespace

void Resolver::mma(Kernel& kernel, Mma& mma) {
  const std::string written = mma.instruction;
  mma.instruction = scopes_.expand(written);
  mma.type = mma.instruction.substr(mma.instruction.rfind('.') + 1);
  mma.a = scopes_.find_map(mma.instruction + ".A");
  mma.b = scopes_.find_map(mma.instruction + ".B");
  mma.c = scopes_.find_map(mma.instruction + ".C");
  bool good = mma.a != nullptr && mma.b != nullptr && mma.c != nullptr;
  if (!good && !scopes_.is_poisoned(written)) {
    const bool some = mma.a != nullptr || mma.b != nullptr || mma.c != nullptr;
    // A near miss of an instruction is an instruction: what is near `X.A`, or an alias that is near
    // X.
    std::string name;
    const std::optional<Suggestion> fragment = scopes_.suggest(mma.instruction + ".A");
    const std::optional<Suggestion> alias = scopes_.suggest(written);
    if (fragment && fragment->name.ends_with(".A"))
      name = fragment->name.substr(0, fragment->name.size() - 2);
    if (name.empty() && alias && scopes_.find_map(alias->name + ".A") != nullptr)
      name = alias->name;
    const std::string pasted = foreign_instruction(written);
    if (!pasted.empty()) name.clear();
    error(mma.where,
          some ? "instruction `" + written + "` lacks one of its fragments `.A`, `.B`, `.C`"
               : "unknown instruction `" + written + "`",
          some           ? ""
          : name.empty() ? pasted
                         : "did you mean `" + name + "`?");
  }
  value(mma.value_a);
  value(mma.value_b);
  good = good && check_instruction(mma);
  if (good) {
    operand(mma, *mma.a, mma.value_a, 'A');
    operand(mma, *mma.b, mma.value_b, 'B');
    const std::optional<Int> lanes = constant(*mma.a->domain.coordinates[0].extent);
    for (const Load* load : kernel.loads) {
      if (load->instruction == nullptr) continue;
      const Expr* extent = load->instruction->domain.coordinates[0].extent;
      if (extent == nullptr || constant(*extent) == lanes) continue;
      error(load->where,
            "`" + load->type_name + "` and `" + written + "` have different numbers of lanes");
    }
  }
  Symbol symbol;
  symbol.kind = Symbol::Kind::Accumulator;
  symbol.what = "accumulator";
  symbol.where = mma.where;
  scopes_.declare(mma.accumulator, symbol);
}

std::string Resolver::foreign_instruction(const std::string& written) const {
  if (is_ptx(written)) {
    const std::string entry = ptx_entry(written);
    const bool known = !entry.empty() && (scopes_.find_map(entry) != nullptr ||
                                          scopes_.find_map(entry + ".A") != nullptr);
    return known ? "this instruction is `" + entry + "` here"
                 : "it is not among those that `fragproof list` prints";
  }
  // `mma.m16n8k32.int8`, `.i8`: the type by another name.
  const std::size_t dot = written.rfind('.');
  if (dot == std::string::npos) return "";
  std::string type = foreign_type(written.substr(dot + 1));
  if (type.empty()) {
    if (const auto same = find_type(written.substr(dot + 1))) type = same->name;
  }
  const std::string entry = written.substr(0, dot + 1) + type;
  const bool known = !type.empty() && scopes_.find_map(entry + ".A") != nullptr;
  return known ? "write `" + entry + "`" : "";
}

bool Resolver::check_instruction(const Mma& mma) {
  std::optional<Int> extent[3][2];  // of row and col
  std::optional<Int> lanes[3];
  const Map* fragments[3] = {mma.a, mma.b, mma.c};
  for (int i = 0; i < 3; ++i) {
    const Map& map = *fragments[i];
    const bool shaped = map.is_fragment && map.domain.coordinates.size() == 2 &&
                        map.outputs.size() == 2 && map.outputs[0].name == "row" &&
                        map.outputs[1].name == "col";
    if (shaped) {
      const Expr* lane = map.domain.coordinates[0].extent;
      const Expr* elem = map.domain.coordinates[1].extent;
      lanes[i] = lane == nullptr ? std::nullopt : constant(*lane);
      const std::optional<Int> elems = elem == nullptr ? std::nullopt : constant(*elem);
      for (int j = 0; j < 2; ++j) {
        const Expr* codomain = map.outputs[static_cast<std::size_t>(j)].codomain;
        extent[i][j] = codomain == nullptr ? std::nullopt : constant(*codomain);
      }
      if (lanes[i] && elems && *elems <= 4096 && *lanes[i] <= 4096 && extent[i][0] && extent[i][1])
        continue;
    }
    error(mma.where,
          "`" + map.name +
              "` is no operand of an instruction: that is a fragment (lane, elem) -> (row, col) "
              "with constant extents");
    return false;
  }
  if (lanes[0] == lanes[1] && lanes[1] == lanes[2] && extent[0][0] == extent[2][0] &&
      extent[0][1] == extent[1][0] && extent[1][1] == extent[2][1]) {
    return true;
  }
  error(mma.where, "the fragments of `" + mma.instruction +
                       "` do not fit: A is (row = m, col = k), B is (row = k, col = n), C is (row "
                       "= m, col = n)");
  return false;
}

void Resolver::value(Value& value) {
  switch (value.kind) {
    case Value::Kind::Load: {
      const Found found = scopes_.find(value.name);
      if (found.symbol == nullptr) {
        unknown_name(value.name, value.where);
      } else if (found.symbol->kind != Symbol::Kind::Load) {
        if (found.symbol->kind != Symbol::Kind::Broken) {
          error(value.where,
                "an operand is made of loads, `" + value.name + "` is a " + found.symbol->what);
        }
      } else {
        value.load = found.symbol->load;
        value.width = value.load->width;
      }
      break;
    }
    case Value::Kind::Convert:
      convert(value);
      break;
    case Value::Kind::Join: {
      bool known = true;
      std::int64_t width = 0;
      for (Value& part : value.parts) {
        this->value(part);
        known = known && part.width > 0;
        width += part.width;
      }
      if (width > (1 << 20)) {
        error(value.where, "this operand has more than a million bits");
        known = false;
      }
      value.width = known ? static_cast<int>(width) : 0;
      break;
    }
  }
  for (Unit& unit : value.units) {
    number(*unit.index);
    if (value.width != 0) value.width = unit.width;
  }
}

void Resolver::convert(Value& value) {
  const std::optional<ElementType> type = find_type(value.name);
  if (!type) {
    error(value.where, "`" + value.name + "` is no type to convert to");
    return;
  }
  value.type = *type;
  value.width = type->width;
  for (Value& part : value.parts) {
    this->value(part);
    if (part.width == 0) continue;
    Elements elements;
    elements.add(part);
    const std::pair<std::string, int>* first = nullptr;
    bool fits = false;
    for (const auto& element : elements.known) {
      if (first == nullptr) first = &element;
      fits = fits || element.second == part.width;
    }
    if (first == nullptr || fits) continue;
    error(value.where, "the value has " + std::to_string(part.width) + " bits, elements of `" +
                           first->first + "` have " + std::to_string(first->second) +
                           ": a conversion takes one whole element");
  }
}

void Resolver::operand(const Mma& mma, const Map& fragment, const Value& value, char letter) {
  if (value.width == 0) return;
  const std::optional<Int> elems = constant(*fragment.domain.coordinates[1].extent);
  const int wanted = static_cast<int>(elems.value_or(0)) * fragment.element.width;
  if (value.width == wanted) return;
  std::string text(sources_.text(value.where));
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  std::string help;
  if (value.kind == Value::Kind::Load && value.units.empty() && value.width > wanted &&
      value.width % wanted == 0) {
    help = "`" + value.name + ".b" + std::to_string(wanted) + "[...]`";
  }
  error(value.where,
        std::string("operand ") + letter + " of " + mma.instruction + " takes " +
            std::to_string(wanted) + " bits per lane, `" + text + "` has " +
            std::to_string(value.width),
        help);
}

}  // namespace fragproof
